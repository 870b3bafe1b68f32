import { z } from 'zod';
import { GlassError } from '../base/errors';
import { DEFAULT_BUDGET, excerpt } from '../core/output/excerpt';
import { renderText } from '../core/output/render';
import { decodeUtf8 } from '../core/screen/tokenizer';
import type { Owner } from '../core/session/owner';
import { waitForQuiet } from '../core/session/quiet';
import type { Session } from '../core/session/session';
import type { Command } from '../core/shell/commandTracker';
import { quietParameters } from './exchange';
import { toRegExp } from './pattern';
import { factsOf, noteOn, saidSince, terminalFacts } from './report';
import { picturedText, pictureText, screenFacts } from './screenReport';
import { commandReference, requireCommandSession } from './sessions';
import { defineTool, type ToolContext, type ToolImage } from './tool';

const input = z.strictObject({
  ...commandReference,
  view: z.enum(['new', 'screen', 'log', 'search']).default('new'),
  image: z.boolean().default(false).describe('screen: a PNG, too.'),
  from: z.number().int().min(0).optional().describe('log: first line, from 1, or first byte, from 0.'),
  to: z.number().int().min(0).optional().describe('log: last line, or the byte behind the last.'),
  unit: z
    .enum(['lines', 'bytes'])
    .default('lines')
    .describe('log: bytes gives exactly what was printed, with its control sequences.'),
  pattern: z.string().optional().describe('search: regular expression.'),
  context: z.number().int().min(0).max(50).default(2).describe('search: lines around each match.'),
  ...quietParameters(30),
});

const output = z.object({
  ...terminalFacts,
  status: z.enum(['completed', 'partial']),
  screen: screenFacts.optional(),
  matches: z.number().int().optional(),
  bytes: z
    .object({
      from: z.number().int(),
      to: z.number().int(),
      end: z.number().int().describe('All that was printed.'),
    })
    .optional()
    .describe('The bytes that the text is; go on at `to`.'),
});

type Input = z.output<typeof input>;
type Text = { output: string; total_lines: number; images?: readonly ToolImage[] };

/** interminal's `read_output`, for numbered terminals, with more ways to look. */
export const readOutput = defineTool({
  name: 'read_output',
  title: 'Read a Terminal',
  summary: 'Reads what a terminal has printed.',
  description: `Reads a terminal. view "new" (default) waits for more output of a running command until it pauses, and returns what you have not seen yet; "screen" is what a person sees now, for full-screen programs such as vim, with the cursor, the selected (reversed) cells and the rows that changed since you looked; "log" gives any lines of everything that is kept, or of one command by command_id; "search" finds lines by a regular expression, with line numbers. Use wait to block until something happens.`,
  icon: 'output',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false },

  prepare(call) {
    return { message: `Reading ${call.command_id ?? call.session_id ?? `terminal ${call.terminal ?? 0}`}` };
  },

  async run(call, context) {
    const session = requireCommandSession(call, context);
    const { images = [], ...text } = await readView(session, call, context);
    const command = call.command_id === undefined ? session.tracker.last : session.tracker.find(call.command_id);
    const facts = await factsOf(session, command);
    const structured = { ...facts, ...text, status: facts.completed ? ('completed' as const) : ('partial' as const) };
    return { output: text.output, note: noteOn(structured), structured, images };
  },
});

async function readView(session: Session, call: Input, context: ToolContext): Promise<Text> {
  if (call.image && call.view !== 'screen') {
    throw new GlassError('invalid_input', 'An image there is only of what a person sees: use view "screen" with it.');
  }
  switch (call.view) {
    case 'new':
      return readNew(session, call, context);
    case 'screen':
      return readScreen(session, call, context);
    case 'log':
      return call.unit === 'bytes' ? readBytes(session, call) : readLog(session, call);
    default:
      return search(session, call);
  }
}

function readScreen(session: Session, { image }: Input, { caller, registry }: ToolContext): Promise<Text> {
  return image ? picturedText(session, caller.owner, registry.setup.font) : pictureText(session, caller.owner);
}

