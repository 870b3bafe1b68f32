import { describe, expect, it } from 'vitest';
import { tools } from '../../src/tools';
import { toolsOf } from '../../src/tools/invoke';
import { inputSchemaOf, outputSchemaOf } from '../../src/tools/schema';
import { defaultToolsets, parseToolsets } from '../../src/tools/toolsets';

describe('tool sets', () => {
  it.each([
    ['core', ['core']],
    ['format, core', ['core', 'format']],
    ['all', ['core', 'format', 'interminal']],
  ])('reads %j', (text, sets) => {
    expect(parseToolsets(text)).toEqual(sets);
  });

  it('refuses a set that is not there, and names those that are', () => {
    expect(() => parseToolsets('core,kore')).toThrowError(/"kore".*core, format, interminal, or all/);
  });

  it('give a client the tools of its sets alone', () => {
    const core = toolsOf(['core']);
    expect(core.map(tool => tool.name)).toContain('terminal');
    expect(core.every(tool => tool.set === 'core')).toBe(true);
    expect(toolsOf(undefined)).toEqual(tools);
    expect(toolsOf(defaultToolsets).length).toBeLessThanOrEqual(tools.length);
  });
});

describe('the list of the default sets', () => {
  it('costs a model less than 14,000 characters in each request', () => {
    const list = toolsOf(defaultToolsets).map(tool => ({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
    }));
    expect(JSON.stringify(list).length).toBeLessThan(14_000);
  });
});

describe('the schemas of the tools', () => {
  it.each(tools.map(tool => [tool.name, tool] as const))(
    'of %s say what a model needs, and nothing else',
    (_, tool) => {
      const input = JSON.stringify(inputSchemaOf(tool));
      expect(input).not.toMatch(/\$schema|9007199254740991/);
      expect(inputSchemaOf(tool)).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(outputSchemaOf(tool))).not.toMatch(/"description":"/);
    },
  );
});
