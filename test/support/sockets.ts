import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen, socketLimits, type Listening, type SocketLimits } from '../../src/server/http/listen.js';
import { startServer, type ServerOptions } from '../../src/server/index.js';
import type { Service } from '../../src/wire/http.js';
import { acme } from './worlds.js';

/** A server with the world `acme` for the length of one test. */
export const started = async (options: ServerOptions = {}) => {
  const server = await startServer({ world: acme, ...options });
  onTestFinished(() => server.close());
  return server;
};

/** Limits of time that no test reaches, though its process may not run for seconds between any two steps. */
const patient: SocketLimits = {
  ...socketLimits, headersTimeout: 60_000, requestTimeout: 60_000, responseTimeout: 60_000, handshakeTimeout: 60_000, keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 50,
};

/** Limits for a request that a test can wait for, where it never completes one. */
export const impatient: Partial<SocketLimits> = { headersTimeout: 300, requestTimeout: 600 };

/** A service behind a socket for the length of one test. Only the limits of time that it is given matter. */
export const listening = async (
  service: Service, limits: Partial<SocketLimits> = {}, tls?: Parameters<typeof listen>[1]['tls'],
): Promise<Listening> => {
  const server = await listen(service, { host: '127.0.0.1', port: 0, ...(tls && { tls }) }, { ...patient, ...limits });
  onTestFinished(() => server.close());
  return server;
};

/** The next connection that a server of this process accepts, as the server has it. */
export const accepted = (): Promise<Socket> => new Promise((resolve) => {
  const channel = 'net.server.socket';
  const take = (message: unknown) => {
    unsubscribe(channel, take);
    resolve((message as { readonly socket: Socket }).socket);
  };
  subscribe(channel, take);
});

/** A connection to a server. A reset counts as its end. */
export const connected = (url: string): Promise<Socket> => new Promise((resolve, reject) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
  socket.once('error', reject).on('error', () => undefined);
  onTestFinished(() => { socket.destroy(); });
});

/** Everything that comes back on a connection until the other side is done with it. */
export const untilClosed = (socket: Socket): Promise<string> => new Promise((resolve) => {
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => { text += chunk; });
  socket.once('end', () => socket.end()).once('close', () => resolve(text));
});

/** Sends bytes as they are and gives all that comes back. */
export const raw = async (url: string, bytes: string | Uint8Array): Promise<string> => {
  const socket = await connected(url);
  socket.write(bytes);
  return untilClosed(socket);
};

/** The status lines in what came back. */
export const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));

export const pause = (milliseconds: number) => new Promise<void>((resolve) => { setTimeout(resolve, milliseconds); });
