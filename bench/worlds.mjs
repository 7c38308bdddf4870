/** Worlds of a size, as the JSON of a world file. */
const sha = (number) => number.toString(16).padStart(40, '0');

const note = (thread, n) => ({
  author: 'root', created_at: new Date(Date.UTC(2024, 0, 1) + (thread * 3 + n) * 1000).toISOString(),
  body: `Note ${n} of thread ${thread}, of the length that a remark in a review has: two or three lines of text `
    + 'that say what is meant, what it is about and what could be done. It names a file and a line and ends with a '
    + 'question?',
});

/** So many issues with 20 threads of 3 notes each: a page of about 39 KB. */
export const busyWorld = (issues) => ({
  users: [{ id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' }],
  groups: [{ path: 'bench', visibility: 'public' }],
  projects: [{
    id: 1, path: 'bench/app', visibility: 'public',
    issues: Array.from({ length: issues }, (_, i) => ({
      iid: i + 1, title: 'Busy',
      discussions: Array.from({ length: 20 }, (_, t) => {
        const thread = i * 20 + t;
        return { id: sha(thread + 1), notes: [1, 2, 3].map((n) => note(thread, n)) };
      }),
    })),
  }],
});

export const token = { 'private-token': 'root-token' };
export const listOf = (issue) => `/api/v4/projects/1/issues/${issue}/discussions`;
