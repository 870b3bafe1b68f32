import { z } from 'zod';
import { GlassError } from '../base/errors';
import type { Session } from '../core/session/session';
import { exchange, quietParameters } from './exchange';
import { fenced } from './markdown';
import { noteOn, terminalFacts } from './report';
import { screenFacts } from './screenReport';
import { commandReference, peekSession, requireCommandSession } from './sessions';
import { defineTool } from './tool';

const input = z.strictObject({
  text: z
    .string()
    .describe('What to type. Enter is added unless it ends with a line feed already, or `enter` is false.'),
  ...commandReference,
  enter: z.boolean().default(true),
  paste: z
    .boolean()
    .default(false)
    .describe('Send it as one paste, so that an editor does not act on each character. Several lines always are.'),
  ...quietParameters(30),
});

const output = z.object({ ...terminalFacts, status: z.enum(['completed', 'partial']), screen: screenFacts.optional() });

/** interminal's `respond`, for numbered terminals: text for a program that waits for input. */
export const respond = defineTool({
  name: 'respond',
  title: 'Answer a Program in a Terminal',
  summary: 'Types text into the program that runs in a terminal.',
  description: `Types text for the program that runs in a terminal: the answer to a [Y/n] question, a line for a REPL, the rest of an unfinished command line. Enter is added. Returns what was printed since, or a full-screen program’s screen, once silent for pause_timeout or the command has ended. At a shell prompt use terminal EXEC instead; for keys such as ctrl+c or arrows use send_control. Never send passwords: the person types them.`,
  icon: 'comment',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, scope) {
    const { session, name } = peekSession(call, scope);
    const running = session?.tracker.current?.text;
    return {
      message: `Answering in ${name}`,
      confirm: {
        title: `Type this into ${name}?`,
        message: `${fenced(call.text)}${running ? `\n\nIt is running:\n${fenced(running)}` : ''}`,
      },
    };
  },

  async run(call, context) {
    const session = requireCommandSession(call, context);
    if (!session.tracker.current && session.state === 'prompt') {
      throw new GlassError(
        'nothing_running',
        `Nothing runs in ${session.name} that could be answered; it is at its shell's prompt. Use terminal EXEC to run a command.`,
      );
    }
    const said = await exchange(session, () => session.write(keystrokes(call, session)), call, context);
    return { output: said.output, note: noteOn(said), structured: said };
  },
});

/** Enter is CR. A paste is marked as one (bracketed) for a program that asked for that. */
function keystrokes({ text, enter, paste }: z.output<typeof input>, session: Session): string {
  const body = text.replace(/\r\n?/g, '\n');
  const endsWithEnter = body.endsWith('\n');
  const lines = (endsWithEnter ? body.slice(0, -1) : body).replaceAll('\n', '\r');
  // An escape sequence in it could end the paste.
  const isPaste = (paste || lines.includes('\r')) && session.screen.modes.bracketedPasteMode && !lines.includes('\x1b');
  return `${isPaste ? `\x1b[200~${lines}\x1b[201~` : lines}${enter || endsWithEnter ? '\r' : ''}`;
}
