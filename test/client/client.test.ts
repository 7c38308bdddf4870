import { describe, expect, expectTypeOf, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createTransport } from '../../src/client/create-transport.js';
import { methodsOf } from '../../src/client/note-client.js';
import { ApiError, NoResultError } from '../../src/client/errors.js';
import { defaultRetry } from '../../src/client/retry.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Pages } from '../../src/client/pages.js';
import type { Appearance } from '../../src/contract/appearance.js';
import { contract, everyEndpoint } from '../../src/contract/contract.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import type { WholeDiscussion } from '../../src/contract/shapes/note.js';
import { readMarker } from '../../src/wire/note-text.js';
import { testService } from '../support/service.js';
import { fakeTime } from './support/fake-time.js';
import { json, scripted, text } from './support/scripted.js';

const url = 'http://service.test/gitlab';
const unknown = json(404, { error: '404 Not Found' });

describe('a client', () => {
  test('returns the result of the service', async () => {
    const { transport, sent } = scripted(json(200, { title: 'T' }));
    expect(await createClient({ url, transport }).appearance.get({})).toEqual({ title: 'T' });
    expect(sent).toEqual([{
      method: 'GET', target: '/api/v4/application/appearance', headers: { accept: 'application/json', 'user-agent': 'colloquy' },
    }]);
  });

  test('has typed methods', () => {
    const client = createClient({ url });
    expectTypeOf(client.appearance.get).returns.resolves.toEqualTypeOf<Appearance>();
    expectTypeOf(client.discussions.issue.list).returns.toEqualTypeOf<Pages<WholeDiscussion>>();
    expectTypeOf(client.discussions.issue.deleteNote).returns.resolves.toBeUndefined();
    // @ts-expect-error the issue is missing
    const call = () => client.discussions.issue.get({ id: 1, discussion_id: 'a' });
    expect(call).toBeTypeOf('function');
  });

  test('sends the token and user agent with every call', async () => {
    const { transport, sent } = scripted(json(200, {}), json(200, {}));
    await createClient({ url, transport, token: 'abc', userAgent: 'bot/1' }).appearance.get({});
    await createClient({ url, transport, token: 'abc', tokenScheme: 'bearer' }).appearance.get({});
    expect(sent[0]!.headers).toMatchObject({ 'private-token': 'abc', 'user-agent': 'bot/1' });
    expect(sent[1]!.headers).toMatchObject({ authorization: 'Bearer abc' });
    expect(sent[1]!.headers).not.toHaveProperty('private-token');
  });

  test.each([
    ['json', 'application/json', '{"body":"a b"}', ''],
    ['form', 'application/x-www-form-urlencoded', 'body=a%20b', ''],
    ['query', undefined, undefined, '?body=a%20b'],
  ] as const)('sends parameters as %s if configured', async (encoding, type, body, query) => {
    const { transport, sent } = scripted(json(201, {}));
    await createClient({ url, transport, encoding }).discussions.issue.create({ id: 1, noteable_id: 7, body: 'a b' });
    expect(sent[0]!.target).toBe(`/api/v4/projects/1/issues/7/discussions${query}`);
    expect(sent[0]!.headers['content-type']).toBe(type);
    expect(sent[0]!.body).toBe(body);
  });

  test('passes every result to `check`, and fails the call if it throws', async () => {
    const seen: [Endpoint, unknown][] = [];
    const { transport } = scripted(json(200, { title: 'T' }), text(204, '', ''), json(200, []), json(200, {}));
    const client = createClient({ url, transport, check: (endpoint, answer) => { seen.push([endpoint, answer]); } });
    await client.appearance.get({});
    await client.discussions.issue.deleteNote({ id: 1, noteable_id: 1, discussion_id: 'a', note_id: 1 });
    await client.epics.list({ id: 1, iid: 1 }).all();
    expect(seen).toEqual([
      [contract.appearance.get, { title: 'T' }], [contract.discussions.issue.deleteNote, undefined], [contract.epics.list, []],
    ]);
    const strict = createClient({ url, transport, check: () => { throw new Error('no fit'); } });
    await expect(strict.appearance.get({})).rejects.toThrow('no fit');
  });

  test('fails the call if `check` or `onEvent` is async, whether it fails or not', async () => {
    for (const outcome of [async () => undefined, async () => { throw new Error('no fit'); }]) {
      for (const name of ['check', 'onEvent'] as const) {
        const callback = { [name]: outcome };
        const wrong = new TypeError(`the option ${name} returned a promise; pass a function that is not async`);
        const client = createClient({ url, transport: scripted(json(200, { title: 'T' })).transport, ...callback });
        await expect(client.appearance.get({})).rejects.toThrow(wrong);
        const transport = createTransport({ url, transport: scripted(json(200, {})).transport, ...callback });
        const sent = transport({ method: 'GET', target: '/', headers: {} });
        await (name === 'check' ? expect(sent).resolves.toMatchObject({ status: 200 }) : expect(sent).rejects.toThrow(wrong));
      }
    }
  });

  test.each(['..', '.', ''])('rejects a value that would change the path: %j', async (id) => {
    const { transport, sent } = scripted();
    await expect(createClient({ url, transport }).discussions.issue.get({ id, noteable_id: 1, discussion_id: 'a' }))
      .rejects.toThrow('id');
    expect(sent).toEqual([]);
  });

  test('rejects an invalid base URL or token at once', () => {
    expect(() => createClient({ url: 'host' })).toThrow(TypeError);
    expect(() => createClient({ url, token: 'a\nb' })).toThrow(TypeError);
    expect(() => createClient({ url, proxy: 'ftp://x' })).toThrow(TypeError);
  });

  test('retries according to its policy', async () => {
    const time = fakeTime(0);
    const { transport, sent } = scripted(json(503, {}), json(200, {}));
    await createClient({ url, transport, time, retry: { ...defaultRetry, firstWait: 10 } }).appearance.get({});
    expect(sent).toHaveLength(2);
    expect(time.waits).toEqual([5]);
  });

  test('follows a moved project below its base URL with its token', async () => {
    const moved = { status: 301, headers: { location: 'http://service.test/gitlab/api/v4/projects/5/issues/7/discussions/a' }, body: '' };
    const { transport, sent } = scripted(moved, json(200, {}));
    await createClient({ url, transport, token: 'abc' }).discussions.issue.get({ id: 'old/name', noteable_id: 7, discussion_id: 'a' });
    expect(sent[1]).toMatchObject({ target: '/api/v4/projects/5/issues/7/discussions/a', headers: { 'private-token': 'abc' } });
  });

  test('names the address of the API when the response is HTML', async () => {
    const { transport } = scripted(text(200, 'text/html', '<html>Sign in'));
    await expect(createClient({ url, transport }).appearance.get({}))
      .rejects.toThrow('is http://service.test/gitlab/api/v4 the address of the API?');
  });
});

