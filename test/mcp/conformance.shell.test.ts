import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolsOf } from '../../src/tools/invoke';
import { toolsets } from '../../src/tools/tool';
import { connectHttp } from '../helpers/mcp';
import { newerNode } from '../machine/codeServer.mjs';
import { type ConformanceServer, startConformanceServer } from './conformance/server';
import { type Check, ConformanceSuite } from './conformance/suite';
import { tools as fixtures } from './conformance/tools';

const suite = new ConformanceSuite(await newerNode());
/** Each revision of the protocol with the names of its scenarios. */
const revisions = await Promise.all(
  ['2025-06-18', '2025-11-25'].map(async revision => [revision, await suite.scenarios(revision)] as const),
);

/** What it tests is the Host and Origin that a client sends, which the proxy sets: the suite gets the token, and no proxy. */
const DNS_REBINDING = 'dns-rebinding-protection';

describe.each(revisions)('The official conformance suite, revision %s', (revision, scenarios) => {
  let server: ConformanceServer;
  let results: ReadonlyMap<string, readonly Check[]>;
  beforeAll(async () => {
    server = await startConformanceServer(revision);
    results = await suite.check({ url: server.proxyUrl, revision });
  });
  afterAll(() => server.stop());

  it.each(scenarios)('%s', async name => {
    const { url, token } = server;
    const found = name === DNS_REBINDING ? await suite.check({ url, token, revision, scenario: name }) : results;
    expectNoProblem(found.get(name));
  });

  it('sees our own tools beside its fixtures', async () => {
    const client = await connectHttp(server.url, server.token);
    const { tools } = await client.client.listTools();
    const own = toolsOf(toolsets);
    expect(tools.map(tool => tool.name)).toEqual([...own, ...fixtures].map(tool => tool.name));
    expect((await client.exec('echo hello')).structured).toMatchObject({ output: 'hello', exit_code: 0 });
    await client.close();
  });
});

it('The official conformance suite has the scenario that is run without the proxy', () => {
  expect(revisions.flatMap(([, scenarios]) => scenarios)).toContain(DNS_REBINDING);
});

/** Every check has passed or only informs. */
function expectNoProblem(checks: readonly Check[] = []): void {
  const problems = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  expect(problems.map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage}`)).toEqual([]);
  expect(checks, 'The scenario has not run.').toContainEqual(expect.objectContaining({ status: 'SUCCESS' }));
}
