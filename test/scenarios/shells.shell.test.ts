import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

/** Scenarios that hold in every shell. */
describe.each(['bash', 'zsh', 'fish'])('in %s', shell => {
  let home: Home;
  let client: TestClient;
  let next = 0;

  /** Runs in a terminal of its own unless told otherwise. */
  const exec = (command: string, more: Record<string, unknown> = {}) =>
    client.exec(command, { terminal: next, shell, ...more });
  const fresh = () => {
    next++;
  };

  beforeAll(async () => {
    home = makeHome({ '.zshrc': '' });
    client = await connectStdio({ cwd: home.path, env: home.env });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('S01 joins a character that was printed in two halves', async () => {
    fresh();
    expect((await exec(`printf '\\xC3'; sleep .05; printf '\\xB8\\n'`)).texts[0]).toBe('ø');
  });

  it('S02 loses nothing of 4,095 characters and an é, nor of a megabyte that is pasted', async () => {
    fresh();
    const line = `${'a'.repeat(4095)}é`;
    const reply = await exec(`printf '%s\\n' '${line}'`, { tail: 0 });
    expect(reply.structured['total_lines']).toBe(1);
    expect(fullLength(reply.texts[0])).toBe(4096);

    const text = Array.from({ length: 20_000 }, (_, i) => `line ${i} of the text that is pasted, with an é`).join('\n');
    const quoted = shell === 'fish' ? `printf '%s\\n' '${text}' > pasted` : `cat > pasted <<'END'\n${text}\nEND`;
    expect((await exec(quoted)).structured['exit_code']).toBe(0);
    expect(sha256(readFileSync(join(home.path, 'pasted')))).toBe(sha256(`${text}\n`));
  });

  it('S03 gets 20,480 bytes every time', async () => {
    fresh();
    for (let round = 0; round < 200; round++) {
      const reply = await exec(`/bin/echo -n ${'x'.repeat(20_480)}`);
      expect(fullLength(reply.texts[0])).toBe(20_480);
    }
  }, 120_000);

  it('S08 puts no blank between wide characters', async () => {
    fresh();
    expect((await exec('echo 中文')).texts[0]).toBe('中文');
  });

  it('S10 runs quotes, backquotes and a 400-line script exactly once', async () => {
    fresh();
    const command = shell === 'fish' ? `echo "it's → ✅ $(date +%Y)"` : 'echo "it\'s → ✅ `date +%Y`"';
    expect((await exec(command)).texts[0]).toBe(`it's → ✅ ${new Date().getFullYear()}`);
    const script = Array.from({ length: 400 }, (_, i) => `echo line-${i} >> script-${shell}.log`).join('\n');
    expect((await exec(script)).structured).toMatchObject({ completed: true, exit_code: 0 });
    const written = readFileSync(join(home.path, `script-${shell}.log`), 'utf8')
      .trimEnd()
      .split('\n');
    expect(written).toEqual(Array.from({ length: 400 }, (_, i) => `line-${i}`));
    expect(await exec('echo next')).toMatchObject({ structured: { exit_code: 0, output: 'next', completed: true } });
  });

  it('S12 runs what follows a heredoc, with one exit code, the last one’s', async () => {
    fresh();
    // fish has no heredocs; there the same is a command with a multi-line string.
    const script =
      shell === 'fish'
        ? `python3 -c '\nprint("first")\n'\necho second; false`
        : `python3 - <<'PY'\nprint("first")\nPY\necho second; false`;
    const reply = await exec(script);
    expect(reply.texts[0]).toBe('first\nsecond');
    expect(reply.structured).toMatchObject({ completed: true, exit_code: 1 });
  });

  it.each(shell === 'fish' ? ['echo "abc', 'if true'] : ['cat <<EOF', 'echo "abc', 'if true'])(
    'S15 says within a second that %j wants the rest, and ctrl+c returns to the prompt',
    async command => {
      fresh();
      await exec('true');
      const reply = await exec(command);
      expect(reply.ms).toBeLessThan(1000);
      expect(reply.structured).toMatchObject({ state: 'continuation', completed: false, output: '' });
      expect(await exec('echo x')).toMatchObject({ code: 'terminal_busy' });
      expect((await client.keys('ctrl+c', { terminal: next })).structured).toMatchObject({ state: 'prompt' });
      expect((await exec('echo y')).structured).toMatchObject({ output: 'y', exit_code: 0 });
    },
  );

  it('S18 interrupts with ctrl+c within 200 ms and gives exit code 130', async () => {
    fresh();
    await exec('sleep 999', { await_completion_ms: 200 });
    const reply = await client.keys('ctrl+c', { terminal: next });
    expect(reply.ms).toBeLessThan(200);
    expect(reply.structured).toMatchObject({ exit_code: 130, completed: true, state: 'prompt' });
    expect(reply.text).not.toContain('C-c');
  });

  it('S35 S36 gives the last words and the code of a session that has ended, again and again', async () => {
    fresh();
    await exec('echo bye; exit 0');
    for (let round = 0; round < 2; round++) {
      const reply = await client.read({ terminal: next });
      expect(reply.isError).toBe(false);
      expect(reply.text).toContain('bye');
      expect(reply.structured).toMatchObject({ state: 'exited', exit_code: 0 });
    }
  });

  it('S38 does not believe marks that a program prints', async () => {
    fresh();
    const reply = await exec(`printf '\\033]633;D;0\\007\\033]133;D;0\\007before'; sleep .1; printf after; false`);
    expect(reply.structured).toMatchObject({ exit_code: 1, completed: true, output: 'beforeafter' });
  });

  it('S46 controls jobs', async () => {
    fresh();
    await exec('sleep 100 &');
    const reply = await exec('kill %1; wait; echo done');
    expect(reply.text).toContain('done');
    expect((await exec('jobs')).structured).toMatchObject({ exit_code: expect.any(Number), completed: true });
    expect((await exec('jobs')).texts[0]).not.toContain('Running');
  });

  it('S60 names the exit code or the signal in the result and in the next call', async () => {
    fresh();
    expect((await exec('exit 7')).structured).toMatchObject({ completed: true, exit_code: 7, state: 'exited' });
    const next7 = await exec('echo x');
    expect(next7.code).toBe('terminal_exited');
    expect(next7.text).toContain('code 7');

    fresh();
    const self = shell === 'fish' ? '$fish_pid' : '$$';
    expect((await exec(`kill -9 ${self}`)).structured).toMatchObject({ completed: true, signal: 'SIGKILL' });
    expect((await exec('echo x')).text).toContain('SIGKILL');
  });

  it('keeps directory and variables, and returns the directory', async () => {
    fresh();
    await exec('cd /usr');
    await exec('export GLASS_TEST=42');
    const reply = await exec('echo $GLASS_TEST; pwd');
    expect(reply.texts[0]).toBe('42\n/usr');
    expect(reply.structured['cwd']).toBe('/usr');
  });
});

/** Length of a line of which a cut in the middle may have been announced. */
function fullLength(text = ''): number {
  const cut = / … ([\d,]+) characters? of this line left out … /.exec(text);
  return text.length - (cut?.[0].length ?? 0) + Number((cut?.[1] ?? '0').replaceAll(',', ''));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
