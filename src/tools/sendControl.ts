import { z } from 'zod';
import { encodeKeys } from '../core/screen/keys';
import { press } from '../core/session/press';
import { exchange, quietParameters } from './exchange';
import { fenced } from './markdown';
import { noteOn, terminalFacts } from './report';
import { screenFacts } from './screenReport';
import { commandReference, peekSession, requireCommandSession } from './sessions';
import { defineTool } from './tool';

const input = z.strictObject({
  ...commandReference,
  signal: z
    .string()
    .min(1)
    .default('ctrl+c')
    .describe(
      'ctrl+c, ctrl+d, enter, esc, tab, up, f5, alt+x …; several as `down*5, enter`. With the mouse, if the program takes it: click@row:column, wheeldown@5:1*3.',
    ),
  ...quietParameters(10),
});

/** Keys that end or suspend a program, and tell it nothing. */
const givesUp = /^\s*(?:ctrl\s*\+\s*[cdz\\]|esc|escape)\s*$/i;

const output = z.object({
  ...terminalFacts,
  status: z.enum(['completed', 'partial']),
  keys: z.string(),
  screen: screenFacts.optional(),
});

/** interminal's `send_control`, for numbered terminals: keys by name, since clients strip control characters from strings. */
export const sendControl = defineTool({
  name: 'send_control',
  title: 'Send Keys to a Terminal',
  summary: 'Presses keys such as ctrl+c or arrows in a terminal.',
  description: `Presses keys in a terminal, by name, for the program that runs there: ctrl+c to interrupt it, ctrl+d for the end of its input, arrows, enter, esc, tab, function keys, with shift+ alt+ ctrl+. Several are separated by commas, *N repeats: "down*5, enter". No Enter is added.
Returns what was printed since, or a full-screen program’s screen, once silent for pause_timeout or the command has ended. To run a command use terminal instead.`,
  icon: 'keyboard',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, scope) {
    const { session, name } = peekSession(call, scope);
    const running = session?.tracker.current?.text;
    return {
      message: `Pressing ${call.signal} in ${name}`,
      confirm: {
        title: `Press ${call.signal} in ${name}?`,
        message: running ? `It is running:\n${fenced(running)}` : `The terminal is ${session?.state ?? 'not open'}.`,
      },
    };
  },

  async run(call, context) {
    const session = requireCommandSession(call, context);
    const send = () => press(session, encodeKeys(call.signal, session.screen.modes), context.signal);
    const said = await exchange(session, send, { ...call, givesUp: givesUp.test(call.signal) }, context);
    return { output: said.output, note: noteOn(said), structured: { ...said, keys: call.signal } };
  },
});
