import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  /** Length as JSON. */
  readonly size: number;
}

/** Kept for a client, in characters of JSON; a reply has at most some thousands. */
const LIMIT = 1024 * 1024;

/**
 * The latest messages to one client, so that it can ask for those which it missed while a connection was broken (Last-Event-ID). A client that missed more
 * than is kept is told that its event is not known.
 */
export class EventLog implements EventStore {
  private readonly events: LoggedEvent[] = [];
  private size = 0;
  private count = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const event = { id: String(++this.count), stream, message, size: JSON.stringify(message).length };
    this.events.push(event);
    this.size += event.size;
    while (this.size > LIMIT && this.events.length > 1) this.size -= this.events.shift()?.size ?? 0;
    return event.id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.events.find(event => event.id === id)?.stream;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.events.findIndex(event => event.id === lastId);
    const stream = this.events[last]?.stream;
    if (stream === undefined) throw new Error(`The event ${lastId} is not kept.`);
    for (const event of this.events.slice(last + 1)) {
      // An event that only announces that the stream can be resumed has no message in it.
      if (event.stream === stream && 'jsonrpc' in event.message) await send(event.id, event.message);
    }
    return stream;
  }
}
