import { expect, test } from 'vitest';
import type { World } from '../../../src/server/world-file/schema.js';
import { rowsOf } from '../../support/seeded-rows.js';
import { reasonsOf } from '../../support/world-problems.js';

const issueWith = (discussion: object) => ({ projects: [{ path: 'a/b', issues: [{ discussions: [discussion] }] }] });

test.each<[unknown, string]>([
  [[], 'the world must be an object, not a list'],
  [new URL('file:///world.yaml'), 'the world must be an object, not a URL'],
  [new Map([['users', []]]), 'the world must be an object, not a Map'],
  [new Date(0), 'the world must be an object, not a Date'],
  [{ users: new Set(['ada']) }, 'users must be a list, not a Set'],
  [{ groups: [{ members: new Map([['ada', 'owner']]) }] }, 'groups[0].members must be an object with a role for each username, not a Map'],
  [{ users: [{ name: new Map() }] }, 'users[0].name must be text, not a Map'],
  [{ users: 'ada' }, 'users must be a list, not "ada"'],
  [{ users: [{ id: 0 }] }, 'users[0].id must be a positive integer, not 0'],
  [{ users: [{ id: 2 ** 53 }] }, 'users[0].id must be at most 9000000000000000, not 9007199254740992'],
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
  expect(reasonsOf(world)).toEqual([reason]);
});

const largest = 9_000_000_000_000_000;

/** A world with an id wherever it can have one, and nothing else. */
const everyId = (id: number): World => {
  const discussions = [{ notes: [{ id, award_emoji: [{ id, name: 'tada' }] }] }];
  return {
    users: [{ id }], groups: [{ id, epics: [{ id, iid: id, work_item_id: id, parent: id }] }],
    projects: [{
      id, issues: [{ id, iid: id }], snippets: [{ id, discussions }], commits: [{ id }], hooks: [{ id, url: 'http://localhost' }],
      merge_requests: [{
        id, iid: id, draft_notes: [{ id }], versions: [{ id, base_sha: 'a', head_sha: 'b' }],
      }],
    }],
  };
};

test('no id may be so large that none is left for new objects', () => {
  const reasons = reasonsOf(everyId(largest + 1));
  const places = reasons.map((reason) => / must be at most 9000000000000000, not 9000000000000001$/.exec(reason) && reason.split(' ', 1)[0]!);
  expect(places.sort()).toEqual([
    'groups[0].epics[0].id', 'groups[0].epics[0].iid', 'groups[0].epics[0].parent', 'groups[0].epics[0].work_item_id',
    'groups[0].id', 'projects[0].commits[0].id', 'projects[0].hooks[0].id', 'projects[0].id', 'projects[0].issues[0].id',
    'projects[0].issues[0].iid', 'projects[0].merge_requests[0].draft_notes[0].id', 'projects[0].merge_requests[0].id',
    'projects[0].merge_requests[0].iid', 'projects[0].merge_requests[0].versions[0].id',
    'projects[0].snippets[0].discussions[0].notes[0].award_emoji[0].id', 'projects[0].snippets[0].discussions[0].notes[0].id',
    'projects[0].snippets[0].id', 'users[0].id',
  ]);
});

test('objects after the largest ids of a world get ids of their own', async () => {
  const world: World = {
    users: [{ username: 'ada', id: largest }, { username: 'bob' }],
    projects: [{ path: 'a/b', issues: [{ id: largest, iid: largest, discussions: [{ notes: [{ id: largest }, {}] }] }, {}] }],
  };
  expect(await rowsOf(world, 'SELECT id FROM users ORDER BY id')).toEqual([{ id: largest }, { id: largest + 1 }]);
  expect(await rowsOf(world, 'SELECT id FROM notes ORDER BY id')).toEqual([{ id: largest }, { id: largest + 1 }]);
  expect(await rowsOf(world, 'SELECT global_id, iid FROM noteables ORDER BY iid')).toEqual([
    { global_id: largest, iid: largest }, { global_id: largest + 1, iid: largest + 1 },
  ]);
});
