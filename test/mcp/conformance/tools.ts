import { setTimeout as delay } from 'node:timers/promises';
import { type CallToolResult, CreateMessageResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { elicit, formOfEnums, formWithDefaults, plainForm } from './forms';
import type { Extra } from './handlers';
import { png, wav } from './media';

/** A call of a fixture tool. */
export interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly extra: Extra;
  /** Logs to the client, at level info. */
  log(message: string): Promise<void>;
}

export interface FixtureTool extends Tool {
  run(call: Call): CallToolResult | Promise<CallToolResult>;
}

type Content = CallToolResult['content'][number];

const nothing = { type: 'object', properties: {}, additionalProperties: false } as const;
const image: Content = { type: 'image', data: png, mimeType: 'image/png' };

/** So long (ms) the suite's description has a tool work between two notifications. */
const STEP_MS = 50;

/** The tools that the conformance suite calls, by its names, with what it says of each (`conformance server` prints it for a scenario that fails). */
export const tools: readonly FixtureTool[] = [
  answering('test_simple_text', 'Gives text.', text('This is a simple text response for testing.')),
  answering('test_image_content', 'Gives an image.', image),
  answering('test_audio_content', 'Gives a sound.', { type: 'audio', data: wav, mimeType: 'audio/wav' }),
  answering(
    'test_embedded_resource',
    'Gives a resource.',
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  answering(
    'test_multiple_content_types',
    'Gives text, an image and a resource.',
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', JSON.stringify({ test: 'data', value: 123 })),
  ),
  {
    name: 'test_error_handling',
    description: 'Fails.',
    inputSchema: nothing,
    run: () => ({ isError: true, content: [text('This tool intentionally returns an error for testing')] }),
  },
  {
    name: 'test_tool_with_logging',
    description: 'Logs three times.',
    inputSchema: nothing,
    async run({ log }) {
      await log('Tool execution started');
      await delay(STEP_MS);
      await log('Tool processing data');
      await delay(STEP_MS);
      await log('Tool execution completed');
      return { content: [text('It has logged three times.')] };
    },
  },
  {
    name: 'test_tool_with_progress',
    description: 'Reports progress three times.',
    inputSchema: nothing,
    async run({ extra }) {
      const progressToken = extra._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progress > 0) await delay(STEP_MS);
        if (progressToken === undefined) continue;
        const params = { progressToken, progress, total: 100 };
        await extra.sendNotification({ method: 'notifications/progress', params });
      }
      return { content: [text('It is done.')] };
    },
  },
  {
    name: 'test_reconnection',
    description: 'Closes its own event stream before it answers, where the server can resume one.',
    inputSchema: nothing,
    run({ extra }) {
      extra.closeSSEStream?.();
      return { content: [text('Here is the answer.')] };
    },
  },
  {
    name: 'test_sampling',
    description: 'Asks the client’s model.',
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    async run({ args, extra }) {
      const content = { type: 'text' as const, text: String(args['prompt']) };
      const params = { messages: [{ role: 'user' as const, content }], maxTokens: 100 };
      const answer = await extra.sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
      return { content: [text(`LLM response: ${JSON.stringify(answer.content)}`)] };
    },
  },
  {
    name: 'test_elicitation',
    description: 'Asks the person at the client.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: ({ args, extra }) => elicit(extra, String(args['message']), plainForm),
  },
  {
    name: 'test_elicitation_sep1034_defaults',
    description: 'Asks the person by a form with defaults.',
    inputSchema: nothing,
    run: ({ extra }) => elicit(extra, 'Please look at the defaults.', formWithDefaults),
  },
  {
    name: 'test_elicitation_sep1330_enums',
    description: 'Asks the person by a form with every kind of choice.',
    inputSchema: nothing,
    run: ({ extra }) => elicit(extra, 'Please choose.', formOfEnums),
  },
  {
    name: 'json_schema_2020_12_tool',
    description: 'Has a schema with the keywords of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: ({ args }) => ({ content: [text(JSON.stringify(args))] }),
  },
];

function answering(name: string, description: string, ...content: Content[]): FixtureTool {
  return { name, description, inputSchema: nothing, run: () => ({ content }) };
}

function text(value: string): Content {
  return { type: 'text', text: value };
}

function resource(uri: string, mimeType: string, value: string): Content {
  return { type: 'resource', resource: { uri, mimeType, text: value } };
}
