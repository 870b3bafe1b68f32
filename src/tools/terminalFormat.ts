import { z } from 'zod';
import { GlassError } from '../base/errors';
import { DEFAULT_BUDGET } from '../core/output/excerpt';
import { columns, plainText, wrap, wrapExactly } from '../core/output/format/text';
import { DEFAULT_SIZE } from '../core/session/openShell';
import { defineTool } from './tool';

/** What stands before each line. */
const prefixes = { default: '', title: '# ', success: '✓ ', error: '✗ ', warning: '⚠ ', code: '  ' } as const;

const input = z.strictObject({
  text: z.string().max(100_000),
  style: z.enum(['default', 'title', 'success', 'error', 'warning', 'code']).default('default'),
  width: z.number().int().max(1000).default(0).describe('Columns to wrap at; 0 for those of your terminal 0.'),
});

const output = z.object({
  status: z.literal('success'),
  formatted: z.string(),
  style: z.string(),
  width: z.number().int(),
  line_count: z.number().int(),
});

/** codomyrmex's `terminal_format`: plain marks, without colours. */
export const terminalFormat = defineTool({
  name: 'terminal_format',
  title: 'Format Plain Text',
  summary: 'Marks and wraps plain text.',
  description:
    'Marks each line of a text by its style (title #, success ✓, error ✗, warning ⚠, code indented) and wraps it to width. Plain text without colours, only returned; for colours, tables and JSON, and to show something to the person, use format_terminal_output.',
  icon: 'list-selection',
  set: 'format',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare() {
    return { message: 'Formatting text' };
  },

  async run({ text, style, width: wanted }, { registry, caller }) {
    const width = wanted > 0 ? wanted : (registry.find(caller.owner, 0)?.cols ?? DEFAULT_SIZE.cols);
    const lines = format(plainText(text), style, width);
    const formatted = lines.join('\n');
    if (JSON.stringify(formatted).length > DEFAULT_BUDGET) {
      throw new GlassError(
        'invalid_input',
        'The text is too long for one reply. Format less than 6,000 characters at a time.',
      );
    }
    const structured = { status: 'success' as const, formatted, style, width, line_count: lines.length };
    return { output: formatted, note: '', structured };
  },
});

function format(text: string, style: keyof typeof prefixes, width: number): string[] {
  const prefix = prefixes[style];
  const indent = ' '.repeat(columns(prefix));
  const room = Math.max(1, width - indent.length);
  return text.split('\n').flatMap(line => {
    // Code keeps every blank.
    const pieces = style === 'code' ? wrapExactly(line, room) : wrap(line, room);
    return pieces.map((piece, index) => (index === 0 ? prefix : indent) + piece);
  });
}
