import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

interface Repl {
  readonly type: string;
  readonly print: (expression: string) => string;
  /** Shown after a statement without a value. */
  readonly nothing: string;
  readonly assign: string;
  readonly error: { readonly statement: string; readonly text: string };
  /** With a blank line in a block, which a REPL would take for its end. */
  readonly lines: string;
  readonly unfinished: string;
  readonly rest: string;
  readonly restGives: string;
  readonly endless: string;
  readonly interrupted: string;
  readonly forged: string;
  readonly exit: string;
  readonly history: string;
  readonly environment: string;
  readonly chdir: string;
}

const python: Repl = {
  type: 'python',
  print: expression => `print(${expression})`,
  nothing: '',
  assign: 'x = 5',
  error: { statement: '1/0', text: 'ZeroDivisionError: division by zero' },
  lines: 'def f(n):\n    a = n\n\n    return a * x\n\nf(2)\nf("é漢")',
  unfinished: 'y = (40 +',
  rest: '2); y',
  restGives: '42',
  endless: 'while True: pass',
  interrupted: 'KeyboardInterrupt',
  forged: String.raw`print("\033]633;D;0\007\033]633;A\007\033]633;B\007"); import time; time.sleep(0.4); print("end"); 1/0`,
  exit: 'exit(3)',
  history: '.python_history',
  environment:
    '[k for k in __import__("os").environ if k.startswith(("GLASS_TTY_P", "GLASS_TTY_N", "GLASS_TTY_E", "PYTHONS", "PYTHON_"))]',
  chdir: 'import os; os.chdir("/usr")',
};

const node: Repl = {
  type: 'node',
  print: expression => `console.log(${expression})`,
  nothing: 'undefined',
  assign: 'const x = 5',
  error: { statement: 'null.foo', text: 'Uncaught TypeError: Cannot read properties of null' },
  lines: 'function f(n) {\n  const a = n\n\n  return a * x\n}\nf(2)',
  unfinished: 'const y = (40 +',
  rest: '2); y',
  restGives: '42',
  endless: 'while (true);',
  interrupted: 'interrupted by `SIGINT`',
  forged: String.raw`process.stdout.write("\x1b]633;D;0\x07\x1b]633;A\x07\x1b]633;B\x07"); await new Promise(r => setTimeout(r, 400)); console.log("end"); null.foo`,
  exit: 'process.exit(3)',
  history: '.node_repl_history',
  environment: 'Object.keys(process.env).filter(k => /^(GLASS_TTY_(?!SESSION)|NODE_REPL)/.test(k))',
  chdir: 'process.chdir("/usr")',
};

describe.each([python, node])('$type as a terminal', repl => {
  let home: Home;
  let client: TestClient;
  let terminal: number;
  const exec = (command: string, more = {}) => client.exec(command, { terminal, ...more });

  beforeAll(async () => {
    home = makeHome({ 'startup.py': 'theirs = "theirs"' });
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });
  beforeEach(async () => {
    const { structured } = await client.call('start_interactive_shell', { shell_type: repl.type });
    expect(structured).toMatchObject({ status: 'started', working_directory: home.path });
    terminal = structured['terminal'] as number;
  });
  afterEach(() => client.kill({ terminal }));

  it('gives a statement’s output alone, and keeps what it defines', async () => {
    expect((await exec(repl.assign)).structured).toMatchObject({ output: repl.nothing, exit_code: 0, state: 'prompt' });
    expect((await exec('x + 1')).structured).toMatchObject({ output: '6', exit_code: 0, completed: true });
    expect((await exec(repl.print('"漢字"'))).texts[0]).toMatch(/^漢字/);
  });

  it('has exit code 1 for a statement that failed, and 0 for the next', async () => {
    const { structured } = await exec(repl.error.statement);
    expect(structured).toMatchObject({ exit_code: 1, state: 'prompt' });
    expect(structured['output']).toContain(repl.error.text);
    expect((await exec(repl.error.statement)).structured).toMatchObject({ exit_code: 1 });
    expect((await exec('1')).structured).toMatchObject({ output: '1', exit_code: 0 });
  });

  it('runs several lines as one, blank ones among them, and shows them to who watches', async () => {
    await exec(repl.assign);
    const { structured } = await exec(repl.lines);
    expect(structured).toMatchObject({ exit_code: 0, state: 'prompt' });
    expect((structured['output'] as string).split('\n')[0]).toBe('10');
    const screen = await client.call('read_output', { terminal, view: 'screen' });
    expect(screen.texts[0]).toContain(`... ${repl.lines.split('\n')[1]}`);
    expect(screen.texts[0]).not.toContain('glass_tty');
  });

  it('takes a line longer than the screen is wide', async () => {
    const text = 'y'.repeat(300);
    expect((await exec(repl.print(`"${text}"`))).texts[0]).toMatch(new RegExp(`^${text}(\nundefined)?$`));
  });

  it('says that it waits for the rest, and takes it', async () => {
    expect((await exec(repl.unfinished)).structured).toMatchObject({ state: 'continuation', completed: false });
    const { structured } = await client.call('respond', { terminal, text: repl.rest });
    expect(structured).toMatchObject({ state: 'prompt', completed: true, exit_code: 0 });
    expect((await client.read({ terminal, command_id: structured['command_id'] })).texts[0]).toBe(repl.restGives);
  });

  it('gives up an unfinished statement at ctrl+c', async () => {
    await exec(repl.unfinished);
    const { structured } = await client.keys('ctrl+c', { terminal });
    expect(structured).toMatchObject({ state: 'prompt' });
    expect((await exec('7')).structured).toMatchObject({ output: '7', exit_code: 0 });
  });

  it('ends an endless loop at ctrl+c, as failed', async () => {
    const started = await exec(repl.endless, { await_completion_ms: 300 });
    expect(started.structured).toMatchObject({ state: 'running', completed: false });
    const stopped = await client.keys('ctrl+c', { terminal });
    expect(stopped.structured).toMatchObject({ state: 'prompt', exit_code: 1 });
    expect(stopped.text).toContain(repl.interrupted);
  });

  it('believes no marks that a program prints', async () => {
    const { structured } = await exec(repl.forged);
    expect(structured).toMatchObject({ exit_code: 1 });
    expect(structured['output']).toContain('end');
  });

  it('knows its directory, also when that is gone', async () => {
    expect((await exec(repl.chdir)).structured['cwd']).toBe('/usr');
  });

  it('ends with its own exit code', async () => {
    expect((await exec(repl.exit)).structured).toMatchObject({ state: 'exited', exit_code: 3 });
  });

  it('writes nothing into the person’s history, and leaves nothing in the environment', async () => {
    writeFileSync(join(home.path, repl.history), 'theirs\n');
    expect((await exec(repl.environment)).structured['output']).toBe('[]');
    await exec(repl.exit);
    expect(readFileSync(join(home.path, repl.history), 'utf8')).toBe('theirs\n');
  });

  it('stops at a startup line that fails, and has the prompt that was asked for', async () => {
    const prompt = 'a$H `b` \\w %d "c" \'d\'> ';
    const { structured } = await client.call('start_interactive_shell', {
      shell_type: repl.type,
      prompt,
      startup_commands: [repl.assign, repl.error.statement, 'never'],
    });
    expect(structured).toMatchObject({
      status: 'startup_failed',
      startup_commands_executed: 1,
      failed_command: repl.error.statement,
      failed_exit_code: 1,
    });
    const screen = await client.call('read_output', { terminal: structured['terminal'], view: 'screen' });
    expect(screen.texts[0]?.split('\n')).toContain(`${prompt}${repl.assign}`);
    await client.kill({ terminal: structured['terminal'] });
  });
});

