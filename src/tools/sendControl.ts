import { z } from 'zod';
import { encodeKeys } from '../core/screen/keys';
import { press } from '../core/session/press';
import { waitForQuiet } from '../core/session/quiet';
import { factsOf, noteOn, terminalFacts, textSince } from './report';
import { requireSession } from './sessions';
import { defineTool } from './tool';

const input = z.strictObject({
  terminal: z.number().int().min(0).max(9999).optional().meta({ default: 0 }).describe('Which of your terminals.'),
  session_id: z.string().optional().describe('A terminal of anybody, by its session id, instead of `terminal`.'),
  signal: z
    .string()
    .min(1)
    .default('ctrl+c')
    .describe(
      'Keys by name: ctrl+c, ctrl+d, q is not one but enter, esc, tab, up, f5, alt+x are; `down*5, enter` sends several.',
    ),
  pause_timeout: z.number().min(0).max(600).default(2).describe('Seconds of silence after which to return.'),
  total_timeout: z.number().min(0).max(3600).default(10).describe('Longest wait in seconds.'),
});

const output = z.object({ ...terminalFacts, keys: z.string() });

/** interminal's `send_control`, for numbered terminals: keys by name, since clients strip control characters from strings. */
export const sendControl = defineTool({
  name: 'send_control',
  title: 'Send Keys to a Terminal',
  summary: 'Presses keys such as ctrl+c or arrows in a terminal.',
  description: `Presses keys in a terminal, by name, for the program that runs there: ctrl+c to interrupt it, ctrl+d for the end of its input, arrows, enter, esc, tab, function keys, with shift+ alt+ ctrl+. Several are separated by commas, *N repeats: "down*5, enter". No Enter is added.
Returns what the terminal printed since, once it has been silent for pause_timeout or its command has ended, and the terminal's state. To run a command use terminal instead.`,
  icon: 'keyboard',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, { registry, caller }) {
    const session =
      call.session_id === undefined ? registry.find(caller.owner, call.terminal ?? 0) : registry.byId(call.session_id);
    const number = session?.number ?? call.terminal ?? 0;
    const running = session?.tracker.current?.text;
    return {
      message: `Pressing ${call.signal} in terminal ${number}`,
      confirm: {
        title: `Press ${call.signal} in terminal ${number}?`,
        message: running
          ? `It is running:\n\n    ${running.split('\n').join('\n    ')}`
          : `The terminal is ${session?.state ?? 'not open'}.`,
      },
    };
  },

  async run(call, context) {
    const session = requireSession(call, context);
    await session.screen.flush();
    const keys = encodeKeys(call.signal, session.screen.modes);
    const { current, last } = session.tracker;
    const since = session.log.end;
    await press(session, keys, context.signal);
    await waitForQuiet(session, {
      command: current,
      since,
      pauseMs: call.pause_timeout * 1000,
      totalMs: Math.min(call.total_timeout * 1000, context.patienceMs),
      signal: context.signal,
    });
    const text = await textSince(session, since);
    const structured = { ...factsOf(session, last), ...text, keys: call.signal };
    return { output: text.output, note: noteOn(structured), structured };
  },
});
