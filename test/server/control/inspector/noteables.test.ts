import { expect, it } from 'vitest';
import { noteablesOf } from '../../../../src/server/control/inspector/noteables.js';

it('all kinds of things have threads, each with an address of its own', () => {
  const discussions = [{ notes: [{ body: 'a' }] }];
  const all = noteablesOf({
    projects: [{
      path: 'acme/app', issues: [{ iid: 1, discussions }, { iid: 2 }], snippets: [{ id: 31, discussions }],
      merge_requests: [{ iid: 5, head_sha: 'b', diff: 'new', versions: [{ head_sha: 'a', diff: 'old' }], discussions }],
      commits: [{ sha: '0123456789abcdef', discussions }],
    }],
    groups: [{ path: 'acme', epics: [{ iid: 4, discussions }] }],
  });
  expect(all.map(({ at }) => at)).toEqual([
    'merge_request acme/app !5', 'issue acme/app #1', 'snippet acme/app $31', 'commit acme/app 01234567', 'epic acme &4']);
  expect([...all[0]!.diffs]).toEqual([['a', 'old'], ['b', 'new']]);
});
