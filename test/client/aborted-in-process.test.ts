import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { noRetry } from '../../src/client/retry.js';
import type { ClientOptions } from '../../src/client/options.js';
import type { Transport } from '../../src/wire/http.js';
import { openService, type OpenService, type ServerOptions } from '../../src/server/index.js';

const issue = { id: 'acme/app', noteable_id: 7 };
const enough = new Error('enough');

const fetching = ({ fetch }: OpenService): Transport => async ({ method, target, headers, body }, signal) => {
  const made = new Request(`http://service.test${target}`, { method, headers, ...body !== undefined && { body: Buffer.from(body) }, ...signal && { signal } });
  const response = await fetch(made);
  return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
};

const transports: readonly (readonly [string, (service: OpenService) => Transport])[] = [
  ['service.handle', ({ handle }) => handle],
  ['service.fetch', fetching],
  ['a transport that ignores its signal', ({ handle }) => (request) => handle(request)],
];

describe.each(transports)('over %s', (_, transportOf) => {
  const over = async (options: ServerOptions = {}, own: Partial<ClientOptions> = {}) => {
    const service = await openService(options);
    onTestFinished(() => service.close());
    const clientWith = (options: Partial<ClientOptions>) =>
      createClient({ url: 'http://service.test', token: 'ada-token', transport: transportOf(service), retry: noRetry, ...options });
    return { service, clientWith, client: clientWith(own) };
  };

  it.each(['latency 60000', 'stall 60000', 'dribble 60000'])('an abort ends a call at once, whatever delays it: %s', async (fault) => {
    const { client } = await over({ faults: [`* => ${fault}`] });
    const stop = new AbortController();
    const call = client.lookups.user({}, { signal: stop.signal });
    setTimeout(() => { stop.abort(enough); }, 20);
    await expect(call).rejects.toBe(enough);
  });

  it('the signal of the client ends a call', async () => {
    const stop = new AbortController();
    const { client } = await over({ latency: 60_000 }, { signal: stop.signal });
    const call = client.lookups.user({});
    stop.abort(enough);
    await expect(call).rejects.toBe(enough);
    await expect(client.lookups.user({})).rejects.toBe(enough);
  });

  it('a timeout ends a call', async () => {
    const { client, clientWith } = await over({ faults: ['GET /user => latency 60000'] }, { timeout: 30 });
    await expect(client.lookups.user({})).rejects.toMatchObject({ name: 'ConnectionError', code: 'UND_ERR_HEADERS_TIMEOUT', sent: true });
    // For a call that succeeds, the short timeout would be a limit on the speed of this machine.
    expect((await clientWith({}).lookups.version({})).version).toEqual(expect.any(String));
  });

  it('an aborted list ends with the reason, in the middle of a page too', async () => {
    const { client } = await over();
    const stop = new AbortController();
    const seen: unknown[] = [];
    const iterate = async () => {
      for await (const note of client.notes.issue.list({ ...issue, per_page: 3 }, { signal: stop.signal })) {
        seen.push(note);
        stop.abort(enough);
      }
    };
    await expect(iterate()).rejects.toBe(enough);
    expect(seen).toHaveLength(1);
  });

  it('an aborted call does not send a request', async () => {
    const { client, service } = await over();
    await expect(client.notes.issue.create({ ...issue, body: 'never' }, { signal: AbortSignal.abort(enough) })).rejects.toBe(enough);
    expect(await service.requests()).toEqual([]);
  });
});

