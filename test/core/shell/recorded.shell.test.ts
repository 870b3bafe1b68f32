import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { record, replay } from '../../helpers/recording';

/** Records real shells; with RECORD=1 the recordings in test/recordings are written anew. */
it.each(['bash', 'zsh', 'fish', 'dash'])('a %s of this machine gives the commands that were submitted', async shell => {
  const recording = await record(shell);
  const { commands } = replay(recording, []);
  expect(commands.map(command => command.text)).toEqual(recording.submissions.map(one => one.text));
  expect(commands.slice(0, 6).map(command => command.exitCode)).toEqual([0, 0, 1, 0, 0, 0]);
  if (process.env['RECORD']) writeFileSync(`test/recordings/${shell}.json`, `${JSON.stringify(recording)}\n`);
});
