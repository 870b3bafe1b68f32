import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectHttp, type HttpServer, startHttp } from '../helpers/mcp';

describe('the HTTP endpoint', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttp({ env: { GLASS_TTY_TOKEN: 'a-token-of-my-own' } });
  });
  afterAll(() => server.stop());

  it('prints its address and takes its token from GLASS_TTY_TOKEN', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(server.token).toBe('a-token-of-my-own');
  });

  it.each([
    ['without a token', {}, 401],
    ['with a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['from a web page', { authorization: 'Bearer a-token-of-my-own', origin: 'https://evil.example' }, 403],
    ['under another name (DNS rebinding)', { authorization: 'Bearer a-token-of-my-own', host: 'evil.example' }, 403],
    ['for a session that is not there', { authorization: 'Bearer a-token-of-my-own', 'mcp-session-id': 'none' }, 404],
  ])('refuses a request %s', async (_, headers, status) => {
    expect(await post(server.url, headers)).toBe(status);
  });

  it('refuses other paths', async () => {
    expect(await post(server.url.replace('/mcp', '/else'), { authorization: 'Bearer a-token-of-my-own' })).toBe(404);
  });

  it('serves several clients at once, each with terminals of its own, which LIST with scope all shows', async () => {
    const [one, two] = await Promise.all([
      connectHttp(server.url, server.token),
      connectHttp(server.url, server.token),
    ]);
    await Promise.all([one.exec('export WHO=one'), two.exec('export WHO=two')]);
    const [first, second] = await Promise.all([one.exec('echo $WHO'), two.exec('echo $WHO')]);
    expect([first.texts[0], second.texts[0]]).toEqual(['one', 'two']);
    const mine = await one.call('terminal', { action: 'LIST' });
    const all = await one.call('terminal', { action: 'LIST', scope: 'all' });
    expect(mine.structured['terminals']).toHaveLength(1);
    expect(all.structured['terminals']).toHaveLength(2);
    const theirs = await one.read({ session_id: second.structured['session_id'] });
    expect(theirs.text).toContain('two');
    await Promise.all([one.close(), two.close()]);
  });

  it('gives each client the tool sets that its URL asks for', async () => {
    const some = await connectHttp(`${server.url}?toolsets=interminal`, server.token);
    const names = (await some.client.listTools()).tools.map(tool => tool.name);
    expect(names).not.toContain('terminal');
    expect(await some.exec('true')).toMatchObject({ code: 'unknown_tool' });
    await some.close();
    await expect(connectHttp(`${server.url}?toolsets=nonsense`, server.token)).rejects.toThrow(/no tool set/);
  });

  it('gives the answer of a call whose connection broke to the client that comes back for it', async () => {
    const first = await send(server, { id: 1, method: 'initialize', params: initialize });
    const session = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
    await first.text();
    await (await send(server, { method: 'notifications/initialized' }, session)).text();
    const broken = new AbortController();
    const params = { name: 'terminal', arguments: { command: 'sleep 0.5; echo the answer' } };
    const call = await send(server, { id: 2, method: 'tools/call', params }, session, broken.signal);
    const reader = (call.body as ReadableStream<Uint8Array>).getReader();
    const announced = new TextDecoder().decode((await reader.read()).value);
    broken.abort();

    const id = /^id: (\S+)$/m.exec(announced)?.[1] ?? '';
    const headers = {
      ...session,
      'last-event-id': id,
      authorization: `Bearer ${server.token}`,
      accept: 'text/event-stream',
    };
    // The server hears of the break a moment later.
    const again = await vi.waitFor(async () => {
      const response = await fetch(server.url, { headers, signal: AbortSignal.timeout(20_000) });
      expect(response.status).toBe(200);
      return response;
    }, 5000);
    const rest = (again.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('"id":2')) {
      const { value, done } = await rest.read();
      if (done) throw new Error(`The stream ended with ${again.status} ${text}`);
      text += new TextDecoder().decode(value);
    }
    expect(text).toContain('the answer');
    await rest.cancel();
    await fetch(server.url, { method: 'DELETE', headers });
  });

  it('ends a client’s terminals when the client closes its session', async () => {
    const watcher = await connectHttp(server.url, server.token);
    const client = await connectHttp(server.url, server.token);
    const reply = await client.exec('sleep 1000', { await_completion_ms: 0 });
    const transport = client.client.transport as unknown as { terminateSession(): Promise<void> };
    await transport.terminateSession();
    const listed = async () => (await watcher.call('terminal', { action: 'LIST', scope: 'all' })).text;
    await expect.poll(listed).not.toContain(reply.structured['session_id']);
    await client.close();
    await watcher.close();
  });
});

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

function send(server: HttpServer, message: object, headers: Record<string, string> = {}, signal?: AbortSignal) {
  return fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${server.token}`,
      'mcp-protocol-version': '2025-11-25',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    ...(signal && { signal }),
  });
}

function post(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      },
      response => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.once('error', reject);
    call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }));
  });
}
