import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostClient } from '../../src/rpc/client';
import {
  AttachViewer,
  EndSession,
  PROTOCOL,
  SessionChanged,
  ViewerData,
  ViewerInput,
  ViewerResize,
} from '../../src/rpc/contract';
import { hostKey, readRecord } from '../../src/rpc/directory';
import type { Caller } from '../../src/tools/tool';
import { HostBench, processEnd } from '../helpers/host';
import { connectHttp, connectStdio } from '../helpers/mcp';

let bench: HostBench;
let caller: Caller;
beforeEach(() => {
  bench = new HostBench();
  caller = { owner: { kind: 'window', id: 'lm', label: 'Copilot' }, cwd: bench.folder };
});
afterEach(() => bench.dispose());

const pidOf = () => readRecord(bench.directory, hostKey(bench.folder))?.pid ?? -1;

async function exec(host: HostClient, command: string, more: Record<string, unknown> = {}) {
  const signal = new AbortController().signal;
  return host.invoke('terminal', { command, ...more }, caller, { signal, patienceMs: 30_000, onProgress() {} });
}

/** Collects what a viewer gets and waits for a text in it. */
function watch(host: HostClient, id: string) {
  let seen = '';
  let look: () => void = () => {};
  host.on(ViewerData, update => {
    if (update.id !== id) return;
    seen += update.data;
    look();
  });
  return (text: string) =>
    new Promise<void>(resolve => {
      look = () => seen.includes(text) && resolve();
      look();
    });
}

