import { describe, expect, it, onTestFinished } from 'vitest';
import { newestVersion } from '../../../../src/contract/conventions.js';
import { createClock } from '../../../../src/server/clock.js';
import { startServer, type FaultState, type RunningServer } from '../../../../src/server/index.js';
import { open } from '../../../../src/server/open.js';
import { createRandom } from '../../../../src/server/random.js';
import { createService } from '../../../../src/server/service.js';
import { openDatabase } from '../../../../src/server/store/open.js';
import { seedTables } from '../../../../src/server/world-file/fill.js';
import { isStored, issue, note, under } from '../../../support/faults.js';
import { sleeper } from '../../../support/sleeper.js';
import { acme } from '../../../support/worlds.js';

type Service = Awaited<ReturnType<typeof under>>;

/** Lets everything run that needs no timer of its own. */
const settled = () => new Promise<void>((resolve) => { setTimeout(resolve, 30); });

/** Longer than any test, and than the time that a server gives to open requests. */
const long = 600_000;
const token = { 'private-token': 'developer-token' };

/** Closes a server that has a request with a fault, in the server itself or another one. Gives the response of the request. */
const closedDuring = async (fault: string, baseOf: (server: RunningServer) => string): Promise<string> => {
  const server = await startServer({ world: acme, faults: [`GET /version => ${fault}`] });
  const base = baseOf(server);
  const response = fetch(`${base}/api/v4/version`, { headers: token }).then((got) => got.text(), () => 'closed');
  await expect.poll(async () => (await (await fetch(`${base}/-/faults`)).json() as FaultState).rules[0]!.hits).toBe(1);
  await server.close();
  return response;
};

/** Less than the time after which a closing server destroys connections. */
const limit = 5_000;

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

describe.each([
  ['the server itself', (server: RunningServer) => server.url], ['a world', (server: RunningServer) => server.worldUrl('a')],
])('closing a server with a request to %s', (_, baseOf) => {
  it.each([`stall ${long}`, `stall ${long} after`])('closes the connection if it has the fault %s', async (fault) => {
    expect(await closedDuring(fault, baseOf)).toBe('closed');
  }, limit);

  it.each([`latency ${long}`, `dribble ${long}`])('sends its response at once if it has the fault %s', async (fault) => {
    expect(await closedDuring(fault, baseOf)).toContain(newestVersion);
  }, limit);
});

describe('a service that is being closed', () => {
  const system = { now: () => new Date(0), timer: () => 0, sleep: () => new Promise<void>(() => undefined) };
  const closing = async () => {
    const service = await open({ world: acme, faults: [`GET /version => stall ${long}`] }, system);
    service.interrupt();
    return service;
  };

  it.each(['/-/requests?wait=300', '/w/new/-/requests?wait=300', '/-/requests?wait=300&world=new'])('does not wait for requests: %s', async (target) => {
    const service = await closing();
    const { status, body } = await service.handle({ method: 'GET', target, headers: {} });
    expect([status, String(body)]).toEqual([200, '[]']);
    await service.close();
  });

  it.each(['/api/v4/version', '/w/new/api/v4/version'])('does not stall: %s', async (target) => {
    const service = await closing();
    expect(await service.handle({ method: 'GET', target, headers: token })).toMatchObject({ delivery: { kind: 'reset' } });
    await service.close();
  });
});

it.each(['latency 50', 'dribble 2'])('many requests at once with the fault %s cause no warning about listeners', async (fault) => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => { warnings.push(name); };
  process.on('warning', onWarning);
  onTestFinished(() => { process.off('warning', onWarning); });
  const server = await startServer({ world: acme, faults: [`* => ${fault}`] });
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${server.url}/api/v4/user`, { headers: token })).text()));
  await server.close();
  expect(warnings).toEqual([]);
});

it('twenty responses that wait at the same time cause no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => { warnings.push(warning); };
  process.on('warning', note);
  const server = await startServer();
  await server.faults(['GET /version => latency 50']);
  const get = () => fetch(`${server.url}/api/v4/version`, { headers: { 'private-token': 'root-token' } });
  const responses = await Promise.all(Array.from({ length: 20 }, get));
  await server.close();
  process.off('warning', note);
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
});
