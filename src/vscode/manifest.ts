import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tools } from '../tools/index';
import { inputSchemaOf } from '../tools/schema';
import type { Tool } from '../tools/tool';
import { activationEvents, type Command, category, commands, mcpProvider, settings, toolPrefix } from './contributions';

/** The two files that say to VS Code what this extension contributes, as texts. */
export interface Manifest {
  readonly packageJson: string;
  readonly nls: string;
}

/** Writes package.json's contributions and package.nls.json below `root`. Files that are right already are left alone. */
export function writeManifest(root: string): void {
  const packagePath = join(root, 'package.json');
  const before = readFileSync(packagePath, 'utf8');
  const { packageJson, nls } = generateManifest(before);
  if (packageJson !== before) writeFileSync(packagePath, packageJson);
  writeIfDifferent(join(root, 'package.nls.json'), nls);
}

/** What the files should be, given package.json as it is. */
export function generateManifest(packageJson: string): Manifest {
  const texts = new Texts();
  const contributes = contributionsOf(texts);
  const { activationEvents: _events, contributes: _contributes, ...rest } = JSON.parse(packageJson);
  const entries = Object.entries(rest);
  const after = entries.findIndex(([key]) => key === 'main') + 1;
  entries.splice(after, 0, ['activationEvents', activationEvents], ['contributes', contributes]);
  return { packageJson: toText(Object.fromEntries(entries)), nls: toText(texts.all) };
}

function contributionsOf(texts: Texts): Record<string, unknown> {
  return {
    commands: Object.entries(commands).map(([id, command]) => ({
      command: id,
      title: texts.key(`command.${withoutPrefix(id)}`, command.title),
      category: texts.key('category', category),
      ...('icon' in command && { icon: command.icon }),
    })),
    menus: menusOf(commands),
    configuration: {
      title: texts.key('configuration', category),
      properties: Object.fromEntries(
        Object.entries(settings).map(([name, setting]) => [`glassTty.${name}`, settingSchema(name, setting, texts)]),
      ),
    },
    languageModelTools: tools.map(tool => toolContribution(tool, texts)),
    mcpServerDefinitionProviders: [{ id: mcpProvider.id, label: texts.key('mcp', mcpProvider.label) }],
  };
}

/** Each menu with the commands that are in it, in a group of their own. */
function menusOf(all: Readonly<Record<string, Command>>): Record<string, unknown> {
  const menus: Record<string, unknown[]> = {};
  for (const [command, { menus: names = [] }] of Object.entries(all)) {
    for (const name of names) {
      menus[name] ??= [];
      menus[name].push({ command, group: 'glassTty' });
    }
  }
  return menus;
}

type Setting = (typeof settings)[keyof typeof settings];

function settingSchema(name: string, setting: Setting, texts: Texts): Record<string, unknown> {
  const { type, scope } = setting;
  const choices = 'choices' in setting ? Object.entries(setting.choices) : [];
  return {
    type,
    default: setting.default,
    ...('minimum' in setting && { minimum: setting.minimum }),
    ...(choices.length > 0 && {
      enum: choices.map(([choice]) => choice),
      enumDescriptions: choices.map(([choice, text]) => texts.key(`setting.${name}.${choice}`, text)),
    }),
    scope,
    markdownDescription: texts.key(`setting.${name}`, setting.description),
  };
}

function toolContribution(tool: Tool, texts: Texts): Record<string, unknown> {
  return {
    name: toolPrefix + tool.name,
    toolReferenceName: tool.name,
    displayName: texts.key(`tool.${tool.name}`, tool.title),
    // For the model, so not translated.
    modelDescription: tool.description,
    userDescription: texts.key(`tool.${tool.name}.summary`, tool.summary),
    canBeReferencedInPrompt: true,
    icon: `$(${tool.icon})`,
    when: `config.glassTty.vscodeSurface != 'mcp' && config.glassTty.toolsets =~ /\\b(all|${tool.set})\\b/`,
    tags: ['terminal', 'shell', 'command'],
    inputSchema: inputSchemaOf(tool),
  };
}

/** The texts for people, each under the key by which package.json names it. */
class Texts {
  readonly all: Record<string, string> = {};

  key(name: string, text: string): string {
    this.all[name] = text;
    return `%${name}%`;
  }
}

function withoutPrefix(id: string): string {
  return id.slice(id.indexOf('.') + 1);
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function writeIfDifferent(path: string, text: string): void {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // Not there yet.
  }
  writeFileSync(path, text);
}
