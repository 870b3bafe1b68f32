import { z } from 'zod';
import { GlassError } from '../base/errors';
import { defineTool } from './tool';

const input = z.strictObject({
  host: z.string(),
  port: z.number().int().min(1).max(65_535).default(22),
  username: z.string().optional(),
  password: z.string().optional(),
  key_filepath: z.string().optional(),
  banner_timeout: z.number().min(0).default(2).describe('Seconds.'),
});

const output = z.object({ session_id: z.string(), banner: z.string() });

/** interminal's `connect_ssh`. Its parameters are there, so that a client of that server's gets an answer that says how to go on. */
export const connectSsh = defineTool({
  name: 'connect_ssh',
  title: 'Connect by SSH',
  summary: 'Not available yet; says how to use ssh in a terminal.',
  description:
    'Not available yet: it always answers ssh_not_available. To work on a remote machine run `ssh -t user@host` by terminal EXEC, and go on there by respond, send_control and read_output; the person types a password that is asked for.',
  icon: 'remote',
  set: 'interminal',
  input,
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },

  prepare(call) {
    return { message: `Connecting to ${call.host}` };
  },

  async run({ host, port, username }) {
    const target = `${username === undefined ? '' : `${username}@`}${host}`;
    throw new GlassError(
      'ssh_not_available',
      `This version opens no SSH sessions. Nothing was sent. Run \`ssh -t${port === 22 ? '' : ` -p ${port}`} ${target}\` by terminal EXEC with a small await_completion_ms, and go on there by respond and read_output; a password is typed by the person.`,
      { host, port },
    );
  },
});
