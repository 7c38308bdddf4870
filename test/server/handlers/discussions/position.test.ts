import { describe, expect, it } from 'vitest';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import type { CommitDetails } from '../../../../src/contract/lookups/shapes.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { TextPosition } from '../../../../src/contract/shapes/position.js';
import { toPairs } from '../../../../src/wire/http.js';
import { testService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

const mergeRequest = '/projects/20/merge_requests/1/discussions';
const withoutDiff = '/projects/20/merge_requests/2/discussions';
const commit = `/projects/20/commits/${refs.commit}/discussions`;
const sides = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };
const text = { ...sides, position_type: 'text', old_path: 'app.js', new_path: 'app.js' };
const line = (numbers: object) => ({ ...text, ...numbers });

const invalidLine = { message: '400 Bad request - Note {:line_code=>["can\'t be blank", "must be a valid line code"]}' };
const incomplete = { message: '400 Bad request - Note {:position=>["is incomplete"]}' };

describe('a diff position', () => {
  it.each([
    ['an added line', { new_line: 2 }, { new_line: 2 }],
    ['an added line, the other side blank', { old_line: null, new_line: 2 }, { new_line: 2 }],
    ['a removed line', { old_line: 2 }, { old_line: 2 }],
    ['an unchanged line', { old_line: 1, new_line: 1 }, { old_line: 1, new_line: 1 }],
    ['numbers as text', { old_line: '1', new_line: '1' }, { old_line: 1, new_line: 1 }],
  ])('names %s', async (_, numbers, expected) => {
    const { post } = await testService();
    const { status, body } = await post<Discussion>(mergeRequest, { json: { body: 'x', position: line(numbers) } });
    expect(status).toBe(201);
    expect(body.notes[0]).toMatchObject({ type: 'DiffNote', commit_id: refs.head });
    expect(body.notes[0]!.position).toEqual({ ...text, ...expected });
  });

  it('shows what is not set as null in the live dialect', async () => {
    const { post } = await testService({ dialect: 'live' });
    const { body } = await post<Discussion>(mergeRequest, { json: { body: 'x', position: line({ new_line: 2 }) } });
    expect(body.notes[0]!.position).toEqual({ ...text, old_line: null, new_line: 2, line_range: null });
  });

  it('names no line after the end of a file that the world has', async () => {
    const projects = acme.projects!.map((project) => project.path === 'acme/app' ? { ...project, files: { 'app.js': 'one\n'.repeat(50) } } : project);
    const { post } = await testService({ dialect: 'live', world: { ...acme, projects } });
    const at = (number: number) => ({ json: { body: 'x', position: line({ old_line: number, new_line: number }) } });
    expect((await post(mergeRequest, at(50))).status).toBe(201);
    expect(await post(mergeRequest, at(51))).toMatchObject({ status: 400, body: invalidLine });
  });

  it('names an unchanged line outside the hunks with a correct pair, in the live dialect only', async () => {
    const answer = async (dialect: 'live' | 'document', numbers: object, paths = {}) => {
      const { post } = await testService({ dialect });
      const { status, body } = await post(mergeRequest, { json: { body: 'x', position: { ...line(numbers), ...paths } } });
      return [status, status === 201 ? (body as Discussion).notes[0] : body];
    };
    const renamed = { old_path: 'old.txt', new_path: 'new.txt' };
    expect(await answer('live', { old_line: 9, new_line: 9 })).toMatchObject([201, { type: 'DiffNote', position: { old_line: 9, new_line: 9 } }]);
    expect(await answer('live', { old_line: 9, new_line: 10 }, renamed)).toMatchObject([201, { position: { new_line: 10 } }]);
    for (const numbers of [{ old_line: 9, new_line: 10 }, { new_line: 9 }, { old_line: 9 }, { old_line: 2, new_line: 2 }, { old_line: 0, new_line: 0 }]) {
      expect(await answer('live', numbers)).toEqual([400, invalidLine]);
    }
    expect(await answer('live', { old_line: 9, new_line: 9 }, renamed)).toEqual([400, invalidLine]);
    expect(await answer('live', { old_line: 9, new_line: 9 }, { old_path: 'pixel.png', new_path: 'pixel.png' })).toEqual([400, invalidLine]);
    expect(await answer('document', { old_line: 9, new_line: 9 })).toEqual([400, invalidLine]);
  });

  it('travels as bracketed form parameters too', async () => {
    const { post } = await testService();
    const position = Object.entries(line({ new_line: 2 })).map(([key, value]) => [`position[${key}]`, String(value)]);
    const form = Object.fromEntries([['body', 'x'], ...position]);
    expect(await post(mergeRequest, { form })).toMatchObject({ status: 201, body: { notes: [{ type: 'DiffNote' }] } });
  });

  it.each([
    ['a line outside the hunks', { new_line: 40 }],
    ['an unchanged line with one number', { new_line: 1 }],
    ['an added line with both numbers', { old_line: 2, new_line: 2 }],
    ['a file that did not change', { new_line: 2, old_path: 'none.js', new_path: 'none.js' }],
    ['a renamed file by its new path on both sides', { new_line: 2, old_path: 'new.txt', new_path: 'new.txt' }],
    ['SHAs of another change', { new_line: 2, head_sha: 'f'.repeat(40) }],
  ])('is rejected for %s', async (_, numbers) => {
    const { post, get } = await testService();
    const before = (await get(mergeRequest)).body;
    expect(await post(mergeRequest, { json: { body: 'x', position: line(numbers) } })).toMatchObject({ status: 400, body: invalidLine });
    expect((await get(mergeRequest)).body).toEqual(before);
  });

  it.each([['base', refs.base], ['start', refs.start]])('can have the %s of the merge request as base and start, and gets its SHAs', async (_, sha) => {
    const { post } = await testService({ dialect: 'live' });
    const position = line({ base_sha: sha, start_sha: sha, new_line: 2 });
    const { status, body } = await post<Discussion>(mergeRequest, { json: { body: '```suggestion\nx\n```', position } });
    expect([status, body.notes[0]]).toMatchObject([201, { type: 'DiffNote', position: line({ new_line: 2 }), suggestions: [{ appliable: true }] }]);
    const draft = await post<DraftNote>('/projects/20/merge_requests/1/draft_notes', { json: { note: 'x', position } });
    expect(draft.body).toMatchObject({ line_code: expect.stringMatching(/_3_2$/), position: line({ new_line: 2 }) });
    for (const other of [{ new_line: 40 }, { head_sha: 'f'.repeat(40) }, { base_sha: refs.head, start_sha: refs.head }]) {
      expect(await post(mergeRequest, { json: { body: 'x', position: { ...position, ...other } } })).toMatchObject({ status: 400, body: invalidLine });
    }
  });

  it('accepts a renamed file with its own paths', async () => {
    const { post } = await testService();
    const position = { ...text, old_path: 'old.txt', new_path: 'new.txt', new_line: 2 };
    expect((await post(mergeRequest, { json: { body: 'x', position } })).status).toBe(201);
  });

  it.each([
    ['neither line', text],
    ['no path', { ...sides, position_type: 'text', new_line: 2 }],
    ['a blank SHA', line({ new_line: 2, base_sha: '' })],
    ['nothing at all', {}],
    ['an image without its size', { ...sides, position_type: 'image', new_path: 'pixel.png', x: 1, y: 1 }],
  ])('is incomplete with %s', async (_, position) => {
    const { post } = await testService();
    expect(await post(mergeRequest, { json: { body: 'x', position } })).toMatchObject({ status: 400, body: incomplete });
  });

  it.each([
    [{ position_type: 'text' }, 'position[base_sha] is missing, position[start_sha] is missing, position[head_sha] is missing'],
    [{ ...line({ new_line: 2 }), position_type: 'audio' }, 'position[position_type] does not have a valid value'],
    [line({ new_line: 'two' }), 'position[new_line] is invalid'],
    [line({ new_line: [2] }), 'position[new_line] is invalid'],
    [line({ line_range: { start: 'x' } }), 'position[line_range][start] is invalid'],
  ])('is checked part by part: %j', async (position, error) => {
    const { post } = await testService();
    expect(await post(mergeRequest, { json: { body: 'x', position } })).toMatchObject({ status: 400, body: { error } });
  });

  it('keeps a range of lines with their codes and types', async () => {
    const { post } = await testService();
    const [start, end] = [{ line_code: 'a_1_1', type: 'old' }, { line_code: 'a_2_2', type: 'new' }];
    const line_range = { start, end: { ...end, old_line: 2, new_line: 'two', label: 'x' }, note: 'y' };
    const { body } = await post<Discussion>(mergeRequest, { json: { body: 'x', position: line({ new_line: 2, line_range }) } });
    expect(body.notes[0]!.position).toEqual({ ...line({ new_line: 2 }), line_range: { start, end } });
  });

  it.each(['json', 'form'] as const)('keeps a range of lines as given in the live dialect, sent as %s', async (encoding) => {
    const { post, get } = await testService({ dialect: 'live' });
    const line_range = {
      start: { line_code: 'a_1_1', type: 'old', old_line: 1, new_line: 1, label: 'x' }, end: { line_code: 'a_2_2', type: 'new', side: 'right' }, note: 'z',
    };
    const position = line({ new_line: 2, line_range });
    const form = Object.fromEntries(toPairs({ body: 'x', position }).map(([name, value]) => [name, String(value)]));
    const { body } = await post<Discussion>(mergeRequest, encoding === 'json' ? { json: { body: 'x', position } } : { form });
    expect(body.notes[0]!.position).toEqual({ ...position, old_line: null });
    expect((await get<Discussion>(`${mergeRequest}/${body.id}`)).body).toEqual(body);
  });

  it('keeps numbers, truths and null among the undeclared keys of a range in the live dialect, and nothing that has parts', async () => {
    const { post } = await testService({ dialect: 'live' });
    const start = { line_code: null, type: 'new', old_line: null, count: 1.5, folded: true, none: null };
    const position = line({ new_line: 2, line_range: { start: { ...start, list: [1], hash: { a: 1 } } } });
    const { body } = await post<Discussion>(mergeRequest, { json: { body: 'x', position } });
    expect(body.notes[0]!.position).toMatchObject({ line_range: { start } });
    expect(Object.keys((body.notes[0]!.position as TextPosition).line_range!.start!)).toEqual(Object.keys(start));
  });

  it('on a commit has no range of lines; the live dialect keeps one', async () => {
    const line_range = { start: { line_code: 'a_1_1', type: 'old' }, end: { line_code: 'a_2_2', type: 'new' } };
    const position = { ...text, base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit, new_line: 2 };
    const { post } = await testService();
    for (const range of [line_range, 'no range']) {
      const { status, body } = await post<Discussion>(commit, { json: { body: 'x', position: { ...position, line_range: range } } });
      expect([status, body.notes[0]!.position]).toEqual([201, position]);
    }
    const live = await testService({ dialect: 'live' });
    const path = commit.replace('/commits/', '/repository/commits/');
    const { body } = await live.post<Discussion>(path, { json: { body: 'x', position: { ...position, line_range } } });
    expect(body.notes[0]!.position).toEqual({ ...position, old_line: null, line_range });
  });

  it('can stand on a whole file in newer versions alone', async () => {
    const position = { ...text, position_type: 'file' };
    const { post } = await testService({ serviceVersion: '16.3' });
    expect(await post(mergeRequest, { json: { body: 'x', position } }))
      .toMatchObject({ status: 400, body: { error: 'position[position_type] does not have a valid value' } });
    for (const dialect of ['document', 'live'] as const) {
      const newer = await testService({ dialect });
      expect(await newer.post(mergeRequest, { json: { body: 'x', position } })).toMatchObject({ status: 201, body: { notes: [{ position }] } });
    }
  });

  it('can stand on an image', async () => {
    const { post } = await testService();
    const position = { ...sides, position_type: 'image', old_path: 'pixel.png', new_path: 'pixel.png', x: 1, y: 2, width: 10, height: 20 };
    const { body } = await post<Discussion>(mergeRequest, { json: { body: 'x', position } });
    expect(body.notes[0]!.position).toEqual(position);
  });

  it('on a commit has the parent as base and start', async () => {
    const { post } = await testService();
    const position = { ...text, base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit, new_line: 2 };
    const { body } = await post<Discussion>(commit, { json: { body: 'x', position } });
    expect(body.notes[0]).toMatchObject({ type: 'DiffNote', position });
    expect(body.notes[0]).not.toHaveProperty('commit_id');
  });

  it('is taken as it is where the diff is not known', async () => {
    const { post } = await testService();
    const position = { ...text, new_line: 4000 };
    expect((await post(withoutDiff, { json: { body: 'x', position } })).status).toBe(201);
  });

  it('is not declared on kinds without a diff, and ignored there', async () => {
    const { post } = await testService();
    expect(await post('/projects/20/issues/1/discussions', { json: { body: 'x', position: line({ new_line: 2 }) } }))
      .toMatchObject({ status: 201, body: { notes: [{ type: 'DiscussionNote' }] } });
  });

  it('makes commit_id count, which without it does not', async () => {
    const { post } = await testService();
    const commit_id = refs.head;
    expect(await post(mergeRequest, { json: { body: 'x', commit_id, position: line({ new_line: 2 }) } }))
      .toMatchObject({ body: { notes: [{ commit_id }] } });
    const { body } = await post<Discussion>(mergeRequest, { json: { body: 'x', commit_id } });
    expect(body.notes[0]).not.toHaveProperty('commit_id');
  });

  it.each([refs.commit, refs.base, 'zzz', ' '])('needs as commit_id a commit of its merge request, not %j', async (commit_id) => {
    const { post } = await testService();
    expect(await post(mergeRequest, { json: { body: 'x', commit_id, position: line({ new_line: 2 }) } }))
      .toMatchObject({ status: 400, body: { message: '400 Bad request - Note {:commit_id=>["does not match the diff refs"]}' } });
    expect((await post(withoutDiff, { json: { body: 'x', commit_id, position: line({ new_line: 2 }) } })).status).toBe(201);
  });

  it('is on the head commit of the merge request, also if the world does not have the commit', async () => {
    const { get, post } = await testService({ dialect: 'live' });
    const [head] = (await get<CommitDetails[]>('/projects/20/merge_requests/1/commits')).body;
    const parent = head!.parent_ids[0]!;
    const position = line({ base_sha: parent, start_sha: parent, head_sha: head!.id, new_line: 2 });
    expect(await post(mergeRequest, { json: { body: 'x', commit_id: head!.id, position } }))
      .toMatchObject({ status: 201, body: { notes: [{ commit_id: head!.id, position }] } });
    const drafts = '/projects/20/merge_requests/1/draft_notes';
    const { body } = await post<DraftNote>(drafts, { json: { note: 'x', commit_id: head!.id, position } });
    expect(body.line_code).toMatch(/_3_2$/);
    expect((await post(`${drafts}/bulk_publish`)).status).toBe(204);
  });
});
