import { GlassError } from '../../../base/errors';
import { formatJson, jsonTokens } from './json';
import { formatTable, type Table } from './table';
import { plainText, wrap, wrapExactly } from './text';
import { type MessageType, styled, type ThemeName, themes } from './themes';

export type FormatType = MessageType | 'table' | 'json';

export interface FormatOptions {
  readonly content: string;
  readonly type: FormatType;
  readonly table: Table;
  readonly theme: ThemeName;
  /** Columns at most; undefined for as many as it takes. */
  readonly width: number | undefined;
}

/** Text for a terminal, as lines with ANSI colours. Throws `invalid_json` or `invalid_input`. */
export function formatOutput(options: FormatOptions): string[] {
  const { content, type, width } = options;
  if (type === 'table') assertTable(options.table);
  if (options.theme === 'json') return [forPrograms(options)];
  const theme = themes[options.theme];
  switch (type) {
    case 'table': {
      const title = content === '' ? [] : wrap(plainText(content), width);
      return [...title.map(line => styled(line, theme.title)), ...formatTable(options.table, theme, width)];
    }
    case 'json':
      return formatJson(content, theme.json).flatMap(line => wrapExactly(line, width));
    default: {
      const { symbol, style } = theme.message[type];
      const text = symbol === '' ? plainText(content) : `${symbol} ${plainText(content)}`;
      return wrap(text, width).map(line => styled(line, style));
    }
  }
}

/** The SGR sequences in a text without their `ESC [`, each once, in the order in which they come first. */
export function terminalCodes(text: string): string[] {
  return [...new Set([...text.matchAll(/\x1b\[([\d;]*m)/g)].map(match => match[1] ?? ''))];
}

function forPrograms({ type, content, table }: FormatOptions): string {
  if (type === 'json') return `{"type":"json","content":${jsonTokens(content).join('')}}`;
  return JSON.stringify({ type, content, ...(type === 'table' && { headers: table.headers, rows: table.rows }) });
}

function assertTable({ headers, rows }: Table): void {
  if (headers.length > 0 || rows.some(row => row.length > 0)) return;
  throw new GlassError(
    'invalid_input',
    'format_type table needs table_rows, an array of rows of strings, and table_headers if it shall have a header.',
  );
}
