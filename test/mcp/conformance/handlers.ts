import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Request, Result, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
export type Handler = (request: Request, extra: Extra) => Promise<Result>;

/** What a server does about a method now, for a new handler to go on from. The SDK has no public way to it. */
export function handlerOf(server: Server, method: string): Handler {
  const handlers: ReadonlyMap<string, Handler> = server['_requestHandlers'];
  const handler = handlers.get(method);
  if (!handler) throw new Error(`The server has no handler for ${method}.`);
  return handler;
}
