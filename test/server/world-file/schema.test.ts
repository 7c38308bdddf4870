import { expect, test } from 'vitest';
import { reasonsOf } from '../../support/world-problems.js';

const issueWith = (discussion: object) => ({ projects: [{ path: 'a/b', issues: [{ discussions: [discussion] }] }] });

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
  expect(reasonsOf(world)).toEqual([reason]);
});
