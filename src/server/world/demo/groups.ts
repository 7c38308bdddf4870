import type { WorldEpic, WorldGroup } from '../shape.js';

const acmeEpics: readonly WorldEpic[] = [
  {
    id: 500, iid: 1, title: 'Deliveries that arrive', author: 'ada', labels: ['delivery', 'roadmap'],
    description: 'A message is delivered once, or somebody knows that it was not.',
    start_date: '2024-04-01', start_date_fixed: '2024-04-01', start_date_is_fixed: true,
    due_date: '2024-09-30', due_date_fixed: '2024-09-30', due_date_is_fixed: true, created_at: '2024-03-20T09:00:00Z',
    discussions: [{
      id: '386614c0823cf3e4f1d8823e5954a2764301127c',
      notes: [
        { id: 51, author: 'bob', body: 'Is "once" a promise we can keep?', created_at: '2024-03-21T10:15:00Z' },
        {
          id: 52, author: 'ada', body: 'With a key per message, yes. Without one it is "at least once".',
          created_at: '2024-03-21T10:32:18Z',
        },
      ],
    }],
  },
  {
    id: 501, iid: 2, title: 'Attempts', author: 'ada', parent: 500, labels: ['delivery'],
    description: 'Try again, but not for ever.', created_at: '2024-03-20T09:05:00Z',
  },
  {
    id: 502, iid: 3, title: 'Reports', author: 'bob', parent: 500,
    description: 'Tell the sender what became of a message.', created_at: '2024-03-20T09:06:00Z',
    discussions: [
      {
        id: 'bb2275bd8f5759c38f67b796871787809dc29cf0',
        notes: [{
          id: 53, author: 'bob', body: 'added epic &2 as related', system: true, created_at: '2024-03-22T08:00:00Z',
        }],
      },
      {
        id: 'eafabb2967f16cbafa2cdbfc3376dc8e9811748e',
        notes: [{
          id: 54, author: 'ada', body: 'A weekly mail is enough to begin with.', created_at: '2024-03-22T08:30:00Z',
        }],
      },
    ],
  },
  {
    id: 503, iid: 4, title: 'Prices', author: 'ada', confidential: true,
    description: 'What a guaranteed delivery may cost.', created_at: '2024-03-25T14:00:00Z',
  },
];

const webEpics: readonly WorldEpic[] = [
  {
    id: 504, iid: 1, title: 'Report page', author: 'bob', parent: 502,
    description: 'Sent, waiting, given up: one page.', created_at: '2024-04-02T09:00:00Z',
  },
  { id: 505, iid: 2, title: 'Report by mail', author: 'bob', parent: 502, created_at: '2024-04-02T09:01:00Z' },
];

/** A private group with a subgroup, and a public one; the epics make a tree of three levels over the first two. */
export const groups: readonly WorldGroup[] = [
  {
    id: 1, path: 'acme', name: 'Acme', visibility: 'private',
    members: { ada: 'owner', bob: 'reporter' }, epics: [...acmeEpics],
  },
  { id: 2, path: 'acme/web', name: 'Web', visibility: 'private', members: { bob: 'maintainer' }, epics: [...webEpics] },
  { id: 3, path: 'open', name: 'Open', visibility: 'public', members: { ada: 'maintainer' } },
];
