import { describe, expect, it } from 'vitest';
import { painter } from '../../../../../src/cli/terminal/io/style.js';
import { codeText, haveTabs, hunkText, linesAround } from '../../../../../src/cli/notes/views/code.js';
import type { Position } from '../../../../../src/contract/shapes/position.js';
import { lineCode, diffLines } from '../../../../../src/diff/lines.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../../../support/app.js';
import { diff, refs, threads } from '../../../../support/worlds.js';

const get = ['discussions', 'get', '!1', threads.diff];
const hunk = '  1 1  one\n  2   -two\n>   2 +zwei\n';

const forbidden = json(403, { message: '403 Forbidden' });

/** Lookups of the service return something else. */
const lookups = (answers: Record<string, ReturnType<typeof json>>): WorldOptions['answer'] => ({ target }) =>
  Object.entries(answers).find(([end]) => target.split('?')[0]!.endsWith(end))?.[1];

const noteOn = (head_sha: string) => ({
  id: 1, type: 'DiffNote', body: 'why?', author: { id: 1, name: 'A', username: 'a', state: 'active', avatar_url: null, web_url: 'http://a.example' },
  created_at: '2024-05-01T11:00:00.000Z', updated_at: '2024-05-01T11:00:00.000Z', system: false, noteable_id: null, noteable_type: 'Commit',
  position: { base_sha: refs.parent, start_sha: refs.parent, head_sha, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 },
});

const withGit = (options: WorldOptions = {}) => {
  const asked: unknown[] = [];
  const git = { diff: async (...words: unknown[]) => { asked.push(words); return diff; } };
  return { asked, run: (...words: string[]) => ranIn({ git, ...options }, ...words) };
};

describe('the diff of a note', () => {
  it('comes from the service', async () => {
    const { asked, run } = withGit();
    expect((await run(...get)).out).toContain(`\n\n${hunk}\n`);
    expect(asked).toEqual([]);
  });

  it.each([
    ['the service has no such lookup', lookups({ '/merge_requests/1': unknownRoute, '/versions': unknownRoute })],
    ['the service denies access to it', lookups({ '/diffs': forbidden, '/versions': forbidden })],
    ['the service shows another version', lookups({ '/versions': unknownRoute, '/merge_requests/1': json(200, {
      id: 1, iid: 1, project_id: 1, title: '', description: null, state: 'opened', web_url: 'http://a.example',
      source_branch: 'a', target_branch: 'b', sha: null,
      author: { id: 1, name: '', username: '', state: '', avatar_url: null, web_url: 'http://a.example' }, created_at: '2024-05-01T11:00:00.000Z',
      updated_at: '2024-05-01T11:00:00.000Z', discussion_locked: null,
      diff_refs: { base_sha: refs.base, start_sha: refs.start, head_sha: 'f'.repeat(40) },
    }) })],
  ])('comes from the work tree if %s', async (_, answer) => {
    const { asked, run } = withGit({ answer: answer! });
    const { code, out } = await run(...get);
    expect(code).toBe(0);
    expect(out).toContain(`\n\n${hunk}\n`);
    expect(asked).toEqual([[refs.base, refs.head, ['app.js']]]);
  });

  it('comes from the service for a note on the same commit, but not on another commit', async () => {
    const world = await testApp();
    const start = ['discussions', 'create', `@${refs.commit}`, '--file', 'app.js', '--line', '2', '-m', 'why?'];
    const id = (await world.run(...start, '-o', 'id')).out.trim();
    expect(await world.run('discussions', 'get', `@${refs.commit}`, id)).toMatchObject({ code: 0, out: expect.stringContaining(`\n\n${hunk}\n`) as string });
    const answer = ({ target }: { target: string }) => target.endsWith(id)
      ? json(200, { id, individual_note: false, notes: [noteOn('f'.repeat(40))] }) : undefined;
    expect((await ranIn({ answer }, 'discussions', 'get', `@${refs.commit}`, id)).out).not.toContain(hunk);
  });

  it('is omitted if it is not available', async () => {
    const { code, out } = await ranIn({ answer: lookups({ '/merge_requests/1': unknownRoute, '/versions': unknownRoute })! }, ...get);
    expect(code).toBe(0);
    expect(out).toBe(`thread ${threads.diff} on app.js:2 [open]\n\nRita Reporter (@reporter) 2024-05-01T11:52:00.000Z  #note_123\n  why?\n`);
  });

  it('is not requested if it is not shown', async () => {
    expect((await ranIn({}, ...get, '--json')).sent).toHaveLength(1);
    expect((await ranIn({}, 'discussions', 'get', '!1', threads.thread)).sent).toHaveLength(1);
  });
});

