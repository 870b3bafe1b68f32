import { z } from 'zod';
import { GlassError, messageOf } from '../base/errors';
import { ENDING_MS, runIsolated } from '../core/session/runIsolated';
import { directoryOf } from './directory';
import { isolatedFacts, isolatedFactsOf, isolatedNote } from './isolatedReport';
import { fenced } from './markdown';
import { lastLine, startProgress } from './progress';
import { defineTool } from './tool';

const input = z.strictObject({
  command: z.string().describe('The command line or script to run, for sh.'),
  working_directory: z.string().optional().describe('Directory to run it in; default is your workspace folder.'),
  timeout_seconds: z
    .number()
    .min(0.1)
    .max(86_400)
    .default(30)
    .describe('After this time the command is ended with everything it has started.'),
  capture_output: z.boolean().default(true).describe('False runs it without returning what it prints.'),
});

const output = z.object(isolatedFacts);

/** codomyrmex's `run_terminal_command`: one bounded command, isolated from all terminals. */
export const runTerminalCommand = defineTool({
  name: 'run_terminal_command',
  title: 'Run One Command',
  summary: 'Runs one command by itself, with its output and errors apart and a time limit.',
  description: `Runs one command in a fresh shell (sh -c) and returns stdout and stderr apart, return_code and execution_time. Nothing carries over to the next call, standard input is empty, and there is no terminal, so programs print plainly and cannot ask anything.
Use it when you need stderr apart from stdout, an exact result of a short command, or a hard time limit: when timeout_seconds is over, the command is ended with all that it started, and you get the output so far with timed_out true. For everything else, and always for cd and variables that stay, long work, servers, and programs that ask something, use terminal.`,
  icon: 'play',
  set: 'core',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },

  prepare(call, { caller }) {
    const cwd = directoryOf(call.working_directory, caller.cwd);
    return {
      message: 'Running a command',
      confirm: { title: 'Run this command?', message: `${fenced(call.command)}\n\nBy itself, in \`${cwd}\`` },
    };
  },

  async run(call, context) {
    assertPatience(call.timeout_seconds, context.patienceMs);
    const cwd = directoryOf(call.working_directory, context.caller.cwd);
    let last = 'the command is running';
    const progress = startProgress(context, () => last);
    const entry = context.registry.transcript(context.caller.owner, cwd).begin(call.command, cwd);
    try {
      const run = await runIsolated({
        command: call.command,
        cwd,
        shell: context.caller.shell,
        baseEnv: context.registry.setup.baseEnv,
        timeoutMs: call.timeout_seconds * 1000,
        signal: context.signal,
        onOutput(_stream, bytes) {
          entry.output(bytes);
          last = lastLine(bytes) ?? last;
          progress.changed();
        },
      });
      const structured = await isolatedFactsOf(call.command, cwd, run, call.capture_output);
      const note = isolatedNote(structured);
      entry.end(note, run.exit.code);
      return { output: bothStreams(structured), note, structured };
    } catch (error) {
      entry.end(`[${messageOf(error)}]`, undefined);
      throw error;
    } finally {
      progress.dispose();
    }
  },
});

/**
 * A time limit that the caller does not wait for is refused before anything runs: the caller would never learn the result, and a lower limit than the
 * one asked for would end work halfway.
 */
function assertPatience(seconds: number, patienceMs: number): void {
  const longest = Math.floor((patienceMs - ENDING_MS) / 1000);
  if (seconds <= longest) return;
  throw new GlassError(
    'timeout_too_long',
    `Your client waits only ${Math.floor(patienceMs / 1000)} s for an answer, so timeout_seconds can be at most ${longest}. Nothing was run. For longer work use terminal, which goes on after the answer.`,
  );
}

function bothStreams({ stdout, stderr }: { stdout: string; stderr: string }): string {
  if (stderr === '') return stdout;
  const lineFeed = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return `${stdout}${lineFeed}[stderr]\n${stderr}`;
}
