import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/event';
import type { OutputLog } from '../output/outputLog';
import type { Mark } from './marks';

/** Where the shell is: not yet at its first prompt, at a prompt, running something, or asking for the rest of a command line. */
export type Phase = 'starting' | 'prompt' | 'running' | 'continuation';

/** One command line of a session. Times are ms since the epoch, offsets are those of the session's log. */
export interface Command {
  readonly id: string;
  /** Empty while it is not known: a person's command line in a shell that tells it only afterwards. */
  readonly text: string;
  readonly by: 'agent' | 'person';
  readonly cwd: string;
  readonly startedAt: number;
  /** Undefined until the shell has begun to run it, and for ever if it only complained without a mark. */
  readonly outputStart: number | undefined;
  /** Undefined while it runs. */
  readonly endedAt: number | undefined;
  readonly outputEnd: number | undefined;
  /** Undefined while it runs, when the shell ran nothing (a comment), or when a signal ended the shell. */
  readonly exitCode: number | undefined;
  /** The signal that ended the shell together with the command. */
  readonly signal: string | undefined;
}

type Draft = { -readonly [K in keyof Command]: Command[K] } & { sawEnd: boolean };

/** Commands remembered per session; older ones are forgotten, their output stays in the log. */
const MAX_COMMANDS = 500;
const LF = 0x0a;

/**
 * Follows what the shell does by its marks: which command runs, where its output begins and ends, how it ended.
 *
 * A command line is over when the shell shows a prompt again after an end mark, not at the end mark itself: bash and zsh run a pasted
 * text of several commands one by one and mark each, with no prompt in between; together they are one command, and the last exit code counts.
 */
export class CommandTracker {
  private readonly log: OutputLog;
  /** False for shells that cannot mark the beginning of output (sh): there it begins behind the echo of the command line. */
  private readonly marksOutput: boolean;
  private readonly changed = new Emitter<void>();
  private readonly ended = new Emitter<Command>();
  /** The phase, the directory or the current command is another one. */
  readonly onChange = this.changed.event;
  readonly onCommandEnd = this.ended.event;

  private readonly finished: Command[] = [];
  private draft: Draft | undefined;
  private announced: string | undefined;
  /** Where the last prompt begins … */
  promptStart = 0;
  /** … and ends, and the command line behind it begins. */
  promptEnd = 0;
  phase: Phase = 'starting';
  cwd: string;

  constructor(log: OutputLog, cwd: string, marksOutput: boolean) {
    this.log = log;
    this.cwd = cwd;
    this.marksOutput = marksOutput;
  }

  /** The command that runs, or that the shell wants the rest of. */
  get current(): Command | undefined {
    return this.draft;
  }

  /** The last commands that have ended, oldest first. */
  get commands(): readonly Command[] {
    return this.finished;
  }

  get last(): Command | undefined {
    return this.draft ?? this.finished[this.finished.length - 1];
  }

  /** The range of the log that holds a command's output so far; empty before it has any. */
  outputOf(command: Command): { readonly from: number; readonly to: number } {
    const to = command.outputEnd ?? this.log.end;
    if (command.outputStart !== undefined) return { from: command.outputStart, to };
    const isRunning = command === this.draft && !this.marksOutput && this.phase === 'running';
    return { from: isRunning ? this.endOfEcho(to) : to, to };
  }

  /** What was submitted runs: the shell has read it. */
  get hasBegun(): boolean {
    const { draft } = this;
    if (!draft || this.phase !== 'running' || draft.sawEnd) return false;
    if (draft.outputStart !== undefined) return true;
    return !this.marksOutput && this.log.indexOf(LF, this.promptEnd) !== undefined;
  }

  find(id: string): Command | undefined {
    return this.draft?.id === id ? this.draft : this.finished.find(command => command.id === id);
  }

  /** An agent has just sent this command line to the prompt. `outputStart` where nothing will tell where its output begins. */
  submitted(text: string, outputStart?: number): Command {
    const draft = this.begin('agent', text);
    draft.outputStart = outputStart;
    this.setPhase('running');
    return draft;
  }

