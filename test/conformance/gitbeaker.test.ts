import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasSince, versions } from '../../src/contract/conventions.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { sampleOf } from '../support/extent.js';
import { acme, refs } from '../support/worlds.js';

const editions: readonly (readonly [Dialect, string])[] = sampleOf([
  ['live', '19.5'], ['document', '18.6'], ['live', '15.11'], ['document', '19.5'], ['live', '17.11'], ['document', '17.11'],
  ['document', '15.11'], ['live', '18.6'],
], 3);

interface Thread { readonly id: string; readonly notes?: readonly { readonly id: number; readonly body: string }[] }

/** The operations that all of its discussion classes have, with what names the noteable bound. */
interface Discussions {
  all(): Promise<readonly Thread[]>;
  show(thread: string): Promise<Thread>;
  create(body: string): Promise<Thread>;
  addNote(thread: string, body: string): Promise<{ readonly id: number; readonly body: string }>;
  editNote(thread: string, note: number, body: string): Promise<{ readonly body: string }>;
  removeNote(thread: string, note: number): Promise<void>;
}

const bound = <A extends string | number, B extends string | number>(api: {
  all(a: A, b: B): Promise<unknown>; show(a: A, b: B, thread: string): Promise<unknown>;
  create(a: A, b: B, body: string): Promise<unknown>; addNote(a: A, b: B, thread: string, body: string): Promise<unknown>;
  editNote(a: A, b: B, thread: string, note: number, options: { body: string }): Promise<unknown>;
  removeNote(a: A, b: B, thread: string, note: number): Promise<void>;
}, a: A, b: B): Discussions => ({
  all: () => api.all(a, b) as Promise<readonly Thread[]>,
  show: (thread) => api.show(a, b, thread) as Promise<Thread>,
  create: (body) => api.create(a, b, body) as Promise<Thread>,
  addNote: (thread, body) => api.addNote(a, b, thread, body) as Promise<{ id: number; body: string }>,
  editNote: (thread, note, body) => api.editNote(a, b, thread, note, { body }) as Promise<{ body: string }>,
  removeNote: (thread, note) => api.removeNote(a, b, thread, note),
});

