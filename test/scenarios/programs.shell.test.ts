import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type Reply, type TestClient } from '../helpers/mcp';

/** Longest time (ms) for a program to show what a key makes it show. */
const DEADLINE_MS = 20_000;

/** A screen as `read_output` shows it. */
interface Screen {
  readonly text: string;
  readonly rows: readonly string[];
  readonly cursor: readonly [row: number, column: number];
  readonly isAlternate: boolean;
}

/** Programs that take the whole screen or ask questions, driven by the tools alone. Each test has a terminal of its own. */
describe('an agent drives', () => {
  let home: Home;
  let client: TestClient;
  beforeAll(async () => {
    home = makeHome();
    // Editors take their encoding from the locale, of which a bare machine has none.
    const LC_ALL = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
    client = await connectStdio({ cwd: home.path, env: { ...home.env, LC_ALL, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  const start = async (terminal: number, command: string) => {
    const reply = await client.exec(command, { terminal, await_completion_ms: 0 });
    expect(reply.structured).toMatchObject({ completed: false, state: 'running' });
  };

  /** Types without Enter, and without a wait for more than the first sign of an effect: `shows` waits for the rest. */
  const type = (terminal: number, text: string) =>
    client.call('respond', { terminal, text, enter: false, pause_timeout: 0 });
  const enter = (terminal: number, text: string) => client.call('respond', { terminal, text, pause_timeout: 0 });
  const press = (terminal: number, keys: string) => client.keys(keys, { terminal, pause_timeout: 0 });

  /** What ends the program: the reply to it says so. */
  const ends = async (reply: Promise<Reply>, exit_code = 0): Promise<Reply> => {
    expect((await reply).structured).toMatchObject({ completed: true, state: 'prompt', exit_code });
    return reply;
  };

  const lookAt = async (terminal: number): Promise<Screen> => {
    const { texts, structured } = await client.call('read_output', { terminal, view: 'screen' });
    const screen = structured['screen'] as { cursor_row: number; cursor_column: number; alternate: boolean };
    const rows = (texts[0] ?? '').split('\n').map(row => row.trimEnd());
    const cursor = [screen.cursor_row, screen.cursor_column] as const;
    return { text: rows.join('\n'), rows, cursor, isAlternate: screen.alternate };
  };

  /** Looks at the screen whenever there is new output, until it is as wanted. */
  const shows = async (terminal: number, isWanted: (screen: Screen) => boolean): Promise<Screen> => {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const screen = await lookAt(terminal);
      if (isWanted(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`Not as wanted: ${isWanted}\n${JSON.stringify(screen)}`);
      await client.call('read_output', { terminal, pause_timeout: 0.05 });
    }
  };
  const showsText = (terminal: number, text: RegExp) => shows(terminal, screen => text.test(screen.text));

  /** From vim's insert mode back to the normal one. */
  const endInsert = async (terminal: number) => {
    await press(terminal, 'esc');
    await shows(terminal, ({ text }) => !text.includes('-- INSERT --'));
  };

  /** Three commits in a new folder, into which the terminal goes. */
  const makeRepository = (terminal: number, name: string) =>
    client.exec(
      `git init -q -b main ${name} && cd ${name} && git config user.name T && git config user.email t@example.org
for name in one two three; do echo $name > $name && git add $name && git commit -q -m $name; done`,
      { terminal },
    );

  const contents = (file: string) => readFileSync(join(home.path, file), 'utf8');

  it.each([
    ['vim', 1],
    ['vim -u NONE -N', 2],
  ])('%s: opens a file, inserts, saves, quits', async (vim, terminal) => {
    await start(terminal, `${vim} notes${terminal}.txt`);
    const opened = await client.call('wait', { terminals: [terminal], until: ['pattern'], pattern: '\\[New' });
    expect(opened.structured).toMatchObject({ timed_out: false, terminals: [{ end: 'pattern', state: 'fullscreen' }] });
    await type(terminal, 'i');
    await showsText(terminal, /^-- INSERT --/m);
    await enter(terminal, '漢字 come first');
    await type(terminal, 'then 漢 again');
    const screen = await shows(terminal, ({ cursor: [row, column] }) => row === 2 && column === 14);
    expect(screen.isAlternate).toBe(true);
    expect(screen.rows.slice(0, 3)).toEqual(['漢字 come first', 'then 漢 again', '~']);
    expect(screen.text).toContain('-- INSERT --');
    await endInsert(terminal);
    await ends(client.call('respond', { terminal, text: ':wq' }));
    const left = await lookAt(terminal);
    expect(left.isAlternate).toBe(false);
    expect(left.text).not.toMatch(/漢|^~/m);
    expect(contents(`notes${terminal}.txt`)).toBe('漢字 come first\nthen 漢 again\n');
  });

  it('vim: pastes several lines as they are, where typing would indent them', async () => {
    const code = 'def f(x):\n    if x:\n        return 1\n    return 2';
    await start(3, 'vim -c "set autoindent" code.py');
    await showsText(3, /\[New/);
    await type(3, 'i');
    await showsText(3, /^-- INSERT --/m);
    await type(3, code);
    await showsText(3, / {4}return 2$/m);
    await endInsert(3);
    await ends(client.call('respond', { terminal: 3, text: ':wq' }));
    expect(contents('code.py')).toBe(`${code}\n`);
  });

  it.each([
    ['less', false, 4],
    ['LESS= less', true, 5],
  ])('%s: finds a line, quits (alternate screen: %s)', async (less, isAlternate, terminal) => {
    await client.exec(`seq -f 'line %g' 1000 > lines${terminal}.txt`, { terminal });
    await start(terminal, `${less} lines${terminal}.txt`);
    const first = await shows(terminal, ({ rows }) => rows.at(-1) === `lines${terminal}.txt`);
    expect(first.rows[0]).toBe('line 1');
    await enter(terminal, '/line 777$');
    const found = await shows(terminal, ({ rows }) => rows.at(-1) === ':' && rows[0] !== 'line 1');
    expect(found).toMatchObject({ isAlternate });
    expect(found.rows.slice(0, 2)).toEqual(['line 777', 'line 778']);
    await ends(client.call('respond', { terminal, text: 'q', enter: false }));
    expect((await lookAt(terminal)).isAlternate).toBe(false);
  });

  it('waits for a row on the screen, which its raw output does not have', async () => {
    await start(9, 'vim -u NONE -N other.txt');
    await client.call('wait', { terminals: [9], until: ['fullscreen'] });
    await type(9, 'ifirst');
    for (const round of [1, 2]) {
      const waiting = client.call('wait', {
        terminals: [9],
        until: ['screen'],
        pattern: `^first${'!'.repeat(round)}$`,
      });
      await type(9, '!');
      expect((await waiting).structured).toMatchObject({
        terminals: [{ end: 'screen', line: `first${'!'.repeat(round)}` }],
      });
    }
    await press(9, 'esc');
    await ends(client.call('respond', { terminal: 9, text: ':q!' }));
  });

  it('top: shows its header, quits', async () => {
    await start(6, 'top');
    // procps has not always drawn on the same screen, and that of macOS has a header of its own.
    const { text } = await showsText(6, /^ *PID .*\n(.*\d.*\n)+/m);
    expect(text).toMatch(/load av/i);
    await ends(client.call('respond', { terminal: 6, text: 'q', enter: false }));
    expect((await lookAt(6)).isAlternate).toBe(false);
    expect((await client.exec('echo usable', { terminal: 6 })).structured['output']).toBe('usable');
  });

  it('git rebase -i: reorders and squashes in vim, and edits the message', async () => {
    await makeRepository(7, 'repo');
    await start(7, 'GIT_EDITOR=vim git rebase -i --root');
    await showsText(7, /^pick .* one\npick .* two\npick .* three\n[\s\S]*git-rebase-todo/);
    // The third line goes above the second, and what was second becomes a part of it.
    await type(7, 'jjddkPjcwsquash');
    await showsText(7, /^pick .* one\npick .* three\nsquash .* two\n[\s\S]*-- INSERT --/);
    await endInsert(7);
    await enter(7, ':wq');
    await showsText(7, /^# This is a combination of 2 commits[\s\S]*COMMIT_EDITMSG/);
    await enter(7, ':%d');
    await showsText(7, /No lines in buffer/);
    await type(7, 'ithree, with two');
    await showsText(7, /^three, with two\n~[\s\S]*-- INSERT --/);
    await endInsert(7);
    const rebased = await ends(client.call('respond', { terminal: 7, text: ':wq' }));
    expect(rebased.text).toContain('Successfully rebased and updated refs/heads/main');
    const log = await client.exec('git log --format=%s && git status --short --branch', { terminal: 7 });
    expect(log.structured['output']).toBe('three, with two\none\n## main');
  });

  it('git rebase -i: fails at once where nobody asked for an editor', async () => {
    await makeRepository(8, 'other');
    const reply = await client.exec('git -c core.editor=vim rebase -i --root', { terminal: 8 });
    expect(reply.structured).toMatchObject({ completed: true, exit_code: 1 });
    expect(reply.text).toContain("problem with the editor 'false'");
  });

  it.each([
    ['n', 'Abort.', 1],
    ['y', 'Unpacking', 0],
    ['', 'Unpacking', 0],
  ])('a [Y/n] question: answers %j', async (answer, result, exitCode) => {
    const script = `cat > ask.sh <<'END'
read -p 'Do you want to continue? [Y/n] ' answer
case \${answer:-y} in [Yy]*) echo Unpacking ;; *) echo Abort.; exit 1 ;; esac
END`;
    await client.exec(script, { terminal: 9 });
    await start(9, 'bash ask.sh');
    const asked = await client.call('wait', { terminals: [9], until: ['pattern', 'prompt'], pattern: '\\[Y/n\\] $' });
    expect(asked.structured['terminals']).toMatchObject([{ end: 'pattern', line: 'Do you want to continue? [Y/n] ' }]);
    const answered = await ends(client.call('respond', { terminal: 9, text: answer }), exitCode);
    expect(answered.texts[0]?.split('\n').slice(0, 2)).toEqual([answer, result]);
  });

  it('nano: opens a file, inserts, saves, quits', async () => {
    await start(10, 'nano list.txt');
    await showsText(10, /GNU nano|UW PICO/);
    await type(10, 'milk 漢\neggs');
    const screen = await shows(10, ({ text }) => /^milk 漢\neggs$/m.test(text));
    expect(screen.isAlternate).toBe(true);
    await press(10, 'ctrl+o');
    await showsText(10, /name to write *: *list\.txt/i);
    await press(10, 'enter');
    await showsText(10, /wrote 2 lines/i);
    await ends(client.keys('ctrl+x', { terminal: 10 }));
    expect((await lookAt(10)).isAlternate).toBe(false);
    expect(contents('list.txt')).toBe('milk 漢\neggs\n');
  });
});
