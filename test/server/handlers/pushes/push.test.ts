import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { CommitDetails, DiffVersion, DiffVersionDetails, FileDiff, MergeRequest } from '../../../../src/contract/lookups/shapes.js';
import { a, b, c, d, diff, discussions, mergeRequest, patch, second, pushService, type PushService } from '../../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

describe('a push', () => {
  test('adds a version, a commit and a system note', async () => {
    service.later(60_000);
    const { status, body } = await service.push({ head_sha: d, diff: second, title: 'Start at <zero>' });
    expect([status, body]).toEqual([201, { id: 94, number: 2, base_sha: a, start_sha: a, head_sha: d, moved: [], outdated: [] }]);
    const later = '2024-05-01T12:01:00.000Z';
    const versions = (await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body;
    expect(versions).toMatchObject([
      { id: 94, head_commit_sha: d, base_commit_sha: a, start_commit_sha: a, created_at: later, merge_request_id: 91, real_size: '1' },
      { id: 91, head_commit_sha: b, created_at: '2024-04-01T08:00:00.000Z' },
    ]);
    const shown = (await service.get<MergeRequest>(mergeRequest)).body;
    expect(shown).toMatchObject({ sha: d, diff_refs: { base_sha: a, head_sha: d, start_sha: a }, updated_at: later });
    expect((await service.get<FileDiff[]>(`${mergeRequest}/diffs`)).body[0]!.diff).toContain('+zero');
    const commits = (await service.get<CommitDetails[]>(`${mergeRequest}/commits`)).body;
    expect(commits.map(({ id, title }) => [id, title])).toEqual([[d, 'Start at <zero>'], [b, 'Count']]);
    const first = (await service.get<DiffVersionDetails>(`${mergeRequest}/versions/91`)).body;
    expect([first.commits.map(({ id }) => id), first.diffs[0]!.diff!.includes('zero')]).toEqual([[b], false]);
    const [note] = (await service.get<Discussion[]>(discussions)).body;
    expect(note).toMatchObject({ individual_note: true, notes: [{ system: true, author: { username: 'developer' }, created_at: later }] });
    expect(note!.notes[0]!.body).toBe('added 1 commit\n\n<ul><li>dddddddd - Start at &lt;zero&gt;</li></ul>\n\n'
      + `[Compare with previous version](/acme/app/-/merge_requests/1/diffs?diff_id=94&start_sha=${b})`);
  });

  test('is one of several: each version is listed, newest first', async () => {
    for (const number of [2, 3, 4]) expect((await service.push({ diff: number % 2 ? diff : second })).body).toMatchObject({ number });
    const { body } = await service.get<DiffVersion[]>(`${mergeRequest}/versions`);
    expect(body.map(({ id }) => id)).toEqual([96, 95, 94, 91]);
    expect((await service.get<CommitDetails[]>(`${mergeRequest}/commits`)).body).toHaveLength(4);
  });

  test('gives a merge request without SHAs its first version', async () => {
    const { body } = await service.push({ merge_request: 3, base_sha: a, diff });
    expect(body).toMatchObject({ id: 94, number: 1, base_sha: a, start_sha: a });
    expect((await service.get<DiffVersion[]>('/projects/20/merge_requests/3/versions')).body).toMatchObject([{ id: 94, base_commit_sha: a }]);
  });

  test('replaces the commits if it is forced: those of before are listed by their versions alone, and can still be read', async () => {
    await service.push({ head_sha: c, diff: second, title: 'Fix' });
    expect((await service.push({ head_sha: d, diff, title: 'Fix, rewritten', force: true })).body).toMatchObject({ number: 3, base_sha: a, head_sha: d });
    const ids = async (path: string) => (await service.get<CommitDetails[]>(path)).body.map(({ id, parent_ids }) => [id, ...parent_ids]);
    expect(await ids(`${mergeRequest}/commits`)).toEqual([[d, a]]);
    expect((await service.get<FileDiff[]>(`/projects/20/repository/commits/${d}/diff`)).body[0]!.diff).toContain('+2');
    const [, former] = (await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body;
    expect((await service.get<DiffVersionDetails>(`${mergeRequest}/versions/${former!.id}`)).body.commits.map(({ id }) => id)).toEqual([c, b]);
    expect((await service.get(`/projects/20/repository/commits/${c}`)).status).toBe(200);
    await service.push({ head_sha: 'e'.repeat(40), diff: second });
    expect(await ids(`${mergeRequest}/commits`)).toEqual([['e'.repeat(40), d], [d, a]]);
  });

  test('goes back to an earlier commit if it is forced', async () => {
    await service.push({ head_sha: d, diff: second });
    expect((await service.push({ head_sha: b, diff, force: true })).status).toBe(201);
    expect((await service.get<CommitDetails[]>(`${mergeRequest}/commits`)).body.map(({ id }) => id)).toEqual([b]);
    const lists = async () => (await service.get(`${mergeRequest}/commits`)).text;
    const before = await lists();
    await service.service.setWorld(await service.service.world());
    expect(await lists()).toBe(before);
  });

  test('can be YAML, and names the project by its id', async () => {
    const body = `project: 20\nmerge_request: 1\ndiff: |\n${second.replace(/^(?=.)/gm, '  ')}`;
    expect((await service.call('POST', '/-/push', { body })).status).toBe(201);
    expect((await service.get<FileDiff[]>(`${mergeRequest}/diffs`)).body[0]!.diff).toContain('+zero');
  });
});

describe('everything else goes on', () => {
  test('cached lists show a push at once', async () => {
    const id = await service.comment({ new_line: 2 });
    const listed = async () => (await service.get<Discussion[]>(discussions)).body.find((one) => one.id === id)!.notes[0]!.position;
    expect(await listed()).toMatchObject({ new_line: 2 });
    expect(await listed()).toMatchObject({ new_line: 2 });
    await service.push({ diff: second });
    expect(await listed()).toMatchObject({ new_line: 3 });
  });

  test('a reset, a snapshot and an exported world contain the versions', async () => {
    const lists = async () => (await Promise.all(['versions', 'discussions', 'commits', 'diffs'].map((name) => service.get(`${mergeRequest}/${name}`))))
      .map(({ text }) => text);
    const before = await lists();
    await service.comment({ new_line: 2 });
    await service.push({ diff: patch('x.ts', '@@ -1,3 +1,2 @@', ' one', '-two', ' three') });
    const after = await lists();
    const exported = await service.service.world();
    await service.post('/-/reset');
    expect(await lists()).toEqual(before);
    await service.service.setWorld(exported);
    expect(await lists()).toEqual(after);
    expect(await service.service.world()).toEqual(exported);
  });

  test('a world of its own has its own pushes', async () => {
    const { status } = await service.post('/w/one/-/push', { as: null, json: { project: 20, merge_request: 1, diff: second } });
    expect(status).toBe(201);
    expect((await service.get<DiffVersion[]>(`/w/one/api/v4${mergeRequest}/versions`)).body).toHaveLength(2);
    expect((await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body).toHaveLength(1);
  });
});
