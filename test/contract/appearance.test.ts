import { describe, expect, it } from 'vitest';
import { images } from '../support/images.js';
import { testService } from '../support/service.js';
import type { acme } from '../support/worlds.js';

const newest = { dialect: 'live' } as const;

describe('the appearance', () => {
  const path = '/application/appearance';
  const given = { pwa_name: 'Acme', pwa_short_name: 'A', pwa_description: 'What we do', member_guidelines: 'Be kind' };

  it('of newer versions has a web app and guidelines for members', async () => {
    const { call, get, put } = await testService(newest);
    expect((await get(path, { as: 'root' })).body).toMatchObject({
      pwa_name: '', pwa_short_name: '', pwa_description: '', pwa_icon: null, member_guidelines: '' });
    expect((await put(path, { as: 'root', json: given })).body).toMatchObject(given);
    const form = new FormData();
    form.set('pwa_icon', new File([images.png], 'icon.png'));
    const request = new Request('http://x.test', { method: 'PUT', body: form });
    const sent = { as: 'root', headers: { 'content-type': request.headers.get('content-type')! }, body: new Uint8Array(await request.arrayBuffer()) };
    expect((await call('PUT', path, sent)).body).toMatchObject({ ...given, pwa_icon: '/uploads/-/system/appearance/pwa_icon/1/icon.png' });
    const world = (await get<typeof acme>('/-/world')).body;
    const copy = await testService({ ...newest, world });
    expect((await copy.get(path, { as: 'root' })).body).toMatchObject({ ...given, pwa_icon: '/uploads/-/system/appearance/pwa_icon/1/icon.png' });
  });

  it('rejects names that are too long', async () => {
    const { put } = await testService(newest);
    expect((await put(path, { as: 'root', json: { pwa_name: 'x'.repeat(256), pwa_description: 'x'.repeat(2049) } })).body).toEqual({
      message: { pwa_name: ['is too long (maximum is 255 characters)'], pwa_description: ['is too long (maximum is 2048 characters)'] } });
  });

  it.each([{}, { dialect: 'live', serviceVersion: '15.7' }] as const)('of older versions and the documentation ignores them: %j', async (options) => {
    const { put } = await testService(options);
    const { status, body } = await put(path, { as: 'root', json: given });
    expect({ status, has: 'pwa_name' in (body as object) }).toEqual({ status: 200, has: false });
  });
});
