import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { formatOutput } from '../../src/core/output/format/format';
import { defaultRules } from '../../src/core/session/keyboard';
import { SessionRegistry } from '../../src/core/session/registry';
import { formatTerminalOutput } from '../../src/tools/formatTerminalOutput';
import { terminalFormat } from '../../src/tools/terminalFormat';
import { terminalListThemes } from '../../src/tools/terminalListThemes';
import type { Tool, ToolContext } from '../../src/tools/tool';

const context: ToolContext = {
  registry: new SessionRegistry({
    scripts: '',
    font: '',
    baseEnv: {},
    logLimit: 0,
    asksKernel: false,
    rules: { ...defaultRules },
  }),
  caller: { owner: { kind: 'mcp', id: 'test', label: 'test' }, cwd: '/' },
  signal: new AbortController().signal,
  patienceMs: Number.POSITIVE_INFINITY,
  progress() {},
};

/** As a client calls it: input through the schema, result checked by the schema. */
async function call(tool: Tool, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structured } = await tool.run(tool.input.parse(input), context);
  tool.output.parse(structured);
  expect(JSON.stringify(structured).length).toBeLessThan(7500);
  return structured;
}

async function format(input: Record<string, unknown>): Promise<string> {
  return String((await call(formatTerminalOutput, input))['formatted_content']);
}

const rows = [
  ['日本語ファイル.txt', 'active', '1.2MB'],
  ['👨‍👩‍👧‍👦 🫠 🪿', 'e\u0301te\u0301', '🇩🇪'],
  ['한국어', 'long '.repeat(8).trim(), 'x'.repeat(40)],
];
const table = { content: '', format_type: 'table', table_headers: ['Name', 'Status', 'Size'], table_rows: rows };

