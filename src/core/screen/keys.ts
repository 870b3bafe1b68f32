import { GlassError } from '../../base/errors';

/** The modes of a terminal that change what a key sends. */
export interface KeyModes {
  /** DECCKM: arrows, home and end send SS3 instead of CSI. */
  readonly applicationCursorKeysMode: boolean;
  /** What the program wants to hear of the mouse (DECSET 9, 1000, 1002, 1003). */
  readonly mouseTrackingMode: 'none' | 'x10' | 'vt200' | 'drag' | 'any';
  /** Whether it takes mouse reports as numbers (DECSET 1006) rather than as bytes. */
  readonly sgrMouse: boolean;
}

interface Modifiers {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

type Encode = (modifiers: Modifiers, modes: KeyModes) => string;

/** A key that sends `CSI letter`, SS3 instead in application mode, and takes modifiers as `CSI 1 ; m letter`. */
const cursor =
  (letter: string): Encode =>
  (modifiers, modes) => {
    const parameter = modifierParameter(modifiers);
    if (parameter > 1) return `\x1b[1;${parameter}${letter}`;
    return modes.applicationCursorKeysMode ? `\x1bO${letter}` : `\x1b[${letter}`;
  };

/** F1 to F4 send SS3 in either mode. */
const function4 =
  (letter: string): Encode =>
  modifiers => {
    const parameter = modifierParameter(modifiers);
    return parameter > 1 ? `\x1b[1;${parameter}${letter}` : `\x1bO${letter}`;
  };

/** A key that sends `CSI number ~`, with modifiers `CSI number ; m ~`. */
const numbered =
  (number: number): Encode =>
  modifiers => {
    const parameter = modifierParameter(modifiers);
    return parameter > 1 ? `\x1b[${number};${parameter}~` : `\x1b[${number}~`;
  };

/** A key that sends a character; alt puts ESC before it. */
const character =
  (plain: string, shifted = plain, controlled = plain): Encode =>
  ({ shift, alt, ctrl }) =>
    (alt ? '\x1b' : '') + (ctrl ? controlled : shift ? shifted : plain);

/** What each named key sends (xterm control sequences, "PC-Style Function Keys"). */
const named: Readonly<Record<string, Encode>> = {
  enter: character('\r'),
  return: character('\r'),
  tab: character('\t', '\x1b[Z'),
  backtab: character('\x1b[Z'),
  esc: character('\x1b'),
  escape: character('\x1b'),
  space: character(' ', ' ', '\0'),
  backspace: character('\x7f', '\x7f', '\b'),
  bs: character('\x7f', '\x7f', '\b'),
  comma: character(','),
  plus: character('+'),
  up: cursor('A'),
  down: cursor('B'),
  right: cursor('C'),
  left: cursor('D'),
  home: cursor('H'),
  end: cursor('F'),
  insert: numbered(2),
  delete: numbered(3),
  del: numbered(3),
  pageup: numbered(5),
  pagedown: numbered(6),
  f1: function4('P'),
  f2: function4('Q'),
  f3: function4('R'),
  f4: function4('S'),
  f5: numbered(15),
  f6: numbered(17),
  f7: numbered(18),
  f8: numbered(19),
  f9: numbered(20),
  f10: numbered(21),
  f11: numbered(23),
  f12: numbered(24),
};

/** Button codes (xterm control sequences, "Mouse Tracking"). */
const mouseButtons: Readonly<
  Record<string, { readonly code: number; readonly isWheel?: true; readonly times?: number }>
> = {
  click: { code: 0 },
  doubleclick: { code: 0, times: 2 },
  middleclick: { code: 1 },
  rightclick: { code: 2 },
  wheelup: { code: 64, isWheel: true },
  wheeldown: { code: 65, isWheel: true },
};
/** Largest row or column that is, 32 added, one byte in UTF-8, as which everything is sent. */
const MAX_BYTE_CELL = 95;

const MAX_REPEAT = 1000;

/**
 * What keys given by name send to a terminal in these modes. Names are separated by commas, case and blanks do not matter, `*N` repeats:
 * `ctrl+c`, `down*5, enter`, `alt+shift+left`. The mouse acts at a cell, row and column from 1: `click@3:10`, `wheeldown@1:1*3`. Throws `unknown_key`,
 * naming the keys there are, or `mouse_not_wanted`.
 */
export function encodeKeys(text: string, modes: KeyModes): string {
  const keys = text.toLowerCase().replace(/\s+/g, '').split(',');
  return keys.map(key => encodeKey(key, modes)).join('');
}

function encodeKey(text: string, modes: KeyModes): string {
  const [, key = '', times = '1'] = /^(.+?)(?:\*(\d+))?$/.exec(text) ?? [];
  const parts = key.split('+');
  const name = parts.pop() ?? '';
  const modifiers = { shift: parts.includes('shift'), alt: parts.includes('alt'), ctrl: parts.includes('ctrl') };
  const sequence = parts.every(part => part in modifiers) ? encodeOne(name, modifiers, modes) : undefined;
  if (sequence === undefined) throw unknownKey(text);
  return sequence.repeat(Math.min(Number(times), MAX_REPEAT));
}

function encodeOne(name: string, modifiers: Modifiers, modes: KeyModes): string | undefined {
  const encode = Object.hasOwn(named, name) ? named[name] : undefined;
  if (encode) return encode(modifiers, modes);
  const mouse = /^([a-z]+)@(\d{1,4}):(\d{1,4})$/.exec(name);
  if (mouse) return encodeMouse(mouse[1] ?? '', Number(mouse[2]), Number(mouse[3]), modifiers, modes);
  if ([...name].length !== 1) return undefined;
  const alt = modifiers.alt ? '\x1b' : '';
  if (!modifiers.ctrl) return modifiers.alt ? alt + (modifiers.shift ? name.toUpperCase() : name) : undefined;
  const control = controlCharacter(name);
  return control === undefined ? undefined : alt + control;
}

function encodeMouse(
  name: string,
  row: number,
  column: number,
  modifiers: Modifiers,
  modes: KeyModes,
): string | undefined {
  const button = Object.hasOwn(mouseButtons, name) ? mouseButtons[name] : undefined;
  if (!button || row < 1 || column < 1) return undefined;
  const { mouseTrackingMode, sgrMouse } = modes;
  const isX10 = mouseTrackingMode === 'x10';
  if (
    mouseTrackingMode === 'none' ||
    (isX10 && button.isWheel) ||
    (!sgrMouse && Math.max(row, column) > MAX_BYTE_CELL)
  ) {
    throw new GlassError(
      'mouse_not_wanted',
      `The program takes no ${name} at row ${row}, column ${column}: ${mouseTrackingMode === 'none' ? 'it has not asked for the mouse' : 'its mouse mode does not reach so far'}. Use keys instead.`,
    );
  }
  const code =
    button.code + (isX10 ? 0 : (modifiers.shift ? 4 : 0) + (modifiers.alt ? 8 : 0) + (modifiers.ctrl ? 16 : 0));
  const report = (value: number, final: 'M' | 'm') =>
    sgrMouse
      ? `\x1b[<${value};${column};${row}${final}`
      : `\x1b[M${String.fromCharCode(value + 32, column + 32, row + 32)}`;
  // Without SGR a release does not say of which button.
  const release = button.isWheel || isX10 ? '' : report(sgrMouse ? code : (code & ~3) | 3, 'm');
  return (report(code, 'M') + release).repeat(button.times ?? 1);
}

/** ctrl and one of `@ a…z [ \ ] ^ _`, or `?` for DEL. */
function controlCharacter(name: string): string | undefined {
  if (name === '?') return '\x7f';
  return /^[@a-z[\\\]^_]$/.test(name) ? String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f) : undefined;
}

function modifierParameter({ shift, alt, ctrl }: Modifiers): number {
  return 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
}

function unknownKey(text: string): GlassError {
  return new GlassError(
    'unknown_key',
    `There is no key ${JSON.stringify(text)}. Keys are ctrl+a to ctrl+z, ctrl+\\ ctrl+] ctrl+^ ctrl+_ ctrl+[ ctrl+@, alt+ any character, and ${Object.keys(named).join(' ')}, with shift+ alt+ ctrl+ before and *N behind; several are separated by commas. In programs that take the mouse: ${Object.keys(mouseButtons).join(' ')} with @row:column. For text use respond.`,
  );
}
