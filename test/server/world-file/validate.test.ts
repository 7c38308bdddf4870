import { expect, test } from 'vitest';
import { openService, type World } from '../../../src/server/index.js';
import { demoWorld } from '../../../src/server/world-file/demo/demo.js';
import { WorldError } from '../../../src/server/world-file/problem.js';
import { validatedWorld, validateWorld } from '../../../src/server/world-file/validate.js';
import { problemsOf, reasonsOf } from '../../support/world-problems.js';

const sha = (digit: string) => digit.repeat(40);
const issueWith = (discussion: object) => ({ projects: [{ path: 'a/b', issues: [{ discussions: [discussion] }] }] });
const mergeRequestWith = (discussion: object, refs: object = { base_sha: sha('a'), start_sha: sha('b'), head_sha: sha('c') }) =>
  ({ projects: [{ path: 'a/b', merge_requests: [{ ...refs, discussions: [discussion] }] }] });

test('the demo world fits', () => {
  expect(validateWorld(demoWorld)).toEqual({ world: demoWorld });
});

test('every key may be absent or null', () => {
  for (const world of [
    null, {}, { users: null, groups: [], projects: [{}] }, { users: [{}], groups: [{ epics: [{}] }] },
    { projects: [{ issues: [{ discussions: [{}, { notes: [{}] }] }], snippets: [{}], merge_requests: [{}], commits: [{}] }] },
    { groups: [{ epics: [{ parent: null, discussions: null }] }] },
  ]) expect(problemsOf(world)).toEqual([]);
});

test('code may leave out a key by the value undefined', async () => {
  const world = {
    settings: { version: undefined, notes_create_limit: undefined }, appearance: { title: undefined, logo: undefined },
    projects: [{ path: 'a/b', files: { 'a.txt': 'A', 'b.txt': undefined } }],
  };
  const service = await openService({ world: world as unknown as World });
  const stored = await service.world();
  expect(stored).toMatchObject({ settings: {}, appearance: {}, projects: [{ files: { 'a.txt': 'A' } }] });
  expect([stored.settings, stored.appearance]).toEqual([{}, {}]);
  await service.close();
});

test.each([
  [{ user: [] }, 'unknown key "user" in the world', 'did you mean users?'],
  [{ users: [{ usrname: 'ada' }] }, 'unknown key "usrname" in users[0]', 'did you mean username?'],
  [{ settings: { dark: true } }, 'unknown key "dark" in settings',
    'use one of epics, nested_epics, confidential_epics, tier, notes_create_limit, notes_create_limit_allowlist, version'],
])('an unknown key is rejected with a hint: %j', (world, reason, hint) => {
  expect(problemsOf(world)).toEqual([expect.objectContaining({ reason, hint, atKey: true })]);
});

const chain = (length: number) =>
  Array.from({ length }, (_, i) => ({ id: i + 1, ...(i > 0 && { parent: i }) }));

test('epics hang on epics that exist, not in a cycle, and seven levels deep at most', () => {
  const epics = (list: object[]) => reasonsOf({ groups: [{ epics: list }] });
  expect(epics([{ id: 1 }, { parent: 2 }])).toEqual([
    'groups[0].epics[1].parent: unknown epic id 2; use the global id of the parent',
  ]);
  expect(epics([{ id: 1, parent: 1 }])).toEqual(['groups[0].epics[0].parent: the epic is its own ancestor']);
  expect(epics([{ id: 1, parent: 2 }, { id: 2, parent: 1 }, { id: 3, parent: 1 }])).toEqual([
    'groups[0].epics[0].parent: the epic is its own ancestor', 'groups[0].epics[1].parent: the epic is its own ancestor',
  ]);
  expect(epics(chain(7))).toEqual([]);
  expect(epics(chain(8).reverse())).toEqual(['groups[0].epics[0].parent: the tree is 8 levels deep here; the maximum is 7']);
});

test('of very many epics in one line or one cycle each is looked at once', () => {
  const epics = chain(10_000);
  expect(reasonsOf({ groups: [{ epics }] })).toHaveLength(10_000 - 7);
  expect(reasonsOf({ groups: [{ epics: [{ id: 1, parent: 10_000 }, ...epics.slice(1)] }] })).toHaveLength(10_000);
});

test('epics below a cycle or a missing parent are not counted by it', () => {
  expect(reasonsOf({ groups: [{ epics: [{ id: 1, parent: 9 }, ...chain(9).slice(1)] }] })).toHaveLength(9);
  expect(reasonsOf({ groups: [{ epics: [{ id: 1, parent: 99 }, ...chain(9).slice(1)] }] })).toEqual([
    'groups[0].epics[0].parent: unknown epic id 99; use the global id of the parent',
  ]);
  expect(reasonsOf({ groups: [{ epics: [{ id: 1, parent: 1 }, ...chain(9).slice(1)] }] })).toEqual([
    'groups[0].epics[0].parent: the epic is its own ancestor',
  ]);
});

test('a parent may stand in another group', () => {
  expect(reasonsOf({ groups: [{ epics: [{ id: 2, parent: 1 }] }, { epics: [{ id: 1 }] }] })).toEqual([]);
});

test('a thread needs a note, and an individual note is the only one of its thread', () => {
  const place = 'projects[0].issues[0].discussions[0]';
  expect(reasonsOf(issueWith({ notes: [] }))).toEqual([`${place}.notes must be a list of at least one note, not an empty list`]);
  expect(reasonsOf(issueWith({ individual_note: true, notes: [{}, {}] }))).toEqual([
    `${place}: an individual note must be the only one of its thread, which has 2`,
  ]);
  expect(reasonsOf(issueWith({ individual_note: true, notes: [{}] }))).toEqual([]);
});

