import { readFileSync, rmSync } from 'node:fs';
import { type WaitOptions, waitFor } from './wait';

export interface TerminalState {
  readonly name: string;
  readonly active: boolean;
  /** Made by an extension as a pseudoterminal, as against a shell of VS Code's own. */
  readonly isPty: boolean;
  readonly exitCode?: number;
  readonly cwd?: string;
}

export interface WindowState {
  /** Those that are not built in. */
  readonly extensions: readonly { readonly id: string; readonly active: boolean }[];
  /** VS Code's own Copilot extension, which is agent mode. */
  readonly agent: 'disabled' | 'enabled' | 'active';
  /** The names in `vscode.lm.tools`. */
  readonly tools: readonly string[];
  readonly terminals: readonly TerminalState[];
}

/** What a test does inside the extension host, through the harness extension. */
export class Control {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  async state(): Promise<WindowState> {
    return (await this.request('state')) as WindowState;
  }

  async waitForState(matches: (state: WindowState) => boolean, options: WaitOptions): Promise<WindowState> {
    return await waitFor(async () => {
      const state = await this.state();
      return matches(state) ? state : undefined;
    }, options);
  }

  async command(id: string, ...args: unknown[]): Promise<unknown> {
    return await this.request('command', { id, args });
  }

  /** Changes a user setting, as in the settings editor. */
  async setting(name: string, value: unknown): Promise<void> {
    await this.request('setting', { name, value });
  }

  /** Calls a tool as an extension would, without a chat. What it has to ask comes as a dialog: `VSCode.answerDialog`. */
  async invokeTool(name: string, input: object): Promise<string> {
    return (await this.request('invokeTool', { name, input })) as string;
  }

  async waitForTool(name: string, timeoutMs = 30_000): Promise<void> {
    await this.waitForState(state => state.tools.includes(name), { timeoutMs, what: `the tool ${name} in lm.tools` });
  }

  /** Starts a server that an extension provides; `id` is `PUBLISHER.NAME/LABEL`. Its tools are named `mcp_LABEL_TOOL`. */
  async startMcpServer(id: string): Promise<void> {
    await this.command('workbench.mcp.startServer', id);
  }

  /** From here on only a newly started extension host answers. */
  forgetWindow(): void {
    rmSync(this.file, { force: true });
  }

  async request(method: string, params: object = {}): Promise<unknown> {
    const { port, token } = JSON.parse(readFileSync(this.file, 'utf8')) as { port: number; token: string };
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ method, params }),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(`${method} in VS Code: ${error}`);
    return result;
  }
}
