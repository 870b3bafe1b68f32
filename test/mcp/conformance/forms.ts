import {
  type CallToolResult,
  type ElicitRequestFormParams,
  ElicitResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Extra } from './handlers';

export type Form = ElicitRequestFormParams['requestedSchema'];

/** Has the client's person fill in a form, and gives what the person did. */
export async function elicit(extra: Extra, message: string, requestedSchema: Form): Promise<CallToolResult> {
  const request = { method: 'elicitation/create' as const, params: { message, requestedSchema } };
  const { action, content } = await extra.sendRequest(request, ElicitResultSchema);
  const text = `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`;
  return { content: [{ type: 'text', text }] };
}

export const plainForm: Form = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
};

/** SEP-1034: each primitive type with a default. */
export const formWithDefaults: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};

const options = ['option1', 'option2', 'option3'];
const titledOptions = ['First', 'Second', 'Third'].map((title, i) => ({ const: `value${i + 1}`, title }));

/** SEP-1330: one or several choices, titled and not, and the titles of old. */
export const formOfEnums: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titledOptions },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titledOptions } },
  },
};
