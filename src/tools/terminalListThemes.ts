import { z } from 'zod';
import { themes } from '../core/output/format/themes';
import { defineTool } from './tool';

const input = z.strictObject({});

const output = z.object({
  status: z.literal('success'),
  themes: z.object({ default: z.string(), rich: z.string(), minimal: z.string(), json: z.string() }),
  count: z.number().int(),
});

/** codomyrmex's `terminal_list_themes`. */
export const terminalListThemes = defineTool({
  name: 'terminal_list_themes',
  title: 'Themes for Terminal Output',
  summary: 'Lists the themes for formatted output.',
  description:
    'Lists the themes that format_terminal_output takes, each with what it does. It says nothing about a terminal; terminal_info does.',
  icon: 'paintcan',
  set: 'format',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare() {
    return { message: 'Listing themes' };
  },

  async run() {
    const described = {
      default: themes.default.description,
      rich: themes.rich.description,
      minimal: themes.minimal.description,
      json: themes.json.description,
    };
    const text = Object.entries(described).map(([name, description]) => `${name}: ${description}`);
    return {
      output: text.join('\n'),
      note: '',
      structured: { status: 'success' as const, themes: described, count: text.length },
    };
  },
});
