import { expect, test } from 'vitest';
import { useVSCode } from './harness/useVSCode';
import { packProbe } from './harness/vsix';

const vscode = useVSCode(async () => ({ name: 'harness', vsix: await packProbe() }));

test('the agent calls a tool, a person allows it, and the result reaches the model', async () => {
  const conversation = await vscode().agent.ask('Echo this', { tool: 'harness_echo', input: { text: 'over & out' } });
  const asked = await conversation.confirmation();
  await vscode().screenshot('confirmation');
  expect(asked).toContain('Run the harness echo?');
  expect(asked).toContain('It will say over & out');
  await conversation.allow();
  expect(await conversation.done()).toMatchObject([{ tool: 'harness_echo', text: 'echo: over & out' }]);
});

test('a call that a person skips reaches the model as such, and never the tool', async () => {
  await vscode().agent.newChat();
  const invoked = vscode().journal.of('echo.invoked').length;
  const conversation = await vscode().agent.ask('Echo that', { tool: 'harness_echo', input: { text: 'unwanted' } });
  await conversation.skip();
  expect((await conversation.result()).text).not.toContain('echo: unwanted');
  expect(vscode().journal.of('echo.invoked')).toHaveLength(invoked);
});

test('the model makes several calls, one per turn, which ask nothing', async () => {
  await vscode().agent.newChat();
  const noop = { tool: 'harness_noop', input: {} };
  const conversation = await vscode().agent.ask('Do nothing', noop, [noop, noop]);
  expect((await conversation.done()).map(result => result.text)).toEqual(['ok', 'ok', 'ok']);
});

test('the model calls a tool of an MCP server that an installed extension provides', async () => {
  await vscode().agent.newChat();
  await vscode().control.startMcpServer('glass-tty-test.probe/Probe');
  await vscode().control.waitForTool('mcp_probe_greet');
  const conversation = await vscode().agent.ask('Greet', { tool: 'mcp_probe_greet', input: { name: 'Ada' } });
  expect(await conversation.allow()).toContain('Ada');
  expect((await conversation.result()).text).toContain('Hello Ada');
});

test("a pseudoterminal's text is read, and typed keys reach it", async () => {
  await vscode().terminal.show('Probe 0');
  await vscode().terminal.waitForText('The probe is here.');
  await vscode().terminal.type('typed\n');
  await vscode().terminal.waitForText('TYPED');
  expect(await vscode().terminal.list()).toMatchObject([{ name: 'Probe 0', isPty: true, active: true }]);
});

test('a shell is typed into, and read beyond its screen', async () => {
  await vscode().terminal.create({ name: 'shell', shellPath: '/bin/bash', shellArgs: ['--norc'] });
  await vscode().terminal.type('seq 100 300; echo $((40 + 2)) lines\n');
  expect(await vscode().terminal.waitForText('42 lines')).not.toContain('\n100\n');
  expect(await vscode().terminal.wholeText()).toMatch(/\n100\n101\n(\d+\n)*300\n42 lines\n/);
  await vscode().screenshot('shell');
  await vscode().terminal.close('shell');
});

test('a tool is called without a chat, and asks in a dialog', async () => {
  expect(await vscode().control.invokeTool('harness_noop', {})).toBe('ok');
  const echoed = vscode().control.invokeTool('harness_echo', { text: 'direct' });
  expect(await vscode().answerDialog('Yes')).toContain('It will say direct');
  expect(await echoed).toBe('echo: direct');
});

test('after "Reload Window" terminals and agent mode are there again', async () => {
  await vscode().reload();
  await vscode().terminal.show('Probe 0');
  await vscode().terminal.waitForText('The probe is here.');
  const conversation = await vscode().agent.ask('Echo again', { tool: 'harness_echo', input: { text: 'reloaded' } });
  await conversation.allow();
  expect((await conversation.result()).text).toBe('echo: reloaded');
  await vscode().screenshot('reloaded');
});