  /** A person has pressed Enter at the prompt of a shell that does not mark the beginning of output. */
  entered(): void {
    if (this.marksOutput || this.phase !== 'prompt') return;
    this.begin('person', '');
    this.setPhase('running');
  }

  handle(mark: Mark): void {
    switch (mark.kind) {
      case 'promptStart':
        this.promptStart = mark.from;
        return;
      case 'promptEnd':
        return this.atPrompt(mark.to);
      case 'commandLine':
        this.announced = mark.text;
        return;
      case 'outputStart':
        return this.outputStarts(mark.to);
      case 'commandEnd':
        return this.commandEnds(mark.from, mark.exitCode);
      case 'continuationStart':
        return this.wantsRest();
      case 'continuationEnd':
        this.promptEnd = mark.to;
        return;
      case 'property':
        if (mark.name !== 'Cwd' || mark.value === this.cwd) return;
        this.cwd = mark.value;
        return this.changed.fire();
      default:
        return;
    }
  }

  /** The shell itself has ended, and with it whatever ran. */
  shellEnded(code: number | undefined, signal: string | undefined): void {
    const draft = this.draft;
    if (!draft) return;
    if (!draft.sawEnd) {
      draft.exitCode = code;
      draft.outputEnd = this.log.end;
    }
    draft.signal = signal;
    this.finish(draft);
  }

  /** Node marks the beginning of output before it knows that a line is unfinished. */
  private wantsRest(): void {
    if (this.draft && !this.draft.sawEnd) this.draft.outputStart = undefined;
    this.setPhase('continuation');
  }

  private outputStarts(at: number): void {
    const draft = this.draft ?? this.begin('person', '');
    if (draft.text === '' && this.announced !== undefined) draft.text = this.announced;
    this.announced = undefined;
    draft.outputStart ??= at;
    draft.sawEnd = false;
    this.setPhase('running');
  }

  private commandEnds(at: number, exitCode: number | undefined): void {
    const draft = this.draft;
    if (!draft) return;
    draft.sawEnd = true;
    draft.exitCode = exitCode;
    draft.outputEnd = at;
    // No beginning was marked: the shell cannot (sh), or it ran nothing and only complained (a syntax error).
    draft.outputStart ??= this.endOfEcho(at);
  }

  /** Where the command line's echo ends: behind the first line feed after the prompt. */
  private endOfEcho(before: number): number {
    const lineFeed = this.log.indexOf(LF, this.promptEnd, before);
    return lineFeed === undefined ? before : lineFeed + 1;
  }

  private atPrompt(at: number): void {
    this.promptEnd = at;
    this.announced = undefined;
    if (this.draft?.sawEnd) this.finish(this.draft);
    // A prompt that is only drawn again, while a submitted command has not begun, changes nothing.
    if (!this.draft) this.setPhase('prompt');
  }

  private begin(by: Command['by'], text: string): Draft {
    // Only a shell without marks leaves a command open when the next begins.
    if (this.draft) this.finish(this.draft);
    this.draft = {
      id: `c${randomUUID().slice(0, 8)}`,
      text,
      by,
      cwd: this.cwd,
      startedAt: Date.now(),
      outputStart: undefined,
      endedAt: undefined,
      outputEnd: undefined,
      exitCode: undefined,
      signal: undefined,
      sawEnd: false,
    };
    return this.draft;
  }

  private finish(draft: Draft): void {
    draft.endedAt = Date.now();
    draft.outputEnd ??= this.log.end;
    this.draft = undefined;
    this.finished.push(draft);
    if (this.finished.length > MAX_COMMANDS) this.finished.shift();
    this.ended.fire(draft);
    this.changed.fire();
  }

  private setPhase(phase: Phase): void {
    if (this.phase === phase) return;
    this.phase = phase;
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
    this.ended.dispose();
  }
}
