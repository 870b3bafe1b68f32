import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { CodeServer } from '../../machine/vscode.mjs';
import { Agent } from './agent';
import { type Browser, openBrowser } from './browser';
import { type ServerOptions, startServer } from './codeServer';
import { Control } from './control';
import { Journal } from './journal';
import { Scratch } from './scratch';
import { TerminalPanel } from './terminalPanel';
import { answerDialog, loadWorkbench, waitForAgentMode } from './workbench';

const pictures = fileURLToPath(new URL('../../../artifacts/vscode/', import.meta.url));

export interface VSCodeOptions extends ServerOptions {
  /** Names its pictures. */
  readonly name: string;
}

/** A VS Code of its own, with nobody's settings: server, browser and everything a test wants of them. */
export class VSCode {
  readonly control: Control;
  readonly journal: Journal;
  readonly agent: Agent;
  readonly terminal: TerminalPanel;
  readonly page: Page;
  private readonly name: string;
  private readonly parts: Parts;

  private constructor(name: string, parts: Parts) {
    const { scratch, browser } = parts;
    this.name = name;
    this.parts = parts;
    this.page = browser.page;
    this.control = new Control(join(scratch.harness, 'control.json'));
    this.journal = new Journal(join(scratch.harness, 'journal.jsonl'));
    this.agent = new Agent(this.page, this.control, this.journal, scratch.harness);
    this.terminal = new TerminalPanel(this.page, this.control);
  }

  /** Gives it once agent mode is ready for a prompt. */
  static async open(options: VSCodeOptions): Promise<VSCode> {
    mkdirSync(pictures, { recursive: true });
    const parts = await startParts(options);
    const vscode = new VSCode(options.name, parts);
    try {
      await loadWorkbench(vscode.page, parts.server.url);
      await waitForAgentMode(vscode.page, vscode.control);
      return vscode;
    } catch (error) {
      await vscode.screenshot('failed-to-open').catch(() => {}); // the browser may be what failed
      copyFileSync(join(parts.scratch.path, 'code-server.log'), join(pictures, `${options.name}-code-server.log`));
      await vscode.close();
      throw error;
    }
  }

  /** The folder that it has open. */
  get workspace(): string {
    return this.parts.scratch.workspace;
  }

  /** "Developer: Reload Window": a new page and a new extension host, with the server and its state as they were. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 30_000 });
    const gone = this.control.command('workbench.action.reloadWindow');
    gone.catch(() => {}); // its extension host may end before it can answer
    this.control.forgetWindow();
    await loaded;
    await waitForAgentMode(this.page, this.control);
  }

  /** Clicks a button of the modal dialog, once it is there, and gives what the dialog said. */
  async answerDialog(button: string): Promise<string> {
    return await answerDialog(this.page, button);
  }

  /** A picture in artifacts/vscode/. */
  async screenshot(name: string): Promise<string> {
    const path = join(pictures, `${this.name} ${name}`.replace(/[^\w.]+/g, '-').concat('.png'));
    await this.page.screenshot({ path });
    return path;
  }

  async close(): Promise<void> {
    await this.parts.browser.close();
    await this.parts.server.stop();
    this.parts.scratch.remove();
  }
}

interface Parts {
  readonly scratch: Scratch;
  readonly server: CodeServer;
  readonly browser: Browser;
}

/** All of them, or none is left behind. */
async function startParts(options: ServerOptions): Promise<Parts> {
  const scratch = new Scratch();
  let server: CodeServer | undefined;
  try {
    server = await startServer(scratch, options);
    const browser = await openBrowser(scratch.profile, new URL(server.address).origin);
    return { scratch, server, browser };
  } catch (error) {
    await server?.stop();
    scratch.remove();
    throw error;
  }
}
