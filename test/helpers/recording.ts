import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';
import { openPty } from '../../src/core/channel/ptyChannel';
import { OutputLog } from '../../src/core/output/outputLog';
import { type Command, CommandTracker } from '../../src/core/shell/commandTracker';
import { findShell } from '../../src/core/shell/findShell';
import { MarkParser } from '../../src/core/shell/marks';
import { shellKind, shellTraits, startShell } from '../../src/core/shell/shells';
import { makeHome } from './home';

/** Everything a shell printed, and what was submitted at which offset of it. */
export interface Recording {
  readonly shell: string;
  readonly nonce: string;
  readonly marksOutput: boolean;
  readonly submissions: readonly { readonly at: number; readonly text: string }[];
  /** Base64. */
  readonly bytes: string;
}

/** A command as it came out of a recording, with its very bytes. */
export interface Replayed {
  readonly text: string;
  readonly by: Command['by'];
  readonly cwd: string;
  readonly exitCode: number | undefined;
  readonly output: string;
}

const nonce = '00000000-1111-2222-3333-444444444444';

/** What is submitted while recording: plain output, colours, a wide character, a forged mark, several commands in one, a directory, a failure. */
function script(shell: string): string[] {
  const common = [
    'echo hello',
    String.raw`printf '\033[31mred\033[0m \303\270 \344\270\255\n'`,
    String.raw`printf '\033]633;D;0\007\033]633;A;wrong\007'; false`,
    'cd /usr',
    'seq 1 200',
    "printf 'no newline'",
  ];
  return shell === 'bash' || shell === 'zsh'
    ? [...common, "cat <<'E'\nin a heredoc\nE\necho second; (exit 5)"]
    : common;
}

/** Runs the script in a real shell and records it. */
export async function record(shell: string): Promise<Recording> {
  const home = makeHome({ '.zshrc': '' });
  const file = findShell(shell, process.env);
  const traits = shellTraits(shellKind(file));
  const base = { ...(process.env as Record<string, string>), ...home.env, TERM: 'xterm-256color' };
  const start = startShell(file, { nonce, scripts: resolve('media/shell'), exports: {}, env: base });
  const env = { ...base, ...start.env };
  const channel = openPty({ file, args: start.args, cwd: '/', env, cols: 80, rows: 24, marker: `RECORDING=${nonce}` });
  const log = new OutputLog(10_000_000);
  const prompts = new EventEmitter();
  const parser = new MarkParser(nonce);
  const tracker = new CommandTracker(log, '/', start.integration === 'full');
  tracker.onChange(() => tracker.phase === 'prompt' && prompts.emit('prompt'));
  channel.onData(bytes => {
    log.append(bytes);
    parser.push(bytes, mark => tracker.handle(mark));
  });
  const submissions: { at: number; text: string }[] = [];
  await once(prompts, 'prompt');
  for (const text of script(shell)) {
    submissions.push({ at: log.end, text });
    const done = once(prompts, 'prompt');
    const paste = `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~`;
    channel.write(`${traits.historyPrefix}${start.integration === 'full' ? paste : text}\r`);
    tracker.submitted(text);
    await done;
  }
  await channel.end();
  home.remove();
  const bytes = Buffer.from(log.read(0, log.end).bytes).toString('base64');
  return { shell, nonce, marksOutput: start.integration === 'full', submissions, bytes };
}

/** The commands of a recording when its bytes come in chunks that end at `cuts`. */
export function replay(recording: Recording, cuts: readonly number[]): { commands: Replayed[]; bytes: Buffer } {
  const all = Buffer.from(recording.bytes, 'base64');
  const log = new OutputLog(10_000_000);
  const parser = new MarkParser(recording.nonce);
  const tracker = new CommandTracker(log, '/', recording.marksOutput);
  // What was submitted when so much had come is submitted here, too: an input cannot come before what it answers.
  const ends = [
    ...new Set([
      ...cuts.map(cut => Math.min(cut, all.length)),
      ...recording.submissions.map(one => one.at),
      all.length,
    ]),
  ];
  let from = 0;
  for (const to of ends.sort((a, b) => a - b)) {
    const chunk = all.subarray(from, to);
    log.append(chunk);
    parser.push(chunk, mark => tracker.handle(mark));
    for (const submission of recording.submissions) if (submission.at === to) tracker.submitted(submission.text);
    from = to;
  }
  const commands = tracker.commands.map(command => {
    const range = tracker.outputOf(command);
    const output = Buffer.from(log.read(range.from, range.to).bytes).toString('latin1');
    return { text: command.text, by: command.by, cwd: command.cwd, exitCode: command.exitCode, output };
  });
  return { commands, bytes: Buffer.from(log.read(0, log.end).bytes) };
}
