import { StringDecoder } from 'node:string_decoder';
import { Tokenizer } from '../screen/tokenizer';

/** A line that is longer (characters) is looked at in pieces of this size. */
const MAX_LINE = 64 * 1024;

/** Reads a stream as lines of plain text while it comes: without control sequences, a carriage return beginning the line anew. */
export class LineScanner {
  private readonly tokenizer = new Tokenizer();
  private readonly decoder = new StringDecoder('utf8');
  private line = '';

  /** Takes in bytes; gives the lines they finish, and the unfinished one at last if it is not empty. */
  push(bytes: Uint8Array): string[] {
    let text = '';
    this.tokenizer.push(bytes, (kind, token) => {
      if (kind === 'text') text += this.decoder.write(token);
    });
    const lines = (this.line + text).split('\n').map(line => line.replace(/\r+$/, '').replace(/^.*\r/s, ''));
    this.line = (lines.pop() ?? '').slice(-MAX_LINE);
    return this.line === '' ? lines : [...lines, this.line];
  }
}
