import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { race, timeout } from '../../base/async';
import { GlassError, messageOf, systemErrorCode } from '../../base/errors';
import type { ChannelExit, Survivor } from '../channel/channel';
import { type OutputPipe, openOutputPipes } from '../channel/outputPipe';
import { endTree } from '../channel/processTree';
import { OutputLog } from '../output/outputLog';
import { findShell } from '../shell/findShell';
import { type ShellCommand, shellCommand } from '../shell/shellCommand';
import { type ShellKind, shellKind } from '../shell/shells';
import { SESSION_VARIABLE, sessionEnvironment } from './environment';

export type OutputStream = 'stdout' | 'stderr';

export interface IsolatedOptions {
  readonly command: string;
  /** Absolute path of an existing directory. */
  readonly cwd: string;
  /** Name or path; the user's default shell when undefined. One that is not of sh's kind is replaced by sh. */
  readonly shell: string | undefined;
  /** The host's environment. */
  readonly baseEnv: NodeJS.ProcessEnv;
  /** Time after which the command is ended, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Hears both streams as they come. The bytes do not change afterwards. */
  readonly onOutput?: (stream: OutputStream, bytes: Uint8Array) => void;
}

/** How an isolated command went. The logs have the last 8 MB of each stream at least. */
export interface IsolatedRun {
  readonly stdout: OutputLog;
  readonly stderr: OutputLog;
  readonly exit: ChannelExit;
  /** The command was ended because its time was up. */
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** A process that the command left behind has its output still open. */
  readonly leftBehind: boolean;
  /** Processes that could not be ended when the time was up. */
  readonly survivors: readonly Survivor[];
}

/** Shells that take what a model writes for sh, and Windows's own. */
const scripted: ReadonlySet<ShellKind> = new Set(['bash', 'zsh', 'sh', 'pwsh', 'cmd']);
/** Bytes kept of each stream. */
const LOG_LIMIT = 8 * 1024 * 1024;
/** Longest wait (ms) for the news of the exit after the process was ended by force. */
const NEWS_MS = 500;
/** Longest time (ms) from the end of a command's time to the result: `endTree` takes up to 1,800 ms. */
export const ENDING_MS = 3000;

/**
 * Runs one command line in a shell of its own, without a terminal: standard input is empty, the two outputs are apart. The command, and everything
 * it started, is ended when its time is up or `signal` aborts; what it leaves behind in the background when it exits by itself goes on.
 *
 * Throws `invalid_command`, `cwd_not_found`, `shell_not_found`, `spawn_failed` or `cancelled`.
 */
export async function runIsolated(options: IsolatedOptions): Promise<IsolatedRun> {
  checkCommand(options.command);
  checkDirectory(options.cwd);
  const id = `r-${randomBytes(6).toString('hex')}`;
  const { env } = sessionEnvironment(options.baseEnv, {}, id);
  const start = shellCommand(shellFor(options.shell, env), options.command);
  const pipes = await openOutputPipes();
  try {
    const child = spawnChild(start, { cwd: options.cwd, env }, pipes);
    return await follow(child, pipes, `${SESSION_VARIABLE}=${id}`, options);
  } finally {
    for (const pipe of pipes) pipe.dispose();
  }
}

async function follow(
  child: ChildProcess,
  pipes: readonly [OutputPipe, OutputPipe],
  marker: string,
  options: IsolatedOptions,
): Promise<IsolatedRun> {
  const started = performance.now();
  const exited = whenExited(child);
  const logs = { stdout: new OutputLog(LOG_LIMIT), stderr: new OutputLog(LOG_LIMIT) };
  const receive = (stream: OutputStream) => (bytes: Uint8Array) => {
    logs[stream].append(bytes);
    options.onOutput?.(stream, bytes);
  };
  pipes[0].connect(child.stdout, receive('stdout'));
  pipes[1].connect(child.stderr, receive('stderr'));

  const end = await waitForEnd(child, exited, marker, options);
  const held = await Promise.all(pipes.map(pipe => pipe.drain()));
  const durationMs = performance.now() - started;
  return { ...logs, ...end, durationMs, leftBehind: !end.timedOut && held.includes(true) };
}

type Exited = Promise<ChannelExit | GlassError>;

async function waitForEnd(child: ChildProcess, exited: Exited, marker: string, options: IsolatedOptions) {
  try {
    const exit = await race<ChannelExit | GlassError | undefined>(
      [won => void exited.then(won), timeout(options.timeoutMs, undefined)],
      options.signal,
    );
    if (exit instanceof GlassError) throw exit;
    if (exit) return { exit, timedOut: false, survivors: [] };
  } catch (error) {
    if (options.signal.aborted && child.pid !== undefined) await endTree(child.pid, marker);
    throw error;
  }
  const { survivors } = child.pid === undefined ? { survivors: [] } : await endTree(child.pid, marker);
  const unknown: ChannelExit = { code: undefined, signal: undefined };
  const exit = await race<ChannelExit | GlassError>([won => void exited.then(won), timeout(NEWS_MS, unknown)]);
  return { exit: exit instanceof GlassError ? unknown : exit, timedOut: true, survivors };
}

function whenExited(child: ChildProcess): Exited {
  return new Promise(resolve => {
    child.once('exit', (code, signal) => resolve({ code: code ?? undefined, signal: signal ?? undefined }));
    child.once('error', error => resolve(spawnFailed(child.spawnfile, error)));
  });
}

/** The caller's shell if it is one of sh's kind or Windows's own, else sh. */
function shellFor(wanted: string | undefined, env: NodeJS.ProcessEnv): string {
  const file = findShell(wanted, env);
  return scripted.has(shellKind(file)) ? file : findShell('sh', env);
}

function spawnChild(
  start: ShellCommand,
  place: SpawnOptions,
  [out, err]: readonly [OutputPipe, OutputPipe],
): ChildProcess {
  try {
    return spawn(start.file, [...start.args], {
      ...place,
      stdio: ['ignore', out.stdio, err.stdio],
      // A session and process group of its own. On Windows it would be a console window of its own.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: start.verbatim,
    });
  } catch (error) {
    throw spawnFailed(start.file, error);
  }
}

function spawnFailed(file: string, error: unknown): GlassError {
  const advice =
    systemErrorCode(error) === 'E2BIG'
      ? 'The command line is too long for the system: write it into a file and run that.'
      : 'Check that the program can be executed here.';
  return new GlassError(
    'spawn_failed',
    `${file} could not be started: ${messageOf(error)}. ${advice}`,
    {},
    { cause: error },
  );
}

function checkCommand(command: string): void {
  if (command.trim() === '')
    throw new GlassError('invalid_command', 'The command is empty. Give the command line to run.');
  if (command.includes('\0')) {
    throw new GlassError(
      'invalid_command',
      'The command contains a NUL character, which no shell accepts. Leave it out.',
    );
  }
}

function checkDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new GlassError(
    'cwd_not_found',
    `There is no directory ${path}. Give an existing one as working_directory, or leave it out.`,
  );
}
