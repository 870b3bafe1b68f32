import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultRules } from '../../src/core/session/keyboard';
import { SessionRegistry } from '../../src/core/session/registry';
import { type IsolatedOptions, runIsolated } from '../../src/core/session/runIsolated';
import { runTerminalCommand as tool } from '../../src/tools/runTerminalCommand';
import type { ToolContext } from '../../src/tools/tool';
import { uniqueSleep } from '../helpers/uniqueSleep';

const MEGABYTE = 1024 * 1024;
let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'glass-tty-test-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function context(more: Partial<ToolContext> = {}): ToolContext {
  return {
    registry: new SessionRegistry({
      scripts: '',
      font: '',
      baseEnv: process.env,
      logLimit: 0,
      asksKernel: false,
      rules: { ...defaultRules },
    }),
    caller: { owner: { kind: 'mcp', id: 'test', label: 'test' }, cwd: folder, shell: 'bash' },
    signal: new AbortController().signal,
    patienceMs: Number.POSITIVE_INFINITY,
    progress() {},
    ...more,
  };
}

interface Result {
  readonly [field: string]: unknown;
  readonly stdout: string;
  readonly stderr: string;
  readonly execution_time: number;
}

async function run(command: string, more: Record<string, unknown> = {}, within = context()): Promise<Result> {
  const { structured } = await tool.run(tool.input.parse({ command, ...more }), within);
  tool.output.parse(structured);
  expect(JSON.stringify(structured).length).toBeLessThan(7500);
  return structured as Result;
}

function isolated(command: string, more: Partial<IsolatedOptions> = {}) {
  const signal = new AbortController().signal;
  const base = { command, cwd: folder, shell: 'bash', baseEnv: process.env, timeoutMs: 30_000, signal };
  return runIsolated({ ...base, ...more });
}

/** Whether a process with these arguments is there. */
function isRunning(args: string): boolean {
  return execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .some(line => line.trim() === args);
}

const openFiles = () => readdirSync('/proc/self/fd').length;

