import { describe, expect, it } from 'vitest';
import { documentedVersion, hasSince } from '../../src/contract/conventions.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import type { ServerOptions } from '../../src/server/index.js';
import { demanded, placed, placedRoutes } from '../support/routes.js';
import { everyRow } from '../support/rows.js';
import { testService, type Got, type Sent, type TestService } from '../support/service.js';
import { threads } from '../support/worlds.js';

/** Parameters that get past validation, so that access is what decides. */
const sent = (endpoint: Endpoint, as: string | null): Sent =>
  endpoint.method === 'GET' || endpoint.method === 'DELETE' ? { as } : { as, json: demanded(endpoint) };

/** A service that has the operation. */
const having = ({ since }: Endpoint): ServerOptions =>
  since === undefined || hasSince(documentedVersion, since) ? {} : { dialect: 'live' };

/** What tells one answer from another, apart from what differs by chance. */
const seen = ({ status, headers, text }: Got) => {
  const { 'x-request-id': _, 'x-gitlab-meta': __, ...rest } = headers;
  return { status, headers: rest, text };
};

interface Route { readonly endpoint: Endpoint; readonly path: string; readonly call: TestService['call'] }

/** Checks every operation on a service of its own. */
const everyOperation = (check: (route: Route) => Promise<void>) =>
  everyRow(placedRoutes, ({ name, path }) => `${name} at ${path}`, async ({ endpoint, path }) => {
    const { call, close } = await testService(having(endpoint));
    await check({ endpoint, path, call });
    await close();
  });

/** For those who change nothing: on one service of each dialect. */
const everyRefused = async (check: (route: Route) => Promise<void>) => {
  const [{ call }, { call: live }] = [await testService(), await testService({ dialect: 'live' })];
  await everyRow(placedRoutes, ({ name, path }) => `${name} at ${path}`, ({ endpoint, path }) =>
    check({ endpoint, path, call: having(endpoint).dialect === 'live' ? live : call }));
};

describe('a private project or group', () => {
  it('looks to an outsider as if it were not there, to every operation', async () => {
    await everyRefused(async ({ endpoint, path, call }) => {
      const isGroup = path.startsWith('/groups/');
      const request = sent(endpoint, 'outsider');
      const hidden = await call(endpoint.method, placed(path, isGroup ? '10' : '20'), request);
      const missing = await call(endpoint.method, placed(path, isGroup ? '99' : '98'), request);
      expect(seen(hidden)).toEqual(seen(missing));
      expect(hidden).toMatchObject({ status: 404, body: { message: isGroup ? '404 Group Not Found' : '404 Project Not Found' } });
    });
  });

  it('is no secret to its guests, with every operation', async () => {
    await everyOperation(async ({ endpoint, path, call }) => {
      const got = await call(endpoint.method, placed(path, path.startsWith('/groups/') ? 'acme' : 'acme/app'), sent(endpoint, 'guest'));
      expect(got.status).not.toBe(401);
      expect(got.text).not.toMatch(/404 (Project|Group) Not Found/);
      expect(got.status).toBeLessThan(500);
    });
  });

  it('asks everyone for a token first, with every operation', async () => {
    await everyRefused(async ({ endpoint, path, call }) => {
      const got = await call(endpoint.method, placed(path, '20'), sent(endpoint, null));
      expect(got).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
    });
  });
});

describe('a confidential issue or epic', () => {
  const hidden = [
    { as: 'outsider', missing: '/projects/20/issues/99', there: '/projects/20/issues/2' },
    { as: 'guest', missing: '/groups/10/epics/999', there: '/groups/10/epics/501' },
  ];

  it.each(hidden)('looks as if it were not there: $there for $as', async ({ as, missing, there }) => {
    const { get, post } = await testService();
    for (const tail of ['/discussions', `/discussions/${threads.issue}`, '/notes']) {
      expect(seen(await get(there + tail, { as }))).toEqual(seen(await get(missing + tail, { as })));
    }
    const json = { body: 'x' };
    expect(seen(await post(`${there}/discussions`, { as, json }))).toEqual(seen(await post(`${missing}/discussions`, { as, json })));
  });
});