test.each<[object, string]>([
  [{ new_line: 1 }, 'is missing old_path or new_path'],
  [{ new_path: 'a' }, 'is missing old_line or new_line'],
  [{ new_path: 'a', position_type: 'image', x: 1, width: 2 }, 'is missing y, height'],
])('an incomplete position is rejected: %j', (position, reason) => {
  expect(reasonsOf(mergeRequestWith({ notes: [{ position }] }))).toEqual([
    `projects[0].merge_requests[0].discussions[0].notes[0].position ${reason}`,
  ]);
});

test('a position needs SHAs, its own or those of the merge request or commit', () => {
  const position = { new_path: 'a', new_line: 1 };
  const thread = { notes: [{ position }] };
  expect(reasonsOf(mergeRequestWith(thread))).toEqual([]);
  expect(reasonsOf(mergeRequestWith(thread, { base_sha: sha('a') }))).toEqual([
    'projects[0].merge_requests[0].discussions[0].notes[0].position is missing head_sha',
  ]);
  const commits = [{ sha: sha('a'), parent_sha: sha('b'), discussions: [thread] }];
  expect(reasonsOf({ projects: [{ commits }] })).toEqual([]);
});

test('notes of an issue have no position, and single comments have none anywhere', () => {
  const notes = [{ position: { new_path: 'a', new_line: 1 } }];
  expect(reasonsOf(issueWith({ notes }))).toEqual([
    `projects[0].issues[0].discussions[0].notes[0].position is not allowed: issue notes have no diff`,
  ]);
  expect(reasonsOf(mergeRequestWith({ individual_note: true, notes }))).toEqual([
    'projects[0].merge_requests[0].discussions[0]: an individual note cannot have a position',
  ]);
});

test('a recursive value is rejected', () => {
  const users: unknown[] = [];
  users.push(users);
  expect(reasonsOf({ users })).not.toEqual([]);
});

test('a world from code is accepted unchanged, or rejected with a path', () => {
  expect(validatedWorld(demoWorld)).toEqual(demoWorld);
  expect(() => validatedWorld({ groups: [{ members: { adda: 'owner' } }] })).toThrow(WorldError);
  expect(() => validatedWorld({ users: [{ nmae: 'Ada' }] })).toThrow('unknown key "nmae" in users[0]');
});

test('a world from code is checked again when its object was changed, and its earlier contents stay as they were', () => {
  const given = { groups: [{ path: 'acme', epics: [{ title: 'Ship' }] }] };
  const first = validatedWorld(given);
  expect(validatedWorld(structuredClone(given))).toBe(first);
  given.groups[0]!.epics.push({ title: 'Test' });
  expect(validatedWorld(given).groups![0]!.epics).toHaveLength(2);
  expect(first.groups![0]!.epics).toHaveLength(1);
  Object.assign(given.groups[0]!, { paht: 'x' });
  expect(() => validatedWorld(given)).toThrow('unknown key "paht" in groups[0]');
});

const withDiff = (diff: string) => ({ projects: [{ path: 'a/b', merge_requests: [{ diff }], commits: [{ diff: '' }] }] });
const patch = '--- a/x.txt\n+++ b/x.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';

const tooShort = 'projects[0].merge_requests[0].diff is not a valid diff: a hunk of "x.txt" has fewer lines than it says';

test.each([
  ['just text', 'projects[0].merge_requests[0].diff is not a unified diff'],
  [patch.replace('-two\n+three\n', ''), tooShort],
  [`${patch.replace('+three\n', '')}@@ -9 +9 @@\n-a\n+b\n`, tooShort],
])('a diff that is none is rejected: %j', (diff, reason) => {
  expect(problemsOf(withDiff(diff))).toEqual([expect.objectContaining({ reason, hint: 'use the output of git diff' })]);
});

test('a diff may be empty, and may end without a line break', () => {
  for (const diff of ['', patch, patch.trimEnd()]) expect(problemsOf(withDiff(diff))).toEqual([]);
});

const draftsWith = (...draft_notes: object[]) => ({
  users: [{ username: 'ada' }],
  projects: [{ path: 'a/b', merge_requests: [{ discussions: [{ id: sha('1') }], draft_notes }] }],
});

test.each([
  [[{ author: 'bob' }], 'draft_notes[0].author: unknown user "bob"'],
  [[{ discussion_id: sha('1') }, { discussion_id: sha('1') }], 'draft_notes[1].discussion_id: the author already has a draft note in this thread'],
  [[{ resolve_discussion: true }], 'draft_notes[0].resolve_discussion: a draft note can only resolve the thread that it replies to'],
  [[{ id: 1 }, { id: 1 }], 'draft_notes[1].id: draft note id 1 is already used by projects[0].merge_requests[0].draft_notes[0]'],
  [[{ position: { new_path: 'a' } }], 'draft_notes[0].position is missing base_sha, start_sha, head_sha, old_line or new_line'],
])('a draft note that no client could create is rejected: %j', (drafts, reason) => {
  expect(reasonsOf(draftsWith(...drafts))).toEqual([`projects[0].merge_requests[0].${reason}`]);
});

test('draft notes of a world are seeded with defaults', () => {
  expect(problemsOf(draftsWith({}, { discussion_id: sha('1'), resolve_discussion: true }, { discussion_id: sha('2') }))).toEqual([]);
});