describe('the terminal host', () => {
  it('is started once, however many ask at the same time, and keeps its files private', async () => {
    const clients = await Promise.all([bench.start(), bench.start(), bench.start()]);
    await exec(clients[0] as HostClient, 'export SHARED=yes');
    const replies = await Promise.all(
      clients.map(client => exec(client, 'echo $SHARED', { terminal: 0 }).catch(() => undefined)),
    );
    expect(replies.some(reply => reply?.content[0] === 'yes')).toBe(true);
    expect((await clients[1]?.sessions())?.length).toBe(1);
    expect(statSync(bench.directory).mode & 0o777).toBe(0o700);
    expect(statSync(join(bench.directory, `${hostKey(bench.folder)}.${PROTOCOL}.json`)).mode & 0o777).toBe(0o600);
  });

  it('hands on the picture of a screen', async () => {
    const host = await bench.start();
    await exec(host, 'echo hello');
    const options = { signal: new AbortController().signal, patienceMs: 30_000, onProgress() {} };
    const { images } = await host.invoke('read_output', { view: 'screen', image: true }, caller, options);
    expect(images).toMatchObject([{ mimeType: 'image/png' }]);
    expect(Buffer.from(images?.[0]?.data ?? '', 'base64').toString('latin1', 1, 4)).toBe('PNG');
  });

  it('outlives its window: a command goes on, and the next window finds its screen', async () => {
    const first = await bench.start(5000);
    await exec(first, 'echo before; sleep 0.5; echo after', { await_completion_ms: 0 });
    const [session] = await first.sessions();
    const pid = pidOf();
    first.dispose();

    const second = await bench.find();
    expect(pidOf()).toBe(pid);
    const seen = watch(second as HostClient, session?.id ?? '');
    const { replay } = (await second?.request(AttachViewer, { id: session?.id ?? '' })) ?? { replay: '' };
    expect(replay).toContain('before');
    await seen('after');
  });

  it('shows a window the commands that have no terminal, with their output as it comes', async () => {
    const host = await bench.start();
    const signal = new AbortController().signal;
    const command = 'echo one; echo two >&2; printf three; exit 4';
    const how = { signal, patienceMs: 60_000, onProgress() {} };
    const { structured } = await host.invoke('run_terminal_command', { command }, caller, how);
    expect(structured).toMatchObject({ return_code: 4, stdout: 'one\nthree', stderr: 'two\n' });
    const [session] = await host.sessions();
    expect(session).toMatchObject({ kind: 'transcript', state: 'prompt', cwd: bench.folder });
    expect(session?.number).toBeUndefined();
    const { replay } = await host.request(AttachViewer, { id: session?.id ?? '' });
    expect(replay).toContain(`$\x1b[0m ${command}`);
    expect(replay).toContain('two');
    expect(replay).toContain('[return code 4 after');
    const terminals = await host.invoke('terminal', { action: 'LIST', scope: 'all' }, caller, how);
    expect(terminals.structured).toEqual({ terminals: [] });
  });

  it('ends itself, and all it started, after the grace time without anybody', async () => {
    const client = await bench.start(300);
    const reply = await exec(client, 'sleep 4712 & echo $!');
    const pid = pidOf();
    client.dispose();
    expect(await processEnd(pid, 5000)).toBe(true);
    expect(await processEnd(Number(reply.content[0]), 1000)).toBe(true);
    expect(await bench.find()).toBeUndefined();
  });

  it('fails the calls in flight when it dies, and the next start makes a new one', async () => {
    const client = await bench.start();
    const pid = pidOf();
    const call = exec(client, 'sleep 1000');
    await exec(client, 'true', { terminal: 1 });
    process.kill(pid, 'SIGKILL');
    await expect(call).rejects.toMatchObject({ code: 'host_gone' });
    await expect(client.sessions()).rejects.toMatchObject({ code: 'host_gone' });
    const next = await bench.start();
    expect((await exec(next, 'echo again')).content[0]).toBe('again');
  });

  it('shows a session to a window, takes what is typed and a new size', async () => {
    const client = await bench.start();
    const added = new Promise<string>(resolve => {
      client.on(SessionChanged, change => change.kind === 'added' && resolve(change.session.id));
    });
    await exec(client, 'echo from-the-agent');
    const id = await added;
    const seen = watch(client, id);
    const { replay } = await client.request(AttachViewer, { id });
    expect(replay).toContain('from-the-agent');
    client.notify(ViewerResize, { id, cols: 77, rows: 20 });
    client.notify(ViewerInput, { id, data: 'echo "$(tput cols) columns, typed"\r' });
    await seen('77 columns, typed');
    const read = await client.invoke('terminal', { action: 'READ' }, caller, {
      signal: new AbortController().signal,
      patienceMs: 1000,
      onProgress() {},
    });
    expect(read.content[0]).toContain('77 columns, typed');
    await client.request(EndSession, { id });
    expect(await client.sessions()).toEqual([]);
  });

  it('S49 survives a resize and typing in the very moment a session ends', async () => {
    const client = await bench.start();
    for (let terminal = 0; terminal < 10; terminal++) {
      await exec(client, 'true', { terminal });
      const id = (await client.sessions()).find(session => session.number === terminal)?.id ?? '';
      const ended = exec(client, 'exit 3', { terminal });
      for (let i = 0; i < 20; i++) {
        client.notify(ViewerResize, { id, cols: 80 + i, rows: 24 });
        client.notify(ViewerInput, { id, data: '\x1b[A' });
      }
      expect((await ended).structured).toMatchObject({ exit_code: 3, state: 'exited' });
      client.notify(ViewerResize, { id, cols: 90, rows: 30 });
    }
    expect((await exec(client, 'echo alive', { terminal: 99 })).content[0]).toBe('alive');
  });

  it('refuses the agent while a person has typed half a line, and never touches that line', async () => {
    const client = await bench.start();
    await exec(client, 'true');
    const [session] = await client.sessions();
    const id = session?.id ?? '';
    const seen = watch(client, id);
    await client.request(AttachViewer, { id });
    client.notify(ViewerInput, { id, data: 'echo half' });
    await seen('half');
    expect((await exec(client, 'echo intruder')).error?.code).toBe('human_typing');
    client.notify(ViewerInput, { id, data: '-typed\r' });
    await seen('half-typed');
    await expect.poll(async () => (await exec(client, 'echo free')).content[0]).toBe('free');
  });

  it('serves the same sessions over MCP: to its HTTP clients and to a bridge started in its folder', async () => {
    const window = await bench.start();
    await exec(window, 'echo shared-session');
    const [session] = await window.sessions();
    const { url, token } = await window.endpoint();
    const http = await connectHttp(url, token);
    const stdio = await connectStdio({ cwd: bench.folder, args: [], env: { GLASS_TTY_DIR: bench.directory } });
    for (const client of [http, stdio]) {
      const reply = await client.read({ session_id: session?.id });
      expect(reply.text).toContain('shared-session');
    }
    await stdio.exec('echo from-the-bridge');
    expect((await window.sessions()).map(one => one.owner.kind)).toEqual(['window', 'mcp']);
    await stdio.close();
    await expect.poll(async () => (await window.sessions()).length).toBe(1);
    await http.close();
  });
});
