import { type Terminal, type TerminalShellExecution, window } from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle';
import type { EarlierCommand } from '../core/session/preface';
import { CommandMemory, type CommandRecord } from './commandMemory';

/**
 * The last commands of this window's ordinary terminals, for the case that a person shares one: what has gone by cannot be asked for afterwards.
 *
 * They are in this process's memory only, a few KB per terminal and gone with it, as VS Code's own scrollback is. Nothing of it leaves the window until the
 * person shares that one terminal. What they type unseen (passwords) is not in output.
 */
export class RememberedCommands implements Disposable {
  private readonly memories = new Map<Terminal, CommandMemory>();
  private readonly records = new WeakMap<TerminalShellExecution, CommandRecord>();
  private readonly store = new DisposableStore();

  constructor() {
    this.store.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        if (isOrdinary(terminal)) this.follow(terminal, execution);
      }),
    );
    this.store.add(
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => this.records.get(execution)?.end(exitCode)),
    );
    this.store.add(window.onDidCloseTerminal(terminal => this.memories.delete(terminal)));
  }

  /** Oldest first; undefined for a terminal without shell integration. */
  of(terminal: Terminal): readonly EarlierCommand[] | undefined {
    return this.memories.get(terminal)?.all ?? (terminal.shellIntegration && []);
  }

  private follow(terminal: Terminal, execution: TerminalShellExecution): void {
    const memory = this.memories.get(terminal) ?? new CommandMemory();
    this.memories.set(terminal, memory);
    const record = memory.begin(execution.commandLine.value, execution.cwd?.fsPath);
    this.records.set(execution, record);
    void readInto(record, execution);
  }

  dispose(): void {
    this.store.dispose();
    this.memories.clear();
  }
}

/**
 * VS Code itself loses what a command prints in its first moment when the news of it reaches this process together with that of its start, as over a
 * remote connection they do (microsoft/vscode#237208); so a quick command may seem to have printed nothing.
 */
async function readInto(record: CommandRecord, execution: TerminalShellExecution): Promise<void> {
  for await (const text of execution.read()) record.output(text);
}

/** A shell that VS Code has started, as against what an extension shows. */
export function isOrdinary(terminal: Terminal): boolean {
  return !('pty' in terminal.creationOptions);
}
