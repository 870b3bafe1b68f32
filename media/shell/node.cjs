// Glass TTY's integration for Node's REPL, started as `node --require node.cjs`. The marks are listed in README.md.
'use strict';

/** Lines of a submitted file that are shown. */
const MAX_SHOWN = 40;

const { env, execArgv } = process;
const nonce = take('GLASS_TTY_NONCE');
const code = take('GLASS_TTY_EXPORTS') ?? '';
// What `fork` gives to a child.
const own = execArgv.indexOf(__filename);
if (own > 0) execArgv.splice(own - 1, 2);
if (nonce) integrate(require('node:repl'));

function take(name) {
  const value = env[name];
  delete env[name];
  return value;
}

/** The first REPL to be started is Node's own. */
function integrate(repl) {
  const { start } = repl;
  repl.start = given => {
    repl.start = start;
    // A preview evaluates, and draws, with each key.
    const options = { ...given, preview: false };
    new Function('options', code)(options);
    return startMarked(repl, options);
  };
}

function startMarked(repl, options) {
  const { prototype } = repl.REPLServer;
  const { displayPrompt } = prototype;
  const marks = new Marks(options.output ?? process.stdout);
  marks.say(`P;Shell=${escapeValue(`node ${process.versions.node}`)}`);
  // The constructor shows the first prompt.
  prototype.displayPrompt = function (...parameters) {
    marks.prompt(() => displayPrompt.apply(this, parameters));
  };
  let server;
  try {
    server = repl.start(options);
  } finally {
    const marked = prototype.displayPrompt;
    prototype.displayPrompt = displayPrompt;
    if (server) server.displayPrompt = marked;
  }
  const evaluate = server.eval;
  server.eval = (text, context, file, callback) => {
    const submission = marks.begin(text);
    return evaluate.call(server, text, context, file, (error, result) => {
      marks.end(submission, error ?? undefined, error instanceof repl.Recoverable);
      callback(error, result);
      marks.wantRest(submission);
    });
  };
  server.prependListener('line', () => marks.entered());
  server.defineCommand('glass_tty', { action: path => submitFile(server, path) });
  // Node reads it in this tick. The agent's lines are not for the person's history.
  process.nextTick(() => restore('NODE_REPL_HISTORY'));
  return server;
}

function restore(name) {
  const value = take(`GLASS_TTY_${name}`);
  if (value === undefined) delete env[name];
  else env[name] = value;
}

/** What the REPL is doing, told as marks. */
class Marks {
  constructor(output) {
    this.output = output;
    /** What runs, or was the last to run. */
    this.submission = { hasEnded: true, failed: false, isUnfinished: false };
    /** A line came since the last prompt, which is not so where an error of another time brings one. */
    this.hasLine = false;
    /** The next prompt is that of a submission which was given up before. */
    this.isLate = false;
    /** The last prompt asked for the rest. */
    this.asksForRest = false;
  }

  say(...marks) {
    this.output.write(marks.map(mark => `\x1b]633;${mark};${nonce}\x07`).join(''));
  }

  entered() {
    this.hasLine = true;
  }

  begin(text) {
    this.submission = { hasEnded: false, failed: true, isUnfinished: false };
    this.asksForRest = false;
    this.say(`E;${escapeValue(text.replace(/\n$/, ''))}`, 'C');
    return this.submission;
  }

  end(submission, error, isUnfinished) {
    if (submission.hasEnded) this.isLate = true;
    Object.assign(submission, { hasEnded: true, failed: error !== undefined, isUnfinished });
  }

  /** From 24 on Node has no prompt for the rest, but goes on in the next line. */
  wantRest(submission) {
    if (!submission.isUnfinished || submission !== this.submission) return;
    this.say('F', 'G');
    this.rest();
  }

  rest() {
    this.hasLine = false;
    this.asksForRest = this.submission.isUnfinished;
    this.submission = { hasEnded: true, failed: false, isUnfinished: false };
  }

  /** `display` shows a prompt. After an uncaught error Node calls nothing else. */
  prompt(display) {
    if (this.isLate) {
      this.isLate = false;
      return display();
    }
    const { submission } = this;
    if (submission.isUnfinished) this.say('F');
    else this.say(...this.ending(), ...directory(), 'A');
    display();
    this.say(submission.isUnfinished ? 'G' : 'B');
    submission.hasEnded = true;
    this.rest();
  }

  ending() {
    if (this.asksForRest) return ['D;130'];
    return this.hasLine ? [`D;${Number(this.submission.failed)}`] : [];
  }
}

function directory() {
  try {
    return [`P;Cwd=${escapeValue(process.cwd())}`];
  } catch {
    return []; // it has been removed
  }
}

/** Runs a file as if it were typed as one submission, and shows it in the place of the command that does. */
function submitFile(server, path) {
  const text = require('node:fs').readFileSync(path, 'utf8').replace(/\n$/, '');
  const lines = text.split('\n');
  const more = lines.length - MAX_SHOWN;
  if (more > 0) lines.splice(MAX_SHOWN, more, `(${more} more lines)`);
  const prompt = server.getPrompt();
  const rows = Math.max(1, Math.ceil((prompt.length + '.glass_tty '.length + path.length) / (server.columns || 80)));
  const shown = lines.map((line, index) => `${index === 0 ? prompt : '... '}${line}`).join('\n');
  server.output.write(`\x1b[${rows}A\r\x1b[J${shown.replaceAll('\x1b', '^[')}\n`);
  server.emit('line', text);
}

function escapeValue(text) {
  return text.replace(/[\\;\x00-\x20\x7f]/g, char =>
    char === '\\' ? '\\\\' : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
