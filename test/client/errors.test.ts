import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, MarkerLostError, NoResultError, ResponseError } from '../../src/client/errors.js';
import { createClient, noRetry, type Client, type ClientOptions } from '../../src/index.js';
import { openService } from '../../src/server/index.js';
import { type HttpRequest, requestLine } from '../../src/wire/http.js';
import { everyRow } from '../support/rows.js';
import { endWithTest } from '../support/stores.js';
import { fakeTime } from './support/fake-time.js';
import { json, request, scripted, text } from './support/scripted.js';

describe('an error of the service', () => {
  it.each([
    ['404 Project Not Found', '404 Project Not Found'], ['404', '404'], ['4040 things', '404 4040 things'], ['is missing', '404 is missing'],
  ])('names the status once in an error with the message %j: %s', (words, said) => {
    expect(new ApiError(404, words, 'GET /api/v4/x', {}, {}).message).toBe(`GET /api/v4/x: ${said}`);
  });
});

describe('the message of a rejected request', () => {
  const place = { id: 'acme/app', noteable_id: 1 };
  const read = (client: Client) => client.lookups.user();
  const list = (client: Client) => client.notes.issue.list(place).all();
  const write = (client: Client) => client.notes.issue.create({ ...place, body: 'a' });
  const ways: Record<string, (client: Client) => Promise<unknown>> = {
    read, list, write, 'a request': (client) => client.request('GET', 'user'), 'a list of requests': (client) => client.requestPages('user').all(),
  };
  const token = 'ada-token';
  const serverErrors = { token, retry: { serverErrors: true } };
  const repeats = '; pass retry: { serverErrors: true } to repeat it';
  const rows: readonly (readonly [statuses: number[], options: Partial<ClientOptions>, ways: string[], end: string, attempts?: number])[] = [
    [Array<number>(6).fill(503), { token }, ['read', 'list', 'a request', 'a list of requests'], '503 no, after 6 attempts', 6],
    [[429, 404], { token }, Object.keys(ways), '404 no, after 2 attempts', 2],
    [Array<number>(6).fill(500), serverErrors, ['read', 'list', 'a request', 'a list of requests'], '500 no, after 6 attempts', 6],
    [[503, 500], { token }, ['read'], `500 no, after 2 attempts${repeats}`, 2],
    [[500], { token }, ['read', 'list', 'a request', 'a list of requests'], `500 no${repeats}`],
    [[500], { token, retry: noRetry }, ['read'], '500 no'],
    [[500], serverErrors, ['write'], '500 no'],
    [[503], { token }, ['write'], '503 no'],
    [[404], {}, ['read'], '404 no'],
    [[401], { token }, Object.keys(ways), '401 no'],
    [[401], {}, Object.keys(ways), '401 no; pass a token to createClient: this client has none'],
  ];

  it('says how often a note was sent that is created once, after looking for it', async () => {
    const sent: string[] = [];
    const transport = async ({ method }: HttpRequest) => {
      sent.push(method);
      return method === 'GET' ? json(200, []) : sent.length === 1 ? json(429, {}) : json(503, { message: 'no' });
    };
    const client = createClient({ url: 'http://test', transport, time: fakeTime(), token: 'ada-token', once: 'marker' });
    const error: unknown = await write(client).catch((thrown: unknown) => thrown);
    const attempts = sent.filter((method) => method === 'POST').length;
    expect(attempts).toBe(6);
    expect(error).toMatchObject({ attempts, message: `POST /api/v4/projects/acme%2Fapp/issues/1/notes: 503 no, after ${attempts} attempts` });
  });

  it('says how often it was sent, what would repeat it, and that a token is missing', async () => {
    const each = rows.flatMap(([statuses, options, names, end, attempts = 1]) => names.map((name) => ({ statuses, options, name, end, attempts })));
    await everyRow(each, ({ statuses, name }) => `${name}: ${statuses.join()}`, async ({ statuses, options, name, end, attempts }) => {
      const { transport, sent } = scripted(...statuses.map((status) => json(status, { message: 'no' })));
      const client = createClient({ url: 'http://test', transport, time: fakeTime(), ...options });
      const error: unknown = await ways[name]!(client).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ApiError', attempts, serverMessage: 'no', message: `${requestLine(sent[0]!)}: ${end}` });
      expect(sent.length).toBe(statuses.length);
    });
  });
});

describe('a change without a result', () => {
  it('has the sentences of the service as its message', () => {
    const error = new NoResultError(['Closed this issue.', 'Added ~bug.'], { state_event: 'close' }, 'POST /api/v4/x', 202);
    expect(error.message).toBe('POST /api/v4/x: Closed this issue. Added ~bug.');
    expect(error).toBeInstanceOf(ResponseError);
  });

  it('says that it succeeded if the service reported nothing', () => {
    expect(new NoResultError([], {}, 'DELETE /api/v4/x', 404).message)
      .toBe('DELETE /api/v4/x: the request succeeded and has no result');
  });
});

