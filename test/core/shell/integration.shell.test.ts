import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { commandLines, disposeProbes, histories, paste, plain, rc, startProbe as start } from './shellProbe';

afterEach(disposeProbes);

const full = ['bash', 'zsh', 'fish'] as const;

describe.each(full)('%s', shell => {
  test('marks a command from its start to the next prompt', async () => {
    const probe = await start(shell);
    const { code, output, letters } = await probe.run('echo hi; false');
    expect({ code, output }).toEqual({ code: 1, output: 'hi\n' });
    expect(letters).toMatch(shell === 'bash' ? /^CDPAB$/ : /^ECDPAB$/);
  });

  test('tells the working directory, whatever its name, and its own name', async () => {
    const probe = await start(shell);
    expect(probe.property('Cwd')).toBe(probe.home);
    expect(probe.property('Shell')).toMatch(new RegExp(`^${shell} \\d`));
    await probe.run(`mkdir 'a b;c\\d é'; cd 'a b;c\\d é'`);
    expect(probe.property('Cwd')).toBe(`${probe.home}/a b;c\\d é`);
  });

  test('reports what a person types, with its text', async () => {
    const probe = await start(shell);
    const typed = await probe.type(`echo 'x;y\\z' é`);
    expect(commandLines(typed)).toEqual([`echo 'x;y\\z' é`]);
    expect(typed.letters).toBe('ECDPAB');
  });

  test('gives no code to an empty line, after a failure', async () => {
    const probe = await start(shell);
    expect((await probe.run('false')).code).toBe(1);
    const empty = await probe.submit('\r');
    expect(empty).toMatchObject({ code: undefined, letters: 'DPAB' });
  });

  test('gives no code to ctrl+c at a line that was begun, after a failure', async () => {
    const probe = await start(shell);
    await probe.run('false');
    probe.write('begun');
    await probe.sees(/begun/);
    expect((await probe.interrupt()).code).toBeUndefined();
    expect((await probe.run('true')).code).toBe(0);
  });

  test('S12: ends a paste with the code of its last command', async () => {
    const probe = await start(shell);
    const lines = shell === 'fish' ? "printf '%s\\n' '\nfirst\n'" : "cat <<'E'\n\nfirst\n\nE";
    const paste = await probe.run(`${lines}\necho second\n# a comment\nfalse`);
    expect(paste.code).toBe(1);
    expect(paste.output).toBe('\nfirst\n\nsecond\n');
    expect(paste.letters).toMatch(/B$/);
    expect((await probe.run('echo next')).output).toBe('next\n');
  });

  test('S15: tells that it wants the rest of a command line, and is left by ctrl+c', async () => {
    const probe = await start(shell);
    await probe.run('false');
    for (const part of ['echo "abc', shell === 'fish' ? 'if true' : 'cat <<EOF']) {
      const from = probe.marks.length;
      probe.write(` ${part}\r`);
      await probe.next('continuationStart', from);
      await probe.next('continuationEnd', from);
      expect((await probe.interrupt()).code).toBeUndefined();
    }
    expect(await probe.run('echo ok')).toMatchObject({ code: 0, output: 'ok\n' });
  });

  test('finishes a continued command with its own code', async () => {
    const probe = await start(shell);
    probe.write(' echo "a\r');
    await probe.next('continuationEnd', 0);
    expect(await probe.submit('b"\r')).toMatchObject({ code: 0, output: 'a\nb\n' });
  });

  test("keeps an agent's lines out of the person's history", async () => {
    const probe = await start(shell, rc(shell, ''));
    await probe.type('echo typed');
    await probe.run('echo agent');
    await probe.run('echo agent2\necho agent3\nfalse agent4');
    await probe.type('echo typed2');
    await probe.exit();
    const history = probe.read(histories[shell]);
    expect(history).toContain('echo typed\n');
    expect(history).toContain('echo typed2\n');
    expect(history).not.toContain('agent');
  });

  test("keeps all lines of a person's paste in the history", async () => {
    const probe = await start(shell, rc(shell, ''));
    await probe.submit(`${paste('echo one\necho two')}\r`);
    await probe.exit();
    expect(probe.read(histories[shell])).toMatch(/echo one[\s\S]*echo two/);
  });

  test('keeps nothing but the session id in the environment', async () => {
    const probe = await start(shell, { env: { GLASS_TTY_SESSION: 's1' } });
    const { output } = await probe.run('env');
    expect(output.match(/GLASS.*/g)).toEqual(['GLASS_TTY_SESSION=s1']);
    expect(output).not.toContain('5ec2e7');
    expect(output).not.toMatch(/^(ZDOTDIR|ENV|PS1|PROMPT)=/m);
  });

  test("exports win over the user's files, whatever is in them", async () => {
    const set = shell === 'fish' ? 'set -gx PAGER less' : 'export PAGER=less';
    const value = `it's "$HOME" \\ ; %d\nsecond`;
    const probe = await start(shell, { ...rc(shell, set), exports: { PAGER: value, GIT_EDITOR: 'false' } });
    const { output } = await probe.run(`node -p 'JSON.stringify([process.env.PAGER, process.env.GIT_EDITOR])'`);
    expect(JSON.parse(output)).toEqual([value, 'false']);
  });

  test("shows the user's prompt the code of the command before", async () => {
    const prompt =
      shell === 'fish'
        ? 'function fish_prompt; echo -n "<$status|$pipestatus> "; end'
        : shell === 'zsh'
          ? `setopt promptsubst; PS1='<%?|$pipestatus> '`
          : `PROMPT_COMMAND='PS1="<$?|\${PIPESTATUS[*]}> "'`;
    const probe = await start(shell, rc(shell, prompt));
    await probe.run('false | true');
    expect(plain(probe.text)).toMatch(/<0\|1 0> ?$/);
    await probe.run(shell === 'fish' ? 'bash -c "exit 7"' : '(exit 7)');
    expect(plain(probe.text)).toMatch(/<7\|7> ?$/);
  });

  test('leaves the next command the $? of the one before', async () => {
    const probe = await start(shell);
    await probe.type(shell === 'fish' ? 'bash -c "exit 7"' : '(exit 7)');
    const status = shell === 'fish' ? '$status' : '$?';
    expect((await probe.type(`echo "[${status}]"`)).output).toBe('[7]\n');
  });

  test('S46: job control works', async () => {
    const probe = await start(shell);
    expect((await probe.run('sleep 100 & kill %1')).code).toBe(0);
    expect((await probe.run('echo ok')).output).toContain('ok\n');
  });

  test('S18: ctrl+c ends a command with 130', async () => {
    const probe = await start(shell);
    probe.write(` sh -c 'echo "star""ted"; exec sleep 999'\r`);
    await probe.sees(/started/);
    expect((await probe.submit('\x03')).code).toBe(130);
  });

  test('S38: a program that prints marks without the nonce changes nothing', async () => {
    const probe = await start(shell);
    expect((await probe.run(`printf '\\033]633;D;0\\007\\033]633;D;0;guess\\007'; false`)).code).toBe(1);
  });

  test('S60: exit ends the shell with its code', async () => {
    const probe = await start(shell);
    expect(await probe.exit(7)).toBe(7);
  });

  test('a shell started in it works, without marks and without errors', async () => {
    const probe = await start(shell);
    const from = probe.marks.length;
    probe.write(` exec ${shell}\r`);
    await probe.next('outputStart', from);
    probe.write('echo inner-42\r');
    await probe.sees(/\ninner-42\n/);
    expect(plain(probe.text)).not.toMatch(/glass|not found|unbound/i);
    expect(probe.letters().slice(from)).toBe(shell === 'bash' ? 'C' : 'EC');
  });
});

