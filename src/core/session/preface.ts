import { renderText } from '../output/render';

/** A command that a person has run in a terminal of theirs. */
export interface EarlierCommand {
  readonly command: string;
  readonly cwd?: string;
  /** Undefined while it runs, and where the shell did not tell. */
  readonly exitCode?: number;
  readonly isRunning?: boolean;
  /** The end of what it printed, as it was sent. */
  readonly output: string;
  /** Earlier output is left out. */
  readonly isCut?: boolean;
}

/** A person's terminal, as its copy tells of it. */
export interface SharedTerminal {
  readonly name: string;
  /** Oldest first; undefined where nobody could see them: VS Code's shell integration is not active there. */
  readonly commands?: readonly EarlierCommand[];
}

/** The bar before each line: no line of the other terminal can be taken for one of this shell's, or end the block. */
const BAR = '│ ';

/**
 * What was in a person's terminal, for the beginning of the session that is its copy. It goes into the log ahead of everything that the shell
 * prints, so the screen, every way to read, and mirrors show it alike. Only text is left of the output: no control sequence of it acts here.
 */
export async function prefaceOf(
  { name, commands }: SharedTerminal,
  size: { cols: number; rows: number },
): Promise<string> {
  const lines = [`[Shared from the terminal "${plain(name)}". ${introduction(commands)}]`];
  for (const command of commands ?? []) lines.push(...(await linesOf(command, size)).map(line => BAR + line));
  if (commands?.length) lines.push('[End of what was shared. From here on it is this terminal.]');
  return lines.map(line => `\x1b[2m${line}\x1b[22m\r\n`).join('');
}

function introduction(commands: SharedTerminal['commands']): string {
  if (!commands) return 'What was done there is not known, for VS Code has no shell integration in it.';
  return commands.length === 0 ? 'No command has run there.' : 'The last commands there:';
}

async function linesOf(command: EarlierCommand, size: { cols: number; rows: number }): Promise<string[]> {
  const output = await renderText(Buffer.from(command.output), size);
  return [
    ...`${command.cwd ?? ''} $ ${command.command}`.trimStart().split(/\r?\n/).map(plain),
    ...(command.isCut ? ['[… earlier output is left out]'] : []),
    ...output.map(plain),
    endOf(command, output.length === 0),
  ];
}

/** That nothing was seen does not say that nothing was printed: see rememberedCommands.ts in vscode/. */
function endOf({ exitCode, isRunning }: EarlierCommand, isSilent: boolean): string {
  const how = isRunning ? 'still running there' : exitCode === undefined ? 'ended' : `exit code ${exitCode}`;
  return isSilent ? `[${how}; no output was seen]` : `[${how}]`;
}

function plain(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
}
