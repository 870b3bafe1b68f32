import { randomBytes, randomUUID } from 'node:crypto';
import { onEvent, race, timeout } from '../../base/async';
import { GlassError } from '../../base/errors';
import { Emitter } from '../../base/event';
import { type Disposable, DisposableStore } from '../../base/lifecycle';
import type { Channel, ChannelExit, EndReport } from '../channel/channel';
import { OutputLog } from '../output/outputLog';
import type { Activity } from '../process/activity';
import { Screen } from '../screen/screen';
import { type Command, CommandTracker } from '../shell/commandTracker';
import { escapeMark, type Mark, MarkParser } from '../shell/marks';
import type { Integration, ShellTraits } from '../shell/shells';
import { type ActivitySource, ActivityWatch } from './activityWatch';
import { InputGate } from './inputGate';
import { Keyboard, type SharingRules } from './keyboard';
import type { Owner } from './owner';
import { PersonTyping } from './personTyping';
import { Readers } from './readers';

/** What a terminal is doing. */
export type SessionState = 'starting' | 'prompt' | Activity | 'continuation' | 'exited';

/** How a state is known: from the kernel, from the shell's marks (or the process's end), or only guessed from text. */
export type Confidence = 'kernel' | 'marks' | 'text';

/** A shell with a number; a command that runs by itself, in a pty; or what a person sees of the commands that have no terminal. */
export type SessionKind = 'terminal' | 'command' | 'transcript';

/** What a session is made of. */
export interface SessionParts {
  readonly id: string;
  readonly kind: SessionKind;
  readonly owner: Owner;
  /** Only terminals have one. */
  readonly number: number | undefined;
  /** Of a command that runs by itself: the interminal session it was run in. */
  readonly profile?: string;
  /** Absolute path. */
  readonly shell: string;
  readonly traits: ShellTraits;
  readonly integration: Integration;
  /** Started already; the session disposes it. */
  readonly channel: Channel;
  /** The secret of the shell's marks. */
  readonly nonce: string;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** Bytes of output kept. */
  readonly logLimit: number;
  /** Whether the kernel may be asked what runs, or only the text on the screen. */
  readonly asksKernel: boolean;
  readonly rules: SharingRules;
  /** Printed before anything of the shell's: see preface.ts. */
  readonly preface?: string;
}

export function newSessionId(): string {
  return `t-${randomBytes(4).toString('hex')}`;
}

/** A shell with `.bashrc` that loads a version manager or two takes a second; one that shows no mark in this time (ms) never will. */
const READY_MS = 10_000;

/** What tells that a pasted command line has arrived: it runs, it was refused, or the rest is wanted. */
const endsPaste: ReadonlySet<Mark['kind']> = new Set(['outputStart', 'commandEnd', 'continuationStart']);

/** A shell in a channel, with its log, screen and command tracker; shown to people and models as a terminal with a number. */
export class Session implements Disposable {
  readonly id: string;
  readonly kind: SessionKind;
  readonly owner: Owner;
  readonly number: number | undefined;
  readonly profile: string | undefined;
  readonly shell: string;
  readonly traits: ShellTraits;
  readonly log: OutputLog;
  readonly screen: Screen;
  readonly tracker: CommandTracker;
  /** The nonce of the marks that replicas of the screen get: not the session's own, which no one else may know. */
  readonly mirrorNonce = randomUUID();

  private readonly store = new DisposableStore();
  private readonly channel: Channel;
  private readonly asksKernel: boolean;
  private readonly input: InputGate;
  private readonly output = this.store.add(new Emitter<void>());
  private readonly changed = this.store.add(new Emitter<void>());
  private readonly exited = this.store.add(new Emitter<ChannelExit>());
  readonly onOutput = this.output.event;
  /** State, directory, command, title or size are different. */
  readonly onChange = this.changed.event;
  readonly onExit = this.exited.event;

  exit: ChannelExit | undefined;
  integration: Integration;
  /** The shell's version, such as 5.2.15, when it has told. */
  version = '';
  /** Something has asked for bracketed paste (DECSET 2004). */
  private sawPasteMode = false;
  readonly readers = new Readers();
  readonly activity: ActivityWatch;
  readonly keyboard: Keyboard;
  private readonly rules: SharingRules;
  private readonly person: PersonTyping;
  /** By performance.now(), in ms. */
  lastOutputAt = performance.now();
  cols: number;
  rows: number;