describe.each(['bash', 'zsh'] as const)('%s', shell => {
  test('S24: set -euo pipefail ends the shell at once, with the code', async () => {
    const probe = await start(shell);
    await probe.run('set -euo pipefail');
    expect((await probe.run(`echo "\${HOME:+home}"`)).output).toBe('home\n');
    probe.write(' false\r');
    expect(await probe.until('the end', () => probe.exitCode)).toBe(1);
  });

  test('S25: set -e leaves the shell alive as long as nothing fails, and no stale code', async () => {
    const probe = await start(shell);
    await probe.run('set -e');
    expect((await probe.run('false || true')).code).toBe(0);
    expect((await probe.run('if false; then :; fi; ! true')).code).toBe(1);
    expect((await probe.submit('\r')).code).toBeUndefined();
    expect((await probe.run('true')).code).toBe(0);
  });

  test('a subshell with set -u and none of our variables works', async () => {
    const probe = await start(shell);
    const unset = shell === 'zsh' ? 'unset -m "__glass_*"' : `unset \${!__glass_*}`;
    const inner = `(set -u; ${unset}; echo in; false)`;
    expect(await probe.run(inner)).toMatchObject({ code: 1, output: 'in\n' });
    expect((await probe.run('set -u; echo "$unset"')).code).toBe(1);
    expect((await probe.run('echo on')).output).toBe('on\n');
  });

  test('xtrace shows nothing of ours', async () => {
    const probe = await start(shell);
    const on = await probe.type('set -x');
    const traced = await probe.type('echo hi');
    expect(plain(traced.raw)).not.toMatch(/glass|history|printf/);
    expect(plain(on.raw)).not.toMatch(/glass|history|printf/);
    expect(traced.output).toMatch(/^\+.*echo hi\nhi\n$/);
  });

  test('IFS, aliases and functions of the user do not reach our code', async () => {
    const names = ['local', 'print', 'history', 'emulate', 'setopt'];
    const aliases = names.map(name => `alias ${name}='echo ALIAS'`).join('\n');
    const functions = 'print() { echo FUNCTION; }\nhistory() { echo FUNCTION; }';
    const probe = await start(shell, rc(shell, `${functions}\n${aliases}\nIFS=';3'`));
    const typed = await probe.type('echo hi');
    expect(typed).toMatchObject({ code: 0, output: 'hi\n', letters: 'ECDPAB' });
    expect(plain(probe.text)).not.toMatch(/ALIAS|FUNCTION/);
  });

  test('PS1 and PS2 set at the prompt keep their marks', async () => {
    const probe = await start(shell);
    await probe.run(`PS1='new> ' PS2='more> '`);
    expect(plain(probe.text)).toMatch(/new> $/);
    await probe.run('PS1="(venv) $PS1"');
    const { letters, raw } = await probe.run('true');
    expect(letters).toMatch(/^E?CDPAB$/);
    expect(plain(raw)).toMatch(/\(venv\) new> $/);
    const from = probe.marks.length;
    probe.write(' echo "\r');
    await probe.next('continuationEnd', from);
    expect(plain(probe.text)).toMatch(/more> $/);
  });

  test('a line that is refused for its syntax ends with a code', async () => {
    const probe = await start(shell);
    const refused = await probe.run('echo )');
    expect(refused.code).toBe(shell === 'bash' ? 2 : 1);
    expect(plain(refused.raw)).toMatch(/error near/);
    expect((await probe.submit('\r')).code).toBeUndefined();
  });

  test('an exclamation mark and a comment mean nothing special', async () => {
    const probe = await start(shell);
    expect(await probe.run('echo "a!b" !x # comment')).toMatchObject({ code: 0, output: 'a!b !x\n' });
  });

  test('a prompt that the user exports does not carry the nonce', async () => {
    const probe = await start(shell, rc(shell, `export PS1='x> '`));
    const { output } = await probe.run('env');
    expect(output).not.toContain('5ec2e7');
    const child = await probe.run(shell === 'bash' ? `bash --norc -ic 'set -u; echo "\${PS1@P}"' 2>&1` : 'echo');
    expect(child.output).not.toMatch(/unbound|glass/);
  });
});

