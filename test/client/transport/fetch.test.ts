import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient, defaultRetry, noRetry, type ClientOptions } from '../../../src/index.js';
import { startServer } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

const url = 'https://gitlab.example';
const network = setupServer();
beforeAll(() => { network.listen({ onUnhandledRequest: 'bypass' }); });
afterEach(() => { network.resetHandlers(); });
afterAll(() => { network.close(); });

const client = (more: Partial<ClientOptions> = {}) => createClient({ url, token: 'developer-token', http: 'fetch', retry: noRetry, ...more });

describe('a client with fetch', () => {
  it('sends the requests that MSW intercepts', async () => {
    let seen = '';
    network.use(http.post(`${url}/api/v4/projects/1/issues/2/notes`, async ({ request }) => {
      seen = `${request.headers.get('private-token')} ${await request.text()}`;
      return HttpResponse.json({ id: 3, body: 'Hi' }, { status: 201 });
    }));
    expect(await client().notes.issue.create({ id: 1, noteable_id: 2, body: 'Hi' })).toMatchObject({ id: 3 });
    expect(seen).toBe('developer-token {"body":"Hi"}');
  });

  it('reads responses without a length, in parts', async () => {
    network.use(http.get(`${url}/api/v4/user`, () => new HttpResponse(new ReadableStream({
      start: (controller) => {
        for (const part of ['{"id":1,', '"username":"ada"}']) controller.enqueue(new TextEncoder().encode(part));
        controller.close();
      },
    }))));
    expect(await client().lookups.user({})).toMatchObject({ username: 'ada' });
  });

  it('reports a lost connection, and repeats where that is safe', async () => {
    let count = 0;
    network.use(http.get(`${url}/api/v4/user`, () => ++count === 1 ? HttpResponse.error() : HttpResponse.json({ id: 1, username: 'ada' })));
    await expect(client().lookups.user({})).rejects.toMatchObject({ name: 'ConnectionError', code: 'UND_ERR_SOCKET', sent: true });
    count = 0;
    const time = { now: () => 0, sleep: async () => undefined, random: () => 0 };
    expect(await client({ retry: defaultRetry, time }).lookups.user({})).toMatchObject({ username: 'ada' });
    expect(count).toBe(2);
  });

  it('reaches real servers, and knows when nothing was sent', async () => {
    const server = await startServer({ world: acme });
    const real = client({ url: server.url });
    expect(await real.lookups.user({})).toMatchObject({ username: 'developer' });
    expect(await real.notes.issue.create({ id: 20, noteable_id: 1, body: 'é' })).toMatchObject({ body: 'é' });
    const closed = await startServer({ world: acme });
    await Promise.all([server.close(), closed.close()]);
    await expect(client({ url: closed.url }).lookups.user({})).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNREFUSED', sent: false });
  });

  it('sends the token to no other origin', async () => {
    let isReached = false;
    network.use(
      http.get(`${url}/api/v4/user`, () => new HttpResponse(null, { status: 302, headers: { location: 'https://evil.example/' } })),
      http.all('https://evil.example/*', () => {
        isReached = true;
        return HttpResponse.json({});
      }),
    );
    await expect(client().lookups.user({})).rejects.toMatchObject({ name: 'ResponseError', message: /does not receive the token/ });
    expect(isReached).toBe(false);
  });

  it('ends in time', async () => {
    network.use(http.get(`${url}/api/v4/user`, () => new Promise<Response>(() => undefined)));
    await expect(client({ timeout: 20 }).lookups.user({})).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
    const stop = new AbortController();
    const stopped = client().lookups.user({}, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
  });

  it.each([['proxy', 'http://proxy.example'], ['ca', 'pem']])('rejects the option %s, which it would ignore', (name, value) => {
    expect(() => client({ [name]: value })).toThrow(`the option ${name} has no effect with \`http: 'fetch'\`; remove one of them`);
  });
});
