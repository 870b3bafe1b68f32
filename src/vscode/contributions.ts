/**
 * What VS Code shows of this extension, as data: commands, settings and their texts. package.json and package.nls.json are made from this
 * (manifest.ts), and the ids are types, so that code cannot name a command or a setting that is not declared.
 */

export const category = 'Glass TTY';

export interface Command {
  readonly title: string;
  readonly icon?: string;
  /** VS Code's menus that it is in, beside the palette. */
  readonly menus?: readonly string[];
}

export const commands = {
  'glassTty.newTerminal': { title: 'New Terminal', icon: '$(add)' },
  'glassTty.shareTerminal': {
    title: 'Share This Terminal With the Agent',
    menus: ['terminal/context', 'terminal/title/context'],
  },
  'glassTty.showTerminal': { title: 'Show Terminal…' },
  'glassTty.endTerminal': { title: 'End Terminal…' },
  'glassTty.takeOver': { title: 'Take Over the Keyboard' },
  'glassTty.handBack': { title: 'Hand Back to Agent' },
  'glassTty.copyMcpConfiguration': { title: 'Copy MCP Configuration…' },
  'glassTty.showLog': { title: 'Show Log' },
} as const satisfies Record<`glassTty.${string}`, Command>;

export type CommandId = keyof typeof commands;

interface Setting {
  readonly type: 'string' | 'number' | 'boolean';
  readonly default: string | number | boolean;
  readonly description: string;
  readonly scope: 'window' | 'machine-overridable';
  readonly minimum?: number;
  /** The allowed values, each with what it does. */
  readonly choices?: Readonly<Record<string, string>>;
}

export const settings = {
  vscodeSurface: {
    type: 'string',
    default: 'languageModelTools',
    description: 'How the agent in VS Code gets the terminals. Other programs can use them over MCP in any case.',
    scope: 'window',
    choices: {
      languageModelTools: 'As tools of this extension. You are asked before a command runs, with the command in view.',
      mcp: 'As an MCP server that VS Code connects to. Each chat then has terminals of its own.',
      both: 'Both ways. The agent sees each tool twice.',
    },
  },
  toolsets: {
    type: 'string',
    default: 'core,format',
    description:
      'Which sets of tools the agent gets, separated by commas: `core` (terminals), `format` (formatted output, facts about terminals), `interminal` (the tools of that server), or `all`.',
    scope: 'window',
  },
  hostGraceSeconds: {
    type: 'number',
    default: 60,
    minimum: 5,
    description:
      'How long terminals stay alive, in seconds, when no window and no other client is there, for example during a reload. Applies from the next time the terminal host starts.',
    scope: 'window',
  },
  keyboardQuietSeconds: {
    type: 'number',
    default: 5,
    minimum: 0,
    description:
      'How long after your last key the agent does not type in a terminal, in seconds. While half a line of yours stands at the prompt it never does.',
    scope: 'window',
  },
  agentMayTypeSecrets: {
    type: 'boolean',
    default: false,
    description: 'Lets the agent type where a program asks for a password or another secret. Off, only you can.',
    scope: 'window',
  },
  shell: {
    type: 'string',
    default: '',
    description:
      "The shell of new terminals, by name or path, such as `zsh` or `/usr/bin/fish`. Empty for VS Code's default shell.",
    scope: 'machine-overridable',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof settings;

export type SettingName = keyof Settings;

type Widened<T> = T extends string ? string : T extends number ? number : boolean;

export type SettingValue<N extends SettingName> = Settings[N] extends { readonly choices: infer C }
  ? keyof C
  : Widened<Settings[N]['default']>;

/** The embedded MCP server, for VS Code's own MCP client. */
export const mcpProvider = { id: 'glassTty.mcp', label: 'Glass TTY' } as const;

/** Language-model tools are named with this before the tool's own name. */
export const toolPrefix = 'glassTty_';

/** Mirrors come back after a reload without anybody calling a tool; VS Code derives all other activation events itself. */
export const activationEvents = ['onStartupFinished'] as const;
