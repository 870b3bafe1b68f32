import { GlassError, messageOf } from '../../../base/errors';
import { styled, type Theme } from './themes';

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const INDENT = '  ';

/** The tokens of valid JSON, with numbers as they were written: reading and writing them again would round. Throws `invalid_json`. */
export function jsonTokens(text: string): string[] {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new GlassError(
      'invalid_json',
      `The content is not valid JSON: ${messageOf(error)}. Mend it, or use format_type info.`,
    );
  }
  return text.match(token) ?? [];
}

/** JSON with one element a line, coloured. */
export function formatJson(text: string, colours: Theme['json']): string[] {
  const tokens = jsonTokens(text);
  let depth = 0;
  let out = '';
  const newLine = () => {
    out += `\n${INDENT.repeat(depth)}`;
  };
  for (const [index, one] of tokens.entries()) {
    const isEmpty = /[}\]]/.test(tokens[index + 1] ?? '') && tokens[index + 1]?.length === 1;
    if (one === '{' || one === '[') {
      out += one;
      if (isEmpty) continue;
      depth++;
      newLine();
    } else if (one === '}' || one === ']') {
      const before = tokens[index - 1];
      if (before !== '{' && before !== '[') {
        depth--;
        newLine();
      }
      out += one;
    } else if (one === ',') {
      out += one;
      newLine();
    } else if (one === ':') {
      out += ': ';
    } else {
      out += styled(one, tokens[index + 1] === ':' ? colours.key : colourOf(one, colours));
    }
  }
  return out.split('\n');
}

function colourOf(value: string, colours: Theme['json']): string {
  if (value.startsWith('"')) return colours.string;
  return /^[-\d]/.test(value) ? colours.number : colours.literal;
}
