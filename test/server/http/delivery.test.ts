import { get as httpGet, type IncomingMessage } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { connected, raw, started, statuses, untilClosed } from '../../support/sockets.js';

const token = { 'private-token': 'developer-token' };
const request = (method: string, path: string, more = '') =>
  `${method} /api/v4${path} HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\n${more}\r\n`;

const split = (text: string) => {
  const [head, ...body] = text.split('\r\n\r\n');
  return { length: Number(/content-length: (\d+)/i.exec(head!)?.[1]), body: body.join('\r\n\r\n') };
};

describe('on a connection', () => {
  it('reset closes it without a response', async () => {
    const { url, faults } = await started();
    await faults(['* => reset']);
    await expect(new Promise((resolve, reject) => { httpGet(`${url}/api/v4/user`, { headers: token }, resolve).on('error', reject); }))
      .rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await raw(url, request('GET', '/user'))).toBe('');
  });

  it('truncate announces the whole body, sends half of it, and closes', async () => {
    const { url, faults } = await started();
    const whole = split(await raw(url, request('GET', '/user', 'connection: close\r\n')));
    await faults(['* => truncate']);
    const half = split(await raw(url, request('GET', '/user')));
    expect(half.length).toBe(whole.length);
    expect(half.body).toBe(whole.body.slice(0, Math.floor(whole.length / 2)));
  });

  it('dribble sends the whole body in small pieces', async () => {
    const { url, faults } = await started();
    const whole = await (await fetch(`${url}/api/v4/user`, { headers: token })).text();
    await faults(['* => dribble 1']);
    const pieces: string[] = [];
    await new Promise<void>((resolve, reject) => {
      httpGet(`${url}/api/v4/user`, { headers: token }, (response: IncomingMessage) => {
        response.setEncoding('utf8').on('data', (piece: string) => { pieces.push(piece); }).on('end', resolve);
      }).on('error', reject);
    });
    expect(pieces.join('')).toBe(whole);
    expect(pieces.length).toBeGreaterThan(5);
  });

  it('garble and html have the length of their bodies, and the connection stays usable', async () => {
    const { url, faults } = await started();
    await faults(['* => garble times=1', '* => html times=1']);
    const socket = await connected(url);
    socket.write(request('GET', '/user') + request('GET', '/user') + request('GET', '/user', 'connection: close\r\n'));
    expect(statuses(await untilClosed(socket))).toEqual([200, 502, 200]);
  });

  it('a client that leaves ends a dribbling response', async () => {
    const { url, faults, close } = await started();
    await faults(['* => dribble 60000']);
    const socket = await connected(url);
    socket.write(request('GET', '/user'));
    await new Promise((resolve) => { socket.once('data', resolve); });
    socket.destroy();
    await expect(close()).resolves.toBeUndefined();
  });

  it.each([['reset', false], ['truncate', true]])('%s closes a TLS connection too', async (fault, hasHead) => {
    const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name));
    const { url, faults } = await started({ tls: { cert: fixture('server.pem'), key: fixture('server.key.pem') } });
    await faults([`* => ${fault}`]);
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), ca: fixture('ca.pem'), servername: 'localhost' });
    socket.on('error', () => undefined).write(request('GET', '/user'));
    const text = await untilClosed(socket);
    expect(text.startsWith('HTTP/1.1 200')).toBe(hasHead);
  });

  it('a response that stalls does not delay other connections', async () => {
    const { url, faults } = await started();
    await faults(['GET /version => stall 60000']);
    const stalled = await connected(url);
    stalled.write(request('GET', '/version'));
    expect((await fetch(`${url}/api/v4/user`, { headers: token })).status).toBe(200);
    stalled.destroy();
  });
});
