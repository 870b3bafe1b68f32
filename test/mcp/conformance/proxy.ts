import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

export interface Proxy {
  readonly url: string;
  close(): Promise<void>;
}

/** Passes everything on to `target`, with the bearer token that its client cannot be told, and under the target's own name. */
export async function startProxy(target: string, token: string): Promise<Proxy> {
  const server = createServer((incoming, response) => {
    const { host, ...headers } = incoming.headers;
    const outgoing = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    // A client that goes away in the middle of an event stream is nothing special.
    const ignore = () => {};
    outgoing.once('error', () => response.destroy());
    outgoing.once('response', answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      pipeline(answer, response, ignore);
    });
    response.once('close', () => outgoing.destroy());
    pipeline(incoming, outgoing, ignore);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(target).pathname}`,
    close() {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