describe('what the caller changes after a call', () => {
  const issue = { id: 'acme/app', noteable_id: 1 };
  const memory = async (options: Partial<ClientOptions> = {}) => {
    const { handle } = await testService();
    return createClient({ url, token: 'developer-token', transport: handle, ...options });
  };

  test.each([{}, { once: 'text' }, { once: 'marker' }] as const)('is not sent: the text of a note, with %j', async (options) => {
    const client = await memory(options);
    const params = { ...issue, body: '' };
    const created = await Promise.all(['One.', 'Two.', 'Three.'].map((body) => client.notes.issue.create(Object.assign(params, { body }))));
    expect(created.map(({ body }) => readMarker(body).text)).toEqual(['One.', 'Two.', 'Three.']);
  });

  test('does not count: a key and the values of its marker', async () => {
    const client = await memory();
    const options = { key: '', marker: { fp: '' } };
    const created = await Promise.all(['a', 'b'].map((key) => {
      options.key = key;
      options.marker.fp = key;
      return client.notes.issue.create({ ...issue, body: key }, options);
    }));
    expect(created.map(({ body }) => readMarker(body).marker)).toEqual([{ key: 'a', fp: 'a' }, { key: 'b', fp: 'b' }]
      .map((marker) => expect.objectContaining(marker) as unknown));
  });

  test('is not sent: the line of a position, when the path of the service is found with the second request', async () => {
    const { transport, sent } = scripted(unknown, json(201, {}));
    const position = { base_sha: 'a', start_sha: 'a', head_sha: 'a', position_type: 'text' as const, new_path: 'a', new_line: 1 };
    const call = createClient({ url, transport }).discussions.commit.create({ id: 1, noteable_id: 'a', body: 'a', position });
    position.new_line = 2;
    await call;
    expect(sent[1]!.body).toBe(sent[0]!.body);
  });

  test('is not compared with the response: the id of the object', async () => {
    const client = await memory();
    const { id } = await client.notes.issue.create({ ...issue, body: 'One.' });
    const params = { ...issue, note_id: id };
    const call = client.notes.issue.get(params);
    params.note_id++;
    expect(await call).toMatchObject({ id });
  });

  test('changes no page of a list', async () => {
    const { transport, sent } = scripted(json(200, [], { 'x-next-page': '2' }), json(200, []), json(200, []), json(200, []));
    const client = createClient({ url, transport });
    const params = { id: 1, labels: ['a'] };
    const options = { query: { labels: ['a'] }, headers: { 'x-a': 'a' } };
    const lists = [client.lookups.issues(params), client.requestPages('projects/1/issues', options)];
    params.labels.push('b');
    options.query.labels.push('b');
    options.headers['x-a'] = 'b';
    for (const list of lists) await list.all();
    expect(sent.map(({ target, headers }) => [target.includes('=b'), headers['x-a']]))
      .toEqual([[false, undefined], [false, undefined], [false, 'a']]);
  });
});

