import { readFileSync } from 'node:fs';
import https, { type ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { ClientOptions } from '../../src/client/options.js';
import { noRetry } from '../../src/client/retry.js';
import { fakeTime } from './support/fake-time.js';
import { listening } from './support/loopback.js';
import { ways } from './support/ways.js';

describe.each(ways)('over %s', (http) => {
  const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
  const ca = pem('ca');

  const secure = async (options: ServerOptions = {}) => {
    const names: string[] = [];
    let connections = 0;
    const server = https.createServer({ key: pem('server.key'), cert: pem('server'), ...options }, (incoming, answer) => {
      const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
      if (subject) names.push(String(subject.CN));
      answer.setHeader('content-type', 'application/json').end('{"title":"safe"}');
    });
    server.on('connection', () => { connections++; });
    const port = await listening(server);
    return { url: `https://localhost:${port}`, port, names, connections: () => connections };
  };

  const title = async (options: ClientOptions) =>
    (await createClient({ http, time: fakeTime(), ...options }).appearance.get({})).title;

  describe('a service with a certificate of a private authority', () => {
    test('is called over one connection, with bodies small and large', async () => {
      const { url, connections } = await secure();
      const client = createClient({ http, url, ca });
      for (const size of [1, 10, 100_000, 900_000, 1]) {
        await client.appearance.get({});
        await client.appearance.set({ description: 'x'.repeat(size) });
      }
      expect(connections()).toBe(1);
    });

    test('is not trusted, and not retried', async () => {
      const { url, connections } = await secure();
      await expect(title({ url })).rejects.toMatchObject({
        name: 'ConnectionError', sent: false,
        message: expect.stringContaining(`the certificate of ${url} is not trusted`) as string,
      });
      expect(connections()).toBe(1);
    });

    test.each([['bytes', ca], ['text', String(ca)], ['several', [pem('client'), ca]]])(
      'is trusted with that authority as %s', async (_, given) => {
        const { url } = await secure();
        expect(await title({ url, ca: given })).toBe('safe');
      });

    test('is not trusted for a purpose or name that its certificate does not have', async () => {
      const { url } = await secure({ key: pem('client.key'), cert: pem('client') });
      await expect(title({ url, ca })).rejects.toThrow(`the certificate of ${url} is not trusted`);
    });

    test('may have carried out a request to which it responds with bytes that are not TLS', async () => {
      const server = https.createServer({ key: pem('server.key'), cert: pem('server') });
      server.on('connection', (socket) => { server.on('request', () => { socket.write('this is not a TLS record'); }); });
      const url = `https://localhost:${await listening(server)}`;
      await expect(title({ url, ca, timeout: 200, retry: noRetry })).rejects.toMatchObject({ name: 'ConnectionError', sent: true });
    });

    test('is not reached by http', async () => {
      const { port } = await secure();
      await expect(title({ url: `http://localhost:${port}` })).rejects.toMatchObject({ name: 'ConnectionError' });
    });
  });

  describe('a service that requires a client certificate', () => {
    const asking = { ca, requestCert: true, rejectUnauthorized: true };

    test('receives the one of the client', async () => {
      const { url, names } = await secure(asking);
      expect(await title({ url, ca, cert: pem('client'), key: pem('client.key') })).toBe('safe');
      expect(names).toEqual(['colloquy-test-client']);
    });

    test('rejects a client without one', async () => {
      const { url } = await secure(asking);
      await expect(title({ url, ca })).rejects.toMatchObject({ name: 'ConnectionError' });
    });
  });
});
