export type ThemeName = 'default' | 'rich' | 'minimal' | 'json';
export type MessageType = 'success' | 'error' | 'warning' | 'info';

/** How formatted output looks. A style is the inside of an SGR sequence, such as 1;31; empty for none. */
export interface Theme {
  readonly description: string;
  readonly message: Readonly<Record<MessageType, { readonly symbol: string; readonly style: string }>>;
  readonly title: string;
  readonly header: string;
  readonly border: Border | undefined;
  readonly json: { readonly key: string; readonly string: string; readonly number: string; readonly literal: string };
}

/** Each line from left to right: the left end, what is between columns, the right end. */
export interface Border {
  readonly top: readonly [string, string, string];
  readonly middle: readonly [string, string, string];
  readonly bottom: readonly [string, string, string];
  readonly line: string;
  readonly side: string;
}

const square: Border = {
  top: ['┌', '┬', '┐'],
  middle: ['├', '┼', '┤'],
  bottom: ['└', '┴', '┘'],
  line: '─',
  side: '│',
};
const rounded: Border = { ...square, top: ['╭', '┬', '╮'], bottom: ['╰', '┴', '╯'] };

const plain: Theme = {
  description: 'Plain text: no colours, symbols or frames.',
  message: {
    success: { symbol: '', style: '' },
    error: { symbol: '', style: '' },
    warning: { symbol: '', style: '' },
    info: { symbol: '', style: '' },
  },
  title: '',
  header: '',
  border: undefined,
  json: { key: '', string: '', number: '', literal: '' },
};

export const themes: Readonly<Record<ThemeName, Theme>> = {
  default: {
    description: 'One colour and a symbol for each kind of message, framed tables, coloured JSON.',
    message: {
      success: { symbol: '✅', style: '32' },
      error: { symbol: '❌', style: '31' },
      warning: { symbol: '⚠️', style: '33' },
      info: { symbol: 'ℹ️', style: '36' },
    },
    title: '',
    header: '1',
    border: square,
    json: { key: '36', string: '32', number: '33', literal: '35' },
  },
  rich: {
    description: 'As default, with bold text, coloured table headers and round frames.',
    message: {
      success: { symbol: '✅', style: '1;32' },
      error: { symbol: '❌', style: '1;31' },
      warning: { symbol: '⚠️', style: '1;33' },
      info: { symbol: 'ℹ️', style: '1;36' },
    },
    title: '1',
    header: '1;36',
    border: rounded,
    json: { key: '1;36', string: '32', number: '33', literal: '35' },
  },
  minimal: plain,
  json: { ...plain, description: 'A JSON object with the type and the content, for programs; it is never wrapped.' },
};

/** Each line by itself, for pagers reset colours at the end of a line. */
export function styled(line: string, style: string): string {
  return style === '' || line === '' ? line : `\x1b[${style}m${line}\x1b[0m`;
}
