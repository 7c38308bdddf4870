import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { testService, type Sent, type TestService } from '../../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

const list = '/projects/20/issues/1/notes';
const idsOf = async (query = '') => (await service.get<Note[]>(list + query)).body.map(({ id }) => id);

describe('the notes of a noteable without their threads', () => {
  it('are given newest first', async () => {
    expect(await idsOf()).toEqual([103, 102, 101, 100]);
  });

  it('are sorted as requested, also across pages', async () => {
    expect(await idsOf('?sort=asc')).toEqual([100, 101, 102, 103]);
    expect(await idsOf('?sort=asc&order_by=created_at&per_page=3&page=2')).toEqual([103]);
    const { headers } = await service.get(`${list}?sort=asc&per_page=1`);
    expect(headers['link']).toContain('sort=asc');
  });

  it('are sorted by their last change', async () => {
    service.later(60_000);
    await service.put(`${list}/102`, { as: 'guest', json: { body: 'changed' } });
    expect(await idsOf('?order_by=updated_at')).toEqual([102, 103, 101, 100]);
    expect(await idsOf('?order_by=updated_at&sort=asc')).toEqual([100, 101, 103, 102]);
  });

  it.each(['sort=up', 'order_by=body'])('are in no order that is not known: %s', async (query) => {
    const { status, body } = await service.get(`${list}?${query}`);
    expect([status, body]).toEqual([400, { error: `${query.split('=')[0]} does not have a valid value` }]);
  });

  it.each<Sent>([{ json: { body: '' } }, { json: { body: ' \n' } }, { json: { body: null } }, { form: { body: '' } }])(
    'cannot be changed to nothing: %j', async (sent) => {
      const before = (await service.get(`${list}/102`)).text;
      expect(await service.put(`${list}/102`, { as: 'guest', ...sent })).toMatchObject({ status: 400, body: { error: 'body is empty' } });
      expect(await service.put(`${list}/102?body=`, { as: 'guest' })).toMatchObject({ status: 400, body: { error: 'body is empty' } });
      expect((await service.get(`${list}/102`)).text).toBe(before);
    });

  it('reject a blank text before anything else but the token', async () => {
    expect((await service.put(`${list}/102?body=`, { as: null })).status).toBe(401);
    for (const path of [`${list}/999`, '/projects/99/issues/1/notes/102']) {
      expect(await service.put(`${path}?body=`)).toMatchObject({ status: 400, body: { error: 'body is empty' } });
    }
  });

  it('are begun with a text, as the model demands it', async () => {
    expect(await service.post(`${list}?body=`))
      .toMatchObject({ status: 400, body: { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' } });
  });
});