describe('a note that lost its marker', () => {
  it.each([[true, 'the note was deleted'], [false, 'the note could not be deleted']])(
    'says what happened to the note: deleted %s', (isDeleted, end) => {
      const error = new MarkerLostError(7, isDeleted, 'POST /api/v4/x');
      expect(error).toMatchObject({ name: 'MarkerLostError', note: 7, isDeleted, status: 201 });
      expect(error.message).toBe(
        `POST /api/v4/x: note 7 was stored without its marker, so later runs would not find it; ${end}`);
    });
});

describe('a connection that failed', () => {
  it('has no status of a proxy unless one refused', () => {
    expect(new ConnectionError('no', 'GET /x', 'ECONNRESET', true).proxyStatus).toBeNull();
    expect(new ConnectionError('no', 'GET /x', 'PROXY_REFUSED', false, { proxyStatus: undefined }).proxyStatus).toBeNull();
    expect(new ConnectionError('no', 'GET /x', 'PROXY_REFUSED', false, { proxyStatus: 407 }).proxyStatus).toBe(407);
  });

  it('names the service and the proxy where the transport says them', () => {
    expect(new ConnectionError('no', 'GET /x', 'ECONNRESET', true)).toMatchObject({ origin: null, proxy: null });
    const destination = { origin: 'https://a', proxy: 'http://p' };
    expect(new ConnectionError('no', 'GET /x', 'ECONNRESET', true, destination)).toMatchObject(destination);
  });

  it('keeps its cause', () => {
    const cause = new Error('socket hang up');
    expect(new ConnectionError('no', 'GET /x', 'ECONNRESET', true, { cause }).cause).toBe(cause);
    expect(new ResponseError('no', 'GET /x', 200, { cause }).cause).toBe(cause);
  });
});

describe('the request of an error', () => {
  it.each([
    ['/api/v4/user?private_token=secret', 'GET /api/v4/user'], ['/api/v4/user', 'GET /api/v4/user'],
    ['/a?b=c?d=secret', 'GET /a'], ['?secret', 'GET '],
  ])('leaves out the query: %s', (target, line) => {
    expect(requestLine(request('GET', target))).toBe(line);
  });
});

describe('the stack of an error', () => {
  it('names the line that called the client among its first ten frames', async () => {
    const service = await openService();
    endWithTest(() => service.close());
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const transports: Record<string, ClientOptions['transport']> = {
      ApiError: service.handle, ResponseError: async () => text(200, 'text/html', '<p>'),
      ConnectionError: async () => { throw refused; },
    };
    const place = { id: 'acme/app', noteable_id: 999 };
    const calls: readonly ((client: Client) => Promise<void>)[] = [
      async (client) => { await client.notes.issue.get({ ...place, note_id: 1 }); },
      async (client) => { await client.notes.issue.create({ ...place, body: 'a' }); },
      async (client) => { await client.notes.issue.create({ ...place, body: 'a' }, { once: 'marker' }); },
      async (client) => { await client.notes.issue.create({ ...place, body: 'a' }, { key: 'lint' }); },
      async (client) => { await client.discussions.issue.list(place).all(); },
      async (client) => { await client.discussions.issue.list(place).complete(); },
      async (client) => { for await (const _ of client.notes.issue.list(place)) expect.fail(); },
      async (client) => { for await (const _ of client.notes.issue.list(place).pages()) expect.fail(); },
      async (client) => { for await (const _ of client.notes.issue.list(place).rawPages()) expect.fail(); },
      async (client) => { await client.request('GET', 'projects/999'); },
      async (client) => { await client.requestPages('projects/999/issues').all(); },
      async (client) => { await client.discussions.commit.get({ id: 'acme/app', noteable_id: 'abc', discussion_id: 'abc' }); },
      async (client) => { await client.draftNotes.modify({ id: 'acme/app', noteable_id: 999, draft_note_id: 1, note: 'a' }); },
      async (client) => { await client.notes.issue.get({ ...place, id: '', note_id: 1 }); },
      async (client) => { await client.notes.issue.list({ ...place, id: '' }).all(); },
    ];
    const rows = Object.entries(transports).flatMap(([name, transport]) => calls.map((call) => ({ name, transport, call })));
    await everyRow(rows, ({ name, call }) => `${name} of ${call.toString()}`, async ({ name, transport, call }) => {
      const client = createClient({ url: 'http://test', token: 'ada-token', retry: noRetry, transport });
      const error: unknown = await call(client).catch((thrown: unknown) => thrown);
      expect([name, 'UnusablePathValue']).toContain((error as Error).name);
      const frames = (error as Error).stack!.split('\n').filter((line) => /^ +at /.test(line)).slice(0, 10);
      expect(frames.join('\n')).toContain('client/errors.test.ts');
    });
  });
});
