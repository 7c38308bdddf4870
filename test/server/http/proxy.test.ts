import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Gitlab } from '@gitbeaker/rest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBaseUrl } from '../../../src/client/base-url.js';
import { socketTransport } from '../../../src/client/transport/socket.js';
import { readRecording } from '../../../src/recording/read.js';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import { isAll } from '../../support/extent.js';

let upstream: RunningServer;
let proxy: RunningServer;
let text: string;
beforeEach(async () => {
  text = '';
  upstream = await startServer({ dialect: 'live' });
  proxy = await startServer({ proxy: {
    url: upstream.url, transport: socketTransport(readBaseUrl(upstream.url)), onExchange: async (line) => { text += line; },
  } });
});
afterEach(async () => {
  await proxy.close();
  await upstream.close();
});

const ask = async (base: string, path: string, { token = 'ada-token', ...init }: RequestInit & { token?: string } = {}) => {
  const headers = { 'private-token': token, ...init.headers as Record<string, string> };
  const response = await fetch(`${base}${path}`, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

describe('a proxy', () => {
  it('passes requests and responses on, with its own address in place of the one of the service', async () => {
    const path = '/api/v4/projects/acme%2Fapp/merge_requests/12/discussions?per_page=1';
    const [direct, passed] = [await ask(upstream.url, path), await ask(proxy.url, path)];
    expect([passed.status, passed.text]).toEqual([200, direct.text.replaceAll(upstream.url, proxy.url)]);
    expect(passed.headers.get('link')).toBe(direct.headers.get('link')!.replaceAll(upstream.url, proxy.url));
    const body = JSON.stringify({ body: `see ${proxy.url}/acme/app` });
    const made = await ask(proxy.url, '/api/v4/projects/acme%2Fapp/issues/7/notes', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    expect([made.status, (JSON.parse(made.text) as { body: string }).body]).toEqual([201, `see ${proxy.url}/acme/app`]);
    expect((await ask(upstream.url, '/api/v4/projects/acme%2Fapp/issues/7/notes')).text).toContain(`see ${upstream.url}/acme/app`);
  });

  it('passes errors of the service on, and is one itself when it is gone', async () => {
    expect(await ask(proxy.url, '/api/v4/user', { token: 'wrong' })).toMatchObject({ status: 401 });
    await upstream.close();
    const { status, text: body } = await ask(proxy.url, '/api/v4/user');
    expect([status, body]).toEqual([502, expect.stringContaining(`502 Bad Gateway - GET /api/v4/user: nothing is listening at ${upstream.url}`)]);
    expect(readRecording(text, 'x').map(({ response }) => response.status)).toEqual([401, 502]);
  });

  it('keeps bytes as they are', async () => {
    const form = new FormData();
    form.set('logo', new File([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0])], 'a.png', { type: 'image/png' }));
    const put = await ask(proxy.url, '/api/v4/application/appearance', { method: 'PUT', body: form, token: 'root-token' });
    expect(put.status).toBe(200);
    const { logo } = JSON.parse(put.text) as { logo: string };
    const image = async (base: string) => Buffer.from(await (await fetch(`${base}${logo}`)).arrayBuffer());
    expect(await image(proxy.url)).toEqual(await image(upstream.url));
    expect((await ask(proxy.url, logo)).headers.get('content-security-policy')).toBe('sandbox');
  });

  it('decompresses a request, and passes on what it cannot decompress', async () => {
    const seen: HttpRequest[] = [];
    const transport = async (request: HttpRequest) => {
      seen.push(request);
      return { status: 200, headers: {}, body: '' };
    };
    const other = await startServer({ proxy: { url: upstream.url, transport } });
    const post = (encoding: string, body: Uint8Array) =>
      ask(other.url, '/api/v4/x', { method: 'POST', body, headers: { 'content-type': 'application/json', 'content-encoding': encoding } });
    const text = JSON.stringify({ body: 'hello' });
    const unknown = Buffer.from([0xff, 1, 2]);
    await post('gzip', gzipSync(text));
    await post('br', brotliCompressSync(text));
    await post('zstd', unknown);
    await other.close();
    expect(seen.map(({ headers, body }) => [headers['content-encoding'], Buffer.from(body!).toString('latin1')])).toEqual([
      [undefined, text], [undefined, text], ['zstd', unknown.toString('latin1')]]);
  });

  it('does not stop the control plane of the test server', async () => {
    expect((await ask(proxy.url, '/-/health')).status).toBe(200);
    expect(text).toBe('');
  });
});

it('a client notices nothing when what it did through the proxy is replayed', async () => {
  const work = async (base: string) => {
    const client = new Gitlab({ host: base, token: 'ada-token' });
    const users = await client.Users.all({ username: 'bob' });
    const thread = await client.IssueDiscussions.create('acme/app', 7, 'For @bob, and ada: ä 😀');
    const reply = await client.IssueDiscussions.addNote('acme/app', 7, thread.id, 'a reply');
    await client.IssueDiscussions.editNote('acme/app', 7, thread.id, reply.id, { body: 'a better reply' });
    const threads = await client.IssueDiscussions.all('acme/app', 7);
    const missing: unknown = await client.IssueDiscussions.show('acme/app', 7, 'f'.repeat(40)).catch((error: Error) => error.message);
    const pages = await client.MergeRequestDiscussions.all('acme/app', 12, { perPage: 2 });
    return JSON.stringify([users, thread, threads, missing, pages]).replaceAll(base, 'HERE');
  };
  const live = await work(proxy.url);
  expect(text).not.toMatch(/ada-token|\bbob\b|"username":"ada"/);
  const replay = await startServer({ replay: { exchanges: readRecording(text, 'x'), strict: true } });
  const again = await work(replay.url);
  // Whom no request names keeps a pseudonym, which has the same shape.
  const shape = (given: string) => given.replace(/\p{Lu}/gu, 'A').replace(/\p{Ll}/gu, 'a');
  expect(shape(again)).toBe(shape(live));
  expect(again).toContain('For @bob, and ada: ä 😀');
  await replay.close();
});

/** Of five exchanges. */
const rounds = isAll ? 100 : 20;

it('a client notices nothing when hundreds of exchanges are replayed', { timeout: 60_000 }, async () => {
  const work = async (base: string) => {
    const client = new Gitlab({ host: base, token: 'bob-token' });
    const seen: unknown[] = [];
    for (let round = 0; round < rounds; round++) {
      const thread = await client.MergeRequestDiscussions.create('acme/app', 12, `Round ${round}: see ${base}/acme/app, @ada`);
      const reply = await client.MergeRequestDiscussions.addNote('acme/app', 12, thread.id, round % 2 === 0 ? 'ä 😀' : 'x'.repeat(round));
      await client.MergeRequestDiscussions.editNote('acme/app', 12, thread.id, reply.id, { body: `changed ${round}` });
      const shown = await client.MergeRequestDiscussions.show('acme/app', 12, thread.id);
      const missing: unknown = await client.IssueNotes.show('acme/app', 7, 900_000 + round).catch((error: Error) => error.message);
      seen.push(thread, reply, shown, missing);
    }
    return JSON.stringify(seen).replaceAll(base, 'HERE');
  };
  const live = await work(proxy.url);
  const exchanges = readRecording(text, 'x');
  expect(exchanges).toHaveLength(5 * rounds);
  const replay = await startServer({ replay: { exchanges, strict: true } });
  const again = await work(replay.url);
  await replay.close();
  const shape = (given: string) => given.replace(/\p{Lu}/gu, 'A').replace(/\p{Ll}/gu, 'a');
  expect(shape(again)).toBe(shape(live));
});

it('a failure of the service while the owner of a token is asked for costs no later exchange its user', async () => {
  const path = '/api/v4/projects/acme%2Fapp/issues/7/notes';
  await upstream.faults(['GET /user => status 503 times=1']);
  for (let count = 0; count < 2; count++) expect((await ask(proxy.url, path)).status).toBe(200);
  expect(readRecording(text, 'x').map(({ user }) => user?.id)).toEqual([undefined, 2]);
});

it('tokens in what a client writes do not stop its replay, and one in a query has an owner', async () => {
  const body = { body: 'use ada-token or glpat-abcdefghijklmnop1234' };
  const work = async (base: string) => {
    const made = await ask(base, '/api/v4/projects/acme%2Fapp/issues/7/notes', {
      method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' },
    });
    const asked = await fetch(`${base}/api/v4/user?private_token=ada-token`);
    return [made.status, asked.status];
  };
  expect(await work(proxy.url)).toEqual([201, 200]);
  expect(text).not.toMatch(/ada-token|glpat-/);
  expect(readRecording(text, 'x').map(({ user }) => user?.id)).toEqual([2, 2]);
  const replay = await startServer({ replay: { exchanges: readRecording(text, 'x'), strict: true } });
  expect(await work(replay.url)).toEqual([201, 200]);
  await replay.close();
});
