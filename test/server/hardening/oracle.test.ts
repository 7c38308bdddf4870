import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { pathNames, type Endpoint } from '../../../src/contract/endpoint.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { epicWorld } from '../../support/epics.js';
import { sampleOf } from '../../support/extent.js';
import { demanded, dialectOf, placed, placedRoutes } from '../../support/routes.js';
import { everyRow } from '../../support/rows.js';
import { acme, refs, threads } from '../../support/worlds.js';
import { countedService } from './counted-service.js';

const roles = ['root', 'owner', 'maintainer', 'developer', 'reporter', 'guest', 'outsider', 'reader', 'blocked', 'revoked', null] as const;
const payload = (endpoint: Endpoint) => endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : demanded(endpoint);
/** Ids of a container that an outsider may not see, and of one that is not there. */
const idsFor = (path: string) => path.startsWith('/groups/')
  ? { hidden: ['10', 'acme', 'Acme'], missing: ['99', 'none', 'None'] }
  : { hidden: ['20', 'acme/app', 'Acme/app'], missing: ['98', 'acme/not', 'Acme/not'] };

interface Route { readonly name: string; readonly endpoint: Endpoint; readonly path: string }
const routeName = ({ name, path }: Route) => `${name} at ${path}`;

describe('every operation', () => {
  it('in a hidden project or group looks like in a missing one to outsiders: response, headers, and queries', async () => {
    await everyRow(sampleOf(placedRoutes, 2), routeName, async ({ endpoint, path }) => {
      const call = await countedService(acme, dialectOf(endpoint));
      const { method } = endpoint;
      const json = payload(endpoint);
      const { hidden, missing } = idsFor(path);
      for (const [i, id] of hidden.entries()) {
        const first = await call(method, placed(path, id), 'outsider', json);
        expect(await call(method, placed(path, missing[i]!), 'outsider', json)).toEqual(first);
        expect(first.status).toBe(404);
        await call(method, placed(path, id), 'owner', json);
        await call('GET', '/version', 'outsider');
        expect(await call(method, placed(path, id), 'outsider', json)).toEqual(first);
      }
    });
  });

  it('is handled without a fault for every role', async () => {
    await everyRow(sampleOf(placedRoutes, 2), routeName, async ({ endpoint, path }) => {
      const call = await countedService(acme, dialectOf(endpoint));
      const { method } = endpoint;
      await everyRow(roles, String, async (role) => {
        const { status, body } = await call(method, placed(path, idsFor(path).hidden[0]!), role, payload(endpoint));
        expect(status).toBeLessThan(500);
        if (role === null || role === 'revoked') expect(status).toBe(401);
        else if (role === 'blocked' || (role === 'reader' && method !== 'GET')) expect(status).toBe(403);
        else expect(/404 (Project|Group) Not Found/.test(body)).toBe(role === 'outsider');
      });
    });
  });
});

/** Routes that require a parameter besides those of the path, in the body, so that it can be missing. */
const demanding = placedRoutes.filter(({ endpoint: { method, params, exactlyOneOf }, path }) =>
  method !== 'GET' && method !== 'DELETE' && (exactlyOneOf !== undefined
    || Object.entries(params).some(([name, { required }]) => required && !pathNames(path).includes(name))));

it('some routes require parameters', () => expect(demanding.length).toBeGreaterThan(20));

it('a missing parameter is reported before a missing place, to everyone', async () => {
  await everyRow(demanding, routeName, async ({ endpoint, path }) => {
    const call = await countedService(acme, dialectOf(endpoint));
    const { method } = endpoint;
    const { hidden, missing } = idsFor(path);
    const bad = await call(method, placed(path, hidden[0]!), 'outsider', {});
    expect(bad.status).toBe(400);
    for (const id of [...hidden, ...missing]) {
      expect(await call(method, placed(path, id), 'outsider', {})).toEqual(bad);
      expect((await call(method, placed(path, id), 'owner', {})).body).toEqual(bad.body);
    }
  });
});

