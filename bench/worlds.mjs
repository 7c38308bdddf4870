/** Worlds of a given size, as JSON. */
const sha = (number) => number.toString(16).padStart(40, '0');

const note = (thread, n) => ({
  author: 'root', created_at: new Date(Date.UTC(2024, 0, 1) + (thread * 3 + n) * 1000).toISOString(),
  body: `Note ${n} of thread ${thread}, of the length that a remark in a review has: two or three lines of text `
    + 'that say what is meant, what it is about and what could be done. It names a file and a line and ends with a '
    + 'question?',
});

const each = (count, made) => Array.from({ length: count }, (_, i) => made(i));

const busy = (i) => ({
  iid: i + 1, title: 'Busy',
  discussions: each(20, (t) => {
    const thread = i * 20 + t;
    return { id: sha(thread + 1), notes: [1, 2, 3].map((n) => note(thread, n)) };
  }),
});

const users = [{ id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' }];
const project = { id: 1, path: 'bench/app', visibility: 'public' };

/** Issues with 20 threads of 3 notes each: a page of about 39 KB. */
export const busyWorld = (issues) => ({
  users,
  groups: [{ path: 'bench', visibility: 'public' }],
  projects: [{ ...project, issues: each(issues, busy) }],
});

/** The number of children per parent epic. */
export const children = 6;

/** The iid and the id of the parent epic of each merge request; those of its children follow. */
export const familyOf = (iid) => (iid - 1) * (children + 1) + 1;

const family = (i) => {
  const first = familyOf(i + 1);
  return each(children + 1, (n) => ({
    id: first + n, iid: first + n, title: 'Planned', ...(n > 0 && { parent: first }),
  }));
};

/** Merge requests with the threads of a busy issue, and as many epics with children in the group `bench`. */
export const reviewWorld = (count) => ({
  users,
  groups: [{ path: 'bench', visibility: 'public', epics: each(count, family).flat() }],
  projects: [{ ...project, merge_requests: each(count, busy) }],
});

export const token = { 'private-token': 'root-token' };
export const listOf = (issue) => `/api/v4/projects/1/issues/${issue}/discussions`;
