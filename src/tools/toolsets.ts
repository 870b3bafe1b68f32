import { GlassError } from '../base/errors';
import { type Toolset, toolsets } from './tool';

/** What a client gets that asks for nothing else. A small list is a feature: models choose better from it. */
export const defaultToolsets: readonly Toolset[] = ['core', 'format'];

/** Reads a list such as `core,format`, or `all`. Throws `unknown_toolset`. */
export function parseToolsets(text: string): readonly Toolset[] {
  if (text.trim() === 'all') return toolsets;
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !toolsets.some(known => known === name));
  if (unknown === undefined) return toolsets.filter(known => names.includes(known));
  throw new GlassError(
    'unknown_toolset',
    `There is no tool set "${unknown}". The sets are ${toolsets.join(', ')}, or all.`,
  );
}
