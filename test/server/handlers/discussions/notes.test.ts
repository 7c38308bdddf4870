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

  it('are those of users, or of the service', async () => {
    const all = (await service.get<Note[]>(list)).body;
    const idsWhere = (system: boolean) => all.filter((note) => note.system === system).map(({ id }) => id);
    expect([idsWhere(true).length, idsWhere(false).length]).not.toContain(0);
    expect(await idsOf('?activity_filter=only_activity')).toEqual(idsWhere(true));
    expect(await idsOf('?activity_filter=only_comments')).toEqual(idsWhere(false));
    expect(await idsOf('?activity_filter=all_notes')).toEqual(await idsOf());
    const { headers } = await service.get(`${list}?activity_filter=only_comments&per_page=1`);
    expect([headers['x-total'], headers['link']]).toEqual([String(idsWhere(false).length), expect.stringContaining('activity_filter=only_comments')]);
  });

  it('can be filtered on every kind of object, since version 15', async () => {
    const older = await testService({ serviceVersion: '14.10' });
    const lists = ['/projects/20/issues/1', '/projects/20/merge_requests/1', '/projects/20/snippets/40', '/groups/10/epics/500'];
    for (const path of lists) {
      const { status, body } = await service.get(`${path}/notes?activity_filter=bogus`, { as: 'owner' });
      expect([status, body]).toEqual([400, { error: 'activity_filter does not have a valid value' }]);
      expect((await service.get(`${path}/notes?activity_filter=only_comments`, { as: 'owner' })).status).toBe(200);
      expect((await older.get(`${path}/notes?activity_filter=bogus`, { as: 'owner' })).status).toBe(200);
    }
    await older.close();
  });

  it('stay as they are without a text', async () => {
    const before = (await service.get(`${list}/102`)).text;
    service.later(60_000);
    expect(await service.put(`${list}/102`, { as: 'guest', json: {} })).toMatchObject({ status: 200, text: before });
    expect((await service.put(`${list}/102`, { json: {} })).status).toBe(403);
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
