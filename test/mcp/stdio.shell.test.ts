import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '../../src/tools/invoke';
import { defaultToolsets } from '../../src/tools/toolsets';
import { cli, connectStdio, type TestClient } from '../helpers/mcp';
import { uniqueSleep } from '../helpers/uniqueSleep';

describe('glass-tty on stdio', () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connectStdio();
  });
  afterAll(() => client.close());

  it('lists exactly the tools of the default sets, with schemas and annotations', async () => {
    const { tools: listed } = await client.client.listTools();
    expect(listed.map(tool => tool.name)).toEqual(toolsOf(defaultToolsets).map(tool => tool.name));
    for (const tool of listed) {
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
      });
      expect(tool.annotations).not.toHaveProperty('openWorldHint');
    }
    expect(client.client.getInstructions()).toContain('terminal');
  });

  it('reports the last line as progress while a command runs', async () => {
    const seen: string[] = [];
    await client.exec('echo one; sleep 0.6; echo two; sleep 0.6', {}, { onProgress: message => seen.push(message) });
    expect(seen).toContain('one');
    expect(seen).toContain('two');
  });

  it('interrupts a command whose call is cancelled, and the terminal is free again', async () => {
    const abort = new AbortController();
    const call = client.exec(
      'echo started; sleep 1000',
      { terminal: 2 },
      { signal: abort.signal, onProgress: message => message === 'started' && abort.abort() },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(async () => (await client.read({ terminal: 2 })).structured['state']).toBe('prompt');
    expect((await client.read({ terminal: 2 })).structured).toMatchObject({ completed: true, exit_code: 130 });
  });

  it('returns at once with await_completion_ms 0, and READ tells when it is done', async () => {
    const reply = await client.exec('sleep 0.3; echo done', { terminal: 3, await_completion_ms: 0 });
    expect(reply.structured).toMatchObject({ completed: false, state: 'running', exit_code: null });
    await expect.poll(async () => (await client.read({ terminal: 3 })).structured['completed']).toBe(true);
    const id = reply.structured['command_id'];
    expect((await client.read({ terminal: 3, command_id: id })).structured).toMatchObject({
      output: 'done',
      exit_code: 0,
    });
  });

  it('keeps a long output below what a client takes, and gives the rest line by line', async () => {
    const reply = await client.exec('seq 1 5000', { terminal: 4 });
    expect(JSON.stringify(reply.structured).length).toBeLessThan(7500);
    const omitted = reply.structured['left_out'] as { from_line: number; to_line: number; lines: number };
    const shown = (reply.texts[0] ?? '').split('\n').filter(line => !line.startsWith('…'));
    expect(shown.length + omitted.lines).toBe(5000);
    const rest = await client.read({
      terminal: 4,
      command_id: reply.structured['command_id'],
      from_line: omitted.from_line,
    });
    expect(rest.texts[0]?.split('\n')[0]).toBe(String(omitted.from_line));
  });

  it('gives output that a program draws as it looks, and plain output byte for byte', async () => {
    const lines = ['+ added', '> quoted', '>>> prompt', '  indented', '$ dollar'];
    const quoted = lines.map(line => `'${line}'`).join(' ');
    expect((await client.exec(`printf '%s\\n' ${quoted}`)).texts[0]).toBe(lines.join('\n'));
    expect((await client.exec(`printf '\\033[2J\\033[Hdrawn'`)).texts[0]).toBe('drawn');
  });

  it('runs a command line with the blanks at its end, which may mean something', async () => {
    const reply = await client.exec("printf '[%s]' a\\ ");
    expect(reply.structured).toMatchObject({ output: '[a ]', exit_code: 0 });
    expect((await client.exec('echo a\n\n')).texts[0]).toBe('a');
  });

  it('has an environment in which nothing waits for a person', async () => {
    const reply = await client.exec(
      'echo "$TERM $COLORTERM $PAGER $GIT_PAGER $MANPAGER $EDITOR $GIT_EDITOR"; echo hi!',
    );
    expect(reply.texts[0]).toBe('xterm-256color truecolor cat cat cat false false\nhi!');
    const own = await client.exec('echo $PAGER', { terminal: 5, env: { PAGER: 'less' } });
    expect(own.texts[0]).toBe('less');
  });

  it('ends a terminal with everything it started, and says how', async () => {
    const sleep = uniqueSleep();
    const reply = await client.exec(`trap "" INT HUP; (setsid ${sleep} &) ; nohup ${sleep} >/dev/null 2>&1 & echo $!`, {
      terminal: 6,
    });
    expect(reply.structured['exit_code']).toBe(0);
    const killed = await client.kill({ terminal: 6 });
    expect(killed.isError).toBe(false);
    expect(killed.structured['warning']).toBeUndefined();
    expect(killed.ms).toBeLessThan(2500);
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
    expect(stdout).not.toContain(sleep);
  });
});

describe('the process', () => {
  it('says nothing on standard error about a flood of bytes that are no text, and gives what comes after', async () => {
    let said = '';
    const client = await connectStdio({
      onStderr: text => {
        said += text;
      },
    });
    await client.exec('head -c 300000 /dev/urandom');
    await client.exec("printf '\\033c'; stty sane");
    await client.read();
    expect((await client.exec('echo after')).texts[0]).toBe('after');
    await client.close();
    expect(said).toBe('');
  });

  it('writes nothing but the protocol to standard output, and ends when its input does', async () => {
    const child = spawn(process.execPath, [cli, '--no-bridge'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines: string[] = [];
    createInterface(child.stdout).on('line', line => lines.push(line));
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'terminal', arguments: { command: 'echo "{"' } } });
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    child.stdin.end();
    expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0);
  });
});
