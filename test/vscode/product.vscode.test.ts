import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostsServing, readRecord } from '../../src/rpc/directory';
import { processEnd } from '../helpers/host';
import { connectStdio } from '../helpers/mcp';
import { useVSCode } from './harness/useVSCode';
import { productVsix } from './harness/vsix';

/** The product as it is shipped, in a real VS Code, with the real agent mode and a scripted model. The tests build on each other. */
const runtime = mkdtempSync(join(tmpdir(), 'gt-'));
const settings = { 'glassTty.vscodeSurface': 'both', 'glassTty.hostGraceSeconds': 60, 'glassTty.shell': '/bin/bash' };
const vscode = useVSCode(() => ({
  name: 'product',
  vsix: productVsix,
  settings,
  env: { GLASS_TTY_DIR: runtime },
}));

const terminal = 'glassTty_terminal';
const overMcp = 'mcp_glass_tty_terminal';

const host = () => {
  const key = hostsServing(runtime, vscode().workspace)[0];
  return key === undefined ? undefined : readRecord(runtime, key);
};

/** The session id of the agent's terminal 0, as it stands in LIST. */
async function sessionId(): Promise<string> {
  const talk = await vscode().agent.ask('List', { tool: terminal, input: { action: 'LIST' } });
  const { text } = await talk.result();
  await talk.done();
  return /0 {2}(t-[0-9a-f]+)/.exec(text)?.[1] ?? '';
}

/** The tools that a model is offered in a new chat. */
async function offered(): Promise<readonly string[]> {
  await vscode().agent.newChat();
  const talk = await vscode().agent.ask('Only say that you are done');
  await talk.done();
  const requests = vscode().journal.of('model.request');
  return requests.findLast(request => request.tools.length > 0)?.tools ?? [];
}

afterAll(async () => {
  // The host would outlive its window by the grace time.
  const pid = host()?.pid;
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    expect(await processEnd(pid, 10_000)).toBe(true);
  }
  rmSync(runtime, { recursive: true, force: true });
});

test('nothing is started before it is needed', async () => {
  const { tools, terminals } = await vscode().control.state();
  expect(tools).toEqual(expect.arrayContaining([terminal, 'glassTty_wait', 'glassTty_format_terminal_output']));
  expect(terminals).toEqual([]);
  expect(host()).toBeUndefined();
});

test('the agent runs a command: a person is asked with its text, sees it in the mirror, and the model gets the result', async () => {
  const command = 'echo $((6 * 7)) is the answer; (exit 3)';
  const talk = await vscode().agent.ask('Run it', { tool: terminal, input: { command } });
  const asked = await talk.confirmation();
  await vscode().screenshot('1 confirmation');
  expect(asked).toContain(command);
  expect(asked).toContain('terminal 0');
  expect(asked).toContain(vscode().workspace);
  await talk.allow();
  const { text } = await talk.result();
  expect(text).toContain('42 is the answer');
  expect(text).toContain('exit code 3');
  await talk.done();
  await vscode().terminal.show(await vscode().terminal.waitForName('Copilot 0'));
  const screen = await vscode().terminal.waitForText('42 is the answer');
  expect(screen).toContain(command);
  await vscode().screenshot('2 mirror');
});

test('the agent formats a table, which asks nothing', async () => {
  await vscode().agent.newChat();
  const input = {
    content: 'Servers',
    format_type: 'table',
    table_headers: ['Name'],
    table_rows: [['web'], ['数据库']],
  };
  const talk = await vscode().agent.ask('Show', { tool: 'glassTty_format_terminal_output', input });
  expect((await talk.result()).text).toMatch(/│ web {4}│\n.*│ 数据库 │/);
});

test('the model is offered the tools of the sets that are on, and no others', async () => {
  // vscode.lm.tools is no help: it lists those that are off, too.
  const tools = await offered();
  expect(tools).toContain('glassTty_wait');
  expect(tools).toContain('glassTty_terminal_info');
  expect(tools).not.toContain('glassTty_execute');
});

test('a command without a terminal is shown to the person in a transcript, while it runs and afterwards', async () => {
  await vscode().agent.newChat();
  const input = { command: 'echo out; echo err >&2; exit 4' };
  const talk = await vscode().agent.ask('Run it', { tool: 'glassTty_run_terminal_command', input });
  await talk.allow();
  expect((await talk.result()).text).toContain('return code 4');
  await vscode().terminal.show(await vscode().terminal.waitForName('Copilot commands'));
  const screen = await vscode().terminal.waitForText('[return code 4 after');
  expect(screen).toMatch(/\$ echo out; echo err >&2; exit 4\nout\nerr\n/);
  await vscode().screenshot('2b transcript');
});

