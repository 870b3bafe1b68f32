// Terminals by their name, as a person sees it on the tab.
const vscode = require('vscode');

const find = name => {
  const found = vscode.window.terminals.find(terminal => terminal.name === name);
  if (!found) throw new Error(`No terminal is named ${name}; there are: ${names()}`);
  return found;
};

const names = () => vscode.window.terminals.map(terminal => terminal.name).join(', ') || 'none';

/** What an extension can see of a terminal; `cwd` needs shell integration. */
const describe = terminal => ({
  name: terminal.name,
  active: terminal === vscode.window.activeTerminal,
  isPty: terminal.creationOptions !== undefined && 'pty' in terminal.creationOptions,
  exitCode: terminal.exitStatus?.code,
  cwd: terminal.shellIntegration?.cwd?.fsPath,
});

const methods = {
  /** `preserveFocus: false`: typing goes to it at once. */
  showTerminal: ({ name }) => find(name).show(false),
  createTerminal: ({ options }) => vscode.window.createTerminal(options).show(false),
  closeTerminal: ({ name }) => find(name).dispose(),
  sendText: ({ name, text, enter }) => (name === undefined ? active() : find(name)).sendText(text, enter),
};

function active() {
  if (!vscode.window.activeTerminal) throw new Error('No terminal is active.');
  return vscode.window.activeTerminal;
}

module.exports = { describe, methods };
