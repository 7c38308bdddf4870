import { expect, test } from 'vitest';
import { demoWorld } from '../../../src/server/world-file/demo/demo.js';
import { WorldError } from '../../../src/server/world-file/problem.js';
import { validatedWorld, validateWorld } from '../../../src/server/world-file/validate.js';

const problemsOf = (value: unknown) => {
  const outcome = validateWorld(value);
  return 'problems' in outcome ? outcome.problems.map((problem) => ({ ...problem, hint: problem.hint?.() })) : [];
};

const reasons = (value: unknown) => problemsOf(value).map(({ reason }) => reason);

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

test.each([
  [{ user: [] }, 'unknown key "user" in the world', 'did you mean users?'],
  [{ users: [{ usrname: 'ada' }] }, 'unknown key "usrname" in users[0]', 'did you mean username?'],
  [{ settings: { dark: true } }, 'unknown key "dark" in settings', 'use one of epics, nested_epics, confidential_epics, tier, version'],
])('an unknown key is rejected with a hint: %j', (world, reason, hint) => {
  expect(problemsOf(world)).toEqual([expect.objectContaining({ reason, hint, atKey: true })]);
});

test.each<[unknown, string]>([
  [[], 'the world must be an object, not a list'],
  [{ users: 'ada' }, 'users must be a list, not "ada"'],
  [{ users: [{ id: 0 }] }, 'users[0].id must be a positive integer, not 0'],
  [{ users: [{ id: 2 ** 53 }] }, 'users[0].id must be a positive integer, not 9007199254740992'],
  [{ users: [{ admin: 'yes' }] }, 'users[0].admin must be true or false, not "yes"'],
  [{ users: [{ name: 'a\0b' }] }, 'users[0].name must be text, not "a\\u0000b"'],
  [{ users: [{ name: '\ud800' }] }, 'users[0].name must be text, not "\\ud800"'],
  [{ users: [{ username: 'a b' }] }, 'users[0].username must be a username: letters, digits, _ . -, at most 255, not "a b"'],
  [{ projects: [{ path: 'app' }] }, 'projects[0].path must be a full path such as acme/app, of at most 2000 characters, not "app"'],
  [{ groups: [{ members: { root: 'boss' } }] },
    'groups[0].members.root must be one of guest, reporter, developer, maintainer, owner, not "boss"'],
  [{ groups: [{ visibility: 'secret' }] }, 'groups[0].visibility must be one of public, internal, private, not "secret"'],
  [{ groups: [{ epics: [{ start_date: '2024-02-30' }] }] },
    'groups[0].epics[0].start_date must be a date as YYYY-MM-DD, not "2024-02-30"'],
  [issueWith({ id: 'A1' }),
    'projects[0].issues[0].discussions[0].id must be 40 lowercase hexadecimal characters, not "A1"'],
  [issueWith({ notes: [{ created_at: '2024-13-01T00:00:00Z' }] }),
    'projects[0].issues[0].discussions[0].notes[0].created_at must be a time as YYYY-MM-DDThh:mm:ssZ, '
    + 'not "2024-13-01T00:00:00Z"'],
  [{ appearance: { message_font_color: 'red' } }, 'appearance.message_font_color must be a color as #RGB or #RRGGBB, not "red"'],
  [{ appearance: { logo: './logo.png' } },
    'appearance.logo must be an image with file_name and content (base64), not "./logo.png"'],
])('a value of the wrong type is rejected: %j', (world, reason) => {
  expect(reasons(world)).toEqual([reason]);
});

