import { describe, expect, it } from 'vitest';
import { issue, statusesUnder } from '../../support/faults.js';

describe('a fault rule applies to', () => {
  it.each<[on: string, matching: readonly [string, string][], other: readonly [string, string][]]>([
    ['*', [['GET', '/user'], ['GET', '/nothing'], ['HEAD', issue]], [['GET', '/-/health']]],
    ['discussions.issue.list', [['GET', issue], ['HEAD', issue], ['GET', '/projects/acme%2Fapp/issues/1/discussions']],
      [['GET', '/user'], ['GET', '/projects/20/merge_requests/5/discussions']]],
    ['discussions.*.list', [['GET', issue], ['GET', '/projects/20/merge_requests/5/discussions']], [['GET', '/user']]],
    ['GET /projects/*/issues/*/discussions', [['GET', issue], ['HEAD', issue], ['GET', `${issue}?page=2`], ['GET', `${issue}/`]],
      [['GET', '/projects/20/issues/1'], ['GET', '/projects/20/x/issues/1/discussions']]],
    ['get /api/v4/user', [['GET', '/user']], [['GET', '/version']]],
    ['GET /projects/*', [['GET', '/projects/20'], ['GET', issue]], [['GET', '/user']]],
    ['GET *', [['GET', '/user'], ['GET', issue]], [['DELETE', '/projects/20']]],
    ['* /user', [['GET', '/user'], ['DELETE', '/user']], [['GET', '/version']]],
    ['GET /PROJ*/*0/iss*s/1/*', [['GET', issue], ['GET', '/projects/10/isss/1/a/b']],
      [['GET', '/projects/20/issues/1'], ['GET', '/projects/20/issues/1/'], ['GET', '/projects/21/issues/1/a']]],
    ['GET */discussions', [['GET', issue], ['HEAD', `${issue}/`], ['GET', '/projects/20/merge_requests/5/discussions?page=2']],
      [['POST', issue], ['GET', `${issue}/1`], ['GET', '/user']]],
    ['* */issues/*/discussions', [['GET', issue], ['POST', issue]], [['GET', '/projects/20/merge_requests/5/discussions'], ['GET', '/user']]],
    ['GET */projects/*', [['GET', '/projects/20'], ['GET', issue]], [['GET', '/projects']]],
    ['GET */issues/*', [['GET', issue], ['GET', '/projects/20/issues/1'], ['GET', '/issues/issues/1']], [['GET', '/projects/20/issues']]],
    ['GET /projects/**', [['GET', '/projects/20']], [['GET', issue]]],
    ['GET /a/*b*c', [['GET', '/a/bc'], ['GET', '/a/xbybcc']], [['GET', '/a/cb'], ['GET', '/a/b/c'], ['GET', '/a/bcx']]],
  ])('on: %s', async (on, matching, other) => {
    const { statuses, hits } = await statusesUnder({ on, do: 'status 418' }, [...matching, ...other]);
    expect(statuses.slice(0, matching.length)).toEqual(matching.map(() => 418));
    expect(statuses.slice(matching.length)).not.toContain(418);
    expect(hits).toBe(matching.length);
  });

  it('operations that share a route, by their parameters', async () => {
    const { statuses } = await statusesUnder('epics.create => status 418', [
      ['POST', '/groups/10/epics/1/epics', { as: 'owner', json: { title: 'New' } }],
      ['POST', '/groups/10/epics/1/epics', { as: 'owner', json: { child_epic_id: 999_999 } }],
    ]);
    expect(statuses).toEqual([418, 404]);
  });

  it('paths with many stars, without trying all ways to match', async () => {
    const stars = '*a'.repeat(400);
    const path = `/${'a'.repeat(900)}`;
    expect(await statusesUnder(`GET /${stars}b => status 418`, [['GET', path]])).toMatchObject({ hits: 0 });
    expect(await statusesUnder(`GET /${stars} => status 418`, [['GET', path]])).toMatchObject({ hits: 1 });
    const operation = `${'*s*'.repeat(300)}.*.list`;
    await expect(statusesUnder(`${operation} => status 418`, [])).rejects.toThrow('unknown operation');
  });
});
