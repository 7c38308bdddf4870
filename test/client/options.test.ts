import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createTransport } from '../../src/client/create-transport.js';
import { checkClientOptions, type ClientOptions } from '../../src/client/options.js';
import { defaultRetry } from '../../src/client/retry.js';
import { everyEndpoint } from '../../src/contract/contract.js';
import type { PositionInput } from '../../src/contract/shapes/position.js';
import { everyRow } from '../support/rows.js';

const url = 'https://gitlab.example.com';
const work = () => undefined;

/** Values of each option: some that fit, some that do not. */
const values: Readonly<Record<string, { readonly fit: readonly unknown[]; readonly wrong: readonly unknown[] }>> = {
  url: { fit: [url, ''], wrong: [undefined, null, 5, new URL(url)] },
  token: { fit: ['secret'], wrong: [null, 5, ['secret'], Buffer.from('secret')] },
  tokenScheme: { fit: ['private-token', 'bearer'], wrong: ['Bearer', '', null, true] },
  transport: { fit: [work], wrong: [{}, null, 'undici'] },
  retry: { fit: [{}], wrong: [null, 5, 'never'] },
  userAgent: { fit: ['bot/1', '', 'Müller (CI)'], wrong: [null, 5, 'secret\nx-header: 1', 'secret\r', 'secret\0', 'secret 日本'] },
  onEvent: { fit: [work], wrong: [{}, null] },
  time: { fit: [{}], wrong: [null, 5] },
  encoding: { fit: ['json', 'form', 'query'], wrong: ['JSON', 'multipart', null] },
  signal: { fit: [new AbortController().signal], wrong: [new AbortController(), {}, null] },
  routes: { fit: [new Map()], wrong: [null, 'x'] },
  perPage: { fit: [1, 100, 5000], wrong: [0, -1, 1.5, '20', NaN, 2 ** 53, null] },
  pagesAtOnce: { fit: [1, 25], wrong: [0, Infinity, null] },
  strict: { fit: [true, false], wrong: ['true', 1, null] },
  once: { fit: ['marker', 'text'], wrong: [true, false, 'key', null] },
  resend: { fit: [true, false], wrong: [0, null] },
  check: { fit: [work], wrong: [{}, null] },
  http: { fit: ['undici', 'node'], wrong: ['curl', null] },
  dispatcher: { fit: [{}], wrong: ['secret', null] },
  proxy: { fit: ['http://proxy', { https: 'http://proxy' }], wrong: [null, 5, true] },
  noProxy: { fit: ['localhost'], wrong: [null, 5, ['localhost']] },
  ca: { fit: ['PEM', Buffer.from('PEM'), ['PEM']], wrong: [null, true] },
  cert: { fit: ['PEM', Buffer.from('PEM')], wrong: [null, 5] },
  key: { fit: ['PEM', Buffer.from('PEM')], wrong: [null, 5] },
  timeout: { fit: [0, 1.5, 60_000, Infinity], wrong: [-1, NaN, '5s', null] },
  responseTimeout: { fit: [0, 1.5, 60_000, Infinity], wrong: [-1, NaN, '5s', null] },
};

const given = (name: string, value: unknown) => ({ url, [name]: value });
const cases = (kind: 'fit' | 'wrong') => Object.entries(values).flatMap(([name, of]) => of[kind].map((value) => [name, value] as const));