test('what the agent formats for a terminal appears above its prompt', async () => {
  await vscode().agent.newChat();
  const input = { content: 'All tests passed', format_type: 'success', terminal: 0 };
  const talk = await vscode().agent.ask('Show', { tool: 'glassTty_format_terminal_output', input });
  expect((await talk.result()).text).toContain('All tests passed');
  await vscode().terminal.show('Copilot 0');
  await vscode().terminal.waitForText('All tests passed');
  await vscode().terminal.type('echo the prompt is fine\n');
  const screen = await vscode().terminal.waitForText('\nthe prompt is fine');
  expect(screen).toMatch(/All tests passed\s*\n.*[$#] echo the prompt is fine/);
  await vscode().screenshot('2c shown');
});

test('a program that asks for a password: the person is told, enters it in a box, and the agent never sees it', async () => {
  await vscode().agent.newChat();
  const command = `stty -echo; printf 'Password: '; read p; stty echo; echo; echo "$p" | sha256sum`;
  const talk = await vscode().agent.ask('Run it', { tool: terminal, input: { command, terminal: 5 } });
  await talk.allow();
  expect((await talk.result()).text).toContain('do not ask for it in the chat');
  await talk.done();
  const told = vscode().page.locator('.notification-toast').filter({ hasText: 'in Copilot 5 asks for a password' });
  await told.waitFor();
  await vscode().terminal.waitForText('Password:');
  await vscode().screenshot('6 asks for a password');
  await told.locator('.monaco-button', { hasText: 'Enter Password' }).click();
  const box = vscode().page.locator('.quick-input-widget input[type=password]');
  await box.waitFor();
  await vscode().screenshot('7 password box');
  await box.fill('correct horse');
  await box.press('Enter');
  await vscode().terminal.waitForText('df862641');
  const again = await vscode().agent.ask('Read', { tool: terminal, input: { action: 'READ', terminal: 5 } });
  const { text } = await again.result();
  expect(text).toContain('df862641');
  expect(text).not.toContain('correct horse');
  expect(vscode().agent.lastRequest()).toContain('df862641');
  expect(vscode().agent.lastRequest()).not.toContain('correct horse');
});

test('a person takes over the keyboard, the agent is refused, and gets it back', async () => {
  await vscode().terminal.show('Copilot 5');
  await vscode().control.command('glassTty.takeOver');
  await vscode().terminal.waitForName('You hold · Copilot 5');
  await vscode().screenshot('8 taken over');
  await vscode().agent.newChat();
  const input = { command: 'echo mine again', terminal: 5 };
  const refused = await vscode().agent.ask('Try', { tool: terminal, input });
  await refused.allow();
  expect((await refused.result()).text).toContain('human_typing');
  await refused.done();
  await vscode().control.command('glassTty.handBack');
  await vscode().terminal.waitForName('Copilot 5');
  await vscode().screenshot('9 handed back');
  const talk = await vscode().agent.ask('Again', { tool: terminal, input });
  await talk.allow();
  expect((await talk.result()).text).toContain('mine again');
});

test('the model gets a picture of the screen', async () => {
  await vscode().agent.newChat();
  const input = { view: 'screen', image: true, terminal: 5 };
  const talk = await vscode().agent.ask('Look', { tool: 'glassTty_read_output', input });
  expect((await talk.result()).text).toContain('mine again');
  await talk.done();
  expect(vscode().journal.of('model.request').at(-1)?.images).toEqual(['image/png']);
});

test('a set that is switched on is offered, and its tools work', async () => {
  await vscode().control.setting('glassTty.toolsets', 'all');
  // VS Code gathers changes of the list for a moment, and tells nobody.
  await expect.poll(offered, { timeout: 20_000 }).toContain('glassTty_execute');
  const made = await vscode().agent.ask('Make one', { tool: 'glassTty_create_local', input: {} });
  const session_id = (await made.result()).text.match(/s-[0-9a-f]+/)?.[0];
  expect(session_id).toBeDefined();
  await made.done();
  const input = { session_id, command: 'tty; exit 5' };
  const talk = await vscode().agent.ask('Run it there', { tool: 'glassTty_execute', input });
  await talk.allow();
  const { text } = await talk.result();
  expect(text).toContain('/dev/pts/');
  expect(text).toContain('code 5');
  await vscode().control.setting('glassTty.toolsets', undefined);
});

test('a line that a person types into the mirror is in the agent’s next READ', async () => {
  await vscode().terminal.show('Copilot 0');
  await vscode().terminal.type('echo typed by a $((3 - 2))-person crowd\n');
  await vscode().terminal.waitForText('typed by a 1-person crowd');
  await vscode().agent.newChat();
  const talk = await vscode().agent.ask('Read', { tool: terminal, input: { action: 'READ' } });
  const { text } = await talk.result();
  expect(text).toContain('echo typed by a $((3 - 2))-person crowd');
  expect(text).toContain('\ntyped by a 1-person crowd');
});

test('the same session, by its id, is read through VS Code’s own MCP client and by a client outside', async () => {
  await vscode().agent.newChat();
  const id = await sessionId();
  expect(id).not.toBe('');
  await vscode().control.startMcpServer('glass-tty.glass-tty/Glass TTY');
  await vscode().control.waitForTool(overMcp);
  await vscode().agent.newChat();
  const talk = await vscode().agent.ask('Read', { tool: overMcp, input: { action: 'READ', session_id: id } });
  await talk.allow();
  expect((await talk.result()).text).toContain('42 is the answer');
  await vscode().screenshot('3 over MCP');

  const outside = await connectStdio({ cwd: vscode().workspace, args: [], env: { GLASS_TTY_DIR: runtime } });
  expect((await outside.read({ session_id: id })).text).toContain('42 is the answer');
  await outside.exec('echo from outside');
  // Its own terminal is shown to the person, too, named after the client.
  await vscode().terminal.waitForName('test 0');
  await outside.close();
});

test('after "Reload Window" a command that was started before still runs, and its mirror is back with its screen', async () => {
  await vscode().agent.newChat();
  const command = 'for i in $(seq 1 1000); do echo tick $i; sleep 0.5; done';
  const input = { command, terminal: 1, await_completion_ms: 0 };
  const talk = await vscode().agent.ask('Start it', { tool: terminal, input });
  await talk.allow();
  expect((await talk.result()).text).toContain('running');
  await vscode().terminal.show(await vscode().terminal.waitForName('Copilot 1'));
  await vscode().terminal.waitForText('tick 2');
  const pid = host()?.pid;

  await vscode().reload();
  expect(host()?.pid).toBe(pid);
  await vscode().terminal.waitForName('Copilot 0');
  await vscode().terminal.show(await vscode().terminal.waitForName('Copilot 1'));
  const screen = await vscode().terminal.waitForText(/tick (\d+)/);
  await vscode().screenshot('4 after the reload');
  const last = Number([...screen.matchAll(/tick (\d+)/g)].pop()?.[1]);
  await vscode().terminal.waitForText(`tick ${last + 2}`);
  expect(await vscode().terminal.wholeText()).toContain(command);
  await vscode().terminal.show('Copilot 0');
  await vscode().terminal.waitForText('42 is the answer');
});

test('closing a mirror in which something runs asks, and can leave it running', async () => {
  await vscode().terminal.show('Copilot 1');
  await vscode().control.command('workbench.action.terminal.kill');
  const question = vscode().page.locator('.notification-toast').filter({ hasText: 'Copilot 1 is closed' });
  await question.waitFor();
  expect(await question.textContent()).toContain('echo tick');
  await question.locator('.monaco-button', { hasText: 'Keep Running' }).click();
  await vscode().agent.newChat();
  const talk = await vscode().agent.ask('Look', { tool: terminal, input: { action: 'READ', terminal: 1 } });
  expect((await talk.result()).text).toContain('running for');
});

test('a terminal that a person opens from the command palette is the agent’s, too', async () => {
  await vscode().page.keyboard.press('F1');
  await vscode().page.keyboard.type('Glass TTY: New Terminal');
  await vscode().page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'New Terminal' }).first().click();
  await vscode().terminal.show(await vscode().terminal.waitForName('Copilot 2'));
  await vscode().terminal.type('MINE=from-the-palette\n');
  await vscode().agent.newChat();
  const input = { command: 'echo it is $MINE', terminal: 2 };
  const talk = await vscode().agent.ask('Go on there', { tool: terminal, input });
  await talk.allow();
  expect((await talk.result()).text).toContain('it is from-the-palette');
  await vscode().terminal.waitForText('it is from-the-palette');
});

test('when the host dies the window says so, and the next call starts a new one', async () => {
  const pid = host()?.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  await vscode().terminal.waitForName('Copilot 0 (ended)');
  await vscode().terminal.show('Copilot 0 (ended)');
  await vscode().terminal.waitForText('The terminal host has ended');
  await vscode().screenshot('5 host gone');
  await vscode().agent.newChat();
  const talk = await vscode().agent.ask('Again', { tool: terminal, input: { command: 'echo a new host' } });
  await talk.allow();
  expect((await talk.result()).text).toContain('a new host');
  expect(host()?.pid).not.toBe(pid);
});
