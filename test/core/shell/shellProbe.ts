import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type IPty, spawn } from 'node-pty';
import type { Disposable } from '../../../src/base/lifecycle';
import { findShell } from '../../../src/core/shell/findShell';
import { type Mark, MarkParser } from '../../../src/core/shell/marks';
import { shellKind, shellTraits, startShell } from '../../../src/core/shell/shells';

const scripts = fileURLToPath(new URL('../../../media/shell', import.meta.url));
const nonce = '5ec2e7-0f-the-5e55i0n';
const deadline = 15_000;

export interface ProbeOptions {
  /** Files in the shell's HOME, by their path in there. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
}

/** What came of a submission: the last exit code, what was printed after the first C, and all of its marks. */
export interface Submission {
  readonly code: number | undefined;
  readonly output: string;
  /** One letter a mark, in order: E C D A B F G P. */
  readonly letters: string;
  readonly marks: readonly Mark[];
  /** Everything since the submission, as it came. */
  readonly raw: string;
}

const letters: Readonly<Record<Mark['kind'], string>> = {
  promptStart: 'A',
  promptEnd: 'B',
  outputStart: 'C',
  commandEnd: 'D',
  commandLine: 'E',
  continuationStart: 'F',
  continuationEnd: 'G',
  property: 'P',
};

/** A real shell in a real pty with our integration, in a HOME of its own. Every wait is for a mark or text, with a deadline. */
export class ShellProbe implements Disposable {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'glass-shell-')));
  readonly marks: Mark[] = [];
  exitCode: number | undefined;
  private readonly pty: IPty;
  private readonly parser = new MarkParser(nonce);
  private readonly historyPrefix: string;
  private bytes = Buffer.alloc(0);
  private readonly waiting = new Set<() => void>();

  constructor(shell: string, options: ProbeOptions = {}) {
    for (const [name, text] of Object.entries(options.files ?? {})) {
      mkdirSync(dirname(join(this.home, name)), { recursive: true });
      writeFileSync(join(this.home, name), text);
    }
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home, LANG: 'C.UTF-8', ...options.env };
    const file = findShell(shell, process.env);
    const start = startShell(file, { nonce, scripts, exports: options.exports ?? {}, env });
    this.historyPrefix = shellTraits(shellKind(file)).historyPrefix;
    this.pty = spawn(start.file, [...start.args], {
      name: 'xterm-256color',
      cols: 200,
      rows: 50,
      cwd: this.home,
      encoding: null,
      env: { ...env, ...start.env },
    });
    this.pty.onData(chunk => this.receive(chunk as unknown as Buffer));
    this.pty.onExit(({ exitCode }) => {
      this.exitCode = exitCode;
      this.wake();
    });
  }

  get text(): string {
    return this.bytes.toString();
  }

  write(data: string): void {
    this.pty.write(data);
  }

  /** Resolves with what `look` finds, now or after later output. */
  until<T>(what: string, look: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const give = () => {
        this.waiting.delete(check);
        reject(new Error(`${what} did not come. Marks: ${this.letters()}\n${JSON.stringify(this.text.slice(-3000))}`));
      };
      const timer = setTimeout(give, deadline);
      const check = () => {
        const found = look();
        if (found === undefined && this.exitCode === undefined) return;
        clearTimeout(timer);
        if (found === undefined) return give();
        this.waiting.delete(check);
        resolve(found);
      };
      this.waiting.add(check);
      check();
    });
  }

  /** Waits for text on the terminal, escape sequences left out. */
  async sees(text: RegExp): Promise<void> {
    await this.until(String(text), () => text.test(plain(this.text)) || undefined);
  }

  /** The first prompt. */
  async ready(): Promise<this> {
    await this.until('the first prompt', () => this.marks.find(mark => mark.kind === 'promptEnd'));
    return this;
  }

  /** What a person types, key by key as far as the shell can tell. */
  type(keys: string): Promise<Submission> {
    return this.submit(`${keys}\r`);
  }

  /** What an agent runs. */
  run(commandLine: string): Promise<Submission> {
    return this.submit(`${this.historyPrefix}${paste(commandLine)}\r`);
  }

  /** Writes `input` and waits until a prompt comes after an end. */
  async submit(input: string): Promise<Submission> {
    const from = this.marks.length;
    const start = this.bytes.length;
    this.write(input);
    const end = await this.until(`the end of ${JSON.stringify(input)}`, () => {
      const last = this.marks.findIndex((mark, index) => index >= from && mark.kind === 'commandEnd');
      const prompt = this.marks.findIndex((mark, index) => index > last && mark.kind === 'promptEnd');
      return last < 0 || prompt < 0 ? undefined : prompt + 1;
    });
    const marks = this.marks.slice(from, end);
    const first = marks.find(mark => mark.kind === 'outputStart');
    const last = marks.findLast(mark => mark.kind === 'commandEnd');
    return {
      code: last?.kind === 'commandEnd' ? last.exitCode : undefined,
      output: first && last ? plain(this.bytes.subarray(first.to, last.from).toString()) : '',
      letters: marks.map(mark => letters[mark.kind]).join(''),
      marks,
      raw: this.bytes.subarray(start).toString(),
    };
  }

  /**
   * Ctrl+c at a prompt, pressed again when nothing comes of it: bash 5.2 and fish 3.6, with integration or without, may lose one
   * that comes while they draw.
   */
  async interrupt(): Promise<Submission> {
    const again = setInterval(() => this.write('\x03'), 3_000);
    try {
      return await this.submit('\x03');
    } finally {
      clearInterval(again);
    }
  }

  /** Waits for the next mark of a kind after the first `from` marks. */
  next(kind: Mark['kind'], from: number): Promise<Mark> {
    return this.until(kind, () => this.marks.slice(from).find(mark => mark.kind === kind));
  }

  letters(): string {
    return this.marks.map(mark => letters[mark.kind]).join('');
  }

  property(name: string): string | undefined {
    const mark = this.marks.findLast(mark => mark.kind === 'property' && mark.name === name);
    return mark?.kind === 'property' ? mark.value : undefined;
  }

  /** Lets the shell end by itself and returns its exit code. */
  async exit(code = 0): Promise<number> {
    this.write(` exit ${code}\r`);
    return this.until('the exit', () => this.exitCode);
  }

  read(name: string): string {
    return readFileSync(join(this.home, name), 'utf8');
  }

  dispose(): void {
    if (this.exitCode === undefined) this.pty.kill('SIGKILL');
    // fish goes on to write its completions for a while.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private receive(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    this.parser.push(chunk, mark => this.marks.push(mark));
    this.wake();
  }

  private wake(): void {
    for (const check of [...this.waiting]) check();
  }
}