  constructor(parts: SessionParts) {
    this.id = parts.id;
    this.kind = parts.kind;
    this.owner = parts.owner;
    this.number = parts.number;
    this.profile = parts.profile;
    this.shell = parts.shell;
    this.traits = parts.traits;
    this.integration = parts.integration;
    this.asksKernel = parts.asksKernel;
    this.rules = parts.rules;
    this.keyboard = this.store.add(new Keyboard(parts.rules));
    this.cols = parts.cols;
    this.rows = parts.rows;
    this.log = new OutputLog(parts.logLimit);
    this.screen = this.store.add(new Screen(this.log, parts));
    this.tracker = this.store.add(new CommandTracker(this.log, parts.cwd, parts.integration === 'full'));
    this.channel = this.store.add(parts.channel);
    this.input = this.store.add(new InputGate(parts.channel));
    this.activity = this.store.add(new ActivityWatch(this.activitySource()));
    this.person = this.store.add(new PersonTyping(this));
    this.connect(new MarkParser(parts.nonce), parts.preface);
  }

  private connect(parser: MarkParser, preface: string | undefined): void {
    const receive = (bytes: Uint8Array) => {
      this.log.append(bytes);
      this.lastOutputAt = performance.now();
      parser.push(bytes, mark => this.handle(mark));
      this.sawPasteMode ||= parser.sawBracketedPaste;
      this.screen.notify();
      this.activity.printed();
      this.output.fire();
    };
    if (preface) receive(Buffer.from(preface));
    this.store.add(this.channel.onData(receive));
    this.store.add(this.channel.onExit(exit => this.ended(exit)));
    this.store.add(this.tracker.onChange(() => this.changed.fire()));
    this.store.add(this.activity.onChange(() => this.changed.fire()));
    this.store.add(this.keyboard.onChange(() => this.changed.fire()));
    this.store.add(this.screen.onReply(reply => this.channel.write(reply)));
  }

  private activitySource(): ActivitySource {
    const { channel, tracker, screen, log } = this;
    const lastOutputAt = () => this.lastOutputAt;
    const isTold = () => this.integration !== 'none';
    const isOver = () => this.exit !== undefined;
    return {
      pid: channel.pid,
      tty: this.asksKernel ? channel.tty : undefined,
      isWatched: this.kind !== 'transcript',
      get hasBegun() {
        return !isOver() && (isTold() ? tracker.hasBegun : true);
      },
      get printed() {
        return log.end;
      },
      get lastOutputAt() {
        return lastOutputAt();
      },
      screenFacts: () => screen.facts(),
    };
  }

  private handle(mark: Mark): void {
    if (endsPaste.has(mark.kind)) this.input.release();
    if (mark.kind === 'property' && mark.name === 'Shell') this.version = mark.value.split(' ')[1] ?? '';
    if (mark.kind === 'promptStart') this.screen.markPrompt(mark.from);
    this.tracker.handle(mark);
    if (mark.kind === 'promptEnd') this.person.prompted(mark.to);
    if (mark.kind === 'outputStart') this.commandBegins(mark.from);
    const shown = this.markForMirror(mark);
    if (shown) this.screen.inject(mark.to, `\x1b]633;${shown}\x07`);
  }

  /** The mark in VS Code's own form, which a replica may believe because only the session can make it. */
  private markForMirror(mark: Mark): string | undefined {
    switch (mark.kind) {
      case 'promptStart':
        return 'A';
      case 'promptEnd':
        return 'B';
      case 'outputStart':
        return `E;${escapeMark(this.tracker.current?.text ?? '')};${this.mirrorNonce}\x07\x1b]633;C`;
      case 'commandEnd':
        return mark.exitCode === undefined ? 'D' : `D;${mark.exitCode}`;
      case 'property':
        return mark.name === 'Cwd' ? `P;Cwd=${escapeMark(mark.value)}` : undefined;
      default:
        return undefined;
    }
  }

  private ended(exit: ChannelExit): void {
    this.exit = exit;
    this.input.release();
    this.tracker.shellEnded(exit.code, exit.signal);
    this.screen.notify();
    this.output.fire();
    this.exited.fire(exit);
    this.changed.fire();
  }