describe('zsh', () => {
  test("keeps the user's hooks and their $?", async () => {
    const probe = await start(
      'zsh',
      rc(
        'zsh',
        'autoload -Uz add-zsh-hook; pre() { echo "pre $1" }; post() { echo "post $?" }\n' +
          'add-zsh-hook preexec pre; add-zsh-hook precmd post; precmd() { echo "own $?" }',
      ),
    );
    const { output, raw } = await probe.run('(exit 3)');
    expect(output).toContain('own 3\n');
    expect(plain(raw)).toMatch(/pre {2}\(exit 3\)\n[\s\S]*post 3\n/);
  });

  test.each([
    ['nothing', {}, ''],
    ['.zshenv', { '.zshenv': 'export ZDOTDIR=$HOME/z\n' }, 'z/'],
  ])('reads all files of a user who sets %s', async (_, files, folder) => {
    const each = ['.zprofile', '.zshrc', '.zlogin'].map(name => [`${folder}${name}`, `read_files+=(${name})\n`]);
    const probe = await start('zsh', { files: { ...Object.fromEntries(each), ...files } });
    expect((await probe.run('echo $read_files')).output).toBe('.zshrc\n');
    expect((await probe.run('echo "[$ZDOTDIR]"')).output).toBe(folder ? `[${probe.home}/z]\n` : '[]\n');
  });

  test('restores a ZDOTDIR that comes in the environment', async () => {
    const probe = await start('zsh', { env: { ZDOTDIR: '/nonexistent' } });
    expect((await probe.run('echo $ZDOTDIR')).output).toBe('/nonexistent\n');
  });

  test('asks a new user nothing, and leaves the function that would', async () => {
    const probe = await start('zsh', { files: {} });
    expect((await probe.run('whence -w zsh-newuser-install')).output).toContain('none');
    expect(existsSync(`${probe.home}/.zcompdump`)).toBe(false);
  });

  test('S26: a prompt that is redrawn after Enter and a right prompt do not disturb the marks', async () => {
    const probe = await start(
      'zsh',
      rc(
        'zsh',
        [
          "RPROMPT='%F{blue}right%f'",
          "precmd() { PROMPT='%~ long> ' }",
          "zle-line-finish() { PROMPT='> '; RPROMPT=; zle reset-prompt; RPROMPT='%F{blue}right%f' }",
          'zle -N zle-line-finish',
        ].join('\n'),
      ),
    );
    for (const code of [0, 3]) {
      const { output, letters, ...result } = await probe.run(`echo hi; (exit ${code})`);
      expect({ output, code: result.code }).toEqual({ output: 'hi\n', code });
      expect(letters).toMatch(/^(AB)?ECDPAB$/);
    }
  });

  test('output without a last newline is byte-exact, and zsh still marks it for the person', async () => {
    const probe = await start('zsh');
    const { output, raw } = await probe.run('printf abc');
    expect(output).toBe('abc');
    expect(plain(raw)).toMatch(/abc[%#] +\n?/);
  });

  test("works under the user's options", async () => {
    const probe = await start('zsh', rc('zsh', 'setopt ksharrays shwordsplit nounset warncreateglobal noclobber'));
    expect(await probe.run('(exit 3)')).toMatchObject({ code: 3, letters: 'ECDPAB' });
    expect(plain(probe.text)).not.toMatch(/glass|parameter/);
  });
});

describe('fish', () => {
  test('S17: refuses a heredoc at once, with its own words, and takes the next line afresh', async () => {
    const probe = await start('fish');
    for (const refused of [await probe.run("cat <<'E'\nhello\nE"), await probe.run('cat <<E')]) {
      expect(refused.code).toBe(127);
      expect(refused.output).toContain('Expected a string, but found a redirection');
      expect(refused.letters).toMatch(/^B?ECDPAB/); // the editor is emptied after the prompt
      expect(await probe.run('echo next')).toMatchObject({ code: 0, output: 'next\n' });
    }
  });

  test("respects the user's own Enter, in vi mode too", async () => {
    const text = [
      'function my_enter; set -g entered (math "0$entered + 1"); commandline -f execute; end',
      'function fish_user_key_bindings; fish_vi_key_bindings; bind -M insert \\r my_enter; end',
    ].join('\n');
    const probe = await start('fish', rc('fish', text));
    await probe.run('true');
    expect((await probe.run('echo "[$entered]"')).output).toBe('[2]\n');
    const from = probe.marks.length;
    probe.write('echo (\r');
    await probe.next('continuationEnd', from);
    expect((await probe.submit('echo x)\r')).output).toBe('x\n');
    expect((await probe.run('cat <<E')).code).toBe(127);
  });

  test('keeps a prompt that is replaced and calls the one before', async () => {
    const probe = await start('fish');
    await probe.run('functions -c fish_prompt old_prompt; function fish_prompt; echo -n "(venv) "; old_prompt; end');
    const { letters, raw } = await probe.run('true');
    expect(letters).toMatch(/^ECDPAB+$/);
    expect(plain(raw)).toContain('(venv) ');
    await probe.run('functions -e fish_prompt; functions -c old_prompt fish_prompt');
    expect((await probe.run('false')).code).toBe(1);
  });
});

describe.each(['sh', 'dash'])('%s', shell => {
  const files = { shrc: 'export PAGER=less; from_env=yes; PS1="mine> "\n' };
  const startSh = () =>
    start(shell, { files, env: { ENV: '$HOME/shrc', GLASS_TTY_SESSION: 's1' }, exports: { PAGER: `it's` } });

  test('marks prompts, exit codes and the working directory', async () => {
    const probe = await startSh();
    const failed = await probe.run('cd /tmp; false');
    expect(failed.code).toBe(1);
    expect(failed.letters).toBe('DPAB');
    expect(probe.property('Cwd')).toBe('/tmp');
    expect((await probe.run('true')).code).toBe(0);
  });

  test("honours the user's own ENV file, and the exports win over it", async () => {
    const probe = await startSh();
    expect(plain(probe.text)).toMatch(/mine> $/);
    expect(plain((await probe.run('echo "[$from_env $PAGER $ENV]"')).raw)).toContain("[yes it's $HOME/shrc]");
    expect(plain((await probe.run('env')).raw).match(/GLASS.*/g)).toEqual(['GLASS_TTY_SESSION=s1']);
  });

  test('S15: tells that it wants the rest of a command line', async () => {
    const probe = await startSh();
    const from = probe.marks.length;
    probe.write('echo "a\r');
    await probe.next('continuationEnd', from);
    expect((await probe.submit('b"\r')).code).toBe(0);
    probe.write('if true\r');
    await probe.next('continuationEnd', from + 6);
    expect((await probe.interrupt()).code).toBe(130);
  });

  test('S24, S25: set -eu lives until something fails', async () => {
    const probe = await startSh();
    await probe.run('set -eu');
    expect((await probe.run('true')).code).toBe(0);
    probe.write('false\r');
    expect(await probe.until('the end', () => probe.exitCode)).toBe(1);
  });
});
