import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostsServing, readRecord } from '../../src/rpc/directory';
import { processEnd } from '../helpers/host';
import type { TerminalState } from './harness/control';
import { useVSCode } from './harness/useVSCode';
import { productVsix } from './harness/vsix';

/** An ordinary terminal of the person's, handed to the agent. The tests build on each other. */
const runtime = mkdtempSync(join(tmpdir(), 'gt-'));
const vscode = useVSCode(() => ({
  name: 'share',
  vsix: productVsix,
  settings: { 'glassTty.shell': '/bin/sh' },
  env: { GLASS_TTY_DIR: runtime },
}));

const terminal = 'glassTty_terminal';
const notification = (text: string) => vscode().page.locator('.notification-toast').filter({ hasText: text });

afterAll(async () => {
  // The host would outlive its window by the grace time.
  const key = hostsServing(runtime, vscode().workspace)[0];
  const pid = key && readRecord(runtime, key)?.pid;
  if (pid) {
    process.kill(pid, 'SIGTERM');
    expect(await processEnd(pid, 10_000)).toBe(true);
  }
  rmSync(runtime, { recursive: true, force: true });
});

test('a person’s terminal is shared: the agent and the person see its last commands in the copy', async () => {
  const folder = join(vscode().workspace, 'sub folder');
  mkdirSync(folder);
  await vscode().terminal.create({ name: 'mine', shellPath: '/bin/bash', env: { TAGGED: 'it is tagged' } });
  const hasShellIntegration = ({ name, cwd }: TerminalState) => name === 'mine' && cwd !== undefined;
  await vscode().control.waitForState(state => state.terminals.some(hasShellIntegration), {
    what: 'shell integration in the terminal',
  });
  await vscode().terminal.type('cd "sub folder"\n');
  // What is typed ahead of the prompt, VS Code takes for output of the command before.
  await vscode().control.waitForState(state => state.terminals.some(one => one.cwd === folder), { what: folder });
  await vscode().terminal.waitForText(/sub folder[#$] *$/);
  // VS Code loses what is printed in the first moment (rememberedCommands.ts).
  await vscode().terminal.type('sleep 0.3; echo what is $((6 * 7)); (exit 3)\n');
  await vscode().terminal.waitForText(/\nwhat is 42\n[\s\S]*sub folder[#$] *$/);
  await vscode().control.command('glassTty.shareTerminal');
  await notification('Terminal mine is shared as Copilot 0').waitFor();
  await vscode().terminal.waitForName('Copilot 0');
  await vscode().screenshot('1 shared');

  const talk = await vscode().agent.ask('Read', { tool: terminal, input: { action: 'READ' } });
  const { text } = await talk.result();
  await talk.done();
  expect(text).toContain('[Shared from the terminal "mine"');
  expect(text).toContain('$ sleep 0.3; echo what is $((6 * 7)); (exit 3)\n│ what is 42\n│ [exit code 3]');
  await vscode().terminal.show('Copilot 0');
  expect(await vscode().terminal.wholeText()).toContain('│ what is 42');
});

test('the copy has the shell, the directory and the environment of the terminal', async () => {
  await vscode().agent.newChat();
  const input = { command: 'echo "$TAGGED, $BASH, $TERM_PROGRAM"; pwd', terminal: 0 };
  const talk = await vscode().agent.ask('Go on there', { tool: terminal, input });
  await talk.allow();
  const { text } = await talk.result();
  await talk.done();
  expect(text).toContain('it is tagged, /bin/bash, glass-tty');
  expect(text).toContain(`glass-tty\n${join(vscode().workspace, 'sub folder')}`);
  // EXEC has cleared the screen, and the log has everything.
  const log = { view: 'log', terminal: 0 };
  const again = await vscode().agent.ask('Read', { tool: 'glassTty_read_output', input: log });
  expect((await again.result()).text).toContain('│ what is 42');
  await again.done();
  await vscode().terminal.show('Copilot 0');
  await vscode().screenshot('2 copy');
});

test('a terminal that the agent has is not shared again', async () => {
  await vscode().control.command('glassTty.shareTerminal');
  await notification('Copilot 0 is shared with the agent already').waitFor();
  expect(await vscode().terminal.names()).toEqual(['mine', 'Copilot 0']);
});

test('the terminal whose context menu it is chosen in is shared, not the active one', async () => {
  const { page } = vscode();
  await page.locator('.terminal-tabs-entry').filter({ hasText: 'mine' }).click({ button: 'right' });
  await page.locator('.monaco-menu .action-label').filter({ hasText: 'Share This Terminal With the Agent' }).hover();
  // VS Code takes no click in the first moment of a menu.
  await page.keyboard.press('Enter');
  await notification('Terminal mine is shared as Copilot 1').waitFor();
  await vscode().terminal.waitForName('Copilot 1');
});
