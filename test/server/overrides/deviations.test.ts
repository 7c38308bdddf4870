import { describe, expect, it } from 'vitest';
import type { Imitation } from '../../../src/server/index.js';
import { testService } from '../../support/service.js';

const list = '/projects/acme%2Fapp/issues/1/discussions';

const like = async (imitation: Imitation) => testService({ like: imitation });

describe('a service like an instance', () => {
  it('has its dialect, version and tier, unless other options say otherwise', async () => {
    const service = await like({ dialect: 'live', service_version: '12.6', tier: 'free' });
    expect((await service.call('GET', '/metadata')).body).toMatchObject({ version: '12.6.0-ee' });
    expect((await service.call('GET', '/groups/acme/epics')).status).toBe(403);
    const newer = await testService({ like: { service_version: '12.6' }, serviceVersion: '17.1' });
    expect((await newer.call('GET', '/metadata')).body).toMatchObject({ version: '17.1.0-ee' });
    await Promise.all([service.close(), newer.close()]);
  });

  it('has its page sizes', async () => {
    const service = await like({ per_page: { default: 2, max: 3 } });
    const size = async (query: string) => (await service.call('GET', `${list}${query}`)).headers['x-per-page'];
    expect([await size(''), await size('?per_page=100'), await size('?per_page=1')]).toEqual(['2', '3', '1']);
    await service.close();
  });

  it('sets, replaces and removes headers', async () => {
    const service = await like({ headers: [
      { fact: 'a', header: 'WWW-Authenticate', status: 401, value: 'Bearer' }, { fact: 'b', header: 'ETag' },
      { fact: 'c', header: 'x-page', when: '1', value: '0' }, { fact: 'd', header: 'X-Request-Id' },
    ] });
    const first = await service.call('GET', list);
    expect([first.headers['etag'], first.headers['x-page'], first.headers['x-request-id']]).toEqual([undefined, '0', undefined]);
    expect((await service.call('GET', `${list}?page=2`)).headers['x-page']).toBe('2');
    expect((await service.call('GET', list, { as: null })).headers['www-authenticate']).toBe('Bearer');
    expect((await service.call('GET', '/-/health')).headers['x-request-id']).toBeDefined();
    await service.close();
  });

  it('has its errors, with the common headers', async () => {
    const service = await like({ errors: [
      { fact: 'a', when: { status: 404, message: '404 Project Not Found' }, status: 403, body: { message: '<no>' } },
      { fact: 'b', when: { status: 401 }, on: 'GET /projects/*/issues/*/discussions', status: 407 },
    ] });
    const missing = await service.call('GET', '/projects/none%2Fsuch/issues/1/discussions');
    expect([missing.status, missing.text, missing.headers['x-frame-options']]).toEqual([403, '{"message":"\\u003cno\\u003e"}', 'SAMEORIGIN']);
    expect((await service.call('GET', list, { as: null })).status).toBe(407);
    expect((await service.call('GET', '/user', { as: null })).status).toBe(401);
    await service.close();
  });

  it('fails its operations, and lacks its keys', async () => {
    const service = await like({
      operations: [{ fact: 'a', on: 'GET /user', status: 503 }],
      missing_keys: [{ fact: 'b', without: ['attachment'], among: ['id', 'body', 'author'] }, { fact: 'c', without: ['id'], among: ['nothing'] }],
    });
    expect(await service.call('GET', '/user')).toMatchObject({ status: 503, headers: { 'x-frame-options': 'SAMEORIGIN' } });
    const { handle } = service;
    await service.post(list, { json: { body: 'a <b>' } }).catch(() => undefined);
    const { body } = await handle({ method: 'GET', target: `/api/v4${list}`, headers: { 'private-token': 'developer-token' } });
    const text = Buffer.from(body).toString();
    expect(text).toContain('a \\u003cb\\u003e');
    expect(text).toContain('"author":{"id":');
    expect(text).not.toContain('attachment');
    await service.close();
  });

  it('has worlds that are like it', async () => {
    const service = await like({ per_page: { default: 2 } });
    const world = await service.call('GET', `/w/one/api/v4${list}`);
    expect(world.headers['x-per-page']).toBe('2');
    await service.close();
  });
});