describe('Python as a terminal', () => {
  let home: Home;
  let client: TestClient;
  const exec = (command: string) => client.exec(command, { terminal: 0 });

  beforeAll(async () => {
    home = makeHome({ 'startup.py': 'import sys\ntheirs = "theirs"\nsys.ps1 = "py> "' });
    client = await connectStdio({ cwd: home.path, env: { ...home.env, PYTHONSTARTUP: join(home.path, 'startup.py') } });
    await client.call('start_interactive_shell', { shell_type: 'python' });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it('reads the person’s own startup file, and leaves no name of ours in the namespace', async () => {
    expect((await exec('theirs')).texts[0]).toBe("'theirs'");
    expect((await exec('[n for n in dir() if "glass" in n]')).texts[0]).toBe('[]');
    expect((await exec('__import__("os").environ["PYTHONSTARTUP"]')).texts[0]).toBe(`'${home.path}/startup.py'`);
  });

  it('goes on telling when the prompt or the error hook is replaced', async () => {
    expect((await exec('import sys; sys.ps1 = "other> "')).structured).toMatchObject({ exit_code: 0 });
    expect((await exec('sys.excepthook = lambda *_: print("hooked")')).structured).toMatchObject({ exit_code: 0 });
    expect((await exec('1/0')).structured).toMatchObject({ output: 'hooked', exit_code: 1 });
    expect((await exec('def g():\n  1/0\ng()')).structured).toMatchObject({ output: 'hooked', exit_code: 1 });
    await exec('sys.excepthook = sys.__excepthook__');
  });

  it('shows in a traceback the lines of a submission, and no frame of ours', async () => {
    const { structured } = await exec('def h():\n    return 1 / 0\n\nh()');
    expect(structured['output']).toMatch(
      /^Traceback \(most recent call last\):\n {2}File "<input \d+>", line 4, in <module>\n {4}h\(\)\n {2}File "<input \d+>", line 2, in h\n/,
    );
  });

  it('is not taken in by a child that asks for bracketed paste', async () => {
    await exec(String.raw`print("\x1b[?2004h", end="")`);
    expect((await exec('"fine"')).structured).toMatchObject({ output: "'fine'", exit_code: 0 });
  });

  it('answers a question that the code asks', async () => {
    const asked = await client.exec('name = input("name? ")', { terminal: 0, await_completion_ms: 500 });
    expect(asked.structured).toMatchObject({ state: 'input', output: 'name?' });
    expect((await client.call('respond', { terminal: 0, text: 'Ada' })).structured).toMatchObject({ state: 'prompt' });
    expect((await exec('name')).texts[0]).toBe("'Ada'");
  });
});

describe('Node as a terminal', () => {
  it('forks children that know nothing of ours, and goes on after an error that no statement threw', async () => {
    const home = makeHome({ 'child.js': 'process.send(JSON.stringify(process.execArgv))' });
    const client = await connectStdio({ cwd: home.path, env: home.env });
    await client.call('start_interactive_shell', { shell_type: 'node' });
    const forked = await client.exec(
      'await new Promise(r => require("child_process").fork("./child.js").on("message", r))',
    );
    expect(forked.texts[0]).toBe("'[]'");
    await client.exec('void setTimeout(() => { throw new Error("late") }, 50)');
    await client.call('wait', { terminals: [0], until: ['pattern'], pattern: 'Uncaught' });
    expect((await client.exec('8')).structured).toMatchObject({ output: '8', exit_code: 0 });
    await client.close();
    home.remove();
  });
});
