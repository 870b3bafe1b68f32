import { z } from 'zod';
import { GlassError } from '../base/errors';
import type { Session } from '../core/session/session';
import type { ToolContext } from './tool';

type Scope = Pick<ToolContext, 'registry' | 'caller'>;

/** The parameters by which a call names a terminal: one of the caller's own by number, or any of this host by session id. */
export const terminalReference = {
  terminal: z
    .number()
    .int()
    .min(0)
    .max(9999)
    .optional()
    .meta({ default: 0 })
    .describe('Which of your terminals: 0, 1, 2 …'),
  session_id: z.string().optional().describe('Instead of `terminal`: a terminal of anybody, by its id from LIST.'),
};

export interface TerminalReference {
  readonly terminal?: number | undefined;
  readonly session_id?: string | undefined;
  readonly command_id?: string | undefined;
}

/** The same, and a command by its id: one of `execute`'s, or any that a terminal runs or has run. */
export const commandReference = {
  ...terminalReference,
  command_id: z.string().optional().describe('Instead of `terminal`: a command, by the id that a reply gave.'),
};

/** The named session, or undefined when the caller has no terminal of that number. Throws `unknown_session` for an unknown id. */
export function findSession(reference: TerminalReference, { registry, caller }: Scope): Session | undefined {
  if (reference.session_id === undefined) return registry.find(caller.owner, reference.terminal ?? 0);
  const session = registry.byId(reference.session_id);
  if (session && (reference.terminal === undefined || reference.terminal === session.number)) return session;
  if (session) {
    throw new GlassError(
      'invalid_input',
      `Session ${session.id} is ${session.name}, not terminal ${reference.terminal}. Give session_id alone.`,
    );
  }
  const known = registry.all.map(one => one.id).join(', ') || 'none';
  throw new GlassError(
    'unknown_session',
    `There is no session ${reference.session_id}. The sessions of this host: ${known}.`,
  );
}

/** The named session if the reference is good; a bad one is refused when the tool runs. With the number that a person knows it by. */
export function peekSession(reference: TerminalReference, { registry, caller }: Scope) {
  const number = reference.terminal ?? 0;
  const session =
    reference.command_id !== undefined
      ? registry.ofCommand(caller.owner, reference.command_id)
      : reference.session_id === undefined
        ? registry.find(caller.owner, number)
        : registry.byId(reference.session_id);
  return { session, number: session?.number ?? number, name: session?.name ?? `terminal ${number}` };
}

/** As `requireSession`, for tools that take `command_id`. Naming two things at once is a mistake, not a choice. */
export function requireCommandSession(reference: TerminalReference, scope: Scope): Session {
  const { command_id: id, terminal, session_id } = reference;
  if (id === undefined) return requireSession(reference, scope);
  if (terminal !== undefined || session_id !== undefined) {
    throw new GlassError(
      'invalid_input',
      'Give command_id or terminal, not both: a command_id says which terminal it is.',
    );
  }
  const session = scope.registry.ofCommand(scope.caller.owner, id);
  if (session) return session;
  throw new GlassError(
    'unknown_command',
    `There is no command ${id} of yours, or it is no longer kept. Run it again, or READ the terminal it ran in.`,
  );
}

/** As `findSession`, but a terminal that does not exist is an error that lists those that do. */
export function requireSession(reference: TerminalReference, scope: Scope): Session {
  const session = findSession(reference, scope);
  if (session) return session;
  const mine = scope.registry.numberedOf(scope.caller.owner).map(one => one.number);
  const which = mine.length === 0 ? 'You have no terminals yet' : `Your terminals are: ${mine.join(', ')}`;
  throw new GlassError(
    'unknown_terminal',
    `There is no terminal ${reference.terminal ?? 0}. ${which}. EXEC opens one; LIST shows them.`,
  );
}