/** A client that nobody here wrote, unmodified, over a real socket: what it sends must be understood, what it gets must fit. */
describe.each(editions)('@gitbeaker/rest with the format %s and version %s', (dialect, serviceVersion) => {
  let server: RunningServer;
  let owner: InstanceType<typeof Gitlab>;
  let admin: InstanceType<typeof Gitlab>;

  beforeAll(async () => {
    server = await startServer({ world: acme, dialect, serviceVersion });
    owner = new Gitlab({ host: server.url, token: 'owner-token' });
    admin = new Gitlab({ host: server.url, token: 'root-token' });
  });
  afterAll(() => server.close());

  it.each<[string, () => Discussions]>([
    ['issues', () => bound(owner.IssueDiscussions, 'acme/app', 1)],
    ['snippets', () => bound(owner.ProjectSnippetDiscussions, 20, 40)],
    ['epics', () => bound(owner.EpicDiscussions, 'acme', 500)],
    ['merge requests', () => bound(owner.MergeRequestDiscussions, 'acme/app', 1)],
    ['commits', () => bound(owner.CommitDiscussions, 20, refs.commit)],
  ])('starts, reads, continues, edits and deletes threads on %s', async (_, of) => {
    const api = of();
    const thread = await api.create('from gitbeaker: ä & <b> 😀');
    const reply = await api.addNote(thread.id, 'a reply');
    expect((await api.show(thread.id)).notes!.map(({ body }) => body)).toEqual(['from gitbeaker: ä & <b> 😀', 'a reply']);
    expect(await api.editNote(thread.id, reply.id, 'a better reply')).toMatchObject({ body: 'a better reply' });
    await api.removeNote(thread.id, reply.id);
    const listed = (await api.all()).find(({ id }) => id === thread.id)!;
    expect(listed.notes!.map(({ body }) => body)).toEqual(['from gitbeaker: ä & <b> 😀']);
    await api.removeNote(thread.id, thread.notes![0]!.id);
    await expect(api.show(thread.id)).rejects.toThrow('404 Discussion Not Found');
  });

  it('resolves a thread and a note of a merge request', async () => {
    const api = owner.MergeRequestDiscussions;
    const thread = await api.create('acme/app', 1, 'to resolve');
    const resolved = await api.resolve('acme/app', 1, thread.id, true);
    expect(resolved).toMatchObject({ notes: [{ resolved: true, resolved_by: { username: 'owner' } }] });
    const note = thread.notes![0]!.id;
    expect(await api.editNote('acme/app', 1, thread.id, note, { resolved: false })).toMatchObject({ resolved: false });
  });

  it('starts a diff thread', async () => {
    const thread = await owner.MergeRequestDiscussions.create('acme/app', 1, 'why?', { position: {
      baseSha: refs.base, startSha: refs.start, headSha: refs.head, positionType: 'text',
      oldPath: 'app.js', newPath: 'app.js', newLine: '2',
    } });
    expect(thread.notes![0]).toMatchObject({ type: 'DiffNote', position: { new_line: 2, ...dialect === 'live' && { old_line: null } } });
  });

  it('follows the pages of a list to the end', async () => {
    for (let i = 0; i < 45; i++) await owner.IssueDiscussions.create(20, 2, `thread ${i}`);
    expect(await owner.IssueDiscussions.all(20, 2)).toHaveLength(45);
    expect(await owner.IssueDiscussions.all(20, 2, { perPage: 10, page: 2 })).toHaveLength(10);
  });

  it('meets an unknown route where it misspells the appearance, as it does on the real service', async () => {
    await expect(admin.ApplicationAppearance.show()).rejects.toThrow('404 Not Found');
  });

  it('looks up who it is, the project, the group and the merge request', async () => {
    expect(await owner.Users.showCurrentUser()).toMatchObject({ username: 'owner' });
    expect(await owner.Projects.show('acme/app')).toMatchObject({ id: 20, path_with_namespace: 'acme/app' });
    expect(await owner.Groups.show('acme')).toMatchObject({ id: 10, full_path: 'acme' });
    expect(await owner.MergeRequests.show('acme/app', 1)).toMatchObject({ iid: 1, diff_refs: { base_sha: refs.base } });
  });

  it('finds noteables: in lists, by branch, and one by one', async () => {
    expect((await owner.Issues.all({ projectId: 20 })).map(({ iid }) => iid).sort()).toEqual([1, 2, 3]);
    expect(await owner.MergeRequests.all({ projectId: 20, sourceBranch: 'none' })).toEqual([]);
    expect(await owner.ProjectSnippets.show(20, 40)).toMatchObject({ id: 40, title: 'Snippet' });
    expect((await owner.Epics.all('acme')).map(({ id }) => id).sort()).toEqual([500, 501]);
    expect((await owner.Commits.all(20)).map(({ id }) => id).sort()).toEqual([refs.commit, refs.head].sort());
    expect(await owner.Commits.show(20, refs.head)).toMatchObject({ id: refs.head });
  });

  it('reads what a merge request and a commit change', async () => {
    const files = ['app.js', 'new.txt', 'pixel.png'];
    const paths = (changes: unknown) => (changes as readonly { readonly new_path: string }[]).map((one) => one.new_path);
    expect(paths(await owner.MergeRequests.allDiffs('acme/app', 1))).toEqual(files);
    expect(paths((await owner.MergeRequests.showDiffVersion('acme/app', 1, 50)).diffs)).toEqual(files);
    expect(paths(await owner.Commits.showDiff('acme/app', refs.commit))).toEqual(files);
    expect(await owner.MergeRequests.allCommits('acme/app', 1)).toMatchObject([{ id: refs.head }]);
    expect((await owner.Repositories.compare('acme/app', refs.base, refs.head)).diffs).toHaveLength(3);
  });

  it('writes single comments and lists them in the order it asks for', async () => {
    const note = await owner.MergeRequestNotes.create('acme/app', 2, 'single');
    await owner.MergeRequestNotes.create('acme/app', 2, 'second');
    expect(await owner.MergeRequestNotes.edit('acme/app', 2, note.id, { body: 'better' })).toMatchObject({ body: 'better' });
    const bodies = async (sort: 'asc' | 'desc') =>
      (await owner.MergeRequestNotes.all('acme/app', 2, { sort })).map(({ body }) => body);
    expect(await bodies('asc')).toEqual(['better', 'second']);
    expect(await bodies('desc')).toEqual(['second', 'better']);
  });

  it('writes and publishes draft notes', async () => {
    const api = owner.MergeRequestDraftNotes;
    const draft = await api.create('acme/app', 1, 'a draft');
    expect(await api.show('acme/app', 1, draft.id)).toMatchObject({ note: 'a draft', author_id: 2 });
    expect(await api.all('acme/app', 1)).toMatchObject([{ id: draft.id }]);
    await api.publish('acme/app', 1, draft.id);
    await api.create('acme/app', 1, 'another');
    await api.publishBulk('acme/app', 1);
    const notes = (await owner.MergeRequestNotes.all('acme/app', 1)).map(({ body }) => body);
    expect(notes).toEqual(expect.arrayContaining(['a draft', 'another']));
  });

  it('applies a suggestion where the service has them', async () => {
    const position = {
      baseSha: refs.base, startSha: refs.start, headSha: refs.head, positionType: 'text', oldPath: 'app.js', newPath: 'app.js', newLine: '2',
    } as const;
    const thread = await owner.MergeRequestDiscussions.create('acme/app', 1, '```suggestion\nbetter\n```', { position });
    const [suggestion] = (thread.notes![0] as unknown as { suggestions?: { id: number }[] }).suggestions ?? [];
    expect(suggestion !== undefined).toBe(hasSince(serviceVersion, versions.suggestions));
    if (suggestion === undefined) return;
    expect(await owner.Suggestions.edit(suggestion.id, { commitMessage: 'Better' })).toMatchObject({ to_content: 'better\n' });
    await expect(owner.Suggestions.editBatch([suggestion.id])).rejects.toThrow('Can\'t apply this suggestion.');
    expect(await owner.MergeRequests.allCommits('acme/app', 1)).toMatchObject([{ title: 'Better' }, {}]);
  });

  it('changes, approves and closes a merge request', async () => {
    const changed = await owner.MergeRequests.edit('acme/app', 2, { title: 'Draft: New', reviewerIds: [5] });
    expect(changed).toMatchObject({ draft: true, reviewers: [{ username: 'reporter' }] });
    await owner.MergeRequestApprovals.approve('acme/app', 2);
    await owner.MergeRequestApprovals.unapprove('acme/app', 2);
    expect(await owner.MergeRequests.edit('acme/app', 2, { stateEvent: 'close' })).toMatchObject({ state: 'closed' });
    expect(await owner.MergeRequests.all({ projectId: 'acme/app', state: 'closed', reviewerId: 5 })).toMatchObject([{ iid: 2 }]);
  });

  it('sets, adds and removes labels, and reads the state of reviewers', async () => {
    expect(await owner.MergeRequests.edit('acme/app', 1, { labels: 'bug,ui', reviewerIds: [5] })).toMatchObject({ labels: ['bug', 'ui'] });
    expect(await owner.MergeRequests.edit('acme/app', 1, { addLabels: 'new', removeLabels: 'bug' })).toMatchObject({ labels: ['new', 'ui'] });
    expect(await owner.MergeRequests.all({ projectId: 20, labels: 'new,ui' })).toMatchObject([{ iid: 1 }]);
    expect(await owner.MergeRequests.showReviewers('acme/app', 1)).toMatchObject([{ user: { username: 'reporter' }, state: 'unreviewed' }]);
    expect(await owner.MergeRequests.edit('acme/app', 1, { labels: '' })).toMatchObject({ labels: [] });
  });

  it('reacts to notes', async () => {
    for (const [api, iid, note] of [[owner.MergeRequestNoteAwardEmojis, 1, 120], [owner.IssueNoteAwardEmojis, 1, 102]] as const) {
      const { id } = await api.award('acme/app', iid, note, 'tada');
      expect(await api.all('acme/app', iid, note)).toMatchObject([{ id, name: 'tada', user: { username: 'owner' }, awardable_id: note }]);
      await api.remove('acme/app', iid, note, id);
      expect(await api.all('acme/app', iid, note)).toEqual([]);
    }
  });

  it('creates, closes and reopens an issue', async () => {
    const { iid } = await owner.Issues.create('acme/app', 'New', { labels: 'bug', assigneeIds: [4] });
    expect(await owner.Issues.edit('acme/app', iid, { stateEvent: 'close' })).toMatchObject({ state: 'closed', labels: ['bug'] });
    expect(await owner.Issues.edit('acme/app', iid, { stateEvent: 'reopen' })).toMatchObject({ state: 'opened', assignees: [{ id: 4 }] });
  });

  it('adds and removes webhooks', async () => {
    const hook = await owner.ProjectHooks.add('acme/app', 'http://127.0.0.1:9/', { noteEvents: true });
    expect(await owner.ProjectHooks.all('acme/app')).toMatchObject([{ id: hook.id, note_events: true }]);
    await owner.ProjectHooks.remove('acme/app', hook.id);
    expect(await owner.ProjectHooks.all('acme/app')).toEqual([]);
  });

  it('finds users, members and projects, and reads files', async () => {
    const world = { projects: [{ path: 'acme/files', visibility: 'public' as const, files: { 'a b.txt': 'é\n' } }] };
    const made = await startServer({ world, dialect, serviceVersion });
    const reader = new Gitlab({ host: made.url, token: 'root-token' });
    expect((await reader.RepositoryFiles.show('acme/files', 'a b.txt', 'main')).content).toBe('w6kK');
    const raw = await reader.RepositoryFiles.showRaw('acme/files', 'a b.txt', 'main');
    expect(raw instanceof Blob ? await raw.text() : raw).toBe('é\n');
    await made.close();
    expect(await owner.Users.all({ username: 'guest' })).toMatchObject([{ id: 6 }]);
    expect((await owner.ProjectMembers.all('acme/app', { includeInherited: true })).map(({ username }) => username)).toContain('guest');
    expect(await owner.Projects.all({ search: 'old' })).toMatchObject([{ path_with_namespace: 'acme/old' }]);
  });
});
