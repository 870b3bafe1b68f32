import { describe, expect, it } from 'vitest';
import { OutputLog } from '../../../src/core/output/outputLog';
import { type Command, CommandTracker } from '../../../src/core/shell/commandTracker';
import { MarkParser } from '../../../src/core/shell/marks';

/** A tracker fed as a session feeds it: text, with `<A>` for a mark. */
function setUp(marksOutput = true) {
  const log = new OutputLog(1_000_000);
  const tracker = new CommandTracker(log, '/', marksOutput);
  const parser = new MarkParser('n');
  const ended: Command[] = [];
  tracker.onCommandEnd(command => ended.push(command));
  const feed = (text: string) => {
    const bytes = Buffer.from(text.replace(/<([A-Z][^<>]*)>/g, '\x1b]633;$1;n\x07'));
    log.append(bytes);
    parser.push(bytes, mark => tracker.handle(mark));
  };
  const output = (command: Command) => {
    const { from, to } = tracker.outputOf(command);
    return Buffer.from(log.read(from, to).bytes).toString();
  };
  return { tracker, ended, feed, output };
}

describe('CommandTracker', () => {
  it('follows a command from its submission to the next prompt', () => {
    const { tracker, ended, feed, output } = setUp();
    expect(tracker.phase).toBe('starting');
    feed('<P;Cwd=/tmp><A>$ <B>');
    expect(tracker.phase).toBe('prompt');
    tracker.submitted('echo hi');
    expect(tracker.phase).toBe('running');
    feed('echo hi\r\n<C>hi\r\n');
    expect(output(tracker.current as Command)).toBe('hi\r\n');
    feed('<D;3>');
    expect(ended).toEqual([]);
    feed('<P;Cwd=/home><A>$ <B>');
    expect(ended).toMatchObject([{ text: 'echo hi', by: 'agent', cwd: '/tmp', exitCode: 3 }]);
    expect(output(ended[0] as Command)).toBe('hi\r\n');
    expect(tracker.cwd).toBe('/home');
    expect(tracker.phase).toBe('prompt');
  });

  it('takes several commands of one paste for one, with the last exit code', () => {
    const { tracker, ended, feed, output } = setUp();
    feed('<A>$ <B>');
    tracker.submitted('a\nb');
    feed('a\r\nb\r\n<C>from a\r\n<D;1><C>from b\r\n<D;0><A>$ <B>');
    expect(ended).toHaveLength(1);
    expect(ended[0]?.exitCode).toBe(0);
    expect(output(ended[0] as Command)).toContain('from a');
    expect(output(ended[0] as Command)).toContain('from b');
  });

  it('does not take a prompt that is drawn again for the end of a command', () => {
    const { tracker, ended, feed } = setUp();
    feed('<A>$ <B>');
    tracker.submitted('slow');
    feed('<A>$ <B>slow<A>> <B>slow\r\n<C>');
    expect(tracker.phase).toBe('running');
    feed('<D;0><A>$ <B>');
    expect(ended).toHaveLength(1);
  });

  it('says continuation while the shell wants the rest, and returns to the prompt when that is given up', () => {
    const { tracker, ended, feed, output } = setUp();
    feed('<A>$ <B>');
    tracker.submitted('cat <<EOF');
    feed('cat <<EOF\r\n<F>> <G>');
    expect(tracker.phase).toBe('continuation');
    expect(output(tracker.current as Command)).toBe('');
    feed('^C\r\n<D;><A>$ <B>');
    expect(tracker.phase).toBe('prompt');
    expect(ended).toMatchObject([{ exitCode: undefined }]);
  });

  it('tells what a person ran by the shell’s own account of the line', () => {
    const { ended, feed, output } = setUp();
    feed('<A>$ <B>ls\r\n<E;ls><C>file\r\n<D;0><A>$ <B>');
    expect(ended).toMatchObject([{ text: 'ls', by: 'person', exitCode: 0 }]);
    expect(output(ended[0] as Command)).toBe('file\r\n');
  });

  it('finds where output begins in a shell that marks only its prompt', () => {
    const { tracker, ended, feed, output } = setUp(false);
    feed('<D;0><A>$ <B>');
    tracker.submitted('echo hi');
    feed('echo hi\r\nhi\r\n');
    expect(output(tracker.current as Command)).toBe('hi\r\n');
    feed('<D;4><A>$ <B>');
    expect(ended).toMatchObject([{ exitCode: 4 }]);
    expect(output(ended[0] as Command)).toBe('hi\r\n');
  });

  it('gives a complaint without a mark its text and code', () => {
    const { tracker, ended, feed, output } = setUp();
    feed('<A>$ <B>');
    tracker.submitted('echo )');
    feed('echo )\r\nsyntax error\r\n<D;2><A>$ <B>');
    expect(ended).toMatchObject([{ exitCode: 2 }]);
    expect(output(ended[0] as Command)).toBe('syntax error\r\n');
  });

  it('ends a command with the shell, by its code or signal, never by an older code', () => {
    const { tracker, ended, feed } = setUp();
    feed('<A>$ <B>');
    tracker.submitted('set -e; false');
    feed('<C>');
    tracker.shellEnded(1, undefined);
    expect(ended).toMatchObject([{ exitCode: 1, signal: undefined }]);
  });

  it('remembers a bounded number of commands', () => {
    const { tracker, feed } = setUp();
    feed('<A>$ <B>');
    for (let i = 0; i < 600; i++) {
      tracker.submitted(`echo ${i}`);
      feed('<C><D;0><A>$ <B>');
    }
    expect(tracker.commands).toHaveLength(500);
    expect(tracker.commands[499]?.text).toBe('echo 599');
  });
});
