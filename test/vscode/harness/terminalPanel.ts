import type { Page } from 'playwright-core';
import type { Control, TerminalState } from './control';
import { waitFor } from './wait';

/** The terminal panel, as a person sees and uses it. A terminal is named as on its tab. */
export class TerminalPanel {
  private readonly page: Page;
  private readonly control: Control;

  constructor(page: Page, control: Control) {
    this.page = page;
    this.control = control;
  }

  async list(): Promise<readonly TerminalState[]> {
    return (await this.control.state()).terminals;
  }

  async names(): Promise<string[]> {
    return (await this.list()).map(terminal => terminal.name);
  }

  /** Waits for a terminal of this name and gives its whole name. */
  async waitForName(name: string | RegExp, timeoutMs = 30_000): Promise<string> {
    const matches = (candidate: string) => (typeof name === 'string' ? candidate === name : name.test(candidate));
    const what = `a terminal named ${name}`;
    return await waitFor(async () => (await this.names()).find(matches), { timeoutMs, what });
  }

  /** Opens a shell of VS Code's own. */
  async create(options: {
    name: string;
    shellPath?: string;
    shellArgs?: string[];
    cwd?: string;
    env?: Record<string, string>;
  }): Promise<void> {
    await this.control.request('createTerminal', { options });
    await this.show(options.name);
  }

  async close(name: string): Promise<void> {
    await this.control.request('closeTerminal', { name });
  }

  /** Brings it to the front, with the keyboard in it. */
  async show(name: string): Promise<void> {
    await this.waitForName(name);
    await this.control.request('showTerminal', { name });
    const isActive = (terminal: TerminalState) => terminal.active && terminal.name === name;
    await this.control.waitForState(state => state.terminals.some(isActive), {
      what: `${name} as the active terminal`,
    });
    await this.input.focus();
  }

  /** Presses these keys in the terminal in front; `\n` is Enter. */
  async type(text: string): Promise<void> {
    await this.input.focus();
    for (const [i, line] of text.split('\n').entries()) {
      if (i > 0) await this.page.keyboard.press('Enter');
      await this.page.keyboard.type(line);
    }
  }

  /** A single key or chord by Playwright's names, such as `Control+C`. */
  async press(key: string): Promise<void> {
    await this.input.focus();
    await this.page.keyboard.press(key);
  }

  /** The rows that the terminal in front shows at this moment. */
  async screen(): Promise<string> {
    const rows = await this.page.locator(`${front} .xterm-rows > div`).allTextContents();
    return rows
      .map(row => row.replace(/\u00a0/g, ' ').trimEnd())
      .join('\n')
      .trimEnd();
  }

  /** Waits until the terminal in front shows it, and gives the screen. */
  async waitForText(text: string | RegExp, timeoutMs = 30_000): Promise<string> {
    const matches = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
    const sample = async () => {
      const screen = await this.screen();
      return matches(screen) ? screen : undefined;
    };
    const what = `${text} in the terminal`;
    return await waitFor(sample, { timeoutMs, what }).catch(async error => {
      throw new Error(`The terminal shows:\n${await this.screen()}`, { cause: error });
    });
  }

  /** All that the terminal in front holds, scrollback included, by way of the clipboard as a person would copy it. */
  async wholeText(): Promise<string> {
    await this.control.request('writeClipboard', { text: '' });
    await this.control.command('workbench.action.terminal.selectAll');
    await this.control.command('workbench.action.terminal.copySelection');
    await this.control.command('workbench.action.terminal.clearSelection');
    return (await this.control.request('readClipboard')) as string;
  }

  private get input() {
    return this.page.locator(`${front} .xterm-helper-textarea`);
  }
}

const front = '.terminal-wrapper.active:visible';
