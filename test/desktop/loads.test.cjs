// Runs inside a desktop VS Code, so in plain CommonJS with its mocha.
const assert = require('node:assert');
const vscode = require('vscode');

suite('in a desktop VS Code', () => {
  test('the extension activates, and its commands and tools are there', async () => {
    const extension = vscode.extensions.getExtension('glass-tty.glass-tty');
    assert.ok(extension);
    await extension.activate();
    const { contributes } = extension.packageJSON;
    const commands = await vscode.commands.getCommands(true);
    for (const { command } of contributes.commands) assert.ok(commands.includes(command), command);
    const tools = vscode.lm.tools.map(tool => tool.name);
    for (const { name } of contributes.languageModelTools) assert.ok(tools.includes(name), name);
  });

  test('a new terminal opens a mirror', async () => {
    const opened = new Promise(resolve => vscode.window.onDidOpenTerminal(resolve));
    await vscode.commands.executeCommand('glassTty.newTerminal');
    const terminal = await opened;
    assert.strictEqual(terminal.name, 'Copilot 0');
    terminal.dispose();
  });
});
