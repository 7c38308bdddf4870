import { readFileSync } from 'node:fs';
import http, { type RequestListener, type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { startServer } from '../../src/server/index.js';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

const always = (status: number, headers: Record<string, string>, body: string): RequestListener => (request, response) => {
  request.resume().on('end', () => { response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body); });
};

const busy = always(429, { 'retry-after': '3600' }, '{"message":"Too Many Requests"}');
const expired = always(401, {}, JSON.stringify({
  error: 'invalid_token', error_description: 'Token is expired. You can either do re-authorization or token refresh.',
}));
const readOnly = always(403, {}, JSON.stringify({
  error: 'insufficient_scope', error_description: 'The request requires higher privileges than provided by the access token.',
  scope: 'api',
}));
const silent: RequestListener = (request) => { request.resume(); };
const failing = always(500, {}, '{"message":"500 Internal Server Error"}');
const page = always(404, { 'content-type': 'text/html' }, '<h1>Not found</h1>');

/** Addresses as pages show them, and the servers that stand for them. */
export interface Addresses {
  /** A command of a page, as it can be run. */
  readonly toRun: (command: string) => string;
  /** An output, as a page shows it. */
  readonly toShow: (output: string) => string;
  /** The server with the demo world. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts a server with the demo world, and one for each way in which a service cannot be used. */
export const startAddresses = async (): Promise<Addresses> => {
  const demo = await startServer();
  const servers: Server[] = [];
  const listening = async (server: Server, host: string): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return `${host}:${(server.address() as AddressInfo).port}`;
  };
  const answering = (listener: RequestListener) => listening(http.createServer(listener), 'http://127.0.0.1');
  const addresses: readonly (readonly [shown: string, real: string])[] = [
    ['https://gitlab.example.com', demo.url],
    ['https://busy.example.com', await answering(busy)],
    ['https://expired.example.com', await answering(expired)],
    ['https://failing.example.com', await answering(failing)],
    ['https://page.example.com', await answering(page)],
    ['https://read-only.example.com', await answering(readOnly)],
    ['https://slow.example.com', await answering(silent)],
    ['https://plain-http.example.com', (await answering(busy)).replace('http:', 'https:')],
    ['https://private-ca.example.com', await listening(https.createServer({ key: pem('server.key'), cert: pem('server') }, busy), 'https://localhost')],
    ['https://down.example.com', 'http://127.0.0.1:1'],
  ];
  const hostOf = (url: string) => new URL(url).host;
  return {
    url: demo.url,
    toRun: (command) => addresses.reduce((text, [shown, real]) => text.replaceAll(shown, real), command),
    toShow: (output) => addresses.reduce((text, [shown, real]) =>
      text.replaceAll(real, shown).replaceAll(hostOf(real), hostOf(shown)), output),
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => { server.close(resolve); });
      }
      await demo.close();
    },
  };
};