describe('an option of a client', () => {
  it.each(cases('fit'))('%s may be %j', (name, value) => {
    expect(() => { checkClientOptions(given(name, value)); }).not.toThrow();
  });

  it.each(cases('wrong'))('%s must not be %j', (name, value) => {
    expect(() => { checkClientOptions(given(name, value)); }).toThrow(new RegExp(`^the option ${name} is .*; pass `));
    expect(() => { checkClientOptions(given(name, value)); }).not.toThrow('secret');
  });

  it('is known by name, and all names are listed for another', () => {
    expect(() => { checkClientOptions(given('verbose', 'secret')); })
      .toThrow(new TypeError(`unknown option "verbose"; use one of ${Object.keys(values).join(', ')}`));
    expect(() => { checkClientOptions(given('tokn', 'secret')); }).toThrow(new TypeError('unknown option "tokn"; did you mean token?'));
  });

  it.each([
    [{ retry: { ...defaultRetry, retires: 3 } }, 'unknown option "retry.retires"; did you mean retries?'],
    [{ retry: { ...defaultRetry, retries: '3' } }, 'the option retry.retries is "3"; pass a number, 0 or more'],
    [{ proxy: { htps: 'http://user:secret@proxy' } }, 'unknown option "proxy.htps"; did you mean https?'],
    [{ proxy: { https: 5 } }, 'the option proxy.https is the number 5; pass a text'],
  ])('has parts that are known by name: %j', (options, message) => {
    expect(() => { checkClientOptions({ url, ...options }); }).toThrow(new TypeError(message));
  });

  it.each(['toString', '__proto__x', 'constructor'])('is not a name that every object has: %s', (name) => {
    expect(() => { checkClientOptions(given(name, 'x')); }).toThrow(`unknown option "${name}"`);
  });

  it.each(Object.keys(values).filter((name) => name !== 'url'))('counts as not given when it is undefined: %s', (name) => {
    expect(() => { checkClientOptions(given(name, undefined)); }).not.toThrow();
  });
});

it.each([null, 'https://gitlab.example.com', 5, [], new AbortController().signal])('the options of a client are an object, not %j', (options) => {
  expect(() => { checkClientOptions(options); }).toThrow(/^the options are .*; pass an object with url$/);
});

it('a client needs no option but its URL', () => {
  const without = createClient as unknown as () => unknown;
  const transport = createTransport as unknown as () => unknown;
  for (const create of [without, transport, () => createClient({} as ClientOptions)]) {
    expect(create).toThrow(new TypeError('the option url is missing; pass the base URL of the service as a text, such as https://gitlab.example.com'));
  }
});

