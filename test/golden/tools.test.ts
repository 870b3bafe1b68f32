import { expect, it } from 'vitest';
import { inputSchemaOf } from '../../src/tools/schema';
import { tools } from '../../src/tools';
import type { Tool } from '../../src/tools/tool';

/** The tools as a model reads them, for a person to review: `npx vitest -u` writes it anew. */
it('the tool list, as a model sees it', async () => {
  await expect(tools.map(describeTool).join('\n')).toMatchFileSnapshot('tools.txt');
});

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly items?: Schema;
  readonly default?: unknown;
}

function describeTool(tool: Tool): string {
  const { properties = {}, required = [] } = inputSchemaOf(tool) as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  const parameters = Object.entries(properties).map(([name, schema]) => {
    const facts = [typeOf(schema)];
    if (required.includes(name)) facts.push('required');
    if (schema.default !== undefined) facts.push(`default ${JSON.stringify(schema.default)}`);
    return `  ${name} (${facts.join(', ')})${schema.description ? `: ${schema.description}` : ''}`;
  });
  return `## ${tool.name} [${tool.set}]\n${tool.description}\n${parameters.map(line => `${line}\n`).join('')}`;
}

function typeOf(schema: Schema): string {
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  return schema.enum ? schema.enum.join(' | ') : (schema.type ?? 'anything');
}
