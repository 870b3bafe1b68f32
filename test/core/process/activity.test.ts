import { describe, expect, it } from 'vitest';
import { judge, type ScreenFacts } from '../../../src/core/process/activity';
import type { Look } from '../../../src/core/process/look';

const cooked = { isCanonical: true, hasEcho: true };
const raw = { isCanonical: false, hasEcho: false };
const look = (more: Partial<Look>): Look => ({
  foreground: [{ pid: 2, name: 'program', command: 'program' }],
  isRootInFront: false,
  wait: 'works',
  isTimed: false,
  modes: cooked,
  ...more,
});
const named = (name: string) => ({ foreground: [{ pid: 2, name, command: name }] });
const blank: ScreenFacts = {
  isAlternate: false,
  isAddressed: false,
  hasApplicationKeys: false,
  isCursorHidden: false,
  isEditing: false,
  cursorColumn: 0,
  beforeCursor: '',
  afterCursor: '',
};
const line = (text: string): ScreenFacts => ({ ...blank, cursorColumn: text.length, beforeCursor: text });

describe('judge', () => {
  it.each<[string, Look | undefined, ScreenFacts, string, string]>([
    ['what computes', look({}), line('Password: '), 'running', 'kernel'],
    ['a read of the tty', look({ wait: 'reads' }), blank, 'input', 'kernel'],
    ['a read without echo', look({ wait: 'reads', modes: { ...cooked, hasEcho: false } }), blank, 'secret', 'kernel'],
    ['a shown password line', look({ wait: 'reads' }), line('New password: '), 'secret', 'kernel'],
    ['a question about a password', look({ wait: 'reads' }), line('Forgot password? '), 'input', 'kernel'],
    ['a server that hears keys', look({ wait: 'polls' }), blank, 'running', 'kernel'],
    ['an event loop with a question', look({ wait: 'polls' }), line('name? '), 'input', 'kernel'],
    ['less', look({ ...named('less'), wait: 'reads', modes: raw }), line(':'), 'pager', 'kernel'],
    ['less before it sets the modes', look(named('less')), { ...blank, isAlternate: true }, 'pager', 'kernel'],
    ['the alternate screen', look({ modes: raw }), { ...blank, isAlternate: true }, 'fullscreen', 'kernel'],
    ['ssh', look({ ...named('ssh'), wait: 'polls', modes: raw }), line('me@host:~$ '), 'input', 'text'],
    ['no kernel, a question', undefined, line('Continue? [Y/n] '), 'input', 'text'],
    ['no kernel, a silent read', undefined, blank, 'running', 'text'],
    ['no kernel, a password', undefined, line("me@host's password: "), 'secret', 'text'],
  ])('%s', (_, seen, facts, activity, confidence) => {
    expect(judge(seen, facts, 1000)).toEqual({ activity, confidence });
  });

  it('takes a spinner that swallows keys for running, and the same in silence for a wait', () => {
    const spinner = look({ wait: 'polls', isTimed: true, modes: raw });
    expect(judge(spinner, line('| working'), 50).activity).toBe('running');
    expect(judge(spinner, line('| working'), 1000).activity).toBe('input');
  });
});
