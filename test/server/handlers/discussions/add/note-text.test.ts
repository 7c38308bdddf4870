import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { testService } from '../../../../support/service.js';
import { refs } from '../../../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
const mergeRequest = '/projects/20/merge_requests/1/discussions';

const kinds = [issue, mergeRequest, '/projects/20/snippets/40/discussions', '/groups/10/epics/500/discussions',
  `/projects/20/commits/${refs.commit}/discussions`];

describe('the text of a note', () => {
  it.each([
    ['missing', {}, { error: 'body is missing' }],
    ['of a wrong type', { body: { text: 'x' } }, { error: 'body is invalid' }],
    ['empty', { body: '' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['blank', { body: ' \n\t' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['null', { body: null }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['too long', { body: 'x'.repeat(1_000_001) },
      { message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}' }],
  ])('rejects a body that is %s, and stores nothing', async (_, json, body) => {
    for (const path of kinds) {
      const { post, get } = await testService();
      const before = (await get(path)).body;
      expect(await post(path, { json })).toMatchObject({ status: 400, body });
      expect((await get(path)).body).toEqual(before);
    }
  });

  it('counts characters, not UTF-16 units, against the limit', async () => {
    const { post } = await testService();
    expect((await post('/projects/20/snippets/40/discussions', { json: { body: '😀'.repeat(1_000_000) } })).status).toBe(201);
  });

  it('cuts carriage returns and white space at the end everywhere but on snippets', async () => {
    for (const path of kinds) {
      const { post } = await testService();
      const { body } = await post<Discussion>(path, { json: { body: ' a\r\nb \n' } });
      expect(body.notes[0]!.body).toBe(path.includes('snippets') ? ' a\r\nb \n' : ' a\nb');
    }
  });
});