const probes: ShellProbe[] = [];

/** A shell at its first prompt; `disposeProbes` ends it. */
export function startProbe(shell: string, options?: ProbeOptions): Promise<ShellProbe> {
  const probe = new ShellProbe(shell, options);
  probes.push(probe);
  return probe.ready();
}

export function disposeProbes(): void {
  for (const probe of probes.splice(0)) probe.dispose();
}

const rcFiles = { bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish' } as const;

/** Where each shell keeps its history in these tests. */
export const histories = {
  bash: '.bash_history',
  zsh: '.history',
  fish: '.local/share/fish/fish_history',
} as const;

/** A start-up file, beside what zsh needs to have a history file at all. */
export function rc(shell: keyof typeof rcFiles, text: string): ProbeOptions {
  const history = shell === 'zsh' ? 'HISTFILE=$HOME/.history HISTSIZE=100 SAVEHIST=100\n' : '';
  return { files: { [rcFiles[shell]]: history + text } };
}

/** Several lines as a bracketed paste, which has CR for the end of a line; one line as it is. */
export function paste(text: string): string {
  return text.includes('\n') ? `\x1b[200~${text.replaceAll('\n', '\r')}\x1b[201~` : text;
}

/** Texts of the E marks of a submission. */
export function commandLines(submission: Submission): string[] {
  return submission.marks.flatMap(mark => (mark.kind === 'commandLine' ? [mark.text] : []));
}

/** Without escape sequences and carriage returns. */
export function plain(text: string): string {
  return text.replace(/\x1b\][^\x07]*\x07|\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\r/g, '');
}
