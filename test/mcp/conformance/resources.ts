import type { ReadResourceResult, Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import { png } from './media';

type Contents = ReadResourceResult['contents'][number];

export const resources: readonly Resource[] = [
  { uri: 'test://static-text', name: 'static-text', description: 'A text.', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', description: 'An image.', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched', description: 'To be subscribed to.', mimeType: 'text/plain' },
];

export const resourceTemplates: readonly ResourceTemplate[] = [
  { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'A JSON.', mimeType: 'application/json' },
];

const fixed: Readonly<Record<string, Contents>> = {
  'test://static-text': {
    uri: 'test://static-text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  'test://static-binary': { uri: 'test://static-binary', mimeType: 'image/png', blob: png },
  'test://watched-resource': {
    uri: 'test://watched-resource',
    mimeType: 'text/plain',
    text: 'Watched resource content',
  },
};

/** What a resource has in it; `undefined` if there is none of that address. */
export function readResource(uri: string): Contents | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return fixed[uri];
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text };
}
