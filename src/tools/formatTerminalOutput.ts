import { z } from 'zod';
import { GlassError } from '../base/errors';
import { excerpt } from '../core/output/excerpt';
import { formatOutput, terminalCodes } from '../core/output/format/format';
import type { Session } from '../core/session/session';
import { requireSession } from './sessions';
import { defineTool } from './tool';

const cells = z.array(z.string().max(10_000)).max(100);

const input = z.strictObject({
  content: z.string().max(100_000).describe('The text; for json, the JSON; for table, a title or an empty string.'),
  format_type: z.enum(['success', 'error', 'warning', 'info', 'table', 'json']).default('info'),
  table_headers: cells.optional().describe('table: the headers.'),
  table_rows: z.array(cells).max(1000).optional().describe('table: the rows, each an array of strings.'),
  theme: z.enum(['default', 'rich', 'minimal', 'json']).default('default').describe('terminal_list_themes tells more.'),
  width: z
    .number()
    .int()
    .min(10)
    .max(1000)
    .optional()
    .describe('Columns at most, by wrapping. As wide as it takes, or as the terminal is, when left out.'),
  terminal: z
    .number()
    .int()
    .min(0)
    .max(9999)
    .optional()
    .describe('Also shows it to the person in this terminal of yours.'),
});

const output = z.object({
  formatted_content: z.string().describe('With ANSI escape sequences.'),
  format_type: z.string(),
  original_content: z.string(),
  terminal_codes: z.array(z.string()).describe('The SGR codes used, such as 31m and 0m.'),
  shown_in: z.number().int().optional().describe('The terminal in which a person sees it.'),
  left_out_lines: z.number().int().optional().describe('Lines of formatted_content that were too many for a reply.'),
});

/** Characters of both texts together as JSON, so that the reply stays below the 7,500 that VS Code takes; and the original's share. */
const TEXT_BUDGET = 7000;
const ORIGINAL_SHARE = 1 / 3;

/** codomyrmex's `format_terminal_output`. */
export const formatTerminalOutput = defineTool({
  name: 'format_terminal_output',
  title: 'Format Terminal Output',
  summary: 'Makes coloured messages, tables and JSON for a terminal.',
  description: `Makes text that looks good in a terminal and returns it with its ANSI codes: a success, error, warning or info message with colour and symbol, a framed table from table_headers and table_rows, or valid JSON indented and coloured. width wraps it; wide characters are counted right. With terminal the person sees it in that terminal, without anything being run or typed there; else it is only returned.`,
  icon: 'symbol-color',
  set: 'format',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare() {
    return { message: 'Formatting text' };
  },

  async run(call, context) {
    const { content, format_type: type, theme } = call;
    const session = call.terminal === undefined ? undefined : requireSession({ terminal: call.terminal }, context);
    const width = call.width ?? session?.cols;
    const table = { headers: call.table_headers ?? [], rows: call.table_rows ?? [] };
    const lines = formatOutput({ content, type, table, theme, width });
    if (session) await show(session, lines);
    const original = within([content], TEXT_BUDGET * ORIGINAL_SHARE).text;
    const formatted = within(lines, TEXT_BUDGET - JSON.stringify(original).length);
    const structured = {
      formatted_content: formatted.text,
      format_type: type,
      original_content: original,
      terminal_codes: terminalCodes(formatted.text),
      ...(session && { shown_in: session.number }),
      ...(formatted.leftOut && { left_out_lines: formatted.leftOut.lines }),
    };
    return { output: formatted.text, note: '', structured };
  },
});

async function show(session: Session, lines: readonly string[]): Promise<void> {
  const isAtPrompt = session.state === 'prompt' || session.state === 'continuation';
  if (await session.screen.show(lines, isAtPrompt)) return;
  throw new GlassError(
    'screen_taken',
    `A full-screen program has the screen of ${session.name}. Quit it first, show this in another terminal, or leave terminal out.`,
  );
}

function within(lines: readonly string[], budget: number) {
  const all = lines.flatMap(line => line.split('\n'));
  return excerpt(all, { budget, maxLines: 0, howToRead: () => 'format less at a time' });
}
