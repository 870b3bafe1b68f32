// The test's way in: POST {"method", "params"} to 127.0.0.1. The port is a free one, written to control.json: after a reload
// the old extension host lives on for a while and would still hold a fixed one. The token keeps other processes out.
const { randomUUID } = require('node:crypto');
const http = require('node:http');
const vscode = require('vscode');
const { writeWhole } = require('./journal.js');
const { partsText } = require('./model.js');
const terminals = require('./terminals.js');

const methods = {
  state: () => ({
    extensions: vscode.extensions.all
      .filter(e => !e.packageJSON.isBuiltin)
      .map(e => ({ id: e.id, active: e.isActive })),
    agent: agentState(vscode.extensions.getExtension('GitHub.copilot-chat')),
    tools: vscode.lm.tools.map(tool => tool.name),
    terminals: vscode.window.terminals.map(terminals.describe),
  }),
  command: ({ id, args }) => vscode.commands.executeCommand(id, ...args),
  commands: () => vscode.commands.getCommands(true),
  invokeTool: async ({ name, input }) => {
    const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return partsText(result.content);
  },
  setting: ({ name, value }) =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global),
  readClipboard: () => vscode.env.clipboard.readText(),
  writeClipboard: ({ text }) => vscode.env.clipboard.writeText(text),
  ...terminals.methods,
};

/** A disabled extension is not in the list at all. */
function agentState(copilot) {
  if (!copilot) return 'disabled';
  return copilot.isActive ? 'active' : 'enabled';
}

async function answer(body) {
  const { method, params } = JSON.parse(body);
  if (!Object.hasOwn(methods, method)) throw new Error(`The harness has no method ${method}.`);
  return (await methods[method](params)) ?? null;
}

async function startControl() {
  const token = randomUUID();
  const server = http.createServer(async (request, response) => {
    try {
      if (request.headers.authorization !== `Bearer ${token}`) throw new Error('Not this window: the token differs.');
      response.end(JSON.stringify({ result: await answer(await readBody(request)) }));
    } catch (error) {
      response.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  writeWhole('control.json', JSON.stringify({ port: server.address().port, token }));
  return { dispose: () => server.close() };
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

module.exports = { startControl };
