import type { World } from '../../../src/server/world-file/schema.js';
import { acme } from '../../support/worlds.js';

const [group] = acme.groups!;

/** The world `acme` with a tree of epics, a hidden group, an administrator who may act for others, and an image. */
export const fuzzWorld: World = {
  ...acme,
  users: [...acme.users!, { id: 9, username: 'sudo', admin: true, tokens: [{ token: 'sudo-token', scopes: ['api', 'sudo'] }] }],
  groups: [
    { ...group, epics: [
      ...group!.epics!, { id: 502, iid: 3, title: 'A', parent: 500 }, { id: 503, iid: 4, title: 'B', parent: 500 },
      { id: 504, iid: 5, title: 'C', parent: 502, confidential: true }, { id: 505, iid: 6, title: 'Free' },
    ] },
    { id: 11, path: 'acme/sub', epics: [{ id: 600, iid: 1, title: 'Below' }] },
    { id: 12, path: 'hidden', epics: [{ id: 700, iid: 1, title: 'Hidden' }] },
  ],
  appearance: { title: 'Fuzz' },
};

/** Tokens of every kind of caller: all roles, all fates, and none. */
export const tokens = ['root-token', 'owner-token', 'maintainer-token', 'developer-token', 'reporter-token', 'guest-token', 'outsider-token',
  'reader-token', 'expired-token', 'revoked-token', 'blocked-token', 'sudo-token', 'unknown', ''];
