import { expect, it } from 'vitest';
import { CommandMemory } from '../../src/vscode/commandMemory';

const size = (memory: CommandMemory) =>
  memory.all.reduce((sum, { command, output }) => sum + command.length + output.length, 0);

it('remembers commands with their output and end', () => {
  const memory = new CommandMemory();
  const record = memory.begin('make', '/src');
  record.output('a\n');
  record.output('b\n');
  expect(memory.all).toMatchObject([{ command: 'make', cwd: '/src', isRunning: true, output: 'a\nb\n', isCut: false }]);
  record.end(2);
  expect(memory.all).toMatchObject([{ isRunning: false, exitCode: 2 }]);
});

it('remembers the last 20 commands', () => {
  const memory = new CommandMemory();
  for (let i = 0; i < 30; i++) memory.begin(`echo ${i}`, undefined).end(0);
  expect(memory.all.map(one => one.command)).toEqual(Array.from({ length: 20 }, (_, i) => `echo ${i + 10}`));
});

it('keeps the end of a flood, from the beginning of a line, and what was before it', () => {
  const memory = new CommandMemory();
  memory.begin('small', undefined).output('small output\n');
  const flood = memory.begin('yes', undefined);
  for (let i = 0; i < 20_000; i++) flood.output(`line ${i}\r\n`);
  const [small, last] = memory.all;
  expect(small?.output).toBe('small output\n');
  expect(last).toMatchObject({ isCut: true });
  expect(last?.output).toMatch(/^line \d+\r\n[\s\S]*line 19999\r\n$/);
  expect(last?.output.length).toBeLessThanOrEqual(16 * 1024);
});

it('stays within its bound, whatever is run', () => {
  const memory = new CommandMemory();
  for (let i = 0; i < 40; i++) memory.begin('x'.repeat(100_000), undefined).output('no line feed'.repeat(5000));
  expect(size(memory)).toBeLessThanOrEqual(64 * 1024);
  expect(memory.all.length).toBeGreaterThan(2);
});
