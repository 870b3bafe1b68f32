import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const entry = resolve('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const sendToken = fileURLToPath(new URL('sendToken.mjs', import.meta.url));

/** Longest (ms) that a run of all scenarios may take; it takes some seconds. */
const DEADLINE_MS = 50_000;

/** One thing that a scenario has looked at. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
}

export interface RunOptions {
  readonly url: string;
  /** Revision of the protocol that the suite speaks. */
  readonly revision: string;
  /** One scenario; all of the revision's if absent. */
  readonly scenario?: string;
  /** Sent with every request, if given. */
  readonly token?: string;
}

/** The official conformance suite, run by `node`, which has to be 22 or later. */
export class ConformanceSuite {
  private readonly node: string;

  constructor(node: string) {
    this.node = node;
  }

  /** The names of the server scenarios that a revision of the protocol has. */
  async scenarios(revision: string): Promise<string[]> {
    const { stdout, failure } = await this.run(['list', '--server', '--spec-version', revision]);
    const names = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map(match => match[1] ?? '');
    if (failure || names.length === 0) throw new Error(`The suite names no scenarios.\n${stdout}`, { cause: failure });
    return names;
  }

  /** What each scenario has found, by the scenario's name. That a check has failed is no error here. */
  async check({ url, revision, scenario, token }: RunOptions): Promise<ReadonlyMap<string, readonly Check[]>> {
    const folder = mkdtempSync(join(tmpdir(), 'glass-tty-conformance-'));
    const which = scenario === undefined ? ['--suite', 'all'] : ['--scenario', scenario];
    const args = ['server', '--url', url, '--spec-version', revision, '--output-dir', folder, ...which];
    try {
      const { stdout, stderr, failure } = await this.run(args, token);
      const results = readResults(folder);
      if (results.size > 0) return results;
      throw new Error(`The suite gave no results.\n${stdout}\n${stderr}`, { cause: failure });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private run(args: readonly string[], token?: string): Promise<Output> {
    const injected = token === undefined ? [] : ['--import', sendToken];
    const env = { ...process.env, ...(token !== undefined && { BEARER_TOKEN: token }) };
    const options = { env, timeout: DEADLINE_MS, maxBuffer: 64 * 1024 * 1024 };
    return new Promise(done => {
      execFile(this.node, [...injected, entry, ...args], options, (failure, stdout, stderr) =>
        done({ failure, stdout, stderr }),
      );
    });
  }
}

interface Output {
  readonly failure: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The suite writes `server-SCENARIO-TIME/checks.json` for each scenario that it has run to its end. */
function readResults(folder: string): ReadonlyMap<string, readonly Check[]> {
  const results = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1];
    const file = join(folder, name, 'checks.json');
    if (scenario && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, 'utf8')) as Check[]);
  }
  return results;
}
