// Runs inside VS Code. The test sees what happens here in $HARNESS_DIR/journal.jsonl and acts through the control endpoint.
const vscode = require('vscode');
const { startControl } = require('./control.js');
const { record } = require('./journal.js');
const { ScriptedModel } = require('./model.js');

exports.activate = async context => {
  record('activated', { version: vscode.version });
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('harness', new ScriptedModel()),
    vscode.lm.registerTool('harness_echo', echo),
    vscode.lm.registerTool('harness_noop', { invoke: async () => textResult('ok') }),
    await startControl(),
  );
};

const echo = {
  prepareInvocation({ input }) {
    return {
      invocationMessage: 'Echoing',
      confirmationMessages: {
        title: 'Run the harness echo?',
        message: new vscode.MarkdownString(`It will say \`${input.text}\``),
      },
    };
  },
  async invoke({ input, toolInvocationToken }) {
    record('echo.invoked', { input, hasToken: toolInvocationToken !== undefined });
    return textResult(`echo: ${input.text}`);
  },
};

function textResult(text) {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