const fileDiff = `@@ -1,5 +1,6 @@
 one
 two
-three
+drei
+dreieinhalb
 four
 five
@@ -20,3 +21,3 @@
 twenty
-twenty-one
+einundzwanzig
 twenty-two
`;
const shas = { base_sha: 'a', start_sha: 'b', head_sha: 'c', old_path: 'a.txt', new_path: 'a.txt' };
const at = (more: Partial<Extract<Position, { position_type: 'text' }>>): Position => ({ ...shas, position_type: 'text', ...more });
const hunkOf = async (lines: Parameters<typeof hunkText>[0], paint: Parameters<typeof hunkText>[1]) =>
  hunkText(lines, paint, await codeText(haveTabs(lines)));
const shown = async (position: Position, from = fileDiff) => hunkOf(linesAround(diffLines(from), position), await painter(0));

describe('the diff lines of a note', () => {
  it.each([
    ['an added line', { new_line: 4 }, '  2 2  two\n  3   -three\n    3 +drei\n>   4 +dreieinhalb\n'],
    ['a removed line', { old_line: 3, new_line: null }, '  1 1  one\n  2 2  two\n> 3   -three\n'],
    ['an unchanged line', { old_line: 5, new_line: 6 }, '    3 +drei\n    4 +dreieinhalb\n  4 5  four\n> 5 6  five\n'],
    ['the first line', { old_line: 1, new_line: 1 }, '> 1 1  one\n'],
    ['a line of another hunk, without the distant lines', { new_line: 22 }, '  20 21  twenty\n  21    -twenty-one\n>    22 +einundzwanzig\n'],
    ['a missing line', { new_line: 99 }, ''],
  ])('are those above %s', async (_, position, text) => {
    expect(await shown(at(position))).toBe(text);
  });

  it('start above the range of a note on several lines', async () => {
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 3, newLine: 3 }), type: 'old' }, end: { line_code: 'x', type: 'new' } };
    expect(await shown(at({ old_line: 5, new_line: 6, line_range }))).toBe(
      '  1 1  one\n  2 2  two\n> 3   -three\n>   3 +drei\n>   4 +dreieinhalb\n> 4 5  four\n> 5 6  five\n');
  });

  it('show the gap in a range over two hunks', async () => {
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 5, newLine: 6 }), type: 'old' } };
    expect(await shown(at({ old_line: 20, new_line: 21, line_range }))).toBe(
      '      3 +drei\n      4 +dreieinhalb\n   4  5  four\n>  5  6  five\n  ...\n> 20 21  twenty\n');
  });

  it('start at the first line of a hunk if the range does', async () => {
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 20, newLine: 21 }), type: 'old' } };
    expect(await shown(at({ new_line: 22, line_range }))).toBe('> 20 21  twenty\n> 21    -twenty-one\n>    22 +einundzwanzig\n');
  });

  it('are the last ones of a long range', async () => {
    const long = `@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, i) => `+line ${i + 1}\n`).join('')}`;
    const line_range = { start: { line_code: lineCode('a.txt', { oldLine: 1, newLine: 2 }), type: 'new' } };
    const text = await shown(at({ new_line: 50, line_range }), long);
    expect(text.trimEnd().split('\n')).toHaveLength(15);
    expect(text).toMatch(/^> {5}2 .*\n {2}\.\.\.\n> /);
    expect(text).toMatch(/ 50 \+line 50\n$/);
  });

  it('are empty for an image or a whole file', async () => {
    expect(linesAround(diffLines(fileDiff), { ...shas, position_type: 'image', x: 1, y: 1 })).toEqual([]);
    expect(linesAround(diffLines(fileDiff), { ...shas, position_type: 'file' })).toEqual([]);
  });

  it('are escaped on a terminal and have marks besides their colors', async () => {
    const hostile = '@@ -1 +1 @@\n-\x1b[2J\n+\u202eb\n';
    const text = await hunkOf(linesAround(diffLines(hostile), at({ new_line: 1 })), await painter(1));
    expect(text).toContain('-\\u001b[2J');
    expect(text).toContain('+\\u202eb');
  });
});
