import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel, ChannelExit } from '../../../src/core/channel/channel';
import { openPty } from '../../../src/core/channel/ptyChannel';

const channels: Channel[] = [];
afterEach(() => {
  for (const channel of channels.splice(0)) channel.dispose();
});

function start(file: string, args: readonly string[], cwd = '/'): Channel {
  const env = { ...(process.env as Record<string, string>), TERM: 'xterm', PTY_TEST: 'yes' };
  const channel = openPty({ file, args, cwd, env, cols: 80, rows: 24, marker: 'PTY_TEST=yes' });
  channels.push(channel);
  return channel;
}

interface Ended extends ChannelExit {
  readonly output: Buffer;
  readonly ms: number;
}

function end(channel: Channel): Promise<Ended> {
  const started = performance.now();
  const chunks: Uint8Array[] = [];
  channel.onData(chunk => chunks.push(chunk));
  return new Promise(resolve => {
    channel.onExit(exit => resolve({ ...exit, output: Buffer.concat(chunks), ms: performance.now() - started }));
  });
}

describe('a pty', () => {
  it('S03 loses none of 20,480 bytes in 200 runs of a program that ends at once', async () => {
    const text = 'x'.repeat(20_480);
    for (let run = 0; run < 200; run++) {
      const { output, code } = await end(start('/bin/echo', ['-n', text]));
      expect(code).toBe(0);
      expect(output.toString()).toBe(text);
    }
  });

  it('loses nothing of what was printed while it was paused', async () => {
    // As much as the kernel takes from a program that nobody reads; one that prints more would wait for the reader.
    const channel = start('/bin/sh', ['-c', 'seq 1 500']);
    channel.pause();
    const { output } = await end(channel);
    expect(output.toString()).toBe(Array.from({ length: 500 }, (_, i) => `${i + 1}\r\n`).join(''));
  });

  it('tells the exit code or the signal', async () => {
    expect(await end(start('/bin/sh', ['-c', 'exit 7']))).toMatchObject({ code: 7, signal: undefined });
    expect(await end(start('/bin/sh', ['-c', 'kill -9 $$']))).toMatchObject({ code: undefined, signal: 'SIGKILL' });
  });

  it('learns of the exit at once, also when a child holds the terminal open', async () => {
    const plain = await end(start('/bin/true', []));
    const held = await end(start('/bin/sh', ['-c', 'sleep 5 & exit 0']));
    // node-pty itself takes 200 ms in either case.
    expect(plain.ms).toBeLessThan(150);
    expect(held.ms).toBeLessThan(150);
  });

  it('takes input and sizes after the end without harm', async () => {
    const channel = start('/bin/true', []);
    await end(channel);
    expect(channel.isOpen).toBe(false);
    channel.write('too late');
    channel.resize(100, 50);
  });

  it('writes a megabyte to a program that begins to read late', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'glass-tty-'));
    const text = Array.from({ length: 20_000 }, (_, i) => `line ${i} of a megabyte of text that is typed`).join('\n');
    const channel = start('/bin/sh', ['-c', 'stty -echo; echo ready; sleep 0.3; cat > typed'], folder);
    const ended = end(channel);
    await new Promise<void>(resolve => channel.onData(chunk => chunk.includes(0x72) && resolve()));
    channel.write(`${text}\n`);
    channel.write('\x04');
    expect((await ended).code).toBe(0);
    const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
    expect(hash(readFileSync(join(folder, 'typed')))).toBe(hash(`${text}\n`));
    rmSync(folder, { recursive: true });
  });

  it('has the size it is given, columns first', async () => {
    const channel = start('/bin/sh', ['-c', 'stty -echo; stty size; read x; stty size']);
    const ended = end(channel);
    const first = channel.onData(chunk => {
      if (!chunk.includes(0x0a)) return;
      first.dispose();
      channel.resize(123, 45);
      channel.write('\r');
    });
    expect((await ended).output.toString()).toBe('24 80\r\n45 123\r\n');
  });

  it('S19 has a tty that erases whole characters', async () => {
    const channel = start('/bin/sh', ['-c', 'stty -echo; echo ready; read line; echo "[$line]"']);
    const ended = end(channel);
    const first = channel.onData(() => {
      first.dispose();
      channel.write('cafeé 漢字\x7f\r');
    });
    expect((await ended).output.toString()).toBe('ready\r\n[cafeé 漢]\r\n');
  });

  it('refuses a directory that is not there', () => {
    expect(() => start('/bin/true', [], '/no/such')).toThrowError(expect.objectContaining({ code: 'cwd_not_found' }));
  });

  it.each([
    ['a shell', 'echo ready; sleep 1000', /SIGHUP/],
    ['one that ignores SIGHUP', 'trap "" HUP; echo ready; sleep 1000 & wait', /SIGTERM/],
    ['one that ignores whatever can be ignored', 'trap "" HUP INT TERM; echo ready; sleep 1000 & wait', /SIGKILL/],
    // Whether nohup has got as far as ignoring SIGHUP, nobody tells.
    [
      'children that left by setsid and nohup',
      'setsid sleep 1000 & nohup sleep 1000 & echo ready; wait',
      /SIGHUP|SIGTERM/,
    ],
  ])('ends %s with everything it started, and says by which signal', async (_, script, signal) => {
    const channel = start('/bin/bash', ['-c', script]);
    await new Promise<void>(resolve => channel.onData(chunk => Buffer.from(chunk).includes('ready') && resolve()));
    const started = performance.now();
    const report = await channel.end();
    expect(report).toEqual({ signal: expect.stringMatching(signal), survivors: [] });
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
