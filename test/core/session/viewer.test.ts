import { describe, expect, it, vi } from 'vitest';
import { OutputLog } from '../../../src/core/output/outputLog';
import { Screen } from '../../../src/core/screen/screen';
import type { Session } from '../../../src/core/session/session';
import { Viewer } from '../../../src/core/session/viewer';

/** A viewer on a screen; of a session it uses nothing else. */
function setUp() {
  const log = new OutputLog(64 * 1024 * 1024);
  const screen = new Screen(log, { cols: 80, rows: 24 });
  const received: string[] = [];
  const sizes: string[] = [];
  const viewer = new Viewer({ screen } as unknown as Session, {
    data: text => received.push(text),
    size: (cols, rows) => sizes.push(`${cols}x${rows}`),
  });
  const print = (text: string | Buffer) => {
    log.append(Buffer.from(text as string));
    screen.notify();
  };
  const start = () => new Promise<string>(resolve => viewer.start(resolve));
  return { screen, viewer, received, sizes, print, start };
}

describe('Viewer', () => {
  it('begins with the screen as it is, and goes on with every change', async () => {
    const { screen, received, sizes, print, start } = setUp();
    print('before\r\n');
    expect(await start()).toContain('before');
    print('after\r\n');
    screen.resize(100, 30);
    await vi.waitFor(() => expect(received.join('')).toBe('after\r\n'));
    expect(sizes).toEqual(['100x30']);
  });

  it('gathers the output of a frame', async () => {
    const { received, print, start } = setUp();
    await start();
    for (let i = 0; i < 50; i++) print(`${i};`);
    await vi.waitFor(() => expect(received.join('')).toContain('49;'));
    expect(received.length).toBeLessThan(10);
  });

  it('stops when nothing is acknowledged, and then sends the newest screen instead of all that was missed', async () => {
    const { screen, viewer, received, print, start } = setUp();
    await start();
    for (let i = 0; i < 60; i++) {
      print(`${'x'.repeat(20_000)}\r\n`);
      await screen.flush();
    }
    print('the newest line');
    await screen.flush();
    const sent = received.reduce((sum, text) => sum + text.length, 0);
    expect(sent).toBeLessThan(1024 * 1024);
    received.length = 0;
    viewer.acknowledge(sent);
    await vi.waitFor(() => expect(received.join('')).toContain('the newest line'));
    expect(received.join('').length).toBeLessThan(50_000);
  });

  it('sends nothing after it was disposed', async () => {
    const { viewer, received, print, start, screen } = setUp();
    await start();
    viewer.dispose();
    print('unseen');
    await screen.flush();
    expect(received).toEqual([]);
  });
});
