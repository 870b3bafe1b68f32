// The journal outlives the extension host, so that a test reads one story across "Reload Window".
const fs = require('node:fs');
const path = require('node:path');

const directory = process.env.HARNESS_DIR;
if (!directory) throw new Error('HARNESS_DIR is not set: this extension only works under its harness.');

/** The name of a file in the harness directory. */
const harnessFile = (...names) => path.join(directory, ...names);

const record = (event, fields = {}) => {
  fs.appendFileSync(harnessFile('journal.jsonl'), `${JSON.stringify({ event, at: Date.now(), ...fields })}\n`);
};

/** Written under another name first: whoever waits for the file never reads half of it. */
const writeWhole = (name, text) => {
  fs.writeFileSync(harnessFile(`${name}.new`), text);
  fs.renameSync(harnessFile(`${name}.new`), harnessFile(name));
};

module.exports = { harnessFile, record, writeWhole };
