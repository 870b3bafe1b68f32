import type { TestClient } from '../helpers/mcp';

/** A parameter as a document gives it: its type, and its default or that it is required. */
export type Parameter = readonly [type: string, fallback: unknown];

export const REQUIRED = Symbol('required');
export const OPTIONAL = undefined;

interface JsonSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** What a client is told of a tool: the parameters of these names, and the names of its result's fields. */
export async function signatureOf(client: TestClient, name: string, parameters: readonly string[]) {
  const { tools } = await client.client.listTools();
  const tool = tools.find(each => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const input = tool.inputSchema as JsonSchema;
  const output = tool.outputSchema as JsonSchema;
  return {
    parameters: Object.fromEntries(parameters.map(each => [each, parameterOf(input, each)])),
    fields: Object.keys(output.properties ?? {}),
  };
}

function parameterOf({ properties = {}, required = [] }: JsonSchema, name: string): Parameter | undefined {
  const schema = properties[name];
  return schema && [typeOf(schema), required.includes(name) ? REQUIRED : schema.default];
}

function typeOf({ type = '', items }: JsonSchema): string {
  return items ? `array[${typeOf(items)}]` : type;
}
