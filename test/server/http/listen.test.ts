import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '../../../src/server/index.js';
import { addressError } from '../../../src/server/http/listen.js';
import { everyRow } from '../../support/rows.js';
import { acme } from '../../support/worlds.js';

let running: RunningServer[] = [];
afterEach(async () => { await Promise.all(running.map((server) => server.close())); running = []; });

const start = async (options: ServerOptions = {}): Promise<RunningServer> => {
  const server = await startServer({ world: acme, ...options });
  running.push(server);
  return server;
};

interface Answer { readonly status: number; readonly headers: Record<string, unknown>; readonly text: string }

const ask = (url: string, method = 'GET', body?: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { 'private-token': 'developer-token', ...headers }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    request.on('error', reject).end(body);
  });

/** Sends bytes as they are and gives everything that comes back until the other side closes. */
const raw = (url: string, bytes: string): Promise<string> => new Promise((resolve, reject) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
  let text = '';
  socket.on('data', (chunk) => { text += chunk; }).on('close', () => resolve(text)).on('error', reject);
});

describe('the socket', () => {
  it('listens on a free loopback port and returns its URL', async () => {
    const { url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask(`${url}/api/v4/projects/20/issues/1/discussions`)).toMatchObject({ status: 200, headers: { 'x-total': '3' } });
  });

  it('puts its own address into links', async () => {
    const { url } = await start();
    const { headers, text } = await ask(`${url}/api/v4/projects/20/issues/1/discussions?per_page=1`);
    expect(headers['link']).toContain(`<${url}/api/v4/projects/20/issues/1/discussions?`);
    expect(text).toContain(`"web_url":"${url}/guest"`);
  });

  it('sends HEAD and 204 responses without a body or content-length', async () => {
    const { url } = await start();
    const answer = await raw(url, 'HEAD /api/v4/version HTTP/1.1\r\nhost: localhost\r\nprivate-token: root-token\r\nconnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it('rejects a body by its announced length and closes', async () => {
    const { url } = await start();
    const answer = await raw(url, 'POST /api/v4/projects/20/issues/1/discussions HTTP/1.1\r\nhost: localhost\r\n'
      + 'content-type: application/json\r\ncontent-length: 99999999\r\n\r\n{');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('{"message":"413 Request Entity Too Large"}');
  });

  it('rejects a body that grows too large while it streams', async () => {
    const { url } = await start();
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const answer = await raw(url, 'POST /api/v4/projects/20/issues/1/discussions HTTP/1.1\r\nhost: localhost\r\n'
      + `content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(200)}`).catch(() => 'reset');
    expect(answer === 'reset' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
    expect((await ask(`${url}/-/health`)).status).toBe(200);
  });

  it('survives bytes that are no HTTP', async () => {
    const { url } = await start();
    expect(await raw(url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await ask(`${url}/-/health`)).status).toBe(200);
  });

  it('says why it cannot listen at an address, and what to pass instead', async () => {
    const port = Number(new URL((await start()).url).port);
    const rows: readonly (readonly [ServerOptions, code: string, problem: string])[] = [
      [{ port }, 'EADDRINUSE', `127.0.0.1:${port} is already in use`],
      [{ host: '192.0.2.1' }, 'EADDRNOTAVAIL', '192.0.2.1:0 is not an address of this machine'],
      [{ host: 'none.invalid' }, 'ENOTFOUND', 'none.invalid:0 is not a known host'],
    ];
    const hint = 'choose another host or port; port 0 picks a free one';
    await everyRow(rows, ([, code]) => code, async ([options, code, problem]) => {
      await expect(startServer({ world: acme, ...options })).rejects
        .toMatchObject({ name: 'ListenError', code, message: `${problem} (${code}); ${hint}`, hint, cause: { code } });
    });
  });

  it('says that a port needs more permissions, and leaves other errors unchanged', () => {
    const [forbidden, other] = ['EACCES', 'EMFILE'].map((code) => Object.assign(new Error('listen'), { code }));
    expect(addressError(forbidden!, { host: '::1', port: 80 })).toMatchObject({
      problem: '[::1]:80 cannot be used without more permissions (EACCES)', cause: forbidden,
    });
    expect(addressError(other!, { host: '::1', port: 80 })).toBe(other);
  });

  it('completes pending requests before it stops, and accepts no new ones', async () => {
    const server = await start();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    const closed = new Promise<void>((resolve) => socket.on('data', (chunk) => { text += chunk; }).on('close', () => resolve()));
    const body = '{"body":"last words"}';
    socket.write('POST /api/v4/projects/20/issues/1/discussions HTTP/1.1\r\nhost: localhost\r\nprivate-token: guest-token\r\n'
      + `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await ask(`${server.url}/-/health`);
    const stopping = server.close();
    socket.write(body.slice(5));
    await Promise.all([stopping, closed]);
    running = [];
    expect(text).toMatch(/^HTTP\/1\.1 201 /);
    expect(text).toContain('last words');
    await expect(ask(`${server.url}/-/health`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
