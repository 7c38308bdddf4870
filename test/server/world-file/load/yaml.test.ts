import { expect, test } from 'vitest';
import { worldFrom } from '../../../../src/server/world-file/load.js';
import { WorldError } from '../../../../src/server/world-file/problem.js';

const read = (text: string) => worldFrom(text, 'world.yaml');

/** The end of an error's message, after the file. */
const told = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(WorldError);
    return (error as WorldError).problem.replace('world.yaml', '');
  }
  throw new Error('the world is valid');
};

test('text stays text where YAML would take it for a number or a truth', () => {
  const world = read([
    'users: [{ username: 007, token: 1e3, name: true }]',
    'projects:',
    '  - path: a/b',
    `    commits: [{ sha: ${'1'.repeat(40)}, parent_sha: ${`12345678e9${'0'.repeat(30)}`}, title: 1.10 }]`,
    '    issues: [{ title: ~, discussions: [{ notes: [{ body: 0x10 }] }] }]',
  ].join('\n'));
  expect(world.users).toEqual([{ username: '007', token: '1e3', name: 'true' }]);
  expect(world.projects![0]!.commits).toEqual([
    { sha: '1'.repeat(40), parent_sha: `12345678e9${'0'.repeat(30)}`, title: '1.10' },
  ]);
  expect(world.projects![0]!.issues).toEqual([{ discussions: [{ notes: [{ body: '0x10' }] }] }]);
});

test('keys stay text too, and what they name', () => {
  const { projects } = read([
    'users: [{ username: 007 }, { username: &ten 1_0 }]',
    'projects:',
    '  - path: g/p',
    '    members: { 007: owner, "1_0": guest }',
    '    files: { 1.10: 1.10, 1.1: 0x1F, True: true, "2.0": two, empty: "" }',
    '    merge_requests:',
    '      - reviewers: [007, { user: 007 }]',
    '        author: *ten',
  ].join('\n'));
  expect(projects).toMatchObject([{
    members: { '007': 'owner', '1_0': 'guest' },
    files: { '1.10': '1.10', '1.1': '0x1F', True: 'true', '2.0': 'two', empty: '' },
    merge_requests: [{ reviewers: ['007', { user: '007' }], author: '1_0' }],
  }]);
});

test('what is said once can be used again', () => {
  expect(read('groups:\n  - path: a\n    members: &team { root: owner }\n  - path: b\n    members: *team\n').groups).toEqual([
    { path: 'a', members: { root: 'owner' } }, { path: 'b', members: { root: 'owner' } },
  ]);
});

test.each<[string, string]>([
  ['groups:\n  - path: a\n    members:\n      root: owner\n      eve: guest\n', ':5: groups[0].members.eve: unknown user "eve"'],
  ['users:\n  - username: ada\n    admin: 1\n', ':3: users[0].admin must be true or false, not 1'],
  ['users:\n  - id: 1\n    id: 2\n', ':3: duplicate key "id"'],
  ['{\n"users": [],\n"users": []\n}', ':3: duplicate key "users"'],
  ['groups:\n  - members:\n      1: guest\n      "1": owner\n', ':4: duplicate key "1"'],
  ['groups:\n  - members:\n      007: guest\n      "007": owner\n', ':4: duplicate key "007"'],
  ['users:\n  - username: ada\nprojects:\n  - members:\n      007: owner\n', ':5: projects[0].members.007: unknown user "007"'],
  ['users:\n  - id: 1\n    id: 2\n  - id: 3\nusers: []\n', ':3: duplicate key "id"'],
  ['a: { b: 1 }\nc: [{ d: 1,\n  d: 1 }]\n', ':3: duplicate key "d"'],
  ['--- {}\n--- {}\n', ':2: a second document starts here'],
  ['users: [a', ':1: Flow sequence in block collection must be sufficiently indented and end with a ]'],
  ['hello', ':1: the world must be an object, not "hello"'],
  ['[', ':1: Flow sequence must end with a ]'],
  ['['.repeat(100_000), ':1: nested too deeply'],
  ['users: &a [*a]', ':1: *a contains itself'],
])('a problem is reported with its line: %#', (text, message) => {
  expect(told(text)).toBe(message);
});

test('a file of JSON is not called YAML, and a wrong indentation is', () => {
  const errorIn = (name: string, text: string) => {
    try {
      return worldFrom(text, name);
    } catch (error) {
      return (error as WorldError).message.replace(name, '');
    }
  };
  const broken = '{"users": [\n {"username": "ada"}\n "x"\n]}';
  expect(errorIn('world.json', broken)).toBe(':3: invalid JSON at column 2; fix the JSON');
  expect(errorIn('world.yaml', broken)).toBe(':3: Missing , or : between flow sequence items; fix the YAML');
  expect(errorIn('world.json', '{\n"users": [],\n"users": []\n}')).toContain(':3: duplicate key "users"');
  expect(errorIn('world.yaml', 'users:\n - id: 1\n   name: y\n  admin: true\n')).toBe(
    ':4: Sequence item without - indicator; check the indentation of this line');
});

const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');

test('a map of 40,000 keys is searched for a repeated one without comparing each with each', () => {
  expect(told(`${lines(40_000, (i) => `u${i}: 1\n`)}u7: 2\n`)).toBe(':40001: duplicate key "u7"');
});
