export interface Places {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** Added to this process' own environment, which is cleaned of npm's and VS Code's variables. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface CodeServer {
  readonly address: string;
  /** The address with the folder to open. */
  readonly url: string;
  readonly pid: number;
  readonly exited: Promise<unknown>;
  stop(): Promise<void>;
}

export interface CodeServerOptions extends Places {
  readonly folder: string;
  /** A free one if absent. */
  readonly port?: number;
  readonly args?: readonly string[];
  readonly onOutput?: (text: string) => void;
}

export function startCodeServer(options: CodeServerOptions): Promise<CodeServer>;
export function installExtension(options: Places & { readonly vsix: string }): Promise<void>;
/** Gives the extension's id. */
export function linkExtension(extensionsDir: string, folder: string): string;
