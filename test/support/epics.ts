import type { World } from '../../src/server/world-file/schema.js';

/**
 * Epics in a group `acme`, its subgroup `acme/sub`, a sibling group `other` and a hidden one. The children of &1
 * (id 500) are 501, 502 and 503 in this order; 504 is a child of 502. Tokens are `<username>-token`.
 */
export const epicWorld: World = {
  users: [
    { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
    { id: 5, username: 'reporter', name: 'Rita Reporter', token: 'reporter-token' },
    { id: 6, username: 'guest', name: 'Gus Guest', token: 'guest-token' },
    { id: 7, username: 'outsider', name: 'Otto Outsider', token: 'outsider-token' },
  ],
  groups: [
    {
      id: 10, path: 'acme', visibility: 'private', members: { reporter: 'reporter', guest: 'guest' },
      epics: [
        { id: 500, iid: 1, title: 'Root', author: 'reporter', created_at: '2024-01-01T00:00:00Z' },
        {
          id: 501, iid: 2, title: 'First', author: 'reporter', parent: 500, description: 'what & why', labels: ['zeta', 'alpha'],
          created_at: '2024-01-02T00:00:00Z', start_date_fixed: '2024-02-01', due_date: '2024-03-31',
        },
        { id: 502, iid: 3, title: 'Second', author: 'reporter', parent: 500, created_at: '2024-01-03T00:00:00Z' },
        { id: 503, iid: 4, title: 'Third', author: 'reporter', parent: 500, confidential: true, created_at: '2024-01-04T00:00:00Z' },
        { id: 504, iid: 5, title: 'Below second', author: 'reporter', parent: 502, created_at: '2024-01-05T00:00:00Z' },
        { id: 505, iid: 6, title: 'Free', author: 'reporter', created_at: '2024-01-06T00:00:00Z' },
        { id: 506, iid: 7, title: 'Secret', author: 'root', confidential: true, created_at: '2024-01-07T00:00:00Z' },
      ],
    },
    { id: 11, path: 'acme/sub', epics: [{ id: 600, iid: 1, title: 'In the subgroup', author: 'reporter' }] },
    { id: 12, path: 'other', members: { reporter: 'reporter' }, epics: [{ id: 700, iid: 1, title: 'Elsewhere', author: 'root' }] },
    { id: 13, path: 'hidden', epics: [{ id: 800, iid: 1, title: 'Hidden', author: 'root' }] },
    { id: 14, path: 'open', visibility: 'public', epics: [{ id: 900, iid: 1, title: 'Open', author: 'root' },
      { id: 901, iid: 2, title: 'Open child', author: 'root', parent: 900 }] },
  ],
};

const reporter = {
  id: 5, name: 'Rita Reporter', username: 'reporter', state: 'active',
  avatar_url: 'http://service.test/uploads/-/system/user/avatar/5/avatar.png', web_url: 'http://service.test/reporter',
};

/** Epic 501 as the document shows it to a reporter. */
export const firstChild = {
  id: 501, iid: 2, group_id: 10, parent_id: 500, title: 'First', description: 'what & why', author: reporter,
  start_date: '2024-02-01', start_date_is_fixed: true, start_date_fixed: '2024-02-01', start_date_from_milestones: null,
  start_date_from_inherited_source: null, end_date: '2024-03-31', due_date: '2024-03-31', due_date_is_fixed: false,
  due_date_fixed: null, due_date_from_milestones: '2024-03-31', due_date_from_inherited_source: '2024-03-31',
  created_at: '2024-01-02T00:00:00.000Z', updated_at: '2024-01-02T00:00:00.000Z', labels: ['alpha', 'zeta'],
};

/** A chain of epics in one group, each the parent of the next: id and iid start at 1, which is the root. */
export const chain = (length: number, more: NonNullable<NonNullable<World['groups']>[number]['epics']> = []): World => ({
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  groups: [{ id: 10, path: 'acme', epics: [
    ...Array.from({ length }, (_, i) => ({ id: i + 1, iid: i + 1, title: `Level ${i + 1}`, ...(i > 0 && { parent: i }) })), ...more,
  ] }],
});
