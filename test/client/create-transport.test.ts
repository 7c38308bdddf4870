import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { createTransport } from '../../src/client/create-transport.js';
import { noRetry } from '../../src/client/retry.js';
import type { TransportOptions } from '../../src/client/options.js';
import { fakeTime } from './support/fake-time.js';
import { json, request, scripted } from './support/scripted.js';
import { testService } from '../support/service.js';

const clientOver = async (...faults: string[]) => {
  const service = await testService({ faults });
  const client = createClient({
    url: 'http://service.test', token: 'developer-token', transport: (request) => service.handle(request),
    time: { now: () => 0, sleep: async () => undefined, random: () => 0 },
  });
  return { client, service };
};

it.each(['reset', 'truncate'])('a read is retried after a connection of a service in the same process was closed: %s', async (fault) => {
  const { client, service } = await clientOver(`GET /user => ${fault} times=2`);
  expect((await client.lookups.user({})).username).toBe('developer');
  expect((await service.faults()).rules[0]!.hits).toBe(2);
});

it('a thread is not posted again after its response was lost', async () => {
  const { client, service } = await clientOver('POST * => reset after');
  const posted = client.discussions.issue.create({ id: 20, noteable_id: 1, body: 'once' });
  await expect(posted).rejects.toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET', sent: true });
  expect((await service.faults()).rules[0]!.hits).toBe(1);
});

it('other errors of a transport stay as they are', async () => {
  const error = Object.assign(new Error('a bug'), { code: 'ERR_INVALID_ARG_TYPE' });
  const client = createClient({ url: 'http://service.test', transport: async () => { throw error; } });
  await expect(client.lookups.user({})).rejects.toBe(error);
});

const unset = { totalWait: undefined, longestWait: undefined } as object;

it('fields of the policy that are not given, or undefined, are those of the default', async () => {
  for (const [once, waits] of [[undefined, [10, 20]], ['marker', [10, 10, 20]]] as const) {
    const time = fakeTime();
    const client = createClient({
      url: 'http://service.test', transport: async () => json(429, {}), retry: { retries: 2, limitedWait: 10, ...unset }, once, time,
    });
    await expect(client.notes.issue.create({ id: 20, noteable_id: 1, body: 'a' })).rejects.toMatchObject({ status: 429 });
    expect(time.waits.map(Math.round)).toEqual(waits);
  }
});

describe('a transport', () => {
  const url = 'http://service.test/gitlab';
  const get = request('GET', '/api/v4/user?secret=1');
  const over = (options: Partial<TransportOptions>) => createTransport({ url, retry: noRetry, ...options });

  it('adds its name and token to a request', async () => {
    const { transport, sent } = scripted(json(200, {}));
    await over({ transport, token: 'abc' })(get);
    expect(sent[0]!.headers).toEqual({ 'user-agent': 'colloquy', 'private-token': 'abc' });
  });

  it('shows no token to its observer', async () => {
    const events: unknown[] = [];
    const { transport } = scripted(json(401, { message: 'invalid token abcdefgh' }));
    await over({ transport, token: 'abcdefgh', onEvent: (event) => events.push(event) })(get);
    expect(events.length).toBeGreaterThan(1);
    expect(JSON.stringify(events)).not.toContain('abcdefgh');
  });

  it('sends the token again after a redirect within the service', async () => {
    const moved = { status: 302, headers: { location: `${url}/api/v4/users/2` }, body: '' };
    const { transport, sent } = scripted(moved, json(200, {}));
    await over({ transport, token: 'abc' })(get);
    expect(sent.map(({ target, headers }) => [target, headers['private-token']]))
      .toEqual([[get.target, 'abc'], ['/api/v4/users/2', 'abc']]);
  });

  it('ends in time over a transport that never responds, whose signal is aborted', async () => {
    let aborted: unknown;
    const silent = (_: unknown, signal?: AbortSignal) => new Promise<never>(() => {
      signal!.addEventListener('abort', () => { aborted = signal!.reason; });
    });
    await expect(over({ transport: silent, timeout: 20 })(get)).rejects.toMatchObject({
      name: 'ConnectionError', code: 'UND_ERR_HEADERS_TIMEOUT', sent: true, request: 'GET /api/v4/user',
    });
    expect(aborted).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  it('asks nothing of another transport for an aborted signal', async () => {
    const { transport, sent } = scripted();
    const reason = new Error('enough');
    await expect(over({ transport })(get, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it('throws the reason of an abort rather than an error that the abort caused', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const transport = async () => {
      stop.abort(reason);
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    };
    await expect(over({ transport })(get, stop.signal)).rejects.toBe(reason);
  });

  it.each<[string, Partial<TransportOptions>]>([
    ['a token that no header can have', { token: 'a\nb' }], ['a proxy of another kind', { proxy: 'ftp://host' }],
    ['a base URL without a scheme', { url: 'host' }],
  ])('is not created with %s', (_, options) => {
    expect(() => over(options)).toThrow(TypeError);
  });
});
