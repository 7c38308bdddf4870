import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/index.js';
import { raw, started, statuses, untilClosed } from '../../support/sockets.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name));
const tls = { cert: fixture('server.pem'), key: fixture('server.key.pem') };
const health = 'GET /-/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

const secured = (url: string, options: ConnectionOptions): Promise<TLSSocket> => new Promise((resolve, reject) => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca: fixture('ca.pem'), servername: 'localhost', ...options },
    () => resolve(socket));
  socket.once('error', reject);
});

describe('TLS', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('is spoken in %s', async (version) => {
    const { url } = await started({ tls });
    expect(url).toMatch(/^https:/);
    const socket = await secured(url, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.write(health);
    expect(statuses(await untilClosed(socket))).toEqual([200]);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('is not spoken in %s', async (version) => {
    const { url } = await started({ tls });
    await expect(secured(url, { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow();
  });

  it('accepts the certificate and the key as text', async () => {
    const { url } = await started({ tls: { cert: tls.cert.toString(), key: tls.key.toString() } });
    const socket = await secured(url, {});
    socket.write(health);
    expect(statuses(await untilClosed(socket))).toEqual([200]);
  });

  it.each([
    ['a key of another certificate', { cert: tls.cert, key: fixture('client.key.pem') }, 'the key does not match the certificate'],
    ['a key in place of the certificate', { cert: tls.key, key: tls.key }, 'one of them is not in PEM format'],
    ['a certificate in place of the key', { cert: tls.cert, key: tls.cert }, 'one of them is not in PEM format'],
    ['no PEM at all', { cert: 'certificate', key: 'key' }, 'one of them is not in PEM format'],
    ['a cut certificate', { cert: tls.cert.subarray(0, 200), key: tls.key }, 'one of them is not in PEM format'],
    ['garbage within', { cert: tls.cert.toString().replace(/\n\w{20}/, '\n!!!!'), key: tls.key }, 'one of them is not in PEM format'],
  ])('reports at the start what is wrong with %s', async (_, pair, why) => {
    await expect(startServer({ tls: pair })).rejects.toMatchObject({
      name: 'ListenError', problem: `invalid TLS certificate or key: ${why}`, hint: 'use a certificate and its private key, both in PEM format',
    });
  });

  it('rejects plain HTTP, and keeps running', async () => {
    const { url } = await started({ tls });
    expect(statuses(await raw(url, health))).not.toContain(200);
    const socket = await secured(url, {});
    socket.write(health);
    expect(statuses(await untilClosed(socket))).toEqual([200]);
  });
});
