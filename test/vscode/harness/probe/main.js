// Stands in for the product in the harness' own test, with as little as shows that each face of it can be tested.
const http = require('node:http');
const vscode = require('vscode');

exports.activate = async context => {
  vscode.window.createTerminal({ name: 'Probe 0', pty: upperCaseTerminal() });
  const server = http.createServer(answer);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = vscode.Uri.parse(`http://127.0.0.1:${server.address().port}/mcp`);
  context.subscriptions.push(
    { dispose: () => server.close() },
    vscode.lm.registerMcpServerDefinitionProvider('probe.mcp', {
      provideMcpServerDefinitions: () => [new vscode.McpHttpServerDefinition('Probe', address, {}, '1')],
    }),
  );
};

/** Shows what is typed, in capitals. */
function upperCaseTerminal() {
  const written = new vscode.EventEmitter();
  return {
    onDidWrite: written.event,
    open: () => written.fire('The probe is here.\r\n'),
    close: () => {},
    handleInput: text => written.fire(text.toUpperCase().replace(/\r/g, '\r\n')),
  };
}

const tool = {
  name: 'greet',
  description: 'Greets somebody',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

const methods = {
  initialize: params => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'probe', version: '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': params => ({ content: [{ type: 'text', text: `Hello ${params.arguments.name}` }] }),
};

/** MCP over HTTP, each answer a single JSON document. */
async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (!Object.hasOwn(methods, method)) return response.writeHead(202).end();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: methods[method](params) }));
}