  get state(): SessionState {
    if (this.exit) return 'exited';
    const { phase } = this.tracker;
    const isToldByMarks = this.integration !== 'none' && phase !== 'running';
    return isToldByMarks ? phase : (this.activity.judgement?.activity ?? 'running');
  }

  get confidence(): Confidence {
    if (this.exit) return 'marks';
    const isRunning = this.integration === 'none' || this.tracker.phase === 'running';
    return (isRunning && this.activity.judgement?.confidence) || (this.integration === 'none' ? 'text' : 'marks');
  }

  /** Whether the shell takes a command line as a bracketed paste. */
  get takesPaste(): boolean {
    return this.traits.pastes && this.sawPasteMode;
  }

  /** How a sentence names it. */
  get name(): string {
    return this.number === undefined ? `session ${this.id}` : `terminal ${this.number}`;
  }

  /** Short description for lists and titles. */
  get title(): string {
    return this.tracker.current?.text.split('\n')[0] || this.traits.kind;
  }

  /**
   * Resolves at the shell's first prompt, or at once when it has been there. A shell that shows no mark in time counts as one without
   * integration from then on. Rejects with `terminal_exited` when the shell ends before that.
   */
  async ready(signal?: AbortSignal): Promise<void> {
    if (this.exit) throw this.exitedError();
    if (this.integration === 'none' || this.tracker.phase !== 'starting') return;
    const end = await race<'prompt' | 'exit' | 'timeout'>(
      [
        onEvent(this.tracker.onChange, () => (this.tracker.phase === 'starting' ? undefined : 'prompt')),
        onEvent(this.onExit, () => 'exit'),
        timeout(READY_MS, 'timeout'),
      ],
      signal,
    );
    if (end === 'exit') throw this.exitedError();
    if (end === 'timeout') {
      this.integration = 'none';
      this.tracker.phase = 'prompt';
    }
  }

  /** Sends bytes as an agent does. Throws `terminal_exited`. */
  write(data: string | Uint8Array): void {
    if (!this.channel.isOpen) throw this.exitedError();
    this.input.send(data);
    this.activity.reset();
  }

  /** Sends what a person typed into a mirror. After the end of the session it goes nowhere. */
  type(data: string): void {
    this.person.typed(data);
    if (data.includes('\r')) this.tracker.entered();
    this.input.send(data);
    this.activity.reset();
  }

  get agentMayTypeSecrets(): boolean {
    return this.rules.agentMayTypeSecrets;
  }

  private commandBegins(at: number): void {
    this.screen.markCommand(at);
    this.activity.reset();
  }

  /** Writes an agent's command line to the prompt, as `sequence`. */
  submit(text: string, sequence: string): Command {
    this.write(sequence);
    if (this.takesPaste) this.input.hold();
    this.screen.markCommand(this.log.end);
    return this.tracker.submitted(text, this.integration === 'none' ? this.log.end : undefined);
  }

  /** Sizes are clamped to 1…1000 columns and 1…500 rows. */
  resize(cols: number, rows: number): void {
    this.cols = clamp(cols, 1000);
    this.rows = clamp(rows, 500);
    this.channel.resize(this.cols, this.rows);
    this.screen.resize(this.cols, this.rows);
    this.changed.fire();
  }

  /** Ends the shell and everything it started. */
  async end(): Promise<EndReport> {
    if (this.exit) return { signal: 'none', survivors: [] };
    const report = await this.channel.end();
    if (!this.exit) await race([onEvent(this.onExit, () => true as const), timeout(1000, true as const)]);
    return report;
  }

  exitedError(): GlassError {
    const { exit } = this;
    // Without `exit` the process has ended in this very moment, and its last output is still on the way.
    const how = !exit
      ? 'has just ended'
      : exit.signal
        ? `was ended by ${exit.signal}`
        : `exited with code ${exit.code}`;
    return new GlassError(
      'terminal_exited',
      `The shell in ${this.name} ${how}. READ shows its last output; KILL removes it, and the next EXEC then opens a new one.`,
      { exit_code: exit?.code, signal: exit?.signal },
    );
  }

  dispose(): void {
    this.store.dispose();
  }
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(1, Math.floor(value) || 1));
}
