import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Owner } from '../core/session/owner';
import { errorOutcome, type ToolOutcome } from '../tools/invoke';
import type { ToolService } from '../tools/service';
import type { Caller, Toolset } from '../tools/tool';

/** One client's connection: its own terminals, opened in `cwd`. */
export interface McpConnection {
  readonly id: string;
  readonly cwd: string;
  readonly version: string;
  readonly toolsets: readonly Toolset[];
}

/**
 * MCP clients give up on a call after 60 s unless progress resets their clock (TypeScript SDK, DEFAULT_REQUEST_TIMEOUT_MSEC). One that asked for no
 * progress gets an unfinished answer before that, in ms.
 */
const PATIENCE_WITHOUT_PROGRESS_MS = 50_000;

const instructions = `Glass TTY gives you real terminals that a person can watch and type into.
Use \`terminal\` for shell commands: numbered, persistent terminals; cd, variables and running programs stay.
A server, watcher or long build: give it a terminal number of its own with await_completion_ms 0, then \`wait\` for a line or for its end, and read by READ or \`read_output\`. Never sleep or poll.
A program that asks something: answer by \`respond\`, press keys by \`send_control\`, look at full-screen programs by read_output view "screen".
Every reply says the state of the terminal. A command that is still running goes on; never start it again because an answer was unfinished.
Never ask for passwords in the chat: the person types them into the terminal.`;

/** A new MCP server over long-lived tools; cheap, one for each connection. The caller connects it to a transport. */
export function createMcpServer(service: ToolService, connection: McpConnection): Server {
  const server = new Server(
    { name: 'glass-tty', title: 'Glass TTY', version: connection.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(
    ListToolsRequestSchema,
    async () => ({ tools: (await service.list(connection.toolsets)).map(tool => ({ ...tool })) }) as never,
  );
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    callTool(service, server, connection, request, extra),
  );
  return server;
}

/** The owner that stands for a connection itself, whose terminals end with it. */
export function connectionOwner(connection: Pick<McpConnection, 'id'>, label = 'MCP client'): Owner {
  return { kind: 'mcp', id: connection.id, label };
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

async function callTool(
  service: ToolService,
  server: Server,
  connection: McpConnection,
  { params }: CallToolRequest,
  extra: Extra,
): Promise<CallToolResult> {
  const token = params._meta?.progressToken;
  let step = 0;
  const outcome = service.invoke(params.name, params.arguments ?? {}, callerOf(server, connection, params._meta), {
    signal: extra.signal,
    patienceMs: token === undefined ? PATIENCE_WITHOUT_PROGRESS_MS : Number.POSITIVE_INFINITY,
    onProgress(message) {
      if (token === undefined) return;
      const notification = {
        method: 'notifications/progress' as const,
        params: { progressToken: token, progress: ++step, message },
      };
      // A client that has gone does not miss it; its call is cancelled by the transport.
      extra.sendNotification(notification).catch(() => {});
    },
  });
  return toResult(await outcome.catch(errorOutcome));
}

/** VS Code says which conversation calls, so that each has terminals of its own; any other client is one owner. */
function callerOf(
  server: Server,
  connection: McpConnection,
  meta: Readonly<Record<string, unknown>> | undefined,
): Caller {
  const label = server.getClientVersion()?.title ?? server.getClientVersion()?.name ?? 'MCP client';
  const conversation = meta?.['vscode.conversationId'];
  const owner: Owner =
    typeof conversation === 'string'
      ? { kind: 'conversation', id: conversation, label: 'Chat' }
      : connectionOwner(connection, label);
  return { owner, cwd: connection.cwd, toolsets: connection.toolsets };
}

function toResult(outcome: ToolOutcome): CallToolResult {
  const content = [
    ...outcome.content.map(text => ({ type: 'text' as const, text })),
    ...(outcome.images ?? []).map(image => ({ type: 'image' as const, ...image })),
  ];
  if (outcome.error) return { content, isError: true, _meta: { 'glass-tty/error': outcome.error } };
  return { content, ...(outcome.structured && { structuredContent: { ...outcome.structured } }) };
}
