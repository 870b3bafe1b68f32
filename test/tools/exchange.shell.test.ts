import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';

describe('what respond and send_control say', () => {
  let home: Home;
  let client: TestClient;
  beforeAll(async () => {
    home = makeHome();
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
  });
  afterAll(async () => {
    await client.close();
    home.remove();
  });

  const start = async (terminal: number, command: string, pattern: string) => {
    await client.exec(command, { terminal, await_completion_ms: 0 });
    await client.call('wait', { terminals: [terminal], until: ['pattern'], pattern });
  };

  it('is the output without the prompt behind it', async () => {
    await start(1, 'read -p "Name? "; echo "Hello, $REPLY"', 'Name');
    const answered = await client.call('respond', { terminal: 1, text: 'Ada' });
    expect(answered.structured).toMatchObject({ output: 'Ada\nHello, Ada', completed: true });
    // bash itself loses a ctrl+c that comes just when it starts something.
    await start(1, "bash -c 'echo ready; exec sleep 1000'", 'ready');
    const stopped = await client.keys('ctrl+c', { terminal: 1 });
    expect(stopped.structured).toMatchObject({ output: '^C', completed: true });
  });

  it('is the screen of a full-screen program', async () => {
    const program = String.raw`stty -echo; printf '\e[?1049h\e[HHeader  \e[3;3HReady'; read -rn1; printf '\e[3;3HGone!'; sleep 1000`;
    await start(2, program, 'Ready');
    const reply = await client.call('respond', { terminal: 2, text: 'x', enter: false, pause_timeout: 0.2 });
    expect(reply.structured).toMatchObject({
      output: `Header\n\n  Gone!${'\n'.repeat(27)}`,
      screen: { alternate: true, cursor_row: 3, cursor_column: 8 },
    });
    const nothingNew = await client.call('read_output', { terminal: 2, pause_timeout: 0 });
    expect(nothingNew.structured['output']).toBe('');
  });

  it('has nothing of a full-screen program that has left', async () => {
    const program = String.raw`printf '\e[?1049h\e[5;1HReady'; read; printf '\e[1;1Hall of a row\e[?1049l'; echo after`;
    await start(3, program, 'Ready');
    const reply = await client.call('respond', { terminal: 3, text: '' });
    expect(reply.structured).toMatchObject({ output: 'after', completed: true });
  });
});
