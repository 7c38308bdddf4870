import { describe, expect, it } from 'vitest';
import { groupPath, namedObjects, projectPath, withFoundObjects } from '../../../../../src/cli/service/conformance/examination.js';
import type { Target } from '../../../../../src/cli/service/targets/target.js';
import type { Got } from '../../../../../src/conformance/check.js';

const target = (kind: string, id: string, noteable_id: string, ref: object = {}) =>
  ({ kind, path: { id, noteable_id }, ref: { isGlobal: false, id: noteable_id, ...ref } }) as unknown as Target;

/** Answers lists by their paths; everything else is missing. */
const lists = (known: Readonly<Record<string, unknown>>) => {
  const asked: string[] = [];
  const call = async (method: string, path: string, sent: { readonly query?: string } = {}): Promise<Got> => {
    asked.push(`${method} ${path}?${sent.query ?? ''}`);
    const json = known[path] ?? null;
    return { request: `${method} ${path}`, status: json === null ? 404 : 200, headers: {}, text: JSON.stringify(json), json };
  };
  return { call, asked };
};

describe('the objects of a conformance run', () => {
  it('are what references name, with their project or group', () => {
    expect(namedObjects([target('merge_request', 'acme/app', '12'), target('commit', 'acme/app', 'abc')])).toMatchObject({
      project: '/projects/acme%2Fapp', merge_request: '/projects/acme%2Fapp/merge_requests/12',
      commit: '/projects/acme%2Fapp/repository/commits/abc', issue: null, group: null,
    });
  });

  it('are the threads of an epic by its global id, and its links by its number', () => {
    expect(namedObjects([target('epic', 'acme', '500', { id: '1' })])).toMatchObject({
      group: '/groups/acme', epic: '/groups/acme/epics/500', parent: '/groups/acme/epics/1',
    });
    expect(namedObjects([target('epic', 'acme', '500', { id: '500', isGlobal: true })])).toMatchObject({ epic: '/groups/acme/epics/500', parent: null });
  });

  it('are completed with the first of each kind that can be read', async () => {
    const { call, asked } = lists({
      '/projects/a%2Fb/merge_requests': [{ iid: 3, id: 30 }], '/projects/a%2Fb/issues': [], '/projects/a%2Fb/snippets': { message: 'odd' },
      '/projects/a%2Fb/repository/commits': [{ id: 'abc' }], '/groups/a/epics': [{ id: 7, iid: 1 }],
    });
    const named = { ...namedObjects([]), project: projectPath('a/b'), group: groupPath('a') };
    expect(await withFoundObjects(call, named)).toEqual({
      project: '/projects/a%2Fb', group: '/groups/a', merge_request: '/projects/a%2Fb/merge_requests/3', issue: null, snippet: null,
      commit: '/projects/a%2Fb/repository/commits/abc', epic: '/groups/a/epics/7', parent: '/groups/a/epics/1',
    });
    expect(asked).toContain('GET /groups/a/epics?per_page=100&include_descendant_groups=false');
  });

  it('are an epic with children, if there is one', async () => {
    const { call } = lists({ '/groups/a/epics': [{ id: 9, iid: 3, parent_id: null }, { id: 8, iid: 2, parent_id: 7 }, { id: 7, iid: 1, parent_id: null }] });
    expect(await withFoundObjects(call, { ...namedObjects([]), group: groupPath('a') }))
      .toMatchObject({ epic: '/groups/a/epics/7', parent: '/groups/a/epics/1' });
  });

  it('are not looked for where they are named, or where there is no project or group', async () => {
    const { call, asked } = lists({});
    await withFoundObjects(call, { ...namedObjects([]), project: projectPath('a/b'), merge_request: '/x' });
    expect(asked).toEqual(['issues', 'snippets', 'repository/commits'].map((list) => `GET /projects/a%2Fb/${list}?per_page=1`));
  });
});
