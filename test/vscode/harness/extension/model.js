// A language model that follows a script. A prompt holding `[script:NAME]` names scripts/NAME.json, a list of turns; each
// turn is a tool call `{ "tool": …, "input": … }`, or several of them to make at once. After the last it says "Done."
const fs = require('node:fs');
const vscode = require('vscode');
const { harnessFile, record, writeWhole } = require('./journal.js');

const information = {
  id: 'scripted',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  maxInputTokens: 200_000,
  maxOutputTokens: 16_000,
  tooltip: 'Follows the script of a test',
  isUserSelectable: true,
  capabilities: { toolCalling: true, imageInput: true },
};

class ScriptedModel {
  #calls = new Map();
  #nextId = 1;

  provideLanguageModelChatInformation() {
    return [information];
  }

  async provideTokenCount(_model, text) {
    return Math.ceil((typeof text === 'string' ? text : messageText(text)).length / 4);
  }

  async provideLanguageModelChatResponse(_model, messages, options, progress) {
    const tools = (options.tools ?? []).map(tool => tool.name);
    const { script, after } = currentScript(messages);
    const results = after.flatMap(message => message.content).filter(isToolResult);
    record('model.request', { script, tools, messages: messages.length, images: messages.flatMap(imagesIn) });
    writeWhole(
      'last-request.json',
      JSON.stringify({ tools: options.tools ?? [], messages: messages.map(plain) }, null, 1),
    );
    this.#recordResults(results);
    // VS Code also asks for titles and summaries, without tools; those requests must not move a script on.
    if (script === undefined || tools.length === 0) return progress.report(textPart('Scripted'));
    const turns = readScript(script);
    let made = 0;
    const turn = turns.find(calls => {
      made += calls.length;
      return made > results.length;
    });
    if (turn) this.#call(script, turn, progress);
    else this.#finish(script, progress);
  }

  #call(script, calls, progress) {
    progress.report(textPart(`Calling ${calls.map(call => call.tool).join(', ')}. `));
    for (const { tool, input } of calls) {
      const callId = `call-${process.pid}-${this.#nextId++}`;
      this.#calls.set(callId, { script, tool, input, at: Date.now() });
      record('model.call', { script, tool, input });
      progress.report(new vscode.LanguageModelToolCallPart(callId, tool, input));
    }
  }

  #recordResults(results) {
    for (const result of results) {
      const call = this.#calls.get(result.callId);
      if (!call) continue;
      this.#calls.delete(result.callId);
      const { at, ...fields } = call;
      record('model.result', { ...fields, text: partsText(result.content), ms: Date.now() - at });
    }
  }

  #finish(script, progress) {
    progress.report(textPart('Done.'));
    record('model.done', { script });
  }
}

/** The script of the last user message that names one, and the messages after it. */
function currentScript(messages) {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message.role !== vscode.LanguageModelChatMessageRole.User || message.content.some(isToolResult)) continue;
    const names = [...messageText(message).matchAll(/\[script:([\w-]+)\]/g)];
    if (names.length > 0) return { script: names.at(-1)[1], after: messages.slice(i + 1) };
  }
  return { script: undefined, after: [] };
}

function readScript(name) {
  const turns = JSON.parse(fs.readFileSync(harnessFile('scripts', `${name}.json`), 'utf8'));
  return turns.map(turn => (Array.isArray(turn) ? turn : [turn]));
}

const textPart = text => new vscode.LanguageModelTextPart(text);
const isToolResult = part => part instanceof vscode.LanguageModelToolResultPart;
const partsText = parts => parts.map(partText).join('');
const messageText = message => partsText(message.content);

function partText(part) {
  if (isToolResult(part)) return partsText(part.content);
  return typeof part?.value === 'string' ? part.value : '';
}

/** Types of the images in a message or a tool's result. */
function imagesIn({ content }) {
  return content.flatMap(part => {
    if (isToolResult(part)) return imagesIn(part);
    return part instanceof vscode.LanguageModelDataPart && part.mimeType.startsWith('image/') ? [part.mimeType] : [];
  });
}

function plain(message) {
  const parts = message.content.map(part => ({ kind: part.constructor.name, text: partText(part), name: part.name }));
  return { role: message.role, parts };
}

module.exports = { ScriptedModel, partsText };
