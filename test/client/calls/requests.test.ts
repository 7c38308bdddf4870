import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, type ClientEvent, type ClientOptions, type HttpRequest } from '../../../src/index.js';
import { identityHeaders } from '../../../src/contract/conventions.js';
import { openService } from '../../../src/server/index.js';
import { everyRow } from '../../support/rows.js';
import { acme } from '../../support/worlds.js';

const token = 'developer-token';

const served = async (more: Partial<ClientOptions> = {}) => {
  const service = await openService({ world: acme });
  onTestFinished(() => service.close());
  const sent: HttpRequest[] = [];
  const transport: typeof service.handle = (request, signal) => {
    sent.push(request);
    return service.handle(request, signal);
  };
  const client = createClient({ url: 'http://service.test/base', token, transport, ...more });
  return { service, client, sent };
};

describe('request', () => {
  it('resolves to the parsed JSON, with the type of the caller', async () => {
    const { client, sent } = await served();
    const { username } = await client.request<{ username: string }>('GET', '/user');
    expect(username).toBe('developer');
    expect(sent[0]).toMatchObject({ method: 'GET', target: '/api/v4/user', headers: { accept: 'application/json', 'private-token': token } });
  });

  it.each(['user', '/user', '/api/v4/user', 'http://service.test/base/api/v4/user'])('accepts the path %s', async (path) => {
    const { client } = await served();
    expect(await client.request('get', path)).toMatchObject({ username: 'developer' });
  });

  it('sends a body, a query and headers', async () => {
    const { client, sent } = await served();
    const note = await client.request<{ body: string }>('POST', 'projects/20/issues/1/notes', { body: { body: 'Hi' } });
    expect(note.body).toBe('Hi');
    await client.request('GET', 'projects/20/issues?a=1', { query: { sort: 'asc', b: { c: 2 }, d: [3], e: undefined, f: [] }, headers: { 'X-Own': 'y' } });
    expect(sent[0]).toMatchObject({ headers: { 'content-type': 'application/json' }, body: '{"body":"Hi"}' });
    expect(decodeURIComponent(sent[1]!.target)).toBe('/api/v4/projects/20/issues?a=1&sort=asc&b[c]=2&d[]=3&f=');
    expect(sent[1]!.headers['x-own']).toBe('y');
  });

  it('resolves to undefined for an empty response', async () => {
    const { client } = await served();
    const { id } = await client.notes.issue.create({ id: 20, noteable_id: 1, body: 'x' });
    expect(await client.request('DELETE', `projects/20/issues/1/notes/${id}`)).toBeUndefined();
  });

  it('repeats and reports as other methods do', async () => {
    const events: ClientEvent[] = [];
    const time = { now: () => 0, sleep: async () => undefined, random: () => 0 };
    const { client, service } = await served({ onEvent: (event) => { events.push(event); }, time });
    await service.faults(['GET /user => status 503 times=1']);
    expect(await client.request('GET', 'user')).toMatchObject({ username: 'developer' });
    expect(events.map(({ type }) => type)).toEqual(['request', 'response', 'retry', 'request', 'response']);
    await expect(client.request('GET', 'projects/999')).rejects.toMatchObject({ name: 'ApiError', status: 404, request: 'GET /api/v4/projects/999' });
    await expect(client.request('GET', 'user', { signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late');
  });

  it.each([
    'https://evil.example/api/v4/user', '//evil.example/api/v4/user', 'http://service.test/api/v4/user', '\\\\evil.example\\x',
    'http://u:p@service.test/base/api/v4/user', '../../-/world', 'http://service.test.evil.example/base/api/v4/user', '%2e%2e/%2e%2e/x',
    'http://service.test:81/base/api/v4/user', 'javascript:alert(1)', 'user#x',
  ])('refuses %s before anything is sent', async (path) => {
    const { client, sent } = await served();
    const failed = client.request('GET', path);
    await expect(failed).rejects.toMatchObject({ name: 'UnusablePathValue' });
    await expect(failed).rejects.not.toThrow('u:p');
    expect(sent).toEqual([]);
  });

  it('refuses other credentials than its token', async () => {
    const { client, sent } = await served();
    for (const name of ['Authorization', 'PRIVATE-TOKEN', 'Cookie', ...identityHeaders]) {
      await expect(client.request('GET', 'user', { headers: { [name]: 'x' } })).rejects.toThrow(/cannot be set; pass the token to createClient/);
    }
    await expect(client.request('GET', 'user?private_token=x')).rejects.toThrow('the query contains a token');
    await expect(client.request('TRACE', 'user')).rejects.toThrow('unknown method; use GET, HEAD, POST, PUT, PATCH, DELETE');
    expect(sent).toEqual([]);
  });

  it('rejects what is not JSON', async () => {
    const page = (type: string) => async () => ({ status: 200, headers: { 'content-type': type }, body: '<h1>Hi</h1>' });
    for (const type of ['text/html', 'application/json']) {
      const client = createClient({ url: 'http://service.test', transport: page(type) });
      await expect(client.request('GET', 'user')).rejects.toMatchObject({ name: 'ResponseError' });
    }
  });
});

/** Values of which JSON, a form or a query would have nothing. */
const unsendable: Readonly<Record<string, unknown>> = {
  Set: new Set([3]), Map: new Map([['a', 1]]), URLSearchParams: new URLSearchParams('a=1'), FormData: new FormData(), Blob: new Blob(['x']),
  File: new File(['x'], 'f.png'), ReadableStream: new Blob(['x']).stream(), Promise: Promise.resolve('x'), Function: () => 'x', Symbol: Symbol('x'),
  Date: new Date('never'), Object: new class { get a() { return 1; } }(), 'Array Iterator': ['a'].values(), String: Object('x'),
};

const untypedOf = (client: object) => client as {
  readonly lookups: { readonly issues: (params: unknown) => { all: () => Promise<unknown[]> } };
  readonly notes: { readonly issue: { readonly create: (params: unknown, options?: unknown) => Promise<unknown> } };
  readonly appearance: { readonly set: (params: unknown) => Promise<unknown> };
};

describe('a value', () => {
  it.each(['json', 'form', 'query'] as const)('that has nothing to send is refused before anything is sent with encoding %s', async (encoding) => {
    const { client, sent } = await served({ encoding });
    const { lookups, notes, appearance } = untypedOf(client);
    const logo = Object(new Blob(['x'])) as unknown;
    await everyRow(Object.entries(unsendable), ([type]) => type, async ([type, value]) => {
      const refused = async (name: string, call: () => unknown) => {
        await expect(Promise.resolve().then(call), name).rejects
          .toThrow(new TypeError(`${name} cannot be sent (${type}); pass a text, a list or a plain object`));
      };
      await refused('labels', () => lookups.issues({ id: 20, labels: value }).all());
      await refused('iids[]', () => lookups.issues({ id: 20, iids: [value] }).all());
      await refused('created_at', () => notes.issue.create({ id: 20, noteable_id: 1, body: 'x', created_at: value }, { key: 'k' }));
      await refused('title', () => appearance.set({ title: value, logo: { filename: 'a.png', bytes: Buffer.from('PNG') } }));
      if (type !== 'Promise') await refused('body', () => client.request('PUT', 'application/appearance', { body: value }));
      await refused('query.a.b', () => client.request('GET', 'user', { query: { a: { b: value } } }));
      await refused('query.a', () => client.requestPages('users', { query: { a: value } }).all());
    });
    await expect(appearance.set({ logo: { filename: 'a.png', bytes: logo } })).rejects.toThrow(/^logo\.bytes cannot be sent \(Blob\)/);
    await expect(client.request('GET', 'users', { query: new URLSearchParams('username=x') as never })).rejects.toThrow(/^query cannot be sent/);
    expect(sent).toEqual([]);
  });

  it.each(['json', 'form', 'query'] as const)('with a text for JSON, such as a Date, is this text everywhere, with encoding %s', async (encoding) => {
    const { client, sent } = await served({ encoding });
    const { lookups, notes } = untypedOf(client);
    const [then, later] = [new Date('2020-01-01'), new Date('2099-01-01')];
    const creating = notes.issue.create({ id: 20, noteable_id: 1, body: 'x', created_at: then });
    then.setFullYear(2030);
    await creating;
    expect(decodeURIComponent(`${sent[0]!.target} ${String(sent[0]!.body)}`)).toMatch(/created_at"?[=:]"?2020-01-01T00:00:00\.000Z/);
    expect(await lookups.issues({ id: 20, updated_after: later }).all()).toEqual([]);
    expect(await client.requestPages('projects/20/issues', { query: { updated_after: later } }).all()).toEqual([]);
    expect(await client.request('GET', 'projects/20/issues', { query: { updated_after: later } })).toEqual([]);
  });

  it.each([
    ['an ArrayBuffer', Uint8Array.from(Buffer.from('{"body":"x"}')).buffer],
    ['a DataView', new DataView(Uint8Array.from(Buffer.from('.{"body":"x"}')).buffer, 1)],
    ['a Buffer', Buffer.from('{"body":"x"}')],
  ])('in %s is bytes as a body', async (_, body) => {
    const { client } = await served();
    const headers = { 'content-type': 'application/json' };
    expect(await client.request('POST', 'projects/20/issues/1/notes', { body, headers })).toMatchObject({ body: 'x' });
  });

  it('can be an object of a class with fields', async () => {
    const { client, sent } = await served();
    const fields = new class { readonly body = 'x'; }();
    expect(await client.request('POST', 'projects/20/issues/1/notes', { query: { ...fields, position: fields } })).toMatchObject({ body: 'x' });
    expect(decodeURIComponent(sent[0]!.target)).toMatch(/\?body=x&position\[body\]=x$/);
  });
});

describe('requestPages', () => {
  it('reads all pages of a list', async () => {
    const { client, sent } = await served({ perPage: 2 });
    for (let i = 0; i < 5; i++) await client.notes.issue.create({ id: 20, noteable_id: 1, body: `note ${i}` });
    const path = 'projects/20/issues/1/notes';
    const all = await client.notes.issue.list({ id: 20, noteable_id: 1, sort: 'asc' }).all();
    sent.length = 0;
    const list = client.requestPages<{ id: number }>(path, { query: { sort: 'asc' } });
    expect((await list.all()).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(sent.length).toBe(Math.ceil(all.length / 2));
    expect(sent.every(({ target }) => target.includes('sort=asc'))).toBe(true);
    for await (const page of list.pages()) {
      expect([page.page, page.items.length, page.total, page.more]).toEqual([1, 2, all.length, true]);
      break;
    }
    for await (const page of list.rawPages()) {
      expect(page.items.length).toBe(2);
      break;
    }
  });

  it('rejects a response that is not a list', async () => {
    const { client } = await served();
    await expect(client.requestPages('user').all()).rejects.toMatchObject({ name: 'ResponseError', message: /the response is not a list/ });
  });
});
