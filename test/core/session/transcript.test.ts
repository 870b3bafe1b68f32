import { expect, it } from 'vitest';
import { defaultRules } from '../../../src/core/session/keyboard';
import { SessionRegistry } from '../../../src/core/session/registry';
import type { Session } from '../../../src/core/session/session';

const owner = { kind: 'mcp', id: 'one', label: 'One' } as const;
const newRegistry = () =>
  new SessionRegistry({
    scripts: '',
    font: '',
    baseEnv: {},
    logLimit: 1024 * 1024,
    asksKernel: false,
    rules: { ...defaultRules },
  });

/** What a person sees. */
async function screenOf({ screen }: Session): Promise<string[]> {
  await screen.flush();
  return screen.text(0).lines;
}

it('shows each command with its output and its end, one below the other', async () => {
  const transcript = newRegistry().transcript(owner, '/');
  const first = transcript.begin('make all', '/home/me');
  first.output(Buffer.from('a\nb\n'));
  first.output(Buffer.from('no end of line'));
  expect(transcript.session.state).toBe('running');
  first.end('[return code 2 after 1 s]', 2);
  transcript.begin('second', '/').end('[return code 0 after 1 s]', 0);
  expect(await screenOf(transcript.session)).toEqual([
    '/home/me $ make all',
    'a',
    'b',
    'no end of line',
    '[return code 2 after 1 s]',
    '',
    '/ $ second',
    '',
    '[return code 0 after 1 s]',
  ]);
  expect(transcript.session.tracker.commands).toMatchObject([
    { text: 'make all', exitCode: 2 },
    { text: 'second', exitCode: 0 },
  ]);
  expect(transcript.session).toMatchObject({ state: 'prompt', kind: 'transcript', number: undefined });
});

it('is itself again after whatever a command has printed', async () => {
  const transcript = newRegistry().transcript(owner, '/');
  const { session } = transcript;
  const entry = transcript.begin('hostile\x1b[2J\nsecond line', '/a\x07');
  entry.output(Buffer.from('\x1b[?1049h\x1b[?1003h\x1b[?2004h\x1b[31mon the other screen\x1b]0;title without an end'));
  entry.end('[return code 0]', 0);
  const lines = await screenOf(session);
  expect(lines.slice(0, 2)).toEqual(['/a^G $ hostile^[[2J', 'second line']);
  expect(lines).toContain('[return code 0]');
  expect(session.screen.picture().isAlternate).toBe(false);
  expect(session.screen.modes).toMatchObject({ mouseTrackingMode: 'none', bracketedPasteMode: false });
});

it('is one per owner and command that runs at the same time, and forgotten when it is closed', async () => {
  const registry = newRegistry();
  const one = registry.transcript(owner, '/');
  const entry = one.begin('sleep', '/');
  const two = registry.transcript(owner, '/');
  expect(two).not.toBe(one);
  expect(registry.transcript({ ...owner, id: 'two' }, '/')).not.toBe(two);
  entry.end('', 0);
  expect(registry.transcript(owner, '/')).toBe(one);
  await registry.end(one.session);
  entry.output(Buffer.from('too late'));
  expect(registry.transcript(owner, '/')).toBe(two);
  expect(registry.numberedOf(owner)).toEqual([]);
});
