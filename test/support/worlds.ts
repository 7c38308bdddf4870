import type { World } from '../../src/server/world-file/schema.js';

const sha = (digit: string) => digit.repeat(40);

/** SHAs of the merge request and of the commit in `acme`. */
export const refs = { base: sha('a'), start: sha('b'), head: sha('c'), parent: sha('d'), commit: sha('e') };

/** Thread ids in `acme`, by their target. */
export const threads = {
  comment: sha('1'), system: sha('2'), thread: sha('3'), resolved: sha('4'), diff: sha('5'), snippet: sha('6'),
  commitComment: sha('7'), issue: sha('8'),
};

/** A change with an added, a removed and unchanged lines, a renamed file, and an image. */
export const diff = `diff --git a/app.js b/app.js
index 1111111..2222222 100644
--- a/app.js
+++ b/app.js
@@ -1,4 +1,4 @@
 one
-two
+zwei
 three
 four
diff --git a/old.txt b/new.txt
similarity index 80%
rename from old.txt
rename to new.txt
--- a/old.txt
+++ b/new.txt
@@ -1,2 +1,3 @@
 first
+inserted
 last
diff --git a/pixel.png b/pixel.png
new file mode 100644
index 0000000..3333333
Binary files /dev/null and b/pixel.png differ
`;

/**
 * A private group and project with one member for each role, an outsider, and one of each kind of noteable.
 * Tokens are `<username>-token`; `reader-token` is ada's with the scope read_api.
 */
export const acme: World = {
  users: [
    { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
    { id: 2, username: 'owner', name: 'Olga Owner', token: 'owner-token' },
    { id: 3, username: 'maintainer', name: 'Max Maintainer', token: 'maintainer-token' },
    { id: 4, username: 'developer', name: 'Dora Developer',
      tokens: [{ token: 'developer-token' }, { token: 'reader-token', scopes: ['read_api'] },
        { token: 'expired-token', expires_at: '2020-01-01' }, { token: 'revoked-token', revoked: true }] },
    { id: 5, username: 'reporter', name: 'Rita Reporter', token: 'reporter-token' },
    { id: 6, username: 'guest', name: 'Gus Guest', token: 'guest-token' },
    { id: 7, username: 'outsider', name: 'Otto Outsider', token: 'outsider-token' },
    { id: 8, username: 'blocked', name: 'Bea Blocked', state: 'blocked', token: 'blocked-token' },
  ],
  groups: [{
    id: 10, path: 'acme', visibility: 'private',
    members: { owner: 'owner', maintainer: 'maintainer', developer: 'developer', reporter: 'reporter', guest: 'guest' },
    epics: [
      { id: 500, iid: 1, title: 'Roadmap', author: 'reporter' },
      { id: 501, iid: 2, title: 'Secret', confidential: true, author: 'owner' },
    ],
  }],
  projects: [
    {
      id: 20, path: 'acme/app', visibility: 'private',
      issues: [
        { id: 30, iid: 1, title: 'Issue', author: 'reporter', discussions: [
          { id: threads.comment, individual_note: true, notes: [{ id: 100, author: 'guest', body: 'just a comment' }] },
          { id: threads.system, individual_note: true, notes: [{ id: 101, author: 'root', body: 'changed the title', system: true }] },
          { id: threads.issue, notes: [{ id: 102, author: 'guest', body: 'a thread' }, { id: 103, author: 'developer', body: 'a reply' }] },
        ] },
        { id: 31, iid: 2, title: 'Confidential', author: 'guest', confidential: true },
        { id: 32, iid: 3, title: 'Locked', author: 'guest', locked: true },
      ],
      snippets: [{ id: 40, title: 'Snippet', author: 'developer', discussions: [
        { id: threads.snippet, individual_note: true, notes: [{ id: 110, author: 'guest', body: 'a comment on a snippet' }] },
      ] }],
      merge_requests: [
        { id: 50, iid: 1, title: 'Change', author: 'developer',
          base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, diff, discussions: [
            { id: threads.thread, notes: [
              { id: 120, author: 'guest', body: 'please explain' }, { id: 121, author: 'developer', body: 'see below' },
            ] },
            { id: threads.resolved, notes: [{ id: 122, author: 'reporter', body: 'done?', resolved_by: 'developer' }] },
            { id: threads.diff, notes: [{ id: 123, author: 'reporter', body: 'why?', position: {
              base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text',
              old_path: 'app.js', new_path: 'app.js', new_line: 2 } }] },
          ] },
        { id: 51, iid: 2, title: 'Without a diff', author: 'developer' },
      ],
      commits: [{ sha: refs.commit, parent_sha: refs.parent, title: 'Commit', diff, discussions: [
        { id: threads.commitComment, individual_note: true, notes: [{ id: 130, author: 'guest', body: 'a comment on a commit' }] },
      ] }],
    },
    { id: 21, path: 'open/site', visibility: 'public', issues: [{ id: 33, iid: 1, title: 'Open', author: 'owner' },
      { id: 34, iid: 2, title: 'Locked', author: 'owner', locked: true }] },
    { id: 22, path: 'acme/old', visibility: 'private', archived: true, issues: [{ id: 35, iid: 1, title: 'Old', author: 'owner',
      discussions: [{ id: sha('9'), notes: [{ id: 140, author: 'developer', body: 'long ago' }] }] }] },
  ],
};