async function readNew(session: Session, call: Input, context: ToolContext): Promise<Text> {
  const reader = context.caller.owner;
  const { current } = session.tracker;
  // Nothing more is to be expected at a prompt, and what is there is there.
  if (current) {
    await waitForQuiet(session, {
      command: current,
      since: unread(session, reader),
      pauseMs: call.pause_timeout * 1000,
      totalMs: Math.min(call.total_timeout * 1000, context.patienceMs),
      signal: context.signal,
    });
  }
  const since = unread(session, reader);
  if (session.log.end <= since) return { output: '', total_lines: 0 };
  const text = await saidSince(session, since, { reader, command: current });
  session.readers.set(reader, session.log.end);
  return text;
}

/** Where a reader goes on; one who stopped in the middle of a command line's echo goes on where its output begins. */
function unread(session: Session, reader: Owner): number {
  const offset = session.readers.get(reader);
  const { last, promptEnd } = session.tracker;
  const outputStart = last ? session.tracker.outputOf(last).from : offset;
  return offset >= promptEnd && offset < outputStart ? outputStart : offset;
}

async function readLog(session: Session, call: Input): Promise<Text> {
  const lines = await linesOf(session, call);
  const first = Math.max(1, call.from ?? 1);
  const wanted = lines.slice(first - 1, call.to);
  const scope = call.command_id === undefined ? '' : ` command_id=${call.command_id}`;
  const shown = excerpt(wanted, {
    budget: DEFAULT_BUDGET,
    maxLines: 0,
    firstLine: first,
    howToRead: from => `read_output view=log${scope} from=${from}`,
  });
  const { leftOut } = shown;
  return {
    output: shown.text,
    total_lines: lines.length,
    ...(leftOut && {
      left_out: { from_line: leftOut.from, to_line: leftOut.to, lines: leftOut.lines, characters: leftOut.characters },
    }),
  };
}

/** As many bytes as the budget allows from `from` on, in whole characters. */
async function readBytes(session: Session, call: Input): Promise<Text> {
  const bounds = boundsOf(session, call);
  const from = Math.max(call.from ?? bounds.from, session.log.start);
  const { bytes } = session.log.read(from, Math.min(call.to ?? bounds.to, from + DEFAULT_BUDGET));
  let length = bytes.length;
  // A control character takes six characters of JSON.
  const cost = () => JSON.stringify(decodeUtf8(bytes.subarray(0, length))).length;
  while (cost() > DEFAULT_BUDGET) length = wholeCharacters(bytes, Math.floor(length * 0.9));
  if (from + length < session.log.end) length = wholeCharacters(bytes, length);
  const to = from + length;
  const text = decodeUtf8(bytes.subarray(0, length));
  return { output: text, total_lines: text.split('\n').length, ...{ bytes: { from, to, end: session.log.end } } };
}

/** The greatest length up to `length` that does not end within a character of UTF-8. */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    // A lead byte, which says how many belong to it.
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length;
  }
  return length;
}

async function search(session: Session, call: Input): Promise<Text> {
  if (!call.pattern) throw new GlassError('invalid_input', 'view "search" needs `pattern`, a regular expression.');
  const pattern = toRegExp(call.pattern);
  const lines = await linesOf(session, call);
  const hits = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  const isHit = new Set(hits);
  const around = new Set(hits.flatMap(hit => range(hit - call.context, hit + call.context)));
  const found = lines.flatMap((line, index) =>
    around.has(index) ? [`${index + 1}${isHit.has(index) ? ':' : '-'} ${line}`] : [],
  );
  const shown = excerpt(found, { budget: DEFAULT_BUDGET, maxLines: 0, howToRead: () => 'search for something rarer' });
  return { output: shown.text, total_lines: lines.length, ...{ matches: hits.length } };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The lines of one command's output, or of everything that is kept. */
async function linesOf(session: Session, call: Input): Promise<string[]> {
  const { from, to } = boundsOf(session, call);
  return renderText(session.log.read(from, to).bytes, session);
}

function boundsOf(session: Session, { command_id: id }: Input): { readonly from: number; readonly to: number } {
  return id === undefined ? session.log.bounds : session.tracker.outputOf(commandOf(session, id));
}

function commandOf(session: Session, id: string): Command {
  const command = session.tracker.find(id);
  if (command) return command;
  throw new GlassError(
    'unknown_command',
    `There is in ${session.name} no command ${id}. Leave command_id out to read everything.`,
  );
}
