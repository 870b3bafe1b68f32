import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { png } from './media';

type Content = GetPromptResult['messages'][number]['content'];

/** A prompt of the conformance suite. */
export interface FixturePrompt extends Prompt {
  fill(args: Readonly<Record<string, string>>): Content[];
}

export const prompts: readonly FixturePrompt[] = [
  {
    name: 'test_simple_prompt',
    description: 'Takes nothing.',
    fill: () => [text('This is a simple prompt for testing.')],
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'Takes two arguments.',
    arguments: [
      { name: 'arg1', description: 'The first.', required: true },
      { name: 'arg2', description: 'The second.', required: true },
    ],
    fill: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'Has a resource in it.',
    arguments: [{ name: 'resourceUri', description: 'The address of the resource.', required: true }],
    fill: ({ resourceUri = '' }) => [
      {
        type: 'resource',
        resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
      },
      text('Please process the embedded resource above.'),
    ],
  },
  {
    name: 'test_prompt_with_image',
    description: 'Has an image in it.',
    fill: () => [{ type: 'image', data: png, mimeType: 'image/png' }, text('Please analyze the image above.')],
  },
];

function text(value: string): Content {
  return { type: 'text', text: value };
}
