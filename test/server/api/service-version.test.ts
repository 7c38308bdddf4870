import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { hasSince, newestVersion } from '../../../src/contract/conventions.js';
import { openService, type ServerOptions } from '../../../src/server/index.js';
import { epicWorld } from '../../support/epics.js';
import { testService } from '../../support/service.js';
import { acme, refs } from '../../support/worlds.js';

const appearance = '/application/appearance';
const mergeRequest = '/projects/20/merge_requests/1/discussions';
const children = '/groups/10/epics/1/epics';

const filled = (path: string) => `/api/v4${path.replace(/:\w+/g, '1')}`;

describe('a service of an older version', () => {
  it.each(['11.7', '11.8', '12.6.9', '12.7'])('has the operations of %s and no newer ones', async (serviceVersion) => {
    const service = await openService({ serviceVersion });
    for (const { endpoint: { method, paths, since } } of everyEndpoint()) {
      for (const path of paths) {
        const { headers } = await service.handle({ method, target: filled(path), headers: {} });
        expect([method, path, !('x-colloquy-missing' in headers)]).toEqual([method, path, hasSince(serviceVersion, since)]);
      }
    }
    await service.close();
  });

  it('responds to a newer operation like to an unknown route, whoever asks', async () => {
    const { get } = await testService({ serviceVersion: '12.6' });
    for (const as of ['root', 'developer', null]) {
      expect(await get(appearance, { as })).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
    }
  });

  it('suggests no newer operation as the nearest one', async () => {
    const { get } = await testService({ serviceVersion: '12.6' });
    const { headers } = await get(appearance);
    expect(headers['x-colloquy-missing']).toMatch(/^GET \/api\/v4\/application\/appearance; nearest GET \/api\/v4\/(?!application)/);
  });

  it('names the methods it has in the response to OPTIONS', async () => {
    const { call } = await testService({ serviceVersion: '12.6' });
    expect((await call('OPTIONS', appearance)).status).toBe(404);
    expect((await call('OPTIONS', mergeRequest)).headers['allow']).toBe('OPTIONS, HEAD, GET, POST');
  });

  it('ignores a newer parameter', async () => {
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', new_path: 'app.js', new_line: 2,
    };
    const commitIdIn = async (serviceVersion: string) => {
      const { post } = await testService({ serviceVersion, dialect: 'live' });
      const { status, body } = await post<{ notes: { commit_id: string | null }[] }>(
        mergeRequest, { json: { body: 'x', position, commit_id: refs.head } });
      return [status, body.notes[0]!.commit_id];
    };
    expect(await commitIdIn('13.7')).toEqual([201, refs.head]);
    expect(await commitIdIn('13.6')).toEqual([201, null]);
  });

  it.each([[{ serviceVersion: '12.7' }, '12.7.0-ee', true], [{ serviceVersion: '13.1.2-ce' }, '13.1.2-ce', false], [{}, newestVersion, true]])(
    'reports its version: %j', async (options, version, enterprise) => {
      const { get } = await testService(options);
      expect((await get('/version')).body).toMatchObject({ version });
      expect((await get('/metadata')).body).toMatchObject({ version, enterprise });
    });

  it('takes the version of the world unless one is given', async () => {
    const world = { ...acme, settings: { version: '12.6' } };
    const statusIn = async (options: ServerOptions) => (await (await testService(options)).get(appearance, { as: 'root' })).status;
    expect(await statusIn({ world })).toBe(404);
    expect(await statusIn({ world, serviceVersion: '12.7' })).toBe(200);
  });

  it('takes the version of a world that replaces another', async () => {
    const { call, get } = await testService();
    expect((await get(appearance, { as: 'root' })).status).toBe(200);
    expect((await call('PUT', '/-/world', { json: { ...acme, settings: { version: '12.6' } } })).status).toBe(204);
    expect((await get(appearance, { as: 'root' })).status).toBe(404);
    expect((await get('/-/world')).body).toMatchObject({ settings: { version: '12.6' } });
  });

  it('is not opened with an invalid version', async () => {
    await expect(openService({ serviceVersion: '12' })).rejects.toThrow('invalid service version "12"');
    await expect(openService({ world: { settings: { version: 'new' } } })).rejects.toThrow('a version of the service in quotes');
  });
});

describe('the tier of the service', () => {
  const statuses = async (options: ServerOptions) => {
    const service = await testService({ world: epicWorld, ...options });
    const list = await service.get(children, { as: 'reporter' });
    const create = await service.post(children, { as: 'reporter', json: { title: 'x' } });
    const epics = await service.get('/groups/10/epics', { as: 'reporter' });
    return [list.status, create.status, epics.status];
  };

  it.each([['free', [403, 403, 403]], ['premium', [200, 403, 200]], ['ultimate', [200, 201, 200]]] as const)(
    'decides about epics: %s', async (tier, expected) => {
      expect(await statuses({ tier })).toEqual(expected);
      expect(await statuses({ world: { ...epicWorld, settings: { tier } } })).toEqual(expected);
    });

  it('does not switch on what the world switches off', async () => {
    expect(await statuses({ tier: 'ultimate', world: { ...epicWorld, settings: { nested_epics: false } } })).toEqual([200, 403, 200]);
  });

  it('overrides the tier of the world', async () => {
    expect(await statuses({ tier: 'free', world: { ...epicWorld, settings: { tier: 'ultimate' } } })).toEqual([403, 403, 403]);
  });
});
