import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { CommitDetails, DiffVersion, FileDiff, RepositoryFile } from '../../../../src/contract/lookups/shapes.js';
import type { Discussion, Note, Suggestion } from '../../../../src/contract/shapes/note.js';
import type { World } from '../../../../src/server/index.js';
import { everyRow } from '../../../support/rows.js';
import { a, b, lines, mergeRequest, on, patch, pushService, pushWorld, type PushService } from '../../../support/pushes.js';

const world: World = {
  ...pushWorld,
  users: [...pushWorld.users!, { id: 9, username: 'ada', name: 'Ada <L>', token: 'ada-token' }, { username: 'reporter', token: 'reporter-token' },
    { username: 'outsider', token: 'outsider-token' }],
  projects: [{ ...pushWorld.projects![0]!, members: { developer: 'developer', ada: 'developer', reporter: 'reporter' } }],
};

let service: PushService;
beforeEach(async () => { service = await pushService(world); });
afterEach(() => service.close());

const suggestion = (text: string, range = ''): string => `Better:\n\`\`\`suggestion${range}\n${text}\n\`\`\``;

/** Comments with suggestions, and returns the first one. */
const suggested = async (line: object, body: string, as = 'ada'): Promise<Suggestion> => {
  const { body: made } = await service.post<Discussion>(`${mergeRequest}/discussions`, { as, json: { body, position: { ...on, ...line } } });
  return made.notes[0]!.suggestions![0]!;
};
const answer = async (path: string, json: object = {}, as = 'developer') => {
  const { status, body } = await service.put<Suggestion | { message: string }>(path, { as, json });
  return [status, 'message' in body ? body.message : body] as const;
};
const apply = (id: number, json: object = {}, as?: string) => answer(`/suggestions/${id}/apply`, json, as);
const applyAll = (ids: readonly number[], json: object = {}) => answer('/suggestions/batch_apply', { ids, ...json });
const head = async () => {
  const [version] = (await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body;
  const [commit] = (await service.get<CommitDetails[]>(`${mergeRequest}/commits`)).body;
  const [file] = (await service.get<FileDiff[]>(`${mergeRequest}/diffs`)).body;
  return { version: version!, commit: (await service.get<CommitDetails>(`/projects/20/repository/commits/${commit!.id}`)).body, diff: file?.diff };
};
const added = { new_line: 2 };

describe('a suggestion that is applied', () => {
  it('becomes a commit of its author on the branch, with a version of the diff', async () => {
    const { id } = await suggested(added, suggestion('zwei\nzweieinhalb'));
    service.later(60_000);
    expect(await apply(id)).toEqual([200, {
      id, from_line: 2, to_line: 2, appliable: true, applied: false, from_content: '2\n', to_content: 'zwei\nzweieinhalb\n',
    }]);
    const { version, commit, diff } = await head();
    expect(version).toMatchObject({ base_commit_sha: a, head_commit_sha: commit.id, created_at: '2024-05-01T12:01:00.000Z' });
    expect(commit).toMatchObject({ title: 'Apply 1 suggestion(s) to 1 file(s)', parent_ids: [b], author_name: 'Ada <L>' });
    expect(commit.message).toBe('Apply 1 suggestion(s) to 1 file(s)\n\nCo-authored-by: Ada L <9-ada@users.noreply.localhost>');
    expect(diff).toBe(lines('@@ -1,4 +1,5 @@', ' one', '-two', '+zwei', '+zweieinhalb', ' three', ' four'));
  });

  it('has the message that is given, and no trailer of the caller', async () => {
    const { id } = await suggested(added, suggestion('zwei'), 'developer');
    await apply(id, { commit_message: 'Say it in German\n\nAs agreed.' });
    expect((await head()).commit).toMatchObject({ title: 'Say it in German', message: 'Say it in German\n\nAs agreed.' });
    const { id: next } = await suggested({ ...added, head_sha: (await head()).version.head_commit_sha }, suggestion('two'), 'developer');
    await apply(next, { commit_message: ' ' });
    expect((await head()).commit.message).toBe('Apply 1 suggestion(s) to 1 file(s)');
  });

  it('cannot be applied again, and its thread is outdated but not resolved', async () => {
    const thread = await service.comment(added, suggestion('zwei'));
    const [{ id }] = (await service.thread(thread)).notes[0]!.suggestions as [Suggestion];
    await apply(id);
    expect(await apply(id)).toEqual([400, 'Can\'t apply this suggestion.']);
    const { notes } = await service.thread(thread);
    expect(notes.map(({ system, resolved }) => [system, resolved])).toEqual([[false, false], [true, undefined]]);
    expect(notes[0]).toMatchObject({ position: { head_sha: b }, suggestions: [{ applied: true, appliable: false, from_content: '2\n' }] });
    await service.put(`${mergeRequest}/discussions/${thread}/notes/${notes[0]!.id}`, { json: { body: suggestion('vier') } });
    expect((await service.thread(thread)).notes[0]!.suggestions).toMatchObject([{ applied: false, appliable: false, from_content: '' }]);
  });

  it('leaves the threads of other lines where their lines are then', async () => {
    const other = await service.comment({ old_line: 4, new_line: 4 });
    await apply((await suggested(added, suggestion('zwei\nzweieinhalb'))).id);
    expect(await service.placeOf(other)).toMatchObject({ new_line: 5, old_line: 4, head_sha: (await head()).version.head_commit_sha });
  });

  it('keeps that in exports and resets', async () => {
    const { id } = await suggested(added, suggestion('zwei'));
    await apply(id);
    const exported = (await service.get<World>('/-/world', { as: null })).body;
    const again = await pushService(exported);
    const all = async (one: PushService) => (await one.get<Discussion[]>(`${mergeRequest}/discussions`)).body.flatMap(({ notes }) => notes);
    expect(await all(again)).toEqual(await all(service));
    await again.close();
  });
});

describe('several suggestions', () => {
  it('become one commit', async () => {
    const first = await suggested(added, suggestion('zwei'), 'developer');
    const second = await suggested({ old_line: 4, new_line: 4 }, suggestion('vier\n', ':-1+0'));
    const { status, body } = await service.put<Suggestion[]>('/suggestions/batch_apply', { json: { ids: [second.id, first.id] } });
    expect([status, body.map(({ id, applied }) => [id, applied])]).toEqual([200, [[first.id, false], [second.id, false]]]);
    const { body: threads } = await service.get<Discussion[]>(`${mergeRequest}/discussions`);
    expect(threads.flatMap(({ notes }) => notes.flatMap(({ suggestions = [] }) => suggestions.map(({ applied }) => applied)))).toEqual([true, true]);
    const { commit, diff, version } = await head();
    expect([version.id, commit.title]).toEqual([94, 'Apply 2 suggestion(s) to 1 file(s)']);
    expect(commit.message).toContain('Co-authored-by: Ada L');
    expect(diff).toBe(lines('@@ -1,4 +1,4 @@', ' one', '-two', '-three', '-four', '+zwei', '+vier', '+'));
  });

  it.each([
    ['overlap', async () => [await suggested(added, suggestion('x', ':-0+1')), await suggested({ old_line: 3, new_line: 3 }, suggestion('y'))],
      'Suggestions are not applicable as their lines cannot overlap.', 400],
    ['are not all there', async () => [await suggested(added, suggestion('x')), { id: 999_000 }],
      'Suggestions are not applicable as one or more suggestions were not found.', 404],
    ['are named twice', async () => { const one = await suggested(added, suggestion('x')); return [one, one]; },
      'Suggestions are not applicable as one or more suggestions were not found.', 404],
    ['are none', async () => Promise.resolve([]), 'Suggestions are not applicable as one or more suggestions were not found.', 404],
  ] as const)('are refused together if they %s', async (_, given, message, status) => {
    const before = (await head()).version;
    expect(await applyAll((await given()).map(({ id }) => id))).toEqual([status, message]);
    expect((await head()).version).toEqual(before);
  });
});

describe('a suggestion that cannot be applied', () => {
  it('says why', async () => {
    const { id: same } = await suggested(added, suggestion('2'));
    expect(await apply(same)).toEqual([400, 'This suggestion already matches its content.']);
    const { id: one } = await suggested(added, suggestion('zwei'));
    const { id: two } = await suggested(added, suggestion('zwei', ':-1+0'));
    await service.put(mergeRequest, { json: { state_event: 'close' } });
    expect(await apply(one)).toEqual([400, 'This merge request is closed. To apply this suggestion, edit this file directly.']);
    await service.put(mergeRequest, { json: { state_event: 'reopen' } });
    await service.push({ diff: patch('x.ts', '@@ -1,4 +1,4 @@', ' one', '-two', '+3', ' three', ' four') });
    expect(await apply(one)).toEqual([400, 'Can\'t apply as this line was changed in a more recent version.']);
    expect(await apply(two)).toEqual([400, 'Can\'t apply as these lines were changed in a more recent version.']);
  });
});

const longFile = patch('x.ts', '@@ -0,0 +1,300 @@', ...Array.from({ length: 300 }, (_, i) => `+${i + 1}`));
const ofDiff = (diff: string, version?: string): World => ({
  ...world, ...version !== undefined && { settings: { version } },
  projects: [{ ...world.projects![0]!, merge_requests: [{ ...world.projects![0]!.merge_requests![0]!, diff }] }],
});

test('more than 100 lines before or after the line are refused since 19.3, and left out before', async () => {
  const rows = [
    ['19.3', ':-100+0', 100, 200, 200], ['19.3', ':-0+100', 200, 300, 200], ['19.3', ':-101+0', 100, 200, 400], ['19.3', ':-0+101', 200, 300, 400],
    ['19.3', ':-9999+0', 100, 200, 400], ['19.2', ':-101+9', 100, 209, 200], ['17.0', ':-0+101', 200, 300, 200],
  ] as const;
  await everyRow(rows, ([version, range]) => `${version} ${range}`, async ([version, range, from_line, to_line, status]) => {
    const one = await pushService(ofDiff(longFile, version));
    const json = { body: suggestion('x', range), position: { ...on, new_line: 200 } };
    const [made] = (await one.post<Discussion>(`${mergeRequest}/discussions`, { json })).body.notes[0]!.suggestions!;
    const applied = await one.put<{ message?: string }>(`/suggestions/${made!.id}/apply`, { json: {} });
    const message = status === 200 ? undefined : 'Cannot apply as this suggestion spans more than 100 lines.';
    expect([made!.from_line, made!.to_line, made!.appliable, applied.status, applied.body.message])
      .toEqual([from_line, to_line, status === 200, status, message]);
    await one.close();
  });
});

test('a notebook takes no suggestion, and other reasons are said first', async () => {
  await service.close();
  service = await pushService(ofDiff(longFile.replaceAll('x.ts', 'x.ipynb')));
  const paths = { old_path: 'x.ipynb', new_path: 'x.ipynb' };
  const { id, appliable } = await suggested({ ...paths, new_line: 200 }, suggestion('x'));
  expect([appliable, await apply(id)])
    .toEqual([false, [400, 'This file was modified for readability, and can\'t accept suggestions. Edit it directly.']]);
  const { id: same } = await suggested({ ...paths, new_line: 2 }, suggestion('2'));
  expect(await apply(same)).toEqual([400, 'This suggestion already matches its content.']);
  const { id: long } = await suggested({ ...paths, new_line: 299 }, suggestion('2', ':-0+101'));
  expect(await apply(long)).toEqual([400, 'Cannot apply as this suggestion spans more than 100 lines.']);
});

test('ids that are missing or no numbers are named', async () => {
  const errorOf = async (path: string, json: object, one = service) => {
    const { status, body } = await one.put<{ error?: string; message?: string }>(path, { json });
    return [status, body.error ?? body.message];
  };
  expect(await errorOf('/suggestions/batch_apply', {})).toEqual([400, 'ids is missing']);
  expect(await errorOf('/suggestions/batch_apply', { ids: 'one,2' })).toEqual([400, 'ids is invalid']);
  expect(await errorOf('/suggestions/batch_apply', { ids: '1,2' }))
    .toEqual([404, 'Suggestions are not applicable as one or more suggestions were not found.']);
  expect(await errorOf('/suggestions/one/apply', {})).toEqual([400, 'id is invalid']);
  const older = await pushService({ ...world, settings: { version: '19.2' } });
  expect(await errorOf('/suggestions/one/apply', {}, older)).toEqual([404, 'Suggestion is not applicable as the suggestion was not found.']);
  await older.close();
});

test('at the same time, each suggestion is applied once', async () => {
  const { id } = await suggested(added, suggestion('zwei'));
  const results = await Promise.all(Array.from({ length: 8 }, () => apply(id)));
  expect(results.map(([status]) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  expect((await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body).toHaveLength(2);
});

test('hooks are called for its push', async () => {
  const { id } = await suggested(added, suggestion('zwei'));
  await service.post('/projects/20/hooks', { as: 'root', json: { url: 'http://127.0.0.1:9/', merge_requests_events: true } });
  await apply(id);
  const [delivery] = await service.service.deliveries({ timeout: 40_000 });
  expect(delivery!.request.body).toMatchObject({ user: { username: 'developer' }, object_attributes: { action: 'update', oldrev: b } });
});

test('files of the project are those of the base, which a suggestion does not change', async () => {
  await service.close();
  const project = { ...world.projects![0]!, files: { 'x.ts': lines('one', 'two', 'three', 'four') } };
  service = await pushService({ ...world, projects: [project] });
  await apply((await suggested(added, suggestion('zwei'))).id);
  expect((await head()).diff).toContain('+zwei');
  const { body } = await service.get<RepositoryFile>('/projects/20/repository/files/x.ts?ref=main');
  expect(Buffer.from(body.content, 'base64').toString()).toBe(lines('one', 'two', 'three', 'four'));
});

describe('a suggestion of a merge request that is closed and reopened', () => {
  const appliable = async () => (await service.get<Discussion[]>(`${mergeRequest}/discussions`)).body
    .flatMap(({ notes }) => notes.flatMap(({ suggestions = [] }) => suggestions.map((one) => one.appliable)));

  it('cannot be applied in between', async () => {
    await suggested(added, suggestion('zwei'));
    for (const state_event of ['close', 'reopen']) {
      await service.put(mergeRequest, { json: { state_event } });
      expect(await appliable()).toEqual([state_event === 'reopen']);
    }
    for (const action of ['close', 'reopen']) {
      await service.post(`${mergeRequest}/notes`, { json: { body: `/${action}` } });
      expect(await appliable()).toEqual([action === 'reopen']);
    }
  });

  it('shows so in the response to the note that closes or reopens it', async () => {
    expect((await suggested(added, `${suggestion('zwei')}\n\n/close`, 'developer')).appliable).toBe(false);
    const [{ id } = { id: '' }] = (await service.get<Discussion[]>(`${mergeRequest}/discussions`)).body;
    const reply = await service.post<Note>(`${mergeRequest}/discussions/${id}/notes`, { json: { body: `${suggestion('deux')}\n\n/reopen` } });
    expect(reply.body.suggestions).toMatchObject([{ appliable: true }]);
    const edited = await service.put<Note>(`${mergeRequest}/notes/${reply.body.id}`, { json: { body: `${suggestion('dos')}\n\n/close` } });
    expect(edited.body.suggestions).toMatchObject([{ appliable: false, to_content: 'dos\n' }]);
    expect(await appliable()).toEqual([false, false]);
  });
});
