import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logoLimit } from '../../../src/contract/conventions.js';
import { demoWorld } from '../../../src/server/world-file/demo/demo.js';
import { readWorld } from '../../../src/server/world-file/load.js';
import { WorldError } from '../../../src/server/world-file/problem.js';
import { isAll } from '../../support/extent.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-world-'));
  file = join(folder, 'world.yaml');
});
afterEach(() => { rmSync(folder, { recursive: true, force: true }); });

const read = (text: string | Uint8Array) => {
  writeFileSync(file, text);
  return readWorld(file);
};

const refusal = (text: string | Uint8Array): WorldError => {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(WorldError);
    return error as WorldError;
  }
  throw new Error('the world was taken');
};

/** The end of a refusal's message, after the file. */
const told = (text: string | Uint8Array): string => refusal(text).problem.replace(file, '');

test('YAML and JSON say the same world', () => {
  expect(read('users:\n  - username: ada\n    admin: true\n')).toEqual({ users: [{ username: 'ada', admin: true }] });
  expect(read('{\n\t"users": [\n\t\t{"username": "ada", "admin": true}\n\t]\n}')).toEqual({
    users: [{ username: 'ada', admin: true }],
  });
  expect(read(JSON.stringify(demoWorld))).toEqual(demoWorld);
});

test('an empty file is an empty world, with a byte order mark too', () => {
  expect(read('')).toEqual({});
  expect(read('# nothing yet\n')).toEqual({});
  expect(read('\ufeffusers: []')).toEqual({ users: [] });
});

test('an error has the file, the line, the reason and a hint', () => {
  const error = refusal('users:\n  - username: ada\n    amdin: true\n');
  expect(error.problem).toBe(`${file}:3: unknown key "amdin" in users[0]`);
  expect(error).toMatchObject({ file, line: 3, reason: 'unknown key "amdin" in users[0]', hint: 'did you mean admin?' });
});

test('all problems are reported, each with its line and hint, but not more than 20', () => {
  const error = refusal('projets: []\nusers:\n  - { id: x, usernme: ada }\ngroups:\n  - path: acme\n    visibilty: private\n');
  expect(error).toMatchObject({ file, line: 1, reason: 'unknown key "projets" in the world (and 3 more)' });
  expect(error.hint?.split('\n')).toEqual(['did you mean projects?',
    `${file}:3: unknown key "usernme" in users[0]; did you mean username?`, `${file}:3: users[0].id must be a positive integer, not "x"`,
    `${file}:6: unknown key "visibilty" in groups[0]; did you mean visibility?`]);
  const many = refusal(`users:\n${lines(30, (i) => `  - { username: u${i}, nmae: x }\n`)}`).hint!.split('\n');
  expect([many.length, many.at(-1)]).toEqual([21, '… and 10 more']);
});

test('the first of several problems is reported, and the number of others', () => {
  expect(told('users:\n  - username: ada\n  - username: ada\ngroups:\n  - members: { eve: owner }\n')).toBe(
    ':3: users[1].username: username "ada" is already used by users[0] (and 1 more)');
});

const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('');

test('the first of thousands of unknown names is reported with a hint, without comparing all of them with all users', () => {
  const many = isAll ? 10_000 : 2_000;
  const users = lines(many, (i) => `  - username: user${i}\n`);
  expect(refusal(`users:\n${users}groups:\n  - members:\n${lines(many, (i) => `      usr${i}: guest\n`)}`)).toMatchObject({
    line: many + 4,
    reason: `groups[0].members.usr0: unknown user "usr0" (and ${many - 1} more)`, hint: expect.stringMatching(/^did you mean user0\?\n/) as string,
  });
});

test('a large world in JSON with a problem is rejected without a line, if YAML of this size is', () => {
  const long = ' '.repeat(40_000_000);
  expect(told(`{"users":[{"username":"ada","nme":1}]${long}}`)).toBe(': unknown key "nme" in users[0]');
});

test('aliases that expand without bounds are rejected', () => {
  const spread = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, i, names) =>
    `${name}: &${name} [${Array.from({ length: 10 }, () => i === 0 ? 'x' : `*${names[i - 1]!}`).join(', ')}]`);
  expect(told(spread.join('\n'))).toMatch(/alias/i);
});

test('a missing file, a folder and a binary file are rejected', () => {
  expect(() => readWorld(join(folder, 'none.yaml'))).toThrow(/none\.yaml: no such file; check the path$/);
  expect(() => readWorld(folder)).toThrow(/: it is a folder; check the path$/);
  expect(() => readWorld(folder)).toThrow(expect.objectContaining({ hint: 'check the path' }) as Error);
  expect(told(Uint8Array.of(0xff, 0xfe, 0x00))).toBe(': not UTF-8 text');
});

test('images are read from beside the world file', () => {
  writeFileSync(join(folder, 'my logo.png'), 'not really');
  expect(read('appearance:\n  logo: ./my logo.png\n').appearance).toEqual({
    logo: { file_name: 'my logo.png', content: Buffer.from('not really').toString('base64') },
  });
});

test('an unreadable image is reported with its line', () => {
  writeFileSync(join(folder, 'big.png'), new Uint8Array(logoLimit + 1));
  expect(told('appearance:\n  title: a\n  logo: none.png\n')).toBe(`:3: appearance.logo: none.png: no such file`);
  expect(told('appearance: { favicon: . }')).toBe(':1: appearance.favicon: . is not a file');
  expect(told('appearance: { logo: big.png }')).toBe(':1: appearance.logo: big.png is larger than 1048576 bytes');
});

test('an image must be a regular file in the folder of the world file, after links are resolved', () => {
  mkdirSync(join(folder, 'images'));
  writeFileSync(join(folder, 'images', 'a.png'), 'inside');
  symlinkSync(join(folder, 'images', 'a.png'), join(folder, 'link.png'));
  expect(read('appearance: { logo: link.png, favicon: images/a.png }').appearance).toMatchObject({ logo: { file_name: 'link.png' } });
  symlinkSync('/etc/passwd', join(folder, 'outside.png'));
  for (const path of ['outside.png', '/proc/self/environ', '../../etc/passwd', '/dev/zero']) {
    expect(told(`appearance: { logo: ${path} }`)).toBe(`:1: appearance.logo: ${path} is outside the folder of the world file`);
  }
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(told('appearance: { logo: pipe }')).toBe(':1: appearance.logo: pipe is not a file');
});
