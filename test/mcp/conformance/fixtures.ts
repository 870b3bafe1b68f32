import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
  type LoggingLevel,
  LoggingLevelSchema,
  McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Extra, handlerOf } from './handlers';
import { prompts } from './prompts';
import { readResource, resources, resourceTemplates } from './resources';
import { tools } from './tools';

/** Error of MCP for a resource that is not there. */
const RESOURCE_NOT_FOUND = -32002;

/**
 * Adds the tools, resources and prompts that the conformance suite asks for by name to a server that is not connected yet. The server's own tools stay, and
 * are still listed and called by its own handlers.
 */
export function addFixtures(server: Server): Server {
  server.registerCapabilities({ resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} });
  addTools(server, addLogging(server));
  addResources(server);
  addPrompts(server);
  return server;
}

type Log = (extra: Extra, message: string) => Promise<void>;

/** Gives the function that logs to the client at level info, if the client wants to hear that. */
function addLogging(server: Server): Log {
  const severity = (level: LoggingLevel) => LoggingLevelSchema.options.indexOf(level);
  let least: LoggingLevel = 'debug';
  server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    least = params.level;
    return {};
  });
  return async (extra, data) => {
    if (severity('info') < severity(least)) return;
    const params = { level: 'info' as const, logger: 'conformance', data };
    await extra.sendNotification({ method: 'notifications/message', params });
  };
}

function addTools(server: Server, log: Log): void {
  const list = handlerOf(server, 'tools/list');
  const call = handlerOf(server, 'tools/call');
  server.setRequestHandler(ListToolsRequestSchema, async (request, extra) => {
    const listed = (await list(request, extra)) as ListToolsResult;
    return { tools: [...listed.tools, ...tools.map(({ run, ...tool }) => tool)] };
  });
  server.setRequestHandler(CallToolRequestSchema, (request, extra) => {
    const { name, arguments: args = {} } = request.params;
    const fixture = tools.find(tool => tool.name === name);
    if (!fixture) return call(request, extra);
    return fixture.run({ args, extra, log: message => log(extra, message) });
  });
}

function addResources(server: Server): void {
  const subscribed = new Set<string>();
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    const contents = readResource(params.uri);
    if (!contents) throw new McpError(RESOURCE_NOT_FOUND, `There is no resource ${params.uri}.`);
    return { contents: [contents] };
  });
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
}

function addPrompts(server: Server): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: prompts.map(({ fill, ...prompt }) => prompt) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name);
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${params.name}.`);
    const messages = prompt.fill(params.arguments ?? {}).map(content => ({ role: 'user' as const, content }));
    return { messages };
  });
  server.setRequestHandler(CompleteRequestSchema, () => ({ completion: { values: [], total: 0, hasMore: false } }));
}
