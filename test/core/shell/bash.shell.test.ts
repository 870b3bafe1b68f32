import { afterEach, describe, expect, test } from 'vitest';
import { commandLines, disposeProbes, plain, rc, startProbe as start } from './shellProbe';

afterEach(disposeProbes);

const oldBash = { env: { GLASS_TTY_OLD_BASH: '1' } };

describe.each([
  ['with PS0', {}],
  ['with a DEBUG trap in place of PS0', oldBash],
])('bash %s', (name, more) => {
  const old = name !== 'with PS0';
  const bash = (text: string) => start('bash', { ...rc('bash', text), ...more });

  test("keeps the user's PROMPT_COMMAND, DEBUG trap and PS0", async () => {
    const probe = await bash(
      [
        `PROMPT_COMMAND='seen=$?; count=$((count + 1))'`,
        `trap 'traced="$traced[$BASH_COMMAND]"' DEBUG`,
        `PS0='<ps0>'`,
        `PS1='$seen:$count> '`,
      ].join('\n'),
    );
    await probe.run('(exit 3)');
    expect(plain(probe.text)).toMatch(/3:2> $/);
    const { output, raw } = await probe.run('traced=; true; echo "$traced"');
    expect(output).toContain('[true][echo "$traced"]\n');
    expect(output).not.toContain('glass');
    if (!old) expect(raw).toMatch(/<ps0>.*\x1b\]633;C/);
    expect((await probe.run('trap -p DEBUG')).output).toContain('traced=');
  });

  test('keeps a PROMPT_COMMAND that is an array, ends in ; or a comment, or prints', async () => {
    const commands = old ? `'echo one $?; echo two 3 # said'` : `('echo one $?;' 'echo two $? # said')`;
    const array = await bash(`PROMPT_COMMAND=${commands}`);
    const { output, raw } = await array.run('(exit 3)');
    if (!old) expect(output).toBe('');
    expect(plain(raw)).toMatch(/one 3\ntwo 3\n/);
    expect((await array.run('true')).code).toBe(0);
  });

  test('marks commands whatever becomes of PROMPT_COMMAND', async () => {
    const probe = await bash('');
    await probe.run(`PROMPT_COMMAND='echo set'`);
    expect(await probe.run('(exit 3)')).toMatchObject({ code: 3 });
    await probe.run(`PROMPT_COMMAND="echo before; \${PROMPT_COMMAND-}"`);
    expect(await probe.run('(exit 4)')).toMatchObject({ code: 4 });
    await probe.run('unset PROMPT_COMMAND');
    expect(await probe.run('(exit 5)')).toMatchObject({ code: 5 });
  });

  test('marks commands whose only part is a list, a loop or an assignment', async () => {
    const probe = await bash('');
    expect(await probe.run('for i in 1 2; do echo $i; done')).toMatchObject({ code: 0, output: '1\n2\n' });
    expect(await probe.run('x=1; [[ $x == 2 ]]')).toMatchObject({ code: 1, output: '' });
    expect(await probe.run('f() { return 5; }; f')).toMatchObject({ code: 5, output: '' });
  });

  test('works with extdebug, functrace and posix mode', async () => {
    const probe = await bash('');
    await probe.run('shopt -s extdebug');
    expect(await probe.run('echo a')).toMatchObject({ code: 0, output: 'a\n' });
    await probe.run('shopt -u extdebug; set -T; set -E; trap "echo ERR" ERR');
    expect(await probe.run('echo b')).toMatchObject({ code: 0, output: 'b\n' });
    await probe.run('trap - ERR; set -o posix');
    expect(await probe.run('echo c')).toMatchObject({ code: 0, output: 'c\n' });
    expect(plain(probe.text)).not.toMatch(/ERR\n.*ERR\n/);
  });

  test('reports what a person types', async () => {
    const probe = await bash('HISTTIMEFORMAT="%F %T "');
    const typed = await probe.type('echo "a;b"');
    expect(commandLines(typed)).toEqual(['echo "a;b"']);
    expect(typed.letters).toBe('ECDPAB');
    expect(commandLines(await probe.run('echo agent'))).toEqual([]);
  });
});

describe('bash', () => {
  test.each(['', 'ignoredups', 'ignoreboth', 'erasedups:ignoredups'])('keeps HISTCONTROL=%s', async value => {
    const probe = await start('bash', rc('bash', `HISTCONTROL=${value} HISTFILESIZE=50; PROMPT_COMMAND='history -a'`));
    const { output } = await probe.run('echo $HISTCONTROL');
    expect(output.trim().split(':')).toEqual(expect.arrayContaining(value.split(':').filter(Boolean)));
    await probe.type('echo typed');
    await probe.run('echo agent\necho agent2\ntrue agent3');
    await probe.exit();
    expect(probe.read('.bash_history')).toContain('echo typed\n');
    expect(probe.read('.bash_history')).not.toContain('agent');
  });

  test("a history that is full loses its oldest line, not a person's new one", async () => {
    const probe = await start('bash', rc('bash', 'HISTSIZE=3'));
    for (const text of ['echo 1', 'echo 2', 'echo 3']) await probe.type(text);
    await probe.run('true agent\ntrue agent2');
    expect(commandLines(await probe.type('echo 4'))).toEqual(['echo 4']);
    expect((await probe.run('history')).output).not.toContain('agent');
    await probe.exit();
    expect(probe.read('.bash_history')).toContain('echo 4\n');
  });

  test('works with bash-preexec, if that is there', async () => {
    // A stand-in with its two habits: hooks in arrays, and the command after its last prompt command is the user's.
    const preexec = [
      'bash_preexec_imported=defined precmd_functions=() preexec_functions=(say) ready=',
      'say() { echo "run $1"; }',
      `precmd_all() { local each; for each in "\${precmd_functions[@]}"; do "$each"; done; }`,
      `trap 'if [[ $ready ]]; then ready=; [[ $BASH_COMMAND == precmd_all ]] || say "$BASH_COMMAND"; fi' DEBUG`,
      `PROMPT_COMMAND=$'precmd_all\\nready=1'`,
    ].join('\n');
    const probe = await start('bash', rc('bash', preexec));
    expect((await probe.run('true x')).output).toBe('run true x\n');
    expect(await probe.run('(exit 3)')).toMatchObject({ code: 3 });
    expect(plain(probe.text)).not.toContain('glass');
  });
});