describe('run_terminal_command', () => {
  it('gives the fields of the document, with the text to the character', async () => {
    expect(await run(`printf 'a\\tb  \\n\\nc\\n'; echo no >&2; exit 3`)).toEqual({
      command: `printf 'a\\tb  \\n\\nc\\n'; echo no >&2; exit 3`,
      return_code: 3,
      stdout: 'a\tb  \n\nc\n',
      stderr: 'no\n',
      execution_time: expect.any(Number),
      working_directory: folder,
      timed_out: false,
      stdout_bytes: 9,
      stderr_bytes: 3,
      stdout_lines: 3,
      stderr_lines: 1,
    });
  });

  it('loses no byte of 20,480, 200 times (S03)', async () => {
    const line = 'x'.repeat(20_480);
    const before = openFiles();
    for (let round = 0; round < 200; round++) {
      const { stdout, exit } = await isolated(`/bin/echo -n ${line}`);
      expect({ bytes: stdout.end, code: exit.code }).toEqual({ bytes: 20_480, code: 0 });
    }
    await expect.poll(() => openFiles() - before).toBeLessThan(5);
    expect(await run(`/bin/echo -n ${line}`)).toMatchObject({ stdout_bytes: 20_480, stdout_lines: 1 });
  });

  it('gives a traceback on stderr and code 1 (S04)', async () => {
    const result = await run(`python3 -c 'import nope'`);
    expect(result).toMatchObject({ return_code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^Traceback[\s\S]*No module named 'nope'\n$/);
  });

  it('reads both streams at the same time, and hands on every byte', async () => {
    const heard = { stdout: 0, stderr: 0 };
    const both = `import sys, threading
def fill(stream, char):
    for _ in range(80): stream.buffer.write(char * 65536)
    stream.flush()
threads = [threading.Thread(target=fill, args=pair) for pair in ((sys.stdout, b"o"), (sys.stderr, b"e"))]
[thread.start() for thread in threads]
[thread.join() for thread in threads]`;
    const result = await isolated(`python3 -c '${both}'`, {
      onOutput: (stream, bytes) => {
        heard[stream] += bytes.length;
      },
    });
    expect(heard).toEqual({ stdout: 5 * MEGABYTE, stderr: 5 * MEGABYTE });
    expect(result.stdout.end + result.stderr.end).toBe(10 * MEGABYTE);
    expect(Buffer.from(result.stderr.read(0, result.stderr.end).bytes).every(byte => byte === 0x65)).toBe(true);
  });

  it('keeps the last megabytes, and tells how many bytes it did not keep', async () => {
    const result = await run(`head -c 20000000 /dev/zero | tr '\\0' x; echo end`);
    expect(result).toMatchObject({ stdout_bytes: 20_000_004, stdout_missing_bytes: expect.any(Number) });
    expect(result['stdout_missing_bytes']).toBeGreaterThan(10_000_000);
    expect(result.stdout).toMatch(/xend\n$/);
  });

  it('ends the whole tree when the time is up, and returns the output so far', async () => {
    const [one, two, three] = [uniqueSleep(), uniqueSleep(), uniqueSleep()];
    const command = `echo so far; trap '' HUP TERM; (setsid ${one} &); nohup ${two} >/dev/null 2>&1 & ${three}`;
    const result = await run(command, { timeout_seconds: 0.5 });
    expect(result).toMatchObject({ stdout: 'so far\n', return_code: null, timed_out: true });
    expect(result.execution_time).toBeGreaterThan(0.5);
    expect(result.execution_time).toBeLessThan(3.5);
    for (const sleep of [one, two, three]) expect(isRunning(sleep)).toBe(false);
  });

  it('returns at once when only a background process is left, with all output, and says so', async () => {
    const result = await run('sleep 100 & head -c 60000 /dev/zero | tr "\\0" x; echo $! >&2');
    process.kill(Number(result.stderr));
    expect(result).toMatchObject({ return_code: 0, stdout_bytes: 60_000, left_behind: true });
    expect(result.execution_time).toBeLessThan(2);
    const apart = await run('sleep 0.2 >/dev/null 2>&1 & echo done');
    expect(apart).toMatchObject({ stdout: 'done\n' });
    expect(apart).not.toHaveProperty('left_behind');
  });

  it('has what a process substitution prints after the shell has exited', async () => {
    const result = await run('seq 1 3 > >(sleep 0.05; cat)');
    expect(result).toMatchObject({ stdout: '1\n2\n3\n', return_code: 0 });
    expect(result).not.toHaveProperty('left_behind');
  });

  it('returns although a background process writes without end', async () => {
    const result = await run('yes & sleep 0.1');
    expect(result).toMatchObject({ return_code: 0, left_behind: true });
    expect(result.execution_time).toBeLessThan(2);
  });

  it('ends the command and its tree when the call is cancelled', async () => {
    const abort = new AbortController();
    const [one, two] = [uniqueSleep(), uniqueSleep()];
    const call = isolated(`echo started; (setsid ${one} &); ${two}`, {
      signal: abort.signal,
      onOutput: () => abort.abort(),
    });
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    for (const sleep of [one, two]) expect(isRunning(sleep)).toBe(false);
  });

  it('has real pipes and an empty input, which scripts rely on', async () => {
    expect(await run('cat; echo out > /dev/stdout; echo err | tee /dev/stderr')).toMatchObject({
      return_code: 0,
      stdout: 'out\nerr\n',
      stderr: 'err\n',
    });
  });

  it('has an environment in which nothing waits for a person', async () => {
    const result = await run('echo $PAGER $GIT_EDITOR; git --version >/dev/null; read -p "sure? " answer; echo $?');
    expect(result.stdout).toBe('cat false\n1\n');
  });

  it('runs where it is told, by absolute or relative path', async () => {
    expect(await run('mkdir -p sub; pwd', { working_directory: '/' })).toMatchObject({
      return_code: expect.any(Number),
    });
    await run('mkdir -p sub');
    const result = await run('pwd', { working_directory: 'sub' });
    expect(result).toMatchObject({ stdout: `${folder}/sub\n`, working_directory: `${folder}/sub` });
    const wrong = run('pwd', { working_directory: '/nowhere' });
    await expect(wrong).rejects.toMatchObject({ code: 'cwd_not_found', message: expect.stringContaining('/nowhere') });
  });

  it('uses sh where the shell is of another kind, and refuses one that is not there', async () => {
    const caller = context().caller;
    const fish = context({ caller: { ...caller, shell: 'fish' } });
    expect(await run('x=1; [ "$x" = 1 ] && echo ok', {}, fish)).toMatchObject({ stdout: 'ok\n' });
    const none = context({ caller: { ...caller, shell: 'noshell' } });
    await expect(run('true', {}, none)).rejects.toMatchObject({ code: 'shell_not_found' });
  });

  it('refuses what cannot be run', async () => {
    await expect(run(' ')).rejects.toMatchObject({ code: 'invalid_command' });
    await expect(run('echo \0')).rejects.toMatchObject({ code: 'invalid_command' });
    await expect(run(`: ${'x'.repeat(200_000)}`)).rejects.toMatchObject({
      code: 'spawn_failed',
      message: expect.stringContaining('too long'),
    });
  });

  it('tells a signal from a code', async () => {
    expect(await run('kill -KILL $$')).toMatchObject({ return_code: null, signal: 'SIGKILL', timed_out: false });
    expect(await run('bash -c "kill -KILL \\$\\$"; exit $?')).toMatchObject({ return_code: 137 });
  });

  it('keeps both streams under one budget, with exact counts', async () => {
    const result = await run('seq 1 5000; seq 1 3000 >&2');
    for (const [stream, lines] of [
      ['stdout', 5000],
      ['stderr', 3000],
    ] as const) {
      const shown = result[stream].split('\n').filter(line => /^\d+$/.test(line)).length;
      const left = result[`${stream}_left_out`] as { lines: number };
      expect(shown).toBeGreaterThan(100);
      expect(shown + left.lines).toBe(lines);
      expect(result[`${stream}_lines`]).toBe(lines);
    }
    const short = await run('seq 1 5000; echo short >&2');
    expect(short.stderr).toBe('short\n');
    expect(short.stdout.length).toBeGreaterThan(3000);
    await run(`: '${'"\\n'.repeat(3000)}'; seq 1 5000`);
  });

  it('returns no text when it is told not to, and runs all the same', async () => {
    const result = await run('echo a | tee file; echo b >&2', { capture_output: false });
    expect(result).toMatchObject({ stdout: '', stderr: '', stdout_bytes: 2, stderr_bytes: 2, return_code: 0 });
    expect((await run('cat file')).stdout).toBe('a\n');
  });

  it('copes with bytes that are not UTF-8, and with output that draws', async () => {
    expect((await run(`printf 'a\\xff\\xfeb\\n'`)).stdout).toBe('a\ufffd\ufffdb\n');
    expect((await run(`printf '\\033[31mred\\033[0m\\nnext\\n 10%%\\r100%%\\n'`)).stdout).toBe('red\nnext\n100%\n');
    await run('head -c 300000 /dev/urandom; head -c 300000 /dev/urandom >&2');
  });

  it('refuses a time limit that the client does not wait for, before anything runs', async () => {
    const impatient = context({ patienceMs: 50_000 });
    const call = run('touch ran', { timeout_seconds: 120 }, impatient);
    await expect(call).rejects.toMatchObject({
      code: 'timeout_too_long',
      message: expect.stringContaining('at most 47'),
    });
    expect((await run('ls ran; true')).stdout).toBe('');
    expect(await run('echo ok', {}, impatient)).toMatchObject({ stdout: 'ok\n' });
  });

  it('reports progress while it runs', async () => {
    const seen: string[] = [];
    await run('echo one; sleep 0.5', {}, context({ progress: message => seen.push(message) }));
    expect(seen).toEqual(['one']);
  });

  it('asks a person with the exact command and directory', () => {
    const call = tool.input.parse({ command: 'echo ```', working_directory: 'sub' });
    expect(tool.prepare(call, context())).toEqual({
      message: 'Running a command',
      confirm: {
        title: 'Run this command?',
        message: `\`\`\`\`\necho \`\`\`\n\`\`\`\`\n\nBy itself, in \`${folder}/sub\``,
      },
    });
  });
});
