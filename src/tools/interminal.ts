import { z } from 'zod';
import { GlassError } from '../base/errors';
import { DEFAULT_SIZE } from '../core/session/openShell';
import type { Profile } from '../core/session/profiles';
import { waitForQuiet } from '../core/session/quiet';
import type { Session } from '../core/session/session';
import { findShell } from '../core/shell/findShell';
import { quietParameters } from './exchange';
import { fenced } from './markdown';
import { reportProgress } from './progress';
import { commandText, factsOf, noteOn, terminalFacts } from './report';
import { defineTool, type ToolContext } from './tool';

/** The rest of interminal's set, under its names and shapes: places in which commands run, each in a pty of its own. */

const id = z.string().describe('From create_local or list_sessions.');
const listed = z.object({ session_id: z.string(), type: z.literal('local'), shell: z.string() });
const CTRL_C = '\x03';

export const createLocal = defineTool({
  name: 'create_local',
  title: 'Create a Local Session',
  summary: 'Makes a place in which execute runs commands on this machine.',
  description: `Makes a local session for execute and returns its session_id. Each execute in it is a process of its own, in which nothing carries over; for a shell that keeps its directory and variables use terminal.`,
  icon: 'add',
  set: 'interminal',
  input: z.strictObject({
    shell: z.string().optional().describe('Name or path of the shell; default is the user’s.'),
  }),
  output: z.object({ session_id: z.string(), shell: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },

  prepare() {
    return { message: 'Creating a session' };
  },

  async run(call, { registry, caller }) {
    const shell = findShell(call.shell ?? caller.shell, registry.setup.baseEnv);
    const profile = registry.profiles.add(caller.owner, shell);
    return { output: profile.id, note: '', structured: { session_id: profile.id, shell } };
  },
});

export const execute = defineTool({
  name: 'execute',
  title: 'Execute a Command',
  summary: 'Runs a command in a pty of its own.',
  description: `Runs a command in a session of create_local, in a pty of its own: no cd carries over. Returns status "completed" with output and exit_code, or, when output pauses for pause_timeout or total_timeout is over, status "partial" with the output so far and a command_id, by which respond, read_output and send_control go on with it.`,
  icon: 'play',
  set: 'interminal',
  input: z.strictObject({ session_id: id, command: z.string(), ...quietParameters(30) }),
  output: z.object({ ...terminalFacts, status: z.enum(['completed', 'partial']) }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, { caller }) {
    return {
      message: 'Executing a command',
      confirm: {
        title: 'Execute this command?',
        message: `${fenced(call.command)}\n\nBy itself, in \`${caller.cwd}\``,
      },
    };
  },

  async run(call, context) {
    const session = start(call.command, requireProfile(call.session_id, context), context);
    const command = session.tracker.current ?? session.tracker.last;
    const progress = reportProgress(session, context);
    try {
      await waitForQuiet(session, {
        command,
        since: 0,
        pauseMs: call.pause_timeout * 1000,
        totalMs: Math.min(call.total_timeout * 1000, context.patienceMs),
        signal: context.signal,
      });
    } catch (error) {
      // Cancelling the call that started a command ends the command; cancelling a later one leaves it.
      if (context.signal.aborted && !session.exit) session.write(CTRL_C);
      throw error;
    } finally {
      progress.dispose();
    }
    return resultOf(session, context);
  },
});

export const disconnect = defineTool({
  name: 'disconnect',
  title: 'Disconnect a Session',
  summary: 'Ends a session of create_local and what runs in it.',
  description:
    'Ends a session that create_local made, with every command that still runs in it, and forgets it. Numbered terminals are ended by terminal KILL.',
  icon: 'debug-disconnect',
  set: 'interminal',
  input: z.strictObject({ session_id: id }),
  output: z.object({ disconnected: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare() {
    return { message: 'Disconnecting a session' };
  },

  async run(call, context) {
    const { registry, caller } = context;
    const profile = requireProfile(call.session_id, context);
    registry.profiles.remove(profile);
    const theirs = registry.ownedBy(caller.owner).filter(session => session.profile === profile.id);
    await Promise.all(theirs.map(session => registry.end(session)));
    return { output: 'true', note: '', structured: { disconnected: true } };
  },
});

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List Sessions',
  summary: 'Lists the sessions of create_local.',
  description:
    'Lists the sessions that create_local made, with their shells. Numbered terminals, which keep directory and variables, are listed by terminal LIST.',
  icon: 'list-flat',
  set: 'interminal',
  input: z.strictObject({}),
  output: z.object({ sessions: z.array(listed) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare() {
    return { message: 'Listing sessions' };
  },

  async run(_call, { registry, caller }) {
    const sessions = registry.profiles.ownedBy(caller.owner).map(profile => ({
      session_id: profile.id,
      type: profile.type,
      shell: profile.shell,
    }));
    return {
      output: sessions.map(one => `${one.session_id}  ${one.type}  ${one.shell}`).join('\n'),
      note: '',
      structured: { sessions },
    };
  },
});

function requireProfile(sessionId: string, { registry, caller }: ToolContext): Profile {
  const profile = registry.profiles.find(caller.owner, sessionId);
  if (profile) return profile;
  const known = registry.profiles.ownedBy(caller.owner).map(one => one.id);
  throw new GlassError(
    'unknown_session',
    `There is no session ${sessionId}. ${known.length === 0 ? 'create_local makes one' : `Yours are: ${known.join(', ')}`}.`,
  );
}

function start(command: string, profile: Profile, { registry, caller }: ToolContext): Session {
  if (command.trim() === '')
    throw new GlassError('invalid_command', 'The command is empty. Give the command line to run.');
  return registry.run({
    owner: caller.owner,
    shell: profile.shell,
    profile: profile.id,
    command,
    cwd: caller.cwd,
    ...DEFAULT_SIZE,
  });
}

async function resultOf(session: Session, { caller }: ToolContext) {
  const command = session.tracker.last;
  if (!command) throw new GlassError('internal_error', 'The command was not started. Try again.');
  const text = await commandText(session, command, 0);
  session.readers.set(caller.owner, session.log.end);
  const facts = { ...(await factsOf(session, command)), ...text };
  const status = facts.completed ? ('completed' as const) : ('partial' as const);
  const advice = facts.completed ? [] : [`go on by command_id=${command.id}`];
  return { output: text.output, note: noteOn(facts, advice), structured: { ...facts, status } };
}
