import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request: it is lost, or the response of the service is. */
const fates = ['reset before', 'reset after', 'half after', '500 before', '500 after', '502 before', '502 after', '504 after'] as const;
export type Fate = (typeof fates)[number];

/** A proxy in front of a service; `hits` counts the requests that failed. */
export interface UnreliableProxy {
  readonly url: string;
  readonly hits: () => number;
  readonly close: () => Promise<void>;
}

/** A number from 0 to 1 for each call, the same sequence for the same seed (mulberry32). */
export const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** Starts a proxy to a service on which requests fail with a probability, each in a random way. */
export const unreliableProxy = async (target: string, probability: number, seed: number): Promise<UnreliableProxy> => {
  const draw = seeded(seed);
  let hits = 0;
  const server = createServer((incoming, outgoing) => {
    const fate = draw() < probability ? fates[Math.floor(draw() * fates.length)]! : null;
    if (fate !== null) hits++;
    pass(target, incoming, outgoing, fate).catch(() => { outgoing.destroy(); });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits: () => hits,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const pass = async (target: string, incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate | null): Promise<void> => {
  const body = await bytesOf(incoming);
  if (fate?.endsWith('before')) return fail(outgoing, fate);
  const { method, headers } = incoming;
  const forwarded = request(`${target}${incoming.url ?? ''}`, { method, headers });
  forwarded.end(body);
  const [response] = await once(forwarded, 'response') as [IncomingMessage];
  const content = await bytesOf(response);
  if (fate !== null && fate !== 'half after') return fail(outgoing, fate);
  outgoing.writeHead(response.statusCode!, response.headers);
  if (fate === null) outgoing.end(content);
  else outgoing.write(content.subarray(0, content.length >> 1), () => outgoing.destroy());
};

const fail = (outgoing: ServerResponse, fate: Fate): void => {
  if (fate.startsWith('reset')) return void outgoing.destroy();
  const status = Number(fate.slice(0, 3));
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end(`<html><h1>${status}</h1></html>`);
};

const bytesOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
