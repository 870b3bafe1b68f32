import type { Page } from 'playwright-core';
import type { Control } from './control';

export async function loadWorkbench(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
}

/** Waits until the window takes a prompt in agent mode, on which the scripted model answers. */
export async function waitForAgentMode(page: Page, control: Control): Promise<void> {
  const { agent } = await control.waitForState(() => true, { timeoutMs: 90_000, what: 'the harness extension' });
  if (agent === 'disabled') await enableAgentMode(page, control);
  await control.waitForState(state => state.agent === 'active', { timeoutMs: 90_000, what: 'agent mode' });
}

/**
 * In a new browser profile VS Code keeps its own Copilot extension, which is agent mode, disabled until somebody has set
 * up the chat. "Manage Language Models" enables it without an account; the window that it opens is not wanted.
 */
async function enableAgentMode(page: Page, control: Control): Promise<void> {
  await control.command('workbench.action.chat.manage');
  const editor = page.locator('.monaco-modal-editor-block');
  await editor.waitFor();
  await page.keyboard.press('Escape');
  await editor.waitFor({ state: 'hidden' });
}

/** Waits for a modal dialog, clicks one of its buttons, and gives what it said. */
export async function answerDialog(page: Page, button: string): Promise<string> {
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  // biome-ignore lint/performance/useDomNodeTextContent: as a person sees it, with line breaks
  const said = await dialog.innerText();
  await dialog.locator('.monaco-button').filter({ hasText: button }).click();
  await dialog.waitFor({ state: 'hidden' });
  return said;
}
