import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';
import { OPTIONAL, type Parameter, REQUIRED, signatureOf } from './signature';

/** interminal's tools, as the text on what they mean gives them; its own document has no examples of calls. */
const tools: Readonly<Record<string, { parameters: Readonly<Record<string, Parameter>>; fields: readonly string[] }>> =
  {
    connect_ssh: {
      parameters: {
        host: ['string', REQUIRED],
        port: ['integer', 22],
        username: ['string', OPTIONAL],
        password: ['string', OPTIONAL],
        key_filepath: ['string', OPTIONAL],
        banner_timeout: ['number', 2],
      },
      fields: ['session_id', 'banner'],
    },
    create_local: { parameters: { shell: ['string', OPTIONAL] }, fields: ['session_id'] },
    execute: {
      parameters: {
        session_id: ['string', REQUIRED],
        command: ['string', REQUIRED],
        pause_timeout: ['number', 2],
        total_timeout: ['number', 30],
      },
      fields: ['status', 'output', 'exit_code', 'command_id'],
    },
    respond: {
      parameters: {
        command_id: ['string', OPTIONAL],
        text: ['string', REQUIRED],
        pause_timeout: ['number', 2],
        total_timeout: ['number', 30],
      },
      fields: ['status', 'output', 'exit_code', 'command_id'],
    },
    read_output: {
      parameters: {
        command_id: ['string', OPTIONAL],
        pause_timeout: ['number', 2],
        total_timeout: ['number', 30],
      },
      fields: ['status', 'output', 'exit_code', 'command_id'],
    },
    send_control: {
      parameters: {
        command_id: ['string', OPTIONAL],
        signal: ['string', 'ctrl+c'],
        pause_timeout: ['number', 2],
        total_timeout: ['number', 10],
      },
      fields: ['status', 'output', 'exit_code', 'command_id'],
    },
    disconnect: { parameters: { session_id: ['string', REQUIRED] }, fields: [] },
    list_sessions: { parameters: {}, fields: ['sessions'] },
  };

describe('interminal’s server', () => {
  let home: Home;
  let client: TestClient;
  let session_id: string;
  const quick = { pause_timeout: 0.3 };

  beforeAll(async () => {
    home = makeHome();
    const args = ['--no-bridge', '--toolsets', 'all'];
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' }, args });
    session_id = (await client.call('create_local', {})).structured['session_id'] as string;
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  it.each(Object.entries(tools))('%s has every parameter with its default, and every field', async (name, tool) => {
    const signature = await signatureOf(client, name, Object.keys(tool.parameters));
    expect(signature.parameters).toEqual(tool.parameters);
    expect(signature.fields).toEqual(expect.arrayContaining([...tool.fields]));
  });

  it('serves a whole conversation: a command that asks, an answer, a key, the rest', async () => {
    const done = await client.call('execute', { session_id, command: 'echo hello; exit 3' });
    expect(done.structured).toMatchObject({ status: 'completed', output: 'hello', exit_code: 3 });

    const command = 'read -p "name? " name; echo "hello $name"; sleep 100';
    const asked = await client.call('execute', { session_id, command, ...quick });
    expect(asked.structured).toMatchObject({ status: 'partial', output: 'name?' });
    const { command_id } = asked.structured;
    const answered = await client.call('respond', { command_id, text: 'Ada', ...quick });
    expect(answered.structured).toMatchObject({ status: 'partial', command_id });
    expect(answered.structured['output']).toContain('hello Ada');
    const silent = await client.call('read_output', { command_id, ...quick });
    expect(silent.structured).toMatchObject({ status: 'partial', output: '' });
    const ended = await client.call('send_control', { command_id });
    expect(ended.structured).toMatchObject({ status: 'completed', command_id });
    const after = await client.call('read_output', { command_id });
    expect(after.structured).toMatchObject({ status: 'completed', command_id });
  });

  it('lists its sessions by type and shell, and forgets them when they are disconnected', async () => {
    const other = (await client.call('create_local', { shell: 'sh' })).structured['session_id'];
    const listed = await client.call('list_sessions', {});
    expect(listed.structured['sessions']).toEqual([
      { session_id, type: 'local', shell: '/bin/bash' },
      { session_id: other, type: 'local', shell: expect.stringMatching(/\/sh$/) },
    ]);
    expect((await client.call('disconnect', { session_id: other })).texts).toEqual(['true']);
    expect((await client.call('list_sessions', {})).structured['sessions']).toHaveLength(1);
  });
});
