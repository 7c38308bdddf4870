import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Note } from '../../../src/contract/shapes/note.js';
import { testService, type TestService } from '../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

const list = '/projects/20/issues/1/notes';
const idsOf = async (query = '') => (await service.get<Note[]>(list + query)).body.map(({ id }) => id);

describe('the notes of a noteable without their threads', () => {
  it('are given newest first', async () => {
    expect(await idsOf()).toEqual([103, 102, 101, 100]);
  });

  it('are sorted as asked, also over pages', async () => {
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
});
