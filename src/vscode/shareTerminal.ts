import { readFile, readlink, stat } from 'node:fs/promises';
import { l10n, type QuickPickItem, type Terminal, type TerminalOptions, window } from 'vscode';
import { shellKind } from '../core/shell/shells';
import { windowCaller } from './caller';
import { isOrdinary, type RememberedCommands } from './rememberedCommands';
import { sessionName } from './sessionText';
import { parseEnviron, sharedVariables } from './sharedEnvironment';
import type { Terminals } from './terminalCommands';

/**
 * Opens a session of the agent's that is a copy of a person's terminal: its directory, its environment, and, to be read, what was done in it. The
 * terminal itself stays the person's alone. `clicked` is the terminal whose menu the command was chosen in.
 */
export async function shareTerminal(
  { connection, mirrors }: Terminals,
  remembered: RememberedCommands,
  clicked?: unknown,
): Promise<void> {
  const asked = isTerminal(clicked) ? clicked : window.activeTerminal;
  const mirrored = asked && mirrors.sessionOf(asked);
  if (mirrored) {
    window.showInformationMessage(l10n.t('{0} is shared with the agent already.', sessionName(mirrored)));
    return;
  }
  const terminal = asked && isOrdinary(asked) ? asked : await pickTerminal();
  if (!terminal) return;
  const caller = windowCaller();
  const options = terminal.creationOptions as TerminalOptions;
  const facts = await lookAtProcess(await terminal.processId);
  const shell = shellOf(terminal, options) ?? caller.shell;
  const commands = remembered.of(terminal);
  const host = await connection.get();
  const session = await host.openSession({
    owner: caller.owner,
    cwd: (await directoryOf(terminal, options, facts?.cwd)) ?? caller.cwd,
    ...(shell !== undefined && { shell }),
    // The process's own last: in the options there may be ${variables} that VS Code has filled in.
    env: sharedVariables({ ...givenVariables(options), ...facts?.env }),
    sharedFrom: { name: terminal.name, ...(commands && { commands }) },
  });
  mirrors.show(session, true);
  const message = l10n.t(
    'Terminal {0} is shared as {1}. The agent works in a copy: a shell of its own in the same directory, with the environment that yours was started with.',
    terminal.name,
    sessionName(session),
  );
  window.showInformationMessage(message);
}

function isTerminal(value: unknown): value is Terminal {
  return typeof value === 'object' && value !== null && 'creationOptions' in value && 'processId' in value;
}

async function pickTerminal(): Promise<Terminal | undefined> {
  const ordinary = window.terminals.filter(isOrdinary);
  if (ordinary.length === 0) {
    window.showInformationMessage(l10n.t('There is no terminal to share. New Terminal opens one that you both have.'));
    return undefined;
  }
  const items = ordinary.map((terminal): QuickPickItem & { readonly terminal: Terminal } => {
    const directory = terminal.shellIntegration?.cwd?.fsPath;
    return { label: terminal.name, ...(directory !== undefined && { description: directory }), terminal };
  });
  return (await window.showQuickPick(items, { title: l10n.t('Share This Terminal With the Agent') }))?.terminal;
}

/** As the person started it, unless another shell that we know is in front there. */
function shellOf({ state }: Terminal, { shellPath }: TerminalOptions): string | undefined {
  const isKnown = (name: string | undefined): name is string => name !== undefined && shellKind(name) !== 'other';
  const current = isKnown(state.shell) && !['python', 'node'].includes(state.shell) ? state.shell : undefined;
  if (isKnown(shellPath) && (current === undefined || shellKind(shellPath) === shellKind(current))) return shellPath;
  return current;
}

interface ProcessFacts {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Where a terminal's shell is, and what it was started with. Only Linux tells; its later exports nobody does. */
async function lookAtProcess(pid: number | undefined): Promise<ProcessFacts | undefined> {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const env = parseEnviron(await readFile(`/proc/${pid}/environ`, 'utf8'));
    // A local terminal in a remote window has its process on another machine, and the same number here is anybody's.
    return env['TERM_PROGRAM'] === 'vscode' ? { env, cwd: await readlink(`/proc/${pid}/cwd`) } : undefined;
  } catch {
    return undefined; // it has just ended, or belongs to another user (sudo): the terminal's options are left
  }
}

function givenVariables({ env = {} }: TerminalOptions): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value == null ? [] : [[name, value]])));
}

/** The first of the places that is known and is on this machine. */
async function directoryOf(
  { shellIntegration }: Terminal,
  { cwd }: TerminalOptions,
  ofProcess: string | undefined,
): Promise<string | undefined> {
  const told = shellIntegration?.cwd;
  const given = typeof cwd === 'string' ? cwd : cwd?.scheme === 'file' ? cwd.fsPath : undefined;
  for (const path of [told?.scheme === 'file' ? told.fsPath : undefined, ofProcess, given]) {
    if (path !== undefined && (await isDirectory(path))) return path;
  }
  return undefined;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
