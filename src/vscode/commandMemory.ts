import type { EarlierCommand } from '../core/session/preface';

/** Commands of a terminal that are remembered at most. */
const MAX_COMMANDS = 20;
/** Characters of output, and of command lines, that are remembered per terminal. */
const MAX_CHARACTERS = 64 * 1024;
/** Characters of one command's output, of which the end is remembered, so that one flood does not drive out all others. */
const MAX_OUTPUT = 16 * 1024;
/** Characters of a command line. */
const MAX_COMMAND = 4000;

type Draft = { -readonly [K in keyof EarlierCommand]: EarlierCommand[K] };

/** Takes in one command as it runs. */
export interface CommandRecord {
  output(text: string): void;
  end(exitCode: number | undefined): void;
}

/** The last commands of one terminal with the ends of their outputs, within bounds. */
export class CommandMemory {
  private commands: Draft[] = [];

  /** Oldest first. */
  get all(): readonly EarlierCommand[] {
    return this.commands.map(command => {
      const output = tail(command.output, MAX_OUTPUT);
      return { ...command, output, isCut: command.isCut === true || output.length < command.output.length };
    });
  }

  begin(command: string, cwd: string | undefined): CommandRecord {
    const draft: Draft = { command: shortened(command), ...(cwd && { cwd }), isRunning: true, output: '' };
    this.commands.push(draft);
    this.trim();
    return {
      output: text => {
        draft.output += text;
        // Cut only now and then, since that copies.
        if (draft.output.length > 2 * MAX_OUTPUT) {
          draft.output = tail(draft.output, MAX_OUTPUT);
          draft.isCut = true;
        }
        this.trim();
      },
      end: exitCode => {
        draft.isRunning = false;
        if (exitCode !== undefined) draft.exitCode = exitCode;
      },
    };
  }

  private trim(): void {
    const size = () => this.commands.reduce((sum, { command, output }) => sum + command.length + output.length, 0);
    while (this.commands.length > MAX_COMMANDS || (this.commands.length > 1 && size() > MAX_CHARACTERS)) {
      this.commands.shift();
    }
  }
}

/** The end of a text, from the beginning of a line on if there is one, so that no control sequence is cut in two. */
function tail(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = text.slice(-characters);
  return end.slice(end.indexOf('\n') + 1);
}

function shortened(command: string): string {
  return command.length > MAX_COMMAND ? `${command.slice(0, MAX_COMMAND)} …` : command;
}
