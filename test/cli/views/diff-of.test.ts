import { describe, expect, it } from 'vitest';
import { json, unknownRoute } from '../../support/answers.js';
import { ranIn, type WorldOptions } from '../../support/app.js';
import { diff, refs, threads } from '../../support/worlds.js';

const get = ['discussions', 'get', '!1', threads.diff];
const hunk = '1 1  one\n2   -two\n  2 +zwei\n';

/** The lookups of the service answer something else. */
const lookups = (answers: Record<string, ReturnType<typeof json>>): WorldOptions['answer'] => ({ target }) =>
  Object.entries(answers).find(([end]) => target.split('?')[0]!.endsWith(end))?.[1];

const withGit = (options: WorldOptions = {}) => {
  const asked: unknown[] = [];
  const tools = { gitDiff: async (...words: unknown[]) => { asked.push(words); return diff; } };
  return { asked, run: (...words: string[]) => ranIn({ tools, ...options }, ...words) };
};

describe('the diff around a note', () => {
  it('comes from the service', async () => {
    const { asked, run } = withGit();
    expect((await run(...get)).out).toContain(`\n\n${hunk}\n`);
    expect(asked).toEqual([]);
  });

  it.each([
    ['the service has no such look-up', lookups({ '/merge_requests/1': unknownRoute })],
    ['the service fails there', lookups({ '/diffs': json(403, { message: '403 Forbidden' }) })],
    ['the service shows another version', lookups({ '/merge_requests/1': json(200, {
      id: 1, iid: 1, project_id: 1, title: '', description: null, state: 'opened', web_url: 'http://a.example',
      source_branch: 'a', target_branch: 'b', sha: null,
      author: { id: 1, name: '', username: '', state: '', avatar_url: null, web_url: 'http://a.example' }, created_at: '2024-05-01T11:00:00.000Z',
      updated_at: '2024-05-01T11:00:00.000Z', discussion_locked: null,
      diff_refs: { base_sha: refs.base, start_sha: refs.start, head_sha: 'f'.repeat(40) },
    }) })],
  ])('comes from the work tree where %s', async (_, answer) => {
    const { asked, run } = withGit({ answer: answer! });
    const { code, out } = await run(...get);
    expect(code).toBe(0);
    expect(out).toContain(`\n\n${hunk}\n`);
    expect(asked).toEqual([[refs.base, refs.head, ['app.js']]]);
  });

  it('is left out where nobody knows it', async () => {
    const { code, out } = await ranIn({ answer: lookups({ '/merge_requests/1': unknownRoute })! }, ...get);
    expect(code).toBe(0);
    expect(out).toBe(`thread ${threads.diff} on app.js:2 [open]\n\nRita Reporter (@reporter) 2024-05-01T11:52:00.000Z  #note_123\n  why?\n`);
  });

  it('is not looked for where it is not shown', async () => {
    expect((await ranIn({}, ...get, '--json')).sent).toHaveLength(1);
    expect((await ranIn({}, 'discussions', 'get', '!1', threads.thread)).sent).toHaveLength(1);
  });
});
