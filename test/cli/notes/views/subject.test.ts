import { describe, expect, it } from 'vitest';
import { json } from '../../../support/answers.js';
import { ranIn } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';

const headOf = async (ref: string, options: Parameters<typeof ranIn>[0] = {}) =>
  (await ranIn({ terminal: true, ...options }, 'discussions', 'view', ref)).out.split('\n\n')[0];

const lookup = /\/(?:merge_requests|issues)\/1$/;

describe('the head of a view', () => {
  it('says what is discussed, by whom, its state, and counts threads', () => everyRow([
    ['!1', 'mr/1 Change\nby Dora Developer (@developer), open\n2 open, 1 resolved, 3 new'],
    ['#1', 'issue/1 Issue\nby Rita Reporter (@reporter), open\n0 open, 0 resolved, 2 new'],
    ['$40', 'snippet/40 Snippet\nby Dora Developer (@developer)\n0 open, 0 resolved, 1 new'],
  ], ([ref]) => ref!, async ([ref, head]) => { expect(await headOf(ref!)).toBe(head); }));

  it('names the branches of a merge request', async () => {
    const change = { title: 'Retry', state: 'merged', author: { name: 'Ada', username: 'ada' }, source_branch: 'retry', target_branch: 'main' };
    const answer = ({ target }: { target: string }) => lookup.test(target) ? json(200, change) : undefined;
    expect(await headOf('!1', { answer })).toContain('mr/1 Retry\nby Ada (@ada), merged, retry → main\n');
  });

  it('has the reference and the counts alone if the service does not say more, and escapes what it says', async () => {
    const hostile = { title: '\u001b[2J\u202e', state: 7, author: null, source_branch: '\n', target_branch: 'x' };
    for (const response of [json(500, {}), json(403, { message: 'no' }), json(200, hostile)]) {
      const answer = ({ target }: { target: string }) => lookup.test(target) ? response : undefined;
      const { code, out } = await ranIn({ terminal: true, answer }, 'discussions', 'view', '!1', '--retries', '0');
      expect([code, /[\u001b\u202e]/.test(out)]).toEqual([0, false]);
      expect(out).toMatch(/^mr\/1.*\n(?:.*\n)?2 open, 1 resolved, 3 new\n\n/);
    }
  });

  it('is not requested for JSON', async () => {
    const { sent } = await ranIn({}, 'discussions', 'view', '!1', '--json');
    expect(sent.filter(({ target }) => lookup.test(target))).toEqual([]);
  });
});