test('unknown usernames are rejected everywhere', () => {
  const users = [{ username: 'ada' }];
  expect(problemsOf({
    users, groups: [{ members: { adda: 'owner' } }],
    ...mergeRequestWith({ notes: [{ author: 'eve', resolved_by: 'Ada' }] }),
  })).toEqual([
    expect.objectContaining({ reason: 'projects[0].merge_requests[0].discussions[0].notes[0].author: unknown user "eve"' }),
    expect.objectContaining({
      reason: 'projects[0].merge_requests[0].discussions[0].notes[0].resolved_by: unknown user "Ada"',
      hint: 'did you mean ada?',
    }),
    expect.objectContaining({
      reason: 'groups[0].members.adda: unknown user "adda"', hint: 'did you mean ada?', atKey: true,
    }),
  ]);
});

test('whom a world without users names can only be root', () => {
  expect(reasons({ groups: [{ members: { root: 'owner' } }] })).toEqual([]);
  expect(reasons({ groups: [{ members: { ada: 'owner' } }] })).toHaveLength(1);
});

test.each<[unknown, string]>([
  [{ users: [{ id: 2, username: 'ada' }, {}, { id: 2 }] }, 'users[2].id: user id 2 is already used by users[0]'],
  [{ users: [{ username: 'user2' }, {}] }, 'users[1].username: username "user2" is already used by users[0]'],
  [{ users: [{ token: 't' }, { tokens: [{ token: 't' }] }] }, 'users[1].tokens[0]: this token is already used by users[0]'],
  [{ groups: [{ path: 'a/b' }], projects: [{ path: 'a/b' }] }, 'projects[0].path: path "a/b" is already used by groups[0]'],
  [{ groups: [{ epics: [{ id: 5 }] }, { epics: [{ id: 5 }] }] },
    'groups[1].epics[0].id: epic id 5 is already used by groups[0].epics[0]'],
  [{ projects: [{ issues: [{ iid: 7 }, { iid: 7 }] }] },
    'projects[0].issues[1].iid: issue iid 7 is already used by projects[0].issues[0]'],
  [{ projects: [{ commits: [{ sha: sha('a') }, { sha: sha('a') }] }] },
    `projects[0].commits[1].sha: commit SHA "${sha('a')}" is already used by projects[0].commits[0]`],
  [{ projects: [{ issues: [{ discussions: [{ id: sha('1') }, { id: sha('1') }] }] }] },
    `projects[0].issues[0].discussions[1].id: thread id "${sha('1')}" is already used by projects[0].issues[0].discussions[0]`],
  [{ projects: [{ issues: [{ discussions: [{ notes: [{ id: 1 }] }] }], snippets: [{ discussions: [{ notes: [{ id: 1 }] }] }] }] },
    'projects[0].snippets[0].discussions[0].notes[0].id: note id 1 is already used by projects[0].issues[0].discussions[0].notes[0]'],
])('duplicates are rejected: %j', (world, reason) => {
  expect(reasons(world)).toEqual([reason]);
});

test('things in different places may have the same iid, SHA and thread id, and kinds the same id', () => {
  const project = { issues: [{ iid: 1, discussions: [{ id: sha('1') }] }], commits: [{ sha: sha('a') }] };
  expect(reasons({ projects: [project, project] })).toEqual([]);
  expect(reasons({ projects: [{ issues: [{ id: 1 }], snippets: [{ id: 1 }] }] })).toEqual([]);
});

const chain = (length: number) =>
  Array.from({ length }, (_, i) => ({ id: i + 1, ...(i > 0 && { parent: i }) }));