describe('differences between services', () => {
  const thread = { id: 'p', noteable_id: 'abc' };

  test('finds commit threads at the documented path or below repository, and remembers the path', async () => {
    const { transport, sent } = scripted(unknown, json(200, []), json(200, []));
    const routes = new Map<string, string>();
    await createClient({ url, transport, routes }).discussions.commit.list(thread).all();
    await createClient({ url, transport, routes }).discussions.commit.list(thread).all();
    expect(sent.map((request) => request.target)).toEqual([
      '/api/v4/projects/p/commits/abc/discussions?per_page=100',
      '/api/v4/projects/p/repository/commits/abc/discussions?per_page=100',
      '/api/v4/projects/p/repository/commits/abc/discussions?per_page=100',
    ]);
  });

  test('remembers paths for each client without `routes`', async () => {
    const { transport, sent } = scripted(unknown, json(201, {}), json(201, {}));
    const client = createClient({ url, transport });
    await client.discussions.commit.create({ ...thread, body: 'a' });
    await client.discussions.commit.create({ ...thread, body: 'b' });
    expect(sent.map((request) => request.body)).toEqual(['{"body":"a"}', '{"body":"a"}', '{"body":"b"}']);
  });

  test('sends the child of an epic in the path or in the body', async () => {
    const { transport, sent } = scripted(unknown, json(201, {}));
    await createClient({ url, transport }).epics.assign({ id: 'g', iid: 1, child_epic_id: 501 });
    expect(sent.map(({ target, body }) => [target, body])).toEqual([
      ['/api/v4/groups/g/epics/1/epics/501', undefined],
      ['/api/v4/groups/g/epics/1/epics', '{"child_epic_id":501}'],
    ]);
  });

  test('throws the first error if no path is known', async () => {
    const { transport } = scripted(unknown, text(404, 'text/html', '<h1>'));
    const failure = await createClient({ url, transport }).epics.assign({ id: 'g', iid: 1, child_epic_id: 501 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ request: 'POST /api/v4/groups/g/epics/1/epics/501', serverMessage: '404 Not Found' });
  });
});

describe('a DELETE whose response was lost', () => {
  const gone = json(404, { message: '404 Not found' });

  test('has succeeded if the retry gets 404', async () => {
    const { transport } = scripted(json(502, {}), gone);
    const client = createClient({ url, transport, time: fakeTime() });
    expect(await client.discussions.issue.deleteNote({ id: 1, noteable_id: 1, discussion_id: 'a', note_id: 1 })).toBeUndefined();
  });

  test('throws a NoResultError if a result is expected', async () => {
    const { transport } = scripted(json(502, {}), gone);
    const client = createClient({ url, transport, time: fakeTime() });
    await expect(client.epics.unassign({ id: 1, iid: 1, child_epic_id: 2 })).rejects.toBeInstanceOf(NoResultError);
  });
});

const at = (tree: unknown, name: string): unknown =>
  name.split('.').reduce((node, key) => (node as Record<string, unknown>)[key], tree);

describe('the methods of a client', () => {
  test('every endpoint has a method at its path', () => {
    const methods = methodsOf(contract, (endpoint) => endpoint.summary);
    const endpoints = everyEndpoint();
    expect(endpoints.length).toBeGreaterThan(40);
    for (const { name, endpoint } of endpoints) expect(at(methods, name)).toBe(endpoint.summary);
  });

  test('a method is created once, on first access', () => {
    const built: Endpoint[] = [];
    const methods = methodsOf(contract, (endpoint) => {
      built.push(endpoint);
      return {};
    });
    expect(built).toEqual([]);
    expect(methods.epics.list).toBe(methods.epics.list);
    expect(built).toEqual([contract.epics.list]);
  });

  test('the names of methods can be listed without creating methods', () => {
    const methods = methodsOf(contract, () => { throw new Error('built'); });
    expect(Object.keys(methods.appearance)).toEqual(['get', 'set']);
  });
});