describe('format_terminal_output', () => {
  it('gives the result of the document’s example', async () => {
    expect(await call(formatTerminalOutput, { content: 'Error: Connection failed', format_type: 'error' })).toEqual({
      formatted_content: '\u001b[31m❌ Error: Connection failed\u001b[0m',
      format_type: 'error',
      original_content: 'Error: Connection failed',
      terminal_codes: ['31m', '0m'],
    });
  });

  it('has a colour and a symbol for each kind of message, info by default', async () => {
    expect(await format({ content: 'a' })).toBe('\u001b[36mℹ️ a\u001b[0m');
    expect(await format({ content: 'a', format_type: 'success' })).toBe('\u001b[32m✅ a\u001b[0m');
    expect(await format({ content: 'a', format_type: 'warning' })).toBe('\u001b[33m⚠️ a\u001b[0m');
  });

  it('colours each line by itself, and lets no control sequence of the content through', async () => {
    const content = 'a\u001b[2J\u001b]0;title\u0007\r\nb\u0008\n\nc\td';
    expect(await format({ content, format_type: 'success' })).toBe(
      '\u001b[32m✅ a\u001b[0m\n\u001b[32mb\u001b[0m\n\n\u001b[32mc       d\u001b[0m',
    );
  });

  it('wraps at the width, between words if it can, and keeps indentation', async () => {
    const content = 'one two three four\n  five six seven\nsupercalifragilistic';
    expect(await format({ content, theme: 'minimal', width: 10 })).toBe(
      'one two\nthree four\n  five six\n  seven\nsupercalif\nragilistic',
    );
  });

  it('draws a table in which all lines are equally wide, whatever the characters', async () => {
    for (const width of [undefined, 60, 40]) {
      const text = await format({ ...table, ...(width !== undefined && { width }) });
      const widths = new Set(text.split('\n').map(line => stringWidth(line)));
      expect(widths.size).toBe(1);
      if (width !== undefined) expect(Math.max(...widths)).toBeLessThanOrEqual(width);
      expect(text.match(/x/g)).toHaveLength(41);
    }
  });

  it('draws short rows, many lines in a cell, a title, and tables without a header', async () => {
    const text = await format({
      content: 'Title',
      format_type: 'table',
      table_headers: ['a', 'b'],
      table_rows: [['1'], ['2\n3', '4', '5']],
    });
    expect(stripVTControlCharacters(text).split('\n')).toEqual([
      'Title',
      '┌───┬───┬───┐',
      '│ a │ b │   │',
      '├───┼───┼───┤',
      '│ 1 │   │   │',
      '├───┼───┼───┤',
      '│ 2 │ 4 │ 5 │',
      '│ 3 │   │   │',
      '└───┴───┴───┘',
    ]);
    expect(await format({ content: '', format_type: 'table', table_rows: [['a', 'b']], theme: 'minimal' })).toBe(
      'a  b',
    );
  });

  it('refuses a table without rows, and one that cannot be so narrow', async () => {
    await expect(format({ content: 'x', format_type: 'table' })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(format({ ...table, width: 12 })).rejects.toThrow('at least 16; 12 was given');
    await expect(format({ ...table, width: 16 })).resolves.toContain('│');
  });

  it('indents and colours JSON, with numbers as they are', async () => {
    const content = '{"a":[1e400,12345678901234567890,{}],"b":"}\\"","c":[ ],"d":null}';
    const text = await format({ content, format_type: 'json' });
    expect(stripVTControlCharacters(text)).toBe(
      '{\n  "a": [\n    1e400,\n    12345678901234567890,\n    {}\n  ],\n  "b": "}\\"",\n  "c": [],\n  "d": null\n}',
    );
    expect(text).toContain('\u001b[36m"a"\u001b[0m: [');
    expect(text).toContain('\u001b[35mnull\u001b[0m');
    await expect(format({ content: '{a}', format_type: 'json' })).rejects.toMatchObject({ code: 'invalid_json' });
  });

  it('wraps JSON without losing a character', async () => {
    const content = JSON.stringify({ key: 'w '.repeat(40) });
    const lines = stripVTControlCharacters(await format({ content, format_type: 'json', width: 20 })).split('\n');
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(20);
    expect(JSON.parse(lines.join(''))).toEqual(JSON.parse(content));
  });

  it('formats any JSON as JSON.stringify does', () => {
    const theme = 'minimal';
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const options = { content: JSON.stringify(value), type: 'json', theme, width: undefined } as const;
        const text = formatOutput({ ...options, table: { headers: [], rows: [] } }).join('\n');
        expect(text).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps any message and table within the width', () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(cell, fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }), (content, pairs) => {
        for (const type of ['error', 'table'] as const) {
          const lines = formatOutput({ content, type, table: { headers: [], rows: pairs }, theme: 'rich', width: 20 });
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it('changes with the theme', async () => {
    expect(await format({ content: 'a', format_type: 'error', theme: 'rich' })).toBe('\u001b[1;31m❌ a\u001b[0m');
    expect(await format({ content: 'a', format_type: 'error', theme: 'minimal' })).toBe('a');
    expect(await format({ content: 'a', format_type: 'error', theme: 'json' })).toBe('{"type":"error","content":"a"}');
    expect(await format({ content: '[1.0]', format_type: 'json', theme: 'json' })).toBe(
      '{"type":"json","content":[1.0]}',
    );
    expect(await format({ ...table, theme: 'rich' })).toContain('╭');
    expect(JSON.parse(await format({ ...table, theme: 'json' }))).toMatchObject({
      rows,
      headers: ['Name', 'Status', 'Size'],
    });
    for (const type of ['success', 'table', 'json']) {
      const text = await format({ ...table, content: '{"a":1}', format_type: type, theme: 'minimal' });
      expect(stripVTControlCharacters(text)).toBe(text);
    }
  });

  it('stays below what a client takes, and says how much is left out', async () => {
    const content = 'line "quoted"\n'.repeat(5000);
    const structured = await call(formatTerminalOutput, { content, format_type: 'error' });
    const shown = String(structured['formatted_content'])
      .split('\n')
      .filter(line => line.includes('quoted')).length;
    expect(shown + Number(structured['left_out_lines'])).toBe(5000);
  });
});

describe('terminal_list_themes', () => {
  it('lists the themes that format_terminal_output takes', async () => {
    const listed = await call(terminalListThemes, {});
    expect(listed).toMatchObject({ status: 'success', count: 4 });
    for (const theme of Object.keys(listed['themes'] as object)) await format({ content: 'a', theme });
  });
});

describe('terminal_format', () => {
  it('marks each line by its style, and counts the lines', async () => {
    expect(await call(terminalFormat, { text: 'a\nb' })).toEqual({
      status: 'success',
      formatted: 'a\nb',
      style: 'default',
      width: 120,
      line_count: 2,
    });
    for (const [style, formatted] of Object.entries({
      title: '# a',
      success: '✓ a',
      error: '✗ a',
      warning: '⚠ a',
      code: '  a',
    })) {
      expect(await call(terminalFormat, { text: 'a', style })).toMatchObject({ formatted, style });
    }
  });

  it('really wraps to the width, wide characters counted', async () => {
    const { formatted, line_count } = await call(terminalFormat, {
      text: '漢字漢字 漢字漢字漢',
      style: 'success',
      width: 12,
    });
    expect(formatted).toBe('✓ 漢字漢字\n  漢字漢字漢');
    expect(line_count).toBe(2);
    expect(await call(terminalFormat, { text: 'x  y  z', style: 'code', width: 6 })).toMatchObject({
      formatted: '  x  y\n    z',
      width: 6,
    });
  });
});
