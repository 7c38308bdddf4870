import { describe, expect, it, onTestFinished } from 'vitest';
import { open } from '../../../src/server/open.js';
import { startServer, type FaultState, type RunningServer } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

/** Longer than any test, and than the time that a server gives to open requests. */
const long = 600_000;
const token = { 'private-token': 'developer-token' };

/** Closes a server that has a request with a fault, in the start world or another one. Gives the response of the request. */
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

describe.each([
  ['the start world', (server: RunningServer) => server.url], ['a world', (server: RunningServer) => server.worldUrl('a')],
])('closing a server with a request to %s', (_, baseOf) => {
  it.each([`stall ${long}`, `stall ${long} after`])('closes the connection if it has the fault %s', async (fault) => {
    expect(await closedDuring(fault, baseOf)).toBe('closed');
  }, limit);

  it.each([`latency ${long}`, `dribble ${long}`])('sends its response at once if it has the fault %s', async (fault) => {
    expect(await closedDuring(fault, baseOf)).toContain('13.12.0-ee');
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
