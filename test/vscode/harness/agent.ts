import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Control } from './control';
import type { Journal, ToolCall, ToolResult } from './journal';
import { waitFor } from './wait';

const chat = '.interactive-session';

/** Above the input, as newer versions ask; in the conversation, as older ones do. */
const confirmationClasses = ['chat-tool-confirmation-carousel', 'chat-confirmation-widget-container'];
const hasClass = (name: string) => `contains(concat(" ", @class, " "), " ${name} ")`;

/** One thing the scripted model does: a call, or several at once. */
export type ModelTurn = ToolCall | readonly ToolCall[];

/** Agent mode, with a model that does what the test says. */
export class Agent {
  private readonly page: Page;
  private readonly control: Control;
  private readonly journal: Journal;
  private readonly scripts: string;
  private asked = 0;

  constructor(page: Page, control: Control, journal: Journal, harness: string) {
    this.page = page;
    this.control = control;
    this.journal = journal;
    this.scripts = join(harness, 'scripts');
  }

  /** Submits a prompt, on which the model makes these calls one after the other and then says that it is done. */
  async ask(prompt: string, ...turns: readonly ModelTurn[]): Promise<Conversation> {
    this.asked += 1;
    const script = `ask-${this.asked}`;
    mkdirSync(this.scripts, { recursive: true });
    writeFileSync(join(this.scripts, `${script}.json`), JSON.stringify(turns));
    await this.control.command('workbench.action.chat.open', { query: `${prompt} [script:${script}]`, mode: 'agent' });
    return new Conversation(this.page, this.journal, script);
  }

  /** All that was in the last request to the model, as JSON. */
  lastRequest(): string {
    return readFileSync(join(this.scripts, '..', 'last-request.json'), 'utf8');
  }

  async newChat(): Promise<void> {
    await this.control.command('workbench.action.chat.newChat');
  }
}

/** What came of one prompt. */
export class Conversation {
  private readonly page: Page;
  private readonly journal: Journal;
  private readonly script: string;

  constructor(page: Page, journal: Journal, script: string) {
    this.page = page;
    this.journal = journal;
    this.script = script;
  }

  /** Waits until VS Code asks, and gives what a person then reads. */
  async confirmation(): Promise<string> {
    await this.allowButton.waitFor({ timeout: 30_000 });
    const isWidget = confirmationClasses.map(hasClass).join(' or ');
    // biome-ignore lint/performance/useDomNodeTextContent: as a person sees it, with line breaks and without what is hidden
    const text = await this.allowButton.locator(`xpath=ancestor::*[${isWidget}][last()]`).innerText();
    return text.replace(/\u00a0/g, ' ');
  }

  /** Allows this call and no other; gives what was asked. */
  async allow(): Promise<string> {
    return await this.answer(async () => {
      // Where the button itself promises more than this once, its menu has the smaller promise.
      if ((await this.allowButton.textContent()) === 'Allow in this Session') await this.chooseAllowOnce();
      else await this.allowButton.click();
    });
  }

  /** Clicks the button itself: this tool is not asked about again until the window is reloaded. */
  async allowInSession(): Promise<string> {
    return await this.answer(() => this.allowButton.click());
  }

  /** The model is told that the person did not want it. */
  async skip(): Promise<string> {
    return await this.answer(() => this.button(/^Skip$/).click());
  }

  /** The results so far. */
  results(): ToolResult[] {
    return this.journal.of('model.result').filter(entry => entry.script === this.script);
  }

  /** What the model got back from its call number `index`, counted from 0. */
  async result(index = 0, timeoutMs = 30_000): Promise<ToolResult> {
    return await waitFor(() => this.results()[index], {
      timeoutMs,
      what: `the result of call ${index} of ${this.script}`,
    });
  }

  /** Waits until the model has nothing more to do, and gives all results. */
  async done(timeoutMs = 30_000): Promise<ToolResult[]> {
    const what = `the end of ${this.script}`;
    await this.journal.waitFor('model.done', entry => entry.script === this.script, { timeoutMs, what });
    return this.results();
  }

  /** Ends when the question is gone, so that the next one is not taken for it. */
  private async answer(act: () => Promise<void>): Promise<string> {
    const asked = await this.confirmation();
    const button = await this.allowButton.elementHandle();
    await act();
    await button?.waitForElementState('hidden');
    return asked;
  }

  private async chooseAllowOnce(): Promise<void> {
    await this.page.locator(`${chat} .monaco-dropdown-button:visible`).first().click();
    const item = this.page.locator('.monaco-menu:visible').getByText('Allow Once', { exact: true });
    await item.waitFor();
    // For 100 ms a menu takes no click, lest the one that opened it choose something; nothing shows when that is over.
    const chosen = async () => {
      if (await item.isVisible()) await item.click({ timeout: 1_000 });
      return await item.isHidden();
    };
    await waitFor(chosen, { what: 'the menu of Allow to close' });
  }

  private get allowButton() {
    return this.button(/^Allow( in this Session| Once)?$/);
  }

  // By the visible text, as the accessible names differ; hidden buttons of the same name exist, too.
  private button(text: RegExp) {
    return this.page.locator(`${chat} .monaco-button:visible`).filter({ hasText: text }).first();
  }
}
