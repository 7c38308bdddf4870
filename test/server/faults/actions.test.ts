import { describe, expect, it } from 'vitest';
import type { FaultRule, ServerOptions } from '../../../src/server/index.js';
import { createClock } from '../../../src/server/clock.js';
import { createRandom } from '../../../src/server/random.js';
import { createService } from '../../../src/server/service.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { seedTables } from '../../../src/server/world-file/served.js';
import { testService, type Sent } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
const note = { json: { body: 'needle' } } satisfies Sent;

const under = (rule: string | FaultRule, options: ServerOptions = {}) => testService({ faults: [rule], ...options });

type Service = Awaited<ReturnType<typeof under>>;

/** Whether the note was stored, without faults. */
const isStored = async ({ get, faults }: Service) => {
  await faults([]);
  return (await get(issue)).text.includes('needle');
};

/** Sleeps until it is woken, and rejects when the signal is aborted. */
const sleeper = () => {
  const sleeping: { readonly milliseconds: number; readonly wake: () => void }[] = [];
  const sleep = (milliseconds: number, signal?: AbortSignal) => new Promise<void>((resolve, reject) => {
    sleeping.push({ milliseconds, wake: resolve });
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
  return { sleeping, sleep };
};

/** Lets everything run that needs no timer of its own. */
const settled = () => new Promise<void>((resolve) => { setTimeout(resolve, 30); });

describe('a fault in place of the response', () => {
  it.each([['status 503', false], ['status 503 before', false], ['status 503 after', true]])(
    '%s responds with the status; the change is stored: %s', async (action, stored) => {
      const service = await under(`* => ${action}`);
      const { status, body, headers } = await service.post(issue, note);
      expect({ status, body }).toEqual({ status: 503, body: { message: '503 Service Unavailable' } });
      expect(headers['x-request-id']).toBeDefined();
      expect(await isStored(service)).toBe(stored);
    });

  it.each([['reset', false], ['reset after', true]])('%s fails as a closed connection; the change is stored: %s', async (action, stored) => {
    const service = await under(`* => ${action}`);
    await expect(service.post(issue, note)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await isStored(service)).toBe(stored);
  });

  it.each([['stall 700', false], ['stall 700 after', true]])('%s is silent, then closes the connection; the change is stored: %s', async (action, stored) => {
    const { sleeping, sleep } = sleeper();
    const service = await under(`* => ${action}`, { sleep });
    const response = service.post(issue, note);
    await expect.poll(() => sleeping.map(({ milliseconds }) => milliseconds)).toEqual([700]);
    sleeping[0]!.wake();
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await isStored(service)).toBe(stored);
  });

  it('rate-limit responds like the real service, and stores nothing', async () => {
    const service = await under('* => rate-limit 30', { now: '2024-05-01T12:00:00Z' });
    const { status, headers, text } = await service.post(issue, note);
    expect({ status, text }).toEqual({ status: 429, text: 'Retry later\n' });
    expect(headers).toMatchObject({
      'retry-after': '30', 'ratelimit-remaining': '0', 'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-reset': String(Date.parse('2024-05-01T12:00:30Z') / 1000), 'ratelimit-resettime': 'Wed, 01 May 2024 12:00:30 GMT',
    });
    expect(await isStored(service)).toBe(false);
  });

  it.each([['html', 502, 'Bad Gateway'], ['html 503', 503, 'Service Unavailable']])('%s responds with the page of a proxy', async (action, status, reason) => {
    const service = await under(`* => ${action}`);
    const got = await service.post(issue, note);
    expect(got).toMatchObject({ status, headers: { 'content-type': 'text/html' } });
    expect(got.text).toContain(`<h1>${status} ${reason}</h1>`);
    expect(await isStored(service)).toBe(false);
  });

  it('respond sends any response', async () => {
    const service = await under('* => respond {"status":418,"headers":{"X-Tea":"yes"},"body":{"a":[1]}} times=1');
    expect(await service.post(issue, note)).toMatchObject({
      status: 418, headers: { 'x-tea': 'yes', 'content-type': 'application/json' }, body: { a: [1] } });
    await service.faults(['* => respond {"status":400,"body":"plain"}']);
    expect(await service.get('/user', { as: null })).toMatchObject({ status: 400, text: 'plain' });
    expect(await isStored(service)).toBe(false);
  });
});

describe('a fault of the right response', () => {
  it.each([['250', 250, 250], ['100..200', 100, 200]])('latency %s delays it', async (range, from, to) => {
    const { sleeping, sleep } = sleeper();
    const service = await under(`* => latency ${range}`, { sleep });
    const response = service.post(issue, note);
    await expect.poll(() => sleeping.length).toBe(1);
    expect(sleeping[0]!.milliseconds).toBeGreaterThanOrEqual(from);
    expect(sleeping[0]!.milliseconds).toBeLessThanOrEqual(to);
    sleeping[0]!.wake();
    expect((await response).status).toBe(201);
  });

  it('truncate fails after the change was stored', async () => {
    const service = await under('* => truncate');
    await expect(service.post(issue, note)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await isStored(service)).toBe(true);
  });

  it('truncate closes the connection if there is no body', async () => {
    const { call } = await under('* => truncate');
    await expect(call('HEAD', '/user')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('garble makes the JSON invalid after the change was stored', async () => {
    const service = await under('* => garble');
    const { status, headers, body } = await service.handle({
      method: 'POST', target: `/api/v4${issue}`, headers: { 'private-token': 'developer-token', 'content-type': 'application/json' },
      body: JSON.stringify(note.json),
    });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 201, type: 'application/json' });
    expect(() => { JSON.parse(String(body)); }).toThrow();
    expect(await isStored(service)).toBe(true);
  });

  it('garble also makes an empty list invalid', async () => {
    const { handle } = await under('* => garble');
    const { status, body } = await handle({
      method: 'GET', target: '/api/v4/projects/20/issues/1/notes?page=99', headers: { 'private-token': 'developer-token' } });
    expect(status).toBe(200);
    expect(String(body)).toBe('[\0');
  });

  it('dribble takes as long in the same process as on a connection', async () => {
    const { sleeping, sleep } = sleeper();
    const { get } = await under('* => dribble 10', { sleep });
    const response = get('/user');
    await expect.poll(() => sleeping.length).toBe(1);
    sleeping[0]!.wake();
    expect(sleeping[0]!.milliseconds).toBe(10 * (Math.ceil((await response).text.length / 16) - 1));
  });
});

describe('late', () => {
  it('responds with 504 at once, and stores the change later', async () => {
    const { sleeping, sleep } = sleeper();
    const service = await under('* => late 5000 times=1', { sleep });
    expect((await service.post(issue, note)).status).toBe(504);
    expect(sleeping.map(({ milliseconds }) => milliseconds)).toEqual([5000]);
    expect((await service.get(issue)).text).not.toContain('needle');
    sleeping[0]!.wake();
    await expect.poll(async () => (await service.get(issue)).text).toContain('needle');
  });

  const ends: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
    'a reset': ({ post }) => post('/-/reset'),
    'a snapshot is restored': ({ post }) => post('/-/snapshots/before'),
    'another world is set': ({ put }) => put('/-/world', { json: acme }),
  };

  it.each(Object.entries(ends))('stores nothing after %s', async (_, end) => {
    const { sleeping, sleep } = sleeper();
    const service = await under('* => late 5000 times=1', { sleep });
    await service.put('/-/snapshots/before');
    await service.post(issue, note);
    await end(service);
    sleeping[0]!.wake();
    await settled();
    expect(await isStored(service)).toBe(false);
  });

  it.each(Object.entries(ends))('stores nothing if it has begun when %s', async (_, end) => {
    const { sleeping, sleep } = sleeper();
    const service = await under('* => late 5000 times=1', { sleep });
    await service.put('/-/snapshots/before');
    await service.post(issue, note);
    sleeping[0]!.wake();
    await end(service);
    await settled();
    expect(await isStored(service)).toBe(false);
  });

  it('is still stored after a snapshot that does not exist was not restored', async () => {
    const { sleeping, sleep } = sleeper();
    const service = await under('* => late 5000 times=1', { sleep });
    await service.post(issue, note);
    expect((await service.post('/-/snapshots/none')).status).toBe(404);
    sleeping[0]!.wake();
    await expect.poll(() => isStored(service)).toBe(true);
  });

  it('stores nothing after the service was closed', async () => {
    const { sleeping, sleep } = sleeper();
    const reported: unknown[] = [];
    const service = await under('* => late 5000 times=1', { sleep, onFault: (error) => { reported.push(error); } });
    await service.post(issue, note);
    await service.close();
    sleeping[0]!.wake();
    await settled();
    expect(reported).toEqual([]);
  });
});

it('an unexpected error of a late change is reported', async () => {
  const database = await openDatabase();
  const reported: unknown[] = [];
  const seeding = { dialect: 'document' as const, now: () => new Date(0), hex: (length: number) => 'a'.repeat(length) };
  await database.write((queries) => seedTables(queries, acme, seeding));
  const { handle, operations: { faults } } = createService({
    ...seeding, clock: createClock(seeding.now), random: createRandom(undefined, seeding.hex),
    world: acme, version: '0', address: () => '', sleep: async () => undefined,
    database: { ...database, write: async () => { throw new Error('the disk is gone'); } },
    onFault: (error, id) => { reported.push([(error as Error).message, id]); },
  });
  await faults.set(['* => late 1']);
  const { status } = await handle({
    method: 'POST', target: `/api/v4${issue}`, headers: { 'private-token': 'developer-token', 'content-type': 'application/json' },
    body: JSON.stringify(note.json),
  });
  expect(status).toBe(504);
  await expect.poll(() => reported).toEqual([['the disk is gone', 'of a late change']]);
  await database.close();
});

it('a reset of the service closes the connections of responses that stall', async () => {
  const { sleep, sleeping } = sleeper();
  const service = await under('* => stall 5000', { sleep });
  const response = service.post(issue, note);
  const rejected = expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect.poll(() => sleeping.length).toBe(1);
  await service.post('/-/reset');
  await rejected;
});

describe('stale', () => {
  const fresh = 'GET * => latency 0';

  it('serves the response that the same read received before the latest write', async () => {
    const service = await under('GET * => stale skip=1');
    const before = await service.get(issue);
    await service.post(issue, note);
    expect((await service.get(issue)).text).toBe(before.text);
    await service.faults([fresh]);
    expect((await service.get(issue)).text).toContain('needle');
  });

  it('lags behind by one write, also if the read was served up to date in between', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    const stale = { headers: { 'x-stale': '1' } };
    await service.get(issue);
    await service.post(issue, { json: { body: 'first' } });
    expect((await service.get(issue)).text).toContain('first');
    expect((await service.get(issue, stale)).text).not.toContain('first');
    await service.post(issue, { json: { body: 'second' } });
    const { text } = await service.get(issue, stale);
    expect(text).toContain('first');
    expect(text).not.toContain('second');
  });

  it('serves the current response if no earlier one is known, and never that of another caller', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    await service.get(issue, { as: 'owner' });
    await service.post(issue, note);
    expect((await service.get(issue, { headers: { 'x-stale': '1' } })).text).toContain('needle');
    expect((await service.get(issue, { as: 'outsider', headers: { 'x-stale': '1' } })).status).toBe(404);
  });

  it('serves a whole response to a caller without it, and 304 to one who has it', async () => {
    const service = await under({ on: '*', do: 'stale', header: 'x-stale' });
    const { headers: { etag }, text } = await service.get(issue);
    const known = { 'if-none-match': etag! };
    expect((await service.call('GET', issue, { headers: known })).status).toBe(304);
    await service.post(issue, note);
    expect((await service.get(issue, { headers: { 'x-stale': '1' } })).text).toBe(text);
    expect((await service.call('GET', issue, { headers: { 'x-stale': '1', ...known } })).status).toBe(304);
  });

  it('leaves writes alone', async () => {
    const service = await under('* => stale');
    expect((await service.post(issue, note)).status).toBe(201);
    expect((await service.faults()).rules[0]!.hits).toBe(0);
  });
});
