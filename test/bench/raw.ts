import { closeSync, constants, openSync } from 'node:fs';
import { type IPty, spawn } from 'node-pty';

/** The baseline: node-pty itself, with nothing of ours in between. */

function start(file: string, args: string[], env: NodeJS.ProcessEnv): IPty {
  return spawn(file, args, {
    name: 'xterm-256color',
    cols: 120,
    rows: 30,
    encoding: null,
    env: env as Record<string, string>,
  });
}

const PROMPT = 'raw-prompt>';

/** An interactive bash, with the user's start-up files, whose prompt can be recognised. */
export class RawBash {
  private readonly pty: IPty;
  private seen: () => void = () => {};
  private tail = '';

  constructor(env: NodeJS.ProcessEnv) {
    this.pty = start('/bin/bash', ['-i'], { ...env, PS1: PROMPT, PROMPT_COMMAND: `PS1='${PROMPT}'` });
    this.pty.onData(data => {
      this.tail = (this.tail + String(data)).slice(-200);
      if (this.tail.includes(PROMPT)) this.seen();
    });
  }

  prompt(): Promise<void> {
    return new Promise(resolve => {
      this.seen = () => {
        this.tail = '';
        this.seen = () => {};
        resolve();
      };
    });
  }

  run(command: string): Promise<void> {
    const done = this.prompt();
    this.pty.write(`${command}\r`);
    return done;
  }

  end(): void {
    this.pty.kill('SIGKILL');
  }
}

/** Time (ms) in which a program's output is read to its end. The slave is held open, else node-pty loses the tail. */
export function drain(file: string, args: string[], env: NodeJS.ProcessEnv, bytes: number): Promise<number> {
  const started = performance.now();
  const pty = start(file, args, env);
  const slave = openSync((pty as IPty & { ptsName: string }).ptsName, constants.O_RDWR | constants.O_NOCTTY);
  let received = 0;
  return new Promise(resolve => {
    pty.onData(data => {
      received += data.length;
      if (received < bytes) return;
      resolve(performance.now() - started);
      closeSync(slave);
    });
  });
}
