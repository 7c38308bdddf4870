import type { WorldProject } from '../../src/server/world-file/schema.js';
import type { World } from '../../src/server/world-file/schema.js';
import { acme } from './worlds.js';

const created_at = '2024-04-01T08:00:00Z';

/** A project in which everything has a known time. */
const dated: WorldProject = {
  id: 29, path: 'acme/dated', name: 'Dated', visibility: 'internal',
  issues: [{ id: 90, iid: 1, title: 'Issue', description: 'text', author: 'developer', locked: true, created_at },
    { id: 92, iid: 2, title: 'Secret', author: 'developer', confidential: true }],
  merge_requests: [{
    id: 91, iid: 1, title: 'Change', author: 'developer', state: 'merged', source_branch: 'topic', target_branch: 'main',
    base_sha: 'a1', start_sha: 'b2', head_sha: 'c3', created_at,
    diff: 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
      + 'diff --git a/y b/z\nrename from y\nrename to z\n',
  }],
  commits: [{ sha: 'f'.repeat(40), title: 'Title', description: 'More.', author: 'developer', created_at }],
};

/** The SHAs of three commits, each the parent of the next one. */
export const line = ['1', '2', '3'].map((digit) => digit.repeat(40));

const on = (day: number) => `2024-04-0${day}T08:00:00Z`;

/** A project with several of each, and a merge request over two commits. */
const shelf: WorldProject = {
  id: 28, path: 'acme/shelf', visibility: 'internal',
  issues: [
    { id: 190, iid: 1, title: 'First', author: 'developer', created_at: on(1), state: 'closed' },
    { id: 191, iid: 2, title: 'Second', author: 'guest', confidential: true, created_at: on(2) },
    { id: 192, iid: 3, title: 'Third', author: 'developer', confidential: true, created_at: on(3) },
  ],
  snippets: [{ id: 193, title: 'Snippet', description: 'text', author: 'developer', created_at: on(1) }],
  merge_requests: [
    { id: 194, iid: 1, title: 'Done', author: 'developer', state: 'merged', source_branch: 'a', created_at: on(1) },
    { id: 195, iid: 2, title: 'Open', author: 'developer', source_branch: 'a', target_branch: 'main', created_at: on(2),
      base_sha: line[0]!, start_sha: line[0]!, head_sha: line[2]! },
    { id: 196, iid: 3, title: 'Other', author: 'developer', source_branch: 'b', created_at: on(3) },
  ],
  commits: line.map((sha, i) => ({
    sha, title: `Commit ${i}`, author: 'developer', created_at: on(i + 1), ...(i > 0 && { parent_sha: line[i - 1]! }),
    ...(i === 1 && { diff: '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n' }),
  })),
};

/** `acme` with both. */
export const lookupWorld: World = { ...acme, projects: [...acme.projects!, dated, shelf] };

/** The developer of `acme` as an author. */
export const developer = {
  id: 4, name: 'Dora Developer', username: 'developer', state: 'active',
  avatar_url: 'http://service.test/uploads/-/system/user/avatar/4/avatar.png', web_url: 'http://service.test/developer',
};

const shared = { author: 'developer', target_branch: 'main' };

/** A private project of another group, and one below a group, with people. */
export const membersWorld: World = {
  ...lookupWorld,
  groups: [...lookupWorld.groups!, { id: 70, path: 'zoo', visibility: 'public' }, { id: 71, path: 'zoo/cats', visibility: 'public' }],
  projects: [
    { id: 80, path: 'zoo/cats/lion', visibility: 'public', merge_requests: [
      { ...shared, id: 301, iid: 1, title: 'Draft: Roar', assignees: ['guest', 'reporter'], created_at: '2024-05-01T00:00:00Z' },
      { ...shared, id: 302, iid: 2, title: '100% mane', description: 'Comb it', reviewers: ['guest'], approved_by: ['owner'],
        author: 'owner', created_at: '2024-05-02T00:00:00Z' },
    ] },
    { id: 81, path: 'zoo/dog', visibility: 'private', members: { owner: 'developer' }, merge_requests: [
      { ...shared, id: 303, iid: 1, title: 'Bark', author: 'owner', state: 'closed', created_at: '2024-05-03T00:00:00Z' },
    ] },
  ],
};
