import { expect, test } from 'vitest';
import { problemsOf, reasonsOf } from '../../support/world-problems.js';

const sha = (digit: string) => digit.repeat(40);
const mergeRequestWith = (discussion: object, refs: object = { base_sha: sha('a'), start_sha: sha('b'), head_sha: sha('c') }) =>
  ({ projects: [{ path: 'a/b', merge_requests: [{ ...refs, discussions: [discussion] }] }] });

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

test('unknown projects of source branches are rejected', () => {
  const projects = (source_project: string) => [{ path: 'acme/app', merge_requests: [{}, { source_project }] }, { path: 'eve/app' }, {}];
  expect(['acme/app', 'eve/app', 'group/project3'].flatMap((path) => problemsOf({ projects: projects(path) }))).toEqual([]);
  expect(problemsOf({ projects: projects('eve/ap') })).toEqual([expect.objectContaining({
    reason: 'projects[0].merge_requests[1].source_project: unknown project "eve/ap"', hint: 'did you mean eve/app?',
  })]);
});

test('whom a world without users names can only be root', () => {
  expect(reasonsOf({ groups: [{ members: { root: 'owner' } }] })).toEqual([]);
  expect(reasonsOf({ groups: [{ members: { ada: 'owner' } }] })).toHaveLength(1);
});

test.each<[unknown, string]>([
  [{ users: [{ id: 2, username: 'ada' }, {}, { id: 2 }] }, 'users[2].id: user id 2 is already used by users[0]'],
  [{ users: [{ username: 'user2' }, {}] }, 'users[1].username: username "user2" is already used by users[0]'],
  [{ users: [{ token: 't' }, { tokens: [{ token: 't' }] }] }, 'users[1].tokens[0]: this token is already used by users[0]'],
  [{ groups: [{ path: 'a/b' }], projects: [{ path: 'a/b' }] }, 'projects[0].path: path "a/b" is already used by groups[0]'],
  [{ projects: [{ path: 'a/b', moved_from: ['c/d', 'c/e'] }, { path: 'c/e' }] },
    'projects[0].moved_from: path "c/e" is already used by projects[1]'],
  [{ projects: [{ moved_from: 'c/d' }, { moved_from: ['c/d'] }] }, 'projects[1].moved_from: path "c/d" is already used by projects[0]'],
  [{ groups: [{ path: 'a/B' }], projects: [{ path: 'A/b' }] }, 'projects[0].path: path "A/b" is already used by groups[0], as "a/B"'],
  [{ projects: [{ path: 'a/b', moved_from: ['c/d', 'C/d'] }] }, 'projects[0].moved_from: path "C/d" is already used by projects[0], as "c/d"'],
  [{ groups: [{ epics: [{ id: 5 }] }, { epics: [{ id: 5 }] }] },
    'groups[1].epics[0].id: epic id 5 is already used by groups[0].epics[0]'],
  [{ groups: [{ epics: [{ work_item_id: 5 }, { id: 8, work_item_id: 5 }] }] },
    'groups[0].epics[1].work_item_id: work item id 5 is already used by groups[0].epics[0]'],
  [{ groups: [{ epics: [{ id: 5 }, { work_item_id: 1_000_005 }] }] },
    'groups[0].epics[1].work_item_id: work item id 1000005 is already used by groups[0].epics[0]'],
  [{ projects: [{ issues: [{ iid: 7 }, { iid: 7 }] }] },
    'projects[0].issues[1].iid: issue iid 7 is already used by projects[0].issues[0]'],
  [{ projects: [{ commits: [{ sha: sha('a') }, { sha: sha('a') }] }] },
    `projects[0].commits[1].sha: commit SHA "${sha('a')}" is already used by projects[0].commits[0]`],
  [{ projects: [{ issues: [{ discussions: [{ id: sha('1') }, { id: sha('1') }] }] }] },
    `projects[0].issues[0].discussions[1].id: thread id "${sha('1')}" is already used by projects[0].issues[0].discussions[0]`],
  [{ projects: [{ issues: [{ discussions: [{ notes: [{ id: 1 }] }] }], snippets: [{ discussions: [{ notes: [{ id: 1 }] }] }] }] },
    'projects[0].snippets[0].discussions[0].notes[0].id: note id 1 is already used by projects[0].issues[0].discussions[0].notes[0]'],
])('duplicates are rejected: %j', (world, reason) => {
  expect(reasonsOf(world)).toEqual([reason]);
});

test('things in different places may have the same iid, SHA and thread id, and kinds the same id', () => {
  const project = { issues: [{ iid: 1, discussions: [{ id: sha('1') }] }], commits: [{ sha: sha('a') }] };
  expect(reasonsOf({ projects: [project, project] })).toEqual([]);
  expect(reasonsOf({ projects: [{ issues: [{ id: 1 }], snippets: [{ id: 1 }] }] })).toEqual([]);
});

test('a token is given as text or as digest', () => {
  expect(reasonsOf({ users: [{ tokens: [{}, { token: 'a', digest: 'a'.repeat(64) }, { token: 'b' }] }] })).toEqual([
    'users[0].tokens[0] must have either token or digest', 'users[0].tokens[1] must have either token or digest',
  ]);
});

test('a token has scopes or permissions, as its kind says, and only top-level groups enforce permissions', () => {
  expect(reasonsOf({
    users: [{ tokens: [{ token: 'a', kind: 'granular', permissions: ['Epic Note: Read'] }, { token: 'b', kind: 'personal', scopes: ['api'] }] }],
    groups: [{ path: 'acme', enforce_granular_tokens: true }],
  })).toEqual([]);
  expect(reasonsOf({
    users: [{ tokens: [{ token: 'a', kind: 'granular', scopes: ['api'] }, { token: 'b', permissions: [] }] }],
    groups: [{ path: 'acme/sub', enforce_granular_tokens: true }],
  })).toEqual([
    'users[0].tokens[0] must have permissions instead of scopes, as its kind is granular',
    'users[0].tokens[1] must have the kind granular, as it has permissions',
    'groups[0].enforce_granular_tokens: only a top-level group can enforce fine-grained tokens',
  ]);
});