/** A note has an award emoji. */
const awarded: World = JSON.parse(JSON.stringify(acme, (_, value: { id?: unknown } | null) =>
  value?.id === 103 ? { ...value, award_emoji: [{ id: 1, user: 'reporter' }] } : value)) as World;

describe('a confidential', () => {
  const onIssue = everyEndpoint().flatMap(({ name, endpoint }) =>
    endpoint.paths.filter((path) => /^\/projects\/:id\/issues\/:(noteable_id|iid)/.test(path)).map((path) => ({ name, endpoint, path })));
  const onEpic = everyEndpoint().flatMap(({ name, endpoint }) =>
    endpoint.paths.filter((path) => /^\/groups\/:id\/epics\/:(noteable_id|iid|epic_iid)/.test(path)).map((path) => ({ name, endpoint, path })));
  const key = (path: string) => pathNames(path)[1]!;

  it('issue is for who may not see it what a missing one is', async () => {
    await everyRow(onIssue, routeName, async ({ endpoint, path }) => {
      const call = await countedService(awarded, dialectOf(endpoint));
      const json = payload(endpoint);
      for (const others of [{}, { discussion_id: 'f'.repeat(40), note_id: 999 }]) {
        const there = await call(endpoint.method, placed(path, '30', { [key(path)]: 2, id: 20, ...others }), 'outsider', json);
        const absent = await call(endpoint.method, placed(path, '30', { [key(path)]: 99, id: 20, ...others }), 'outsider', json);
        expect(there).toEqual(absent);
      }
      const open = placed(path, '20', { [key(path)]: 1 });
      expect((await call(endpoint.method, open, 'reporter', json)).status).not.toBe(404);
    });
  });

  it('epic is for a guest what a missing one is', async () => {
    await everyRow(onEpic, routeName, async ({ endpoint, path }) => {
      const call = await countedService(acme, dialectOf(endpoint));
      const json = payload(endpoint);
      const byIid = key(path) !== 'noteable_id' || path.includes('/award_emoji');
      const there = await call(endpoint.method, placed(path, '10', { [key(path)]: byIid ? 2 : 501, child_epic_id: 500 }), 'guest', json);
      const absent = await call(endpoint.method, placed(path, '10', { [key(path)]: byIid ? 77 : 777, child_epic_id: 500 }), 'guest', json);
      expect(there).toEqual(absent);
      expect([403, 404]).toContain(there.status);
    });
  });
});

describe('an epic in a place that the caller does not see', () => {
  const verbs = [['POST', undefined], ['DELETE', undefined], ['PUT', {}], ['PUT', { move_before_id: 800 }]] as const;

  it.each(verbs)('looks like a missing child: %s %j', async (method, json) => {
    const call = await countedService(epicWorld);
    const child = (id: number) => call(method, `/groups/10/epics/1/epics/${id}`, 'reporter', json);
    const missing = await child(9_999);
    expect(missing.status).toBe(404);
    expect(await child(800)).toEqual(missing);
    expect(await child(9_998)).toEqual(missing);
  });
});

describe('a note of another place', () => {
  it.each([['PUT', { body: 'x' }], ['DELETE', undefined], ['GET', undefined]] as const)('looks like a missing one: %s', async (method, json) => {
    const call = await countedService();
    const of = (note: number) => call(method, `/projects/21/issues/1/notes/${note}`, 'outsider', json);
    await of(1);
    expect(await of(102)).toEqual(await of(99_999));
    const inThread = (note: number) => call(method, `/projects/21/issues/1/discussions/${threads.issue}/notes/${note}`, 'outsider', json);
    expect(await inThread(102)).toEqual(await inThread(99_999));
  });

  it('keeps its commit to itself', async () => {
    const call = await countedService();
    const of = (sha: string) => call('GET', `/projects/21/commits/${sha}/discussions`, 'outsider');
    expect(await of(refs.commit)).toEqual(await of('0'.repeat(40)));
  });
});