describe('the options of a call', () => {
  const sent: string[] = [];
  const client = createClient({
    url, transport: async ({ method, target }) => {
      sent.push(`${method} ${target}`);
      return { status: 200, headers: {}, body: '{}' };
    },
  });
  const params = Object.fromEntries(everyEndpoint().flatMap(({ endpoint }) => Object.keys(endpoint.params)).map((name) => [name, 1]));
  const callOf = (name: string) => name.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], client) as
    (params: unknown, options: unknown) => unknown;
  const messageOf = async (call: () => unknown): Promise<unknown> => {
    try {
      await call();
    } catch (error) {
      return error instanceof TypeError ? error.message : error;
    }
    return 'no error';
  };
  const wrong: readonly (readonly [unknown, string])[] = [
    [{ kye: 'k' }, 'unknown option "kye"; did you mean key?'],
    [{ singal: AbortSignal.timeout(1) }, 'unknown option "singal"; did you mean signal?'],
    [{ look_back: 1_000 }, 'unknown option "look_back"; did you mean lookBack?'],
    [{ idempotencyToken: 'k' }, 'unknown option "idempotencyToken"; use one of signal, once, key, lookBack, marker, visibleMarker'],
    [{ isShared: true }, 'unknown option "isShared"; use one of signal, once, key, lookBack, marker, visibleMarker'],
    [{ once: true }, 'the option once is a boolean; pass "marker" or "text", or false'],
    [{ key: 5 }, 'the option key is the number 5; pass a text'],
    [{ lookBack: '5m' }, 'the option lookBack is "5m"; pass a number of milliseconds, 0 or more'],
    [{ signal: new AbortController() }, 'the option signal is an object; pass an AbortSignal'],
    [new AbortController().signal, 'the options are an AbortSignal; pass an object'],
    [null, 'the options are null; pass an object'],
    ['k', 'the options are a text; pass an object'],
  ];

  it('are named in the error of every method, and nothing is sent', async () => {
    await everyRow(everyEndpoint(), ({ name }) => name, async ({ name }) => {
      for (const [options, message] of wrong) {
        expect(await messageOf(() => callOf(name)(params, options)), JSON.stringify(options)).toBe(message);
      }
    });
    expect(sent).toEqual([]);
  });

  it('that only creating a note reads are rejected by all other methods, and nothing is sent', async () => {
    const others = everyEndpoint().filter(({ endpoint: { method, params } }) => method !== 'POST' || !('body' in params));
    expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['draftNotes.create', 'issues.create', 'notes.issue.get']));
    await everyRow(others, ({ name }) => name, async ({ name }) => {
      for (const options of [{ key: 'k' }, { once: 'marker' }, { marker: { a: 'b' } }, { lookBack: 1 }, { visibleMarker: true }]) {
        expect(await messageOf(() => callOf(name)(params, options)))
          .toBe(`the option ${Object.keys(options)[0]} is only for calls that create a comment, thread or reply`);
      }
    });
    expect(sent).toEqual([]);
  });

  it('are named by request and requestPages too', async () => {
    const of = (call: (options: never) => unknown) => (options: object) => messageOf(() => call(options as never));
    const request = of((options) => client.request('GET', 'user', options));
    const pages = of((options) => client.requestPages('user', options));
    expect(await request({ quey: {} })).toBe('unknown option "quey"; did you mean query?');
    expect(await request({ header: {} })).toBe('unknown option "header"; did you mean headers?');
    expect(await request({ query: 'a=1' })).toBe('the option query is a text; pass an object');
    expect(await request({ key: 'k' })).toBe('unknown option "key"; use one of body, query, headers, signal');
    expect(await pages({ singal: 1 })).toBe('unknown option "singal"; did you mean signal?');
    expect(await pages({ body: {} })).toBe('unknown option "body"; use one of query, headers, signal');
    expect(sent).toEqual([]);
  });

  it('are not the parameters, which may have names that the client does not know', async () => {
    await client.lookups.user({ with_custom_attributes: true });
    expect(sent).toEqual(['GET /api/v4/user?with_custom_attributes=true']);
  });

  it('may be undefined, each and all', async () => {
    const all = { signal: undefined, once: undefined, key: undefined, lookBack: undefined, marker: undefined, visibleMarker: undefined };
    await client.lookups.user({}, undefined);
    await client.lookups.user({}, all);
    expect(sent).toHaveLength(3);
  });

  it('misspelled parameters are rejected before anything is sent, wherever they are', async () => {
    const before = sent.length;
    const issue = { id: 'acme/app', noteable_id: 1 };
    const calls: readonly [string, () => Promise<unknown>][] = [
      ['unknown parameter "intrenal"; did you mean internal?', () => client.notes.issue.create({ ...issue, body: 'x', ...{ intrenal: true } })],
      ['unknown parameter "boody"; use one of ', () => client.notes.issue.create({ ...issue, body: 'x', ...{ boody: 'y' } }, { key: 'k' })],
      ['unknown parameter "titel"; did you mean title?', () => client.appearance.set({ ...{ titel: 'x' } })],
      ['unknown parameter "srot"; did you mean sort?', async () => client.notes.issue.list({ ...issue, ...{ srot: 'asc' } })],
    ];
    for (const [message, call] of calls) await expect(call()).rejects.toThrow(message);
    await client.appearance.set({ title: 'x', ...{ titel: undefined } });
    expect(sent.slice(before)).toEqual(['PUT /api/v4/application/appearance']);
  });

  it('names of parts of paths are rejected where they are no parameters, with the name that is one', async () => {
    const [before, project] = [sent.length, { id: 'acme/app' }];
    const note = { ...project, noteable_id: 1, body: 'x' };
    const calls: readonly [string, () => unknown][] = [
      ['unknown parameter "id"; leave it out', () => client.lookups.user({ id: 1 })],
      ['unknown parameter "id"; use one of username', () => client.lookups.users({ id: 1 } as never)],
      ['unknown parameter "iid"; leave it out', () => client.lookups.project({ ...project, iid: 1 } as never)],
      ...['iid', 'issue_iid', 'merge_request_iid'].map((name): (typeof calls)[number] => [
        `unknown parameter "${name}"; did you mean noteable_id?`, () => client.notes.issue.create({ ...project, body: 'x', [name]: 1 } as never)]),
      ['unknown parameter "issue_iid"; use one of ', () => client.notes.issue.create({ ...note, issue_iid: 1 } as never)],
      ['unknown parameter "noteable_id"; did you mean iid?', () => client.lookups.mergeRequest({ ...project, noteable_id: 1 } as never)],
      ['unknown parameter "issue_iid"; did you mean iid?', () => client.epics.list({ id: 1, issue_iid: 1 } as never)],
      ['unknown parameter "discussion_id"; use one of ', () => client.notes.issue.create({ ...note, discussion_id: 'a' } as never)],
      ['the parameters are a text; pass an object', () => client.lookups.project('acme/app' as never)],
      ['the parameters are null; pass an object', () => client.lookups.user(null as never)],
    ];
    await everyRow(calls, ([message]) => message, async ([message, call]) => {
      await expect((async () => call())()).rejects.toThrow(message);
    });
    expect(sent.slice(before)).toEqual([]);
  });

  it('misspelled parts of a position are rejected, and unknown ones are sent', async () => {
    const before = sent.length;
    const create = async (position: object) =>
      client.discussions.merge_request.create({ id: 'acme/app', noteable_id: 1, body: 'x', position: position as PositionInput });
    const rows: readonly [string, object][] = [
      ['unknown parameter "position.new_lin"; did you mean new_line?', { position_type: 'text', new_lin: 3 }],
      ['unknown parameter "position.postion_type"; did you mean position_type?', { postion_type: 'text' }],
      ['unknown parameter "position.line_range.strat"; did you mean start?', { line_range: { strat: {} } }],
      ['unknown parameter "position.line_range.start.oldline"; did you mean old_line?', { line_range: { start: { oldline: 1 } } }],
    ];
    await everyRow(rows, ([message]) => message, async ([message, position]) => {
      await expect(create(position)).rejects.toThrow(new TypeError(message));
    });
    await expect(client.draftNotes.modify({
      id: 'acme/app', noteable_id: 1, draft_note_id: 1, position: { new_pth: 'a' } as unknown as PositionInput,
    })).rejects.toThrow('unknown parameter "position.new_pth"; did you mean new_path?');
    expect(sent.slice(before)).toEqual([]);
    await create({ position_type: 'text', column: 3, line_range: { start: null, whitespace: { new_lin: 1 } } });
    expect(sent.slice(before)).toEqual(['POST /api/v4/projects/acme%2Fapp/merge_requests/1/discussions']);
  });
});

it('the names of a file are not read: each of its bytes would be one', async () => {
  const client = createClient({ url, transport: () => Promise.reject(new Error('sent')) });
  const bytes = new Uint8Array(10);
  const read: unknown[] = [];
  const entries = vi.spyOn(Object, 'entries').mockImplementation((value: object) => {
    read.push(value);
    return Object.keys(value).map((name) => [name, (value as Record<string, unknown>)[name]]);
  });
  onTestFinished(() => { entries.mockRestore(); });
  await expect(client.appearance.set({ logo: { filename: 'a.png', bytes } })).rejects.toThrow('sent');
  await expect(client.appearance.set({ logo: bytes as never })).rejects.toThrow();
  expect(read).not.toContain(bytes);
});