test('epics hang on epics that exist, not in a circle, and seven levels deep at most', () => {
  const epics = (list: object[]) => reasons({ groups: [{ epics: list }] });
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

test('of very many epics in one line or one circle each is looked at once', () => {
  const epics = chain(10_000);
  expect(reasons({ groups: [{ epics }] })).toHaveLength(10_000 - 7);
  expect(reasons({ groups: [{ epics: [{ id: 1, parent: 10_000 }, ...epics.slice(1)] }] })).toHaveLength(10_000);
});

test('epics below a circle or a missing parent are not counted by it', () => {
  expect(reasons({ groups: [{ epics: [{ id: 1, parent: 9 }, ...chain(9).slice(1)] }] })).toHaveLength(9);
  expect(reasons({ groups: [{ epics: [{ id: 1, parent: 99 }, ...chain(9).slice(1)] }] })).toEqual([
    'groups[0].epics[0].parent: unknown epic id 99; use the global id of the parent',
  ]);
  expect(reasons({ groups: [{ epics: [{ id: 1, parent: 1 }, ...chain(9).slice(1)] }] })).toEqual([
    'groups[0].epics[0].parent: the epic is its own ancestor',
  ]);
});

test('a parent may stand in another group', () => {
  expect(reasons({ groups: [{ epics: [{ id: 2, parent: 1 }] }, { epics: [{ id: 1 }] }] })).toEqual([]);
});

test('a thread needs a note, and an individual note is the only one of its thread', () => {
  const place = 'projects[0].issues[0].discussions[0]';
  expect(reasons(issueWith({ notes: [] }))).toEqual([`${place}: a thread must have at least one note`]);
  expect(reasons(issueWith({ individual_note: true, notes: [{}, {}] }))).toEqual([
    `${place}: an individual note must be the only one of its thread, which has 2`,
  ]);
  expect(reasons(issueWith({ individual_note: true, notes: [{}] }))).toEqual([]);
});

test.each<[object, string]>([
  [{ new_line: 1 }, 'is missing old_path or new_path'],
  [{ new_path: 'a' }, 'is missing old_line or new_line'],
  [{ new_path: 'a', position_type: 'image', x: 1, width: 2 }, 'is missing y, height'],
])('an incomplete position is rejected: %j', (position, reason) => {
  expect(reasons(mergeRequestWith({ notes: [{ position }] }))).toEqual([
    `projects[0].merge_requests[0].discussions[0].notes[0].position ${reason}`,
  ]);
});

test('a position needs SHAs, its own or those of the merge request or commit', () => {
  const position = { new_path: 'a', new_line: 1 };
  const thread = { notes: [{ position }] };
  expect(reasons(mergeRequestWith(thread))).toEqual([]);
  expect(reasons(mergeRequestWith(thread, { base_sha: sha('a') }))).toEqual([
    'projects[0].merge_requests[0].discussions[0].notes[0].position is missing start_sha, head_sha',
  ]);
  const commits = [{ sha: sha('a'), parent_sha: sha('b'), discussions: [thread] }];
  expect(reasons({ projects: [{ commits }] })).toEqual([]);
});

test('notes of an issue have no position, and single comments have none anywhere', () => {
  const notes = [{ position: { new_path: 'a', new_line: 1 } }];
  expect(reasons(issueWith({ notes }))).toEqual([
    `projects[0].issues[0].discussions[0].notes[0].position is not allowed: issue notes have no diff`,
  ]);
  expect(reasons(mergeRequestWith({ individual_note: true, notes }))).toEqual([
    'projects[0].merge_requests[0].discussions[0]: an individual note cannot have a position',
  ]);
});

test('a token is given as text or as digest', () => {
  expect(reasons({ users: [{ tokens: [{}, { token: 'a', digest: 'a'.repeat(64) }, { token: 'b' }] }] })).toEqual([
    'users[0].tokens[0] must have either token or digest', 'users[0].tokens[1] must have either token or digest',
  ]);
});

test('a recursive value is rejected', () => {
  const users: unknown[] = [];
  users.push(users);
  expect(reasons({ users })).not.toEqual([]);
});

test('a world from code is accepted unchanged, or rejected with a path', () => {
  expect(validatedWorld(demoWorld)).toEqual(demoWorld);
  expect(() => validatedWorld({ groups: [{ members: { adda: 'owner' } }] })).toThrow(WorldError);
  expect(() => validatedWorld({ users: [{ nmae: 'Ada' }] })).toThrow('unknown key "nmae" in users[0]');
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
