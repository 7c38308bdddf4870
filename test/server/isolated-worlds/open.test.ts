import { describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../../src/server/index.js';
import { images, multipart } from '../../support/images.js';
import { bodiesIn, inWorld, issue, type Thread } from '../../support/isolated-worlds.js';
import { testService } from '../../support/service.js';

describe('a world below /w/', () => {
  it('is a copy of the initial data, isolated from it and from others', async () => {
    const { get, post } = await testService();
    const before = bodiesIn((await get<Thread[]>(issue)).body);
    expect(bodiesIn((await get<Thread[]>(inWorld('a', issue))).body)).toEqual(before);
    await post(inWorld('a', issue), { json: { body: 'only in a' } });
    await post(issue, { json: { body: 'only at the start' } });
    expect((await get(inWorld('a', issue))).text).toContain('only in a');
    expect(bodiesIn((await get<Thread[]>(inWorld('b', issue))).body)).toEqual(before);
    expect((await get(issue)).text).not.toContain('only in a');
    expect((await get(inWorld('a', issue))).text).not.toContain('only at the start');
  });

  it('is made of the initial data as a reset restores it, not of the present data', async () => {
    const { get, post } = await testService();
    const before = bodiesIn((await get<Thread[]>(issue)).body);
    await post(issue, { json: { body: 'later' } });
    expect(bodiesIn((await get<Thread[]>(inWorld('late', issue))).body)).toEqual(before);
  });

  it('gives new notes the ids that the server itself gives', async () => {
    const { post } = await testService();
    const ids: number[] = [];
    for (const path of [issue, inWorld('a', issue), inWorld('b', issue)]) {
      ids.push((await post<Thread>(path, { json: { body: 'x' } })).body.notes[0]!.id);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('has its own name in links, web addresses and uploads', async () => {
    const { get, call } = await testService();
    const { headers } = await get(inWorld('a', `${issue}?per_page=1`));
    expect(headers['link']).toContain('<http://service.test/w/a/api/v4/projects/20/issues/1/discussions?');
    const { body } = await get<{ web_url: string }>(inWorld('a', '/projects/20/issues/1'));
    expect(body.web_url).toMatch(/^http:\/\/service\.test\/w\/a\//);
    const put = await call<{ logo: string }>('PUT', inWorld('a', '/application/appearance'), {
      as: 'root', ...multipart({ logo: ['logo.png', images.png] }),
    });
    expect(put.body.logo).toContain('/uploads/-/system/appearance/logo/1/logo.png');
    const image = await get('/w/a/uploads/-/system/appearance/logo/1/logo.png', { as: null });
    expect(image).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });
    expect((await get('/uploads/-/system/appearance/logo/1/logo.png')).status).toBe(404);
  });
});

describe('the control plane of a world', () => {
  it('is its own: world, reset, requests and snapshots', async () => {
    const { get, post, call } = await testService();
    const start = (await get('/-/world')).body;
    await call('PUT', '/w/a/-/snapshots/s');
    await post(inWorld('a', issue), { json: { body: 'only in a' } });
    expect((await get('/w/a/-/world')).body).not.toEqual(start);
    expect((await get('/-/world')).body).toEqual(start);
    expect((await get<LoggedRequest[]>('/w/a/-/requests')).body).toMatchObject([{ method: 'POST', target: `/api/v4${issue}`, world: 'a' }]);
    expect((await get<LoggedRequest[]>('/-/requests')).body).toEqual([]);
    expect((await get('/w/b/-/snapshots')).body).toEqual([]);
    await post('/w/a/-/snapshots/s');
    expect((await get('/w/a/-/world')).body).toEqual(start);
    await post(inWorld('a', issue), { json: { body: 'only in a' } });
    await call('PUT', '/-/world', { json: {} });
    expect((await post('/w/a/-/reset')).status).toBe(204);
    expect((await get('/w/a/-/world')).body).toEqual(start);
    expect((await get('/w/a/-/requests')).body).toEqual([]);
  });
});
