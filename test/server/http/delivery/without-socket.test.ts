import { describe, expect, it, onTestFinished } from 'vitest';
import { openService, startServer, type OpenService } from '../../../../src/server/index.js';
import { bodyLimits } from '../../../../src/server/http/bodies.js';
import { acme } from '../../../support/worlds.js';

const issue = '/api/v4/projects/20/issues/1/discussions';
const token = { 'private-token': 'developer-token' };
const json = { ...token, 'content-type': 'application/json' };

const opened = async (): Promise<OpenService> => {
  const service = await openService({ world: acme });
  onTestFinished(() => service.close());
  return service;
};
const streamOf = (...parts: string[]) => new ReadableStream<Uint8Array>({
  start: (controller) => {
    for (const part of parts) controller.enqueue(Buffer.from(part));
    controller.close();
  },
});

describe('fetch of a service', () => {
  it.each(['http://localhost', 'https://gitlab.example:8443', 'http://[::1]'])('responds to requests for any host: %s', async (origin) => {
    const { fetch } = await opened();
    const response = await fetch(new Request(`${origin}${issue}?per_page=1#part`, { headers: { ...token, host: 'evil.example' } }));
    expect([response.status, response.headers.get('x-per-page')]).toEqual([200, '1']);
    expect(await response.json()).toHaveLength(1);
  });

  it.each<[string, () => string | Uint8Array | ReadableStream]>([
    ['text', () => '{"body":"Grüße"}'],
    ['bytes', () => Buffer.from('{"body":"Grüße"}')],
    ['a stream', () => streamOf('{"bo', 'dy":"Gr', 'üße"}')],
  ])('accepts a body as %s', async (_what, body) => {
    const { fetch } = await opened();
    const response = await fetch(new Request(`http://x${issue}`, { method: 'POST', headers: json, body: body(), duplex: 'half' }));
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ notes: [{ body: 'Grüße' }] });
  });

  it('accepts a form', async () => {
    const { fetch } = await opened();
    const form = new FormData();
    form.set('title', 'From a form');
    const response = await fetch(new Request('http://x/api/v4/application/appearance', { method: 'PUT', headers: { 'private-token': 'root-token' }, body: form }));
    expect(await response.json()).toMatchObject({ title: 'From a form' });
  });

  it('gives responses without content no body', async () => {
    const { fetch } = await opened();
    const { headers } = await fetch(new Request(`http://x${issue}`, { headers: token }));
    const unchanged = await fetch(new Request(`http://x${issue}`, { headers: { ...token, 'if-none-match': headers.get('etag')! } }));
    const reset = await fetch(new Request('http://x/-/reset', { method: 'POST' }));
    const head = await fetch(new Request(`http://x${issue}`, { method: 'HEAD', headers: token }));
    expect([unchanged, reset, head].map(({ status, body }) => [status, body])).toEqual([[304, null], [204, null], [200, null]]);
  });

  it('rejects a body that is too large, without reading all of it', async () => {
    const { fetch } = await opened();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => { sent++; controller.enqueue(new Uint8Array(65_536)); } });
    const response = await fetch(new Request(`http://x${issue}`, { method: 'POST', headers: json, body, duplex: 'half' }));
    expect([response.status, await response.json()]).toEqual([413, { message: '413 Request Entity Too Large' }]);
    expect(sent).toBeLessThan(bodyLimits.other / 65_536 + 10);
  });

  it('rejects if the body cannot be read', async () => {
    const { fetch } = await opened();
    const body = new ReadableStream({ pull: (controller) => { controller.error(new Error('gone')); } });
    await expect(fetch(new Request(`http://x${issue}`, { method: 'POST', headers: json, body, duplex: 'half' }))).rejects.toThrow('gone');
  });

  it('takes the path of `externalUrl` for the base of the service', async () => {
    const service = await openService({ externalUrl: 'https://git.example/gitlab/' });
    onTestFinished(() => service.close());
    const get = async (url: string) => (await service.fetch(new Request(url, { headers: { 'private-token': 'root-token' } }))).status;
    const paths = ['/gitlab/api/v4/user', '/api/v4/user', '/gitlab/w/one/api/v4/user', '/gitlabs/api/v4/user', '/gitlab'];
    expect(await Promise.all(paths.map((path) => get(`https://git.example${path}`)))).toEqual([200, 200, 200, 404, 404]);
  });

  it('reaches worlds below /w/', async () => {
    const { fetch, worldUrl } = await opened();
    await fetch(new Request(worldUrl('a') + issue, { method: 'POST', headers: json, body: '{"body":"only in a"}' }));
    expect(await (await fetch(new Request(worldUrl('a') + issue, { headers: token }))).text()).toContain('only in a');
    expect(await (await fetch(new Request(`http://x${issue}`, { headers: token }))).text()).not.toContain('only in a');
  });

  it('gives the same response as a socket', async () => {
    const server = await startServer({ world: acme, hex: (length) => 'a'.repeat(length) });
    onTestFinished(() => server.close());
    const shown = async (response: Response) => [response.status, await response.text(), [...response.headers].filter(([name]) =>
      !['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding'].includes(name))];
    for (const path of [issue, '/api/v4/nothing', '/-/health', '/uploads/x']) {
      const request = () => new Request(server.url + path, { headers: token });
      expect(await shown(await server.fetch(request()))).toEqual(await shown(await fetch(request())));
    }
  });
});
