import { existsSync, readFileSync } from 'node:fs';
import { type WaitOptions, waitFor } from './wait';

export interface ToolCall {
  readonly tool: string;
  readonly input: object;
}

export interface ToolResult extends ToolCall {
  /** What the model gets to read. */
  readonly text: string;
  /** From the model's call to its next request, so a person's click is part of it. */
  readonly ms: number;
}

/** What the harness extension writes down, oldest first. */
export type Entry = { readonly at: number } & (
  | { readonly event: 'activated'; readonly version: string }
  | {
      readonly event: 'model.request';
      readonly script?: string;
      readonly tools: string[];
      readonly messages: number;
      readonly images: string[];
    }
  | ({ readonly event: 'model.call'; readonly script: string } & ToolCall)
  | ({ readonly event: 'model.result'; readonly script: string } & ToolResult)
  | { readonly event: 'model.done'; readonly script: string }
  | { readonly event: 'echo.invoked'; readonly input: object; readonly hasToken: boolean }
);

export class Journal {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  entries(): Entry[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n');
    lines.pop(); // empty, or not yet written to its end
    return lines.map(line => JSON.parse(line) as Entry);
  }

  of<E extends Entry['event']>(event: E): Extract<Entry, { event: E }>[] {
    return this.entries().filter((entry): entry is Extract<Entry, { event: E }> => entry.event === event);
  }

  async waitFor<E extends Entry['event']>(
    event: E,
    matches: (entry: Extract<Entry, { event: E }>) => boolean,
    options: WaitOptions,
  ): Promise<Extract<Entry, { event: E }>> {
    return await waitFor(() => this.of(event).find(matches), options);
  }
}
