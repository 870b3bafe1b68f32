import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, makeHome } from '../helpers/home';
import { connectStdio, type TestClient } from '../helpers/mcp';
import { OPTIONAL, type Parameter, REQUIRED, signatureOf } from './signature';

/** The document of codomyrmex's terminal_interface, as it stands. Its default for a time limit is in the text on what the tools mean. */
const tools: Readonly<Record<string, { parameters: Readonly<Record<string, Parameter>>; fields: readonly string[] }>> =
  {
    run_terminal_command: {
      parameters: {
        command: ['string', REQUIRED],
        working_directory: ['string', OPTIONAL],
        timeout_seconds: ['number', 30],
        capture_output: ['boolean', true],
      },
      fields: ['command', 'return_code', 'stdout', 'stderr', 'execution_time', 'working_directory'],
    },
    format_terminal_output: {
      parameters: {
        content: ['string', REQUIRED],
        format_type: ['string', 'info'],
        table_headers: ['array[string]', OPTIONAL],
        table_rows: ['array[array[string]]', OPTIONAL],
      },
      fields: ['formatted_content', 'format_type', 'original_content', 'terminal_codes'],
    },
    start_interactive_shell: {
      parameters: {
        shell_type: ['string', 'codomyrmex'],
        working_directory: ['string', OPTIONAL],
        prompt: ['string', OPTIONAL],
        startup_commands: ['array[string]', []],
      },
      fields: [
        'shell_id',
        'shell_type',
        'status',
        'working_directory',
        'startup_commands_executed',
        'available_commands',
      ],
    },
    terminal_info: {
      parameters: {},
      fields: ['status', 'terminal', 'shell', 'columns', 'lines', 'colorterm', 'term_program'],
    },
    terminal_list_themes: { parameters: {}, fields: ['status', 'themes', 'count'] },
    terminal_format: {
      parameters: { text: ['string', REQUIRED], style: ['string', 'default'], width: ['integer', 0] },
      fields: ['status', 'formatted', 'style', 'width', 'line_count'],
    },
  };

describe('codomyrmex’s terminal_interface', () => {
  let home: Home;
  let project: string;
  let client: TestClient;

  beforeAll(async () => {
    home = makeHome({
      'project/README.md': 'hello\n',
      'project/Makefile': 'analyze:\n\t@echo analyzed\nbuild:\n\ttrue\ndeploy:\n\ttrue\n',
    });
    project = join(home.path, 'project');
    mkdirSync(join(project, 'docs'));
    client = await connectStdio({ cwd: home.path, env: { ...home.env, SHELL: '/bin/bash' } });
    await client.call('run_terminal_command', { command: 'git init -q -b main .', working_directory: project });
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

  it('run_terminal_command: the example', async () => {
    const { structured } = await client.call('run_terminal_command', {
      command: 'ls -la',
      working_directory: project,
      timeout_seconds: 30,
      capture_output: true,
    });
    expect(structured).toMatchObject({ command: 'ls -la', return_code: 0, stderr: '', working_directory: project });
    expect(structured['stdout']).toMatch(/^total \d+\ndrwx.* \.\n/);
    expect(structured['stdout']).toMatch(/ README\.md\n/);
    expect(structured['execution_time']).toBeGreaterThan(0);
    expect(structured['execution_time']).toBeLessThan(10);
  });

  it('format_terminal_output: the example', async () => {
    const { structured } = await client.call('format_terminal_output', {
      content: 'Error: Connection failed',
      format_type: 'error',
    });
    expect(structured).toEqual({
      formatted_content: '\u001b[31m❌ Error: Connection failed\u001b[0m',
      format_type: 'error',
      original_content: 'Error: Connection failed',
      terminal_codes: ['31m', '0m'],
    });
  });

  it('format_terminal_output: the example of a table', async () => {
    const { structured } = await client.call('format_terminal_output', {
      content: '',
      format_type: 'table',
      table_headers: ['Name', 'Status', 'Size'],
      table_rows: [['file1.txt', 'active', '1.2MB']],
    });
    const text = (structured['formatted_content'] as string).replace(/\u001b\[[\d;]*m/g, '');
    expect(text.split('\n')).toEqual([
      '┌───────────┬────────┬───────┐',
      '│ Name      │ Status │ Size  │',
      '├───────────┼────────┼───────┤',
      '│ file1.txt │ active │ 1.2MB │',
      '└───────────┴────────┴───────┘',
    ]);
  });

  it('start_interactive_shell: the example', async () => {
    const { structured } = await client.call('start_interactive_shell', {
      shell_type: 'codomyrmex',
      working_directory: project,
      prompt: 'codomyrmex> ',
      startup_commands: [`cd ${project}/docs`, 'git status'],
    });
    expect(structured).toMatchObject({
      shell_type: 'codomyrmex',
      status: 'started',
      working_directory: `${project}/docs`,
      startup_commands_executed: 2,
      available_commands: ['make analyze', 'make build', 'make deploy'],
    });
    expect(structured['shell_id']).toMatch(/^t-[0-9a-f]{8}$/);
    const { terminal } = structured;
    const screen = await client.call('read_output', { terminal, view: 'screen' });
    expect(screen.texts[0]).toMatch(/^codomyrmex> +git status\nOn branch main$/m);
    const made = await client.exec('cd ..; make analyze', { terminal });
    expect(made.structured).toMatchObject({ output: 'analyzed', exit_code: 0 });
  });

  it.each(['bash', 'zsh', 'python'])('start_interactive_shell: %s, of the types that it names', async shell_type => {
    const { structured } = await client.call('start_interactive_shell', { shell_type, working_directory: project });
    expect(structured).toMatchObject({ shell_type, status: 'started', working_directory: project });
    const command = shell_type === 'python' ? 'print(6 * 7)' : 'echo $((6 * 7))';
    const { texts } = await client.exec(command, { terminal: structured['terminal'] });
    expect(texts[0]).toBe('42');
  });

  it('terminal_info and terminal_list_themes: the example', async () => {
    const info = await client.call('terminal_info', {});
    expect(info.structured).toMatchObject({ status: 'success', terminal: 'xterm-256color', columns: 120, lines: 30 });
    const themes = await client.call('terminal_list_themes', {});
    expect(themes.structured).toMatchObject({ status: 'success', count: 4 });
    expect(Object.keys(themes.structured['themes'] as object)).toEqual(['default', 'rich', 'minimal', 'json']);
  });
});
