import { Terminal } from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { OutputLog } from '../../../src/core/output/outputLog';
import { bufferLines } from '../../../src/core/screen/headless';
import { Screen } from '../../../src/core/screen/screen';

const size = { cols: 20, rows: 5 };

function setUp() {
  const log = new OutputLog(64 * 1024 * 1024);
  const screen = new Screen(log, size);
  const replies: string[] = [];
  let picture = '';
  let skips = 0;
  screen.onReply(reply => replies.push(reply));
  screen.onUpdate(update => {
    if (update.kind === 'data') picture += update.data;
    if (update.kind === 'skipped') skips++;
  });
  const print = (text: string | Uint8Array) => {
    log.append(Buffer.from(text as string));
    screen.notify();
  };
  return { log, screen, replies, print, picture: () => picture, skips: () => skips };
}

/** What an empty terminal shows after it was fed `data`. */
async function replica(data: string): Promise<string[]> {
  const terminal = new Terminal({ ...size, allowProposedApi: true });
  await new Promise<void>(done => terminal.write(data, done));
  return bufferLines(terminal);
}

describe('Screen', () => {
  it('shows everything that is in the log after a flush', async () => {
    const { screen, print } = setUp();
    print('one\r\n');
    print('two');
    await screen.flush();
    expect(screen.text(0)).toEqual({ lines: ['one', 'two'], total: 2 });
    expect(screen.text(1).lines).toEqual(['two']);
  });

  it('pictures rows without trailing blanks, and the cursor on the row it stands on', async () => {
    const { screen, print } = setUp();
    print(`~${' '.repeat(19)}`);
    await screen.flush();
    expect(screen.picture()).toMatchObject({ lines: ['~', '', '', '', ''], cursor: { row: 0, column: 19 } });
  });

  it('answers queries once, and keeps them and the answers from replicas', async () => {
    const { screen, replies, print, picture } = setUp();
    print('ab\x1b[6n\x1b[c\x1b]11;?\x07\x1b[?2026$p\x1bP$qm\x1b\\c');
    await screen.flush();
    expect(replies.slice(0, 2)).toEqual(['\x1b[1;3R', '\x1b[?1;2c']);
    expect(picture()).toBe('abc');
  });

  it('keeps clipboard writes, file links and forged marks from replicas', async () => {
    const { screen, print, picture } = setUp();
    print('\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\\x1b]633;D;0\x07');
    await screen.flush();
    expect(picture()).toBe('\x1b]0;title\x07x\x1b]8;;\x1b\\');
  });

  it('gives replicas whole characters however the output is cut', async () => {
    const { screen, print, picture } = setUp();
    for (const byte of Buffer.from('é漢🙂')) {
      print(Uint8Array.of(byte));
      await screen.flush();
    }
    expect(picture()).toBe('é漢🙂');
  });

  it('makes a snapshot and the updates after it show what it shows itself', async () => {
    const { screen, print } = setUp();
    print('\x1b[31mred\x1b[m\r\nsecond\r\n');
    const fed = await new Promise<() => string>(resolve =>
      screen.whenSettled(() => {
        let data = screen.snapshot();
        screen.onUpdate(update => {
          if (update.kind === 'data') data += update.data;
        });
        resolve(() => data);
      }),
    );
    print('third\r\n\x1b[1;1HRED');
    await screen.flush();
    expect(await replica(fed())).toEqual(screen.text(0).lines);
  });

  it('clears by pushing what is above the prompt into the scrollback', async () => {
    const { log, screen, print, picture } = setUp();
    print('a\r\nb\r\n');
    screen.markPrompt(log.end);
    print('$ ');
    screen.clear();
    print('new');
    await screen.flush();
    expect(screen.text(0).lines).toEqual(['a', 'b', '$ new']);
    const shown = await replica(picture());
    expect(shown).toEqual(['a', 'b', '$ new']);
  });

  it('skips ahead in a flood, keeps the modes, and ends with the newest text', async () => {
    const { screen, print, skips } = setUp();
    print('\x1b[?2004h\x1b[?1h');
    print(Buffer.alloc(20_000_000, 'some line of text\r\n'));
    print('\r\nthe end');
    const started = performance.now();
    await screen.flush();
    expect(performance.now() - started).toBeLessThan(5000);
    expect(skips()).toBe(1);
    expect(screen.modes.bracketedPasteMode).toBe(true);
    expect(screen.modes.applicationCursorKeysMode).toBe(true);
    expect(screen.text(1).lines).toEqual(['the end']);
  });

  it('applies a resize at its place in the output', async () => {
    const { screen, print } = setUp();
    print('x'.repeat(30));
    screen.resize(40, 5);
    print('y');
    await screen.flush();
    expect(screen.cols).toBe(40);
    expect(screen.text(0).lines).toEqual([`${'x'.repeat(30)}y`]);
  });

  describe('show', () => {
    const styled = ['\x1b[31mred\x1b[0m', 'second'];

    it('stands above the prompt, which keeps what is typed, its colours and the cursor', async () => {
      const { log, screen, print, picture } = setUp();
      print('output\r\n');
      screen.markPrompt(log.end);
      print('\x1b[32m$\x1b[0m typed text\x1b[4D');
      expect(await screen.show(styled, true)).toBe(true);
      print('X');
      await screen.flush();
      expect(screen.text(0).lines).toEqual(['output', 'red', 'second', '$ typed Xext']);
      expect(screen.picture().cursor).toMatchObject({ row: 3, column: 9 });
      expect(await replica(picture())).toEqual(['output', 'red', 'second', '$ typed Xext']);
      expect(screen.snapshot()).toContain('\x1b[32m$');
    });

    it('is there for whoever looks next, as a clear is', async () => {
      const { log, screen, print } = setUp();
      print('output\r\n');
      screen.markPrompt(log.end);
      print('$ ');
      await screen.show(['shown'], true);
      await screen.flush();
      expect(screen.text(0).lines).toEqual(['output', 'shown', '$']);
      screen.clear();
      await screen.flush();
      expect(screen.picture().lines[0]?.trimEnd()).toBe('$');
    });

    it('scrolls when the prompt is in the last line, and leaves the prompt where a clear finds it', async () => {
      const { log, screen, print, picture } = setUp();
      print('1\r\n2\r\n3\r\n4\r\n');
      screen.markPrompt(log.end);
      print('two lines of prompt\r\n$ ');
      await screen.show(styled, true);
      await screen.show(['third'], true);
      screen.clear();
      print('after');
      await screen.flush();
      const lines = ['1', '2', '3', '4', 'red', 'second', 'third', 'two lines of prompt', '$ after'];
      expect(screen.text(0).lines).toEqual(lines);
      expect(screen.picture().lines.slice(0, 3)).toEqual(['two lines of prompt', '$ after', '']);
      expect(await replica(picture())).toEqual(lines);
    });

    it('stands on lines of its own in the output of a running program', async () => {
      const { screen, print, picture } = setUp();
      print('50 %');
      await screen.show(styled, false);
      print('60 %');
      await screen.flush();
      expect(screen.text(0).lines).toEqual(['50 %', 'red', 'second', '60 %']);
      expect(await replica(picture())).toEqual(['50 %', 'red', 'second', '60 %']);
    });

    it('leaves a full-screen program alone, and a screen that has gone', async () => {
      const { screen, print, picture } = setUp();
      print('\x1b[?1049hfull');
      expect(await screen.show(styled, true)).toBe(false);
      expect(picture()).not.toContain('red');
      screen.dispose();
      expect(await screen.show(styled, true)).toBe(false);
    });
  });
});
