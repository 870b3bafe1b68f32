import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { EventLog } from '../../src/mcp/eventLog';

const message = (id: number, text = '') => ({ jsonrpc: '2.0', id, result: { text } }) as JSONRPCMessage;

async function after(log: EventLog, id: string) {
  const sent: [string, JSONRPCMessage][] = [];
  const stream = await log.replayEventsAfter(id, { send: async (each, what) => void sent.push([each, what]) });
  return { stream, sent };
}

it('gives what came after an event in the same stream, and only messages', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('one', {} as JSONRPCMessage);
  await log.storeEvent('two', message(1));
  const wanted = await log.storeEvent('one', message(2));
  await log.storeEvent('one', {} as JSONRPCMessage);
  expect(await after(log, first)).toEqual({ stream: 'one', sent: [[wanted, message(2)]] });
  expect(await after(log, wanted)).toEqual({ stream: 'one', sent: [] });
});

it('forgets the oldest events above its bound, and says that they are not known', async () => {
  const log = new EventLog();
  const first = await log.storeEvent('one', message(0));
  for (let id = 1; id <= 300; id++) await log.storeEvent('one', message(id, 'x'.repeat(8000)));
  const last = await log.storeEvent('one', message(301));
  expect(await log.getStreamIdForEventId(first)).toBeUndefined();
  expect(await log.getStreamIdForEventId(last)).toBe('one');
  await expect(after(log, first)).rejects.toThrow('not kept');
});