describe('of several calls with keys', () => {
  /** @param held the path of the first GET whose response waits for `release`; `arrival` is that of its request */
  const over = async (faults: string[], held?: string) => {
    const service = await openService({ faults });
    onTestFinished(() => service.close());
    let [isFirst, arrive, release] = [true, () => {}, () => {}];
    const arrival = new Promise<void>((resolve) => { arrive = resolve; });
    const released = new Promise<void>((resolve) => { release = resolve; });
    const transport: Transport = async (request, signal) => {
      const isHeld = isFirst && held !== undefined && request.method === 'GET' && request.target.split('?', 1)[0]!.endsWith(held);
      const response = service.handle(request, signal);
      if (!isHeld) return response;
      isFirst = false;
      arrive();
      const [answer] = await Promise.all([response, released]);
      return answer;
    };
    const client = createClient({ url: 'http://service.test', token: 'ada-token', transport });
    const create = (key: string, signal?: AbortSignal) => client.notes.issue.create({ ...issue, body: key }, { key, signal });
    const posts = async () => (await service.requests({ method: 'POST' })).length;
    return { create, posts, arrival, release };
  };

  it.each(['/user', '/discussions'])('an abort ends one, not those that wait for the same response: GET %s', async (path) => {
    const { create, arrival, release } = await over([], path);
    const stop = new AbortController();
    const calls = [create('one', stop.signal), create('two'), create('two')];
    await arrival;
    stop.abort(enough);
    await expect(calls[0]).rejects.toBe(enough);
    release();
    const [two, same] = await Promise.all(calls.slice(1));
    expect(two!.body).toMatch(/^two\n/);
    expect(same!.id).toBe(two!.id);
  });

  it('an abort ends one that waits for another, and sends nothing', async () => {
    const { create, posts } = await over(['POST * => latency 60000']);
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [create('one', first.signal), create('one', second.signal)];
    setTimeout(() => { second.abort(enough); }, 100);
    await expect(calls[1]).rejects.toBe(enough);
    first.abort(enough);
    await expect(calls[0]).rejects.toBe(enough);
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    expect(await posts()).toBeLessThanOrEqual(1);
  });

  it('an abort ends one that looks for its note', async () => {
    const { create, posts, arrival } = await over(['POST * => status 503 after times=1'], '/notes');
    const stop = new AbortController();
    const call = create('one', stop.signal);
    await arrival;
    stop.abort(enough);
    await expect(call).rejects.toBe(enough);
    expect(await posts()).toBe(1);
  });
});

describe('nothing is stored after an abort', () => {
  interface Stops {
    /** Runs before the service gets the request: a shorter timer than that of its delay always ends first. */
    readonly sending?: (stop: () => void) => void;
    /** Runs right after the call. */
    readonly sent?: (stop: () => void) => void;
  }
  const shortly: Stops = { sending: (stop) => { setTimeout(stop, 5); } };

  const aborted = async (via: 'handle' | 'fetch', options: ServerOptions, { sending, sent }: Stops) => {
    const service = await openService(options);
    onTestFinished(() => service.close());
    const pass = via === 'handle' ? service.handle : fetching(service);
    const transport: Transport = (request, signal) => {
      if (request.method === 'POST') sending?.(() => { stop.abort(enough); });
      return pass(request, signal);
    };
    const client = createClient({ url: 'http://service.test', token: 'ada-token', transport, retry: noRetry });
    const before = (await client.notes.issue.list(issue).all()).length;
    const stop = new AbortController();
    const call = client.notes.issue.create({ ...issue, body: 'too late' }, { signal: stop.signal });
    sent?.(() => { stop.abort(enough); });
    await expect(call).rejects.toBe(enough);
    return { client, before, service };
  };

  const stopping: readonly (readonly [string, ServerOptions, Stops])[] = [
    ['during a delay of the server', { latency: 30 }, shortly],
    ['during the delay of a fault', { faults: ['POST * => latency 50'] }, shortly],
    ['in the same turn', {}, { sent: (stop) => { stop(); } }],
    ['while the change waits for its transaction', {}, { sent: (stop) => { void Promise.resolve().then(stop); } }],
  ];

  it.each(stopping.flatMap(([name, ...others]) => (['handle', 'fetch'] as const).map((via) => [name, via, ...others] as const)))(
    '%s, over %s', async (_, via, options, stops) => {
      const { client, before } = await aborted(via, options, stops);
      await client.notes.issue.create({ ...issue, body: 'the next change' });
      const bodies = (await client.notes.issue.list(issue).all()).map(({ body }) => body);
      expect(bodies).toHaveLength(before + 1);
      expect(bodies).not.toContain('too late');
    });

  it('and the log shows that the caller left', async () => {
    const { service } = await aborted('handle', { latency: 30 }, shortly);
    await expect.poll(async () => (await service.requests({ method: 'POST' })).map(({ status }) => status)).toEqual([0]);
  });

  it('but a late change of a fault is stored after its call has ended', async () => {
    const service = await openService({ faults: ['POST * => late 10'] });
    onTestFinished(() => service.close());
    const client = createClient({ url: 'http://service.test', token: 'ada-token', transport: service.handle, retry: noRetry });
    const stop = new AbortController();
    await expect(client.notes.issue.create({ ...issue, body: 'late' }, { signal: stop.signal })).rejects.toMatchObject({ status: 504 });
    stop.abort();
    await expect.poll(async () => (await client.notes.issue.list(issue).all()).map(({ body }) => body)).toContain('late');
  });
});
