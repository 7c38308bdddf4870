import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NoteableKind } from '../../../src/contract/conventions.js';
import {
  changeBetween, commitByNumber, noteableIn, type NoteableFilter, padded, pageOfNoteables,
} from '../../../src/server/repositories/noteables.js';
import { addComment, insertAllActivity, removeComment, touchNoteable } from '../../../src/server/repositories/notes.js';
import { storedDiff } from '../../../src/server/repositories/diffs.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { storeWith } from '../../support/own-store.js';
import { acme, diff, refs } from '../../support/worlds.js';

test.each<[NoteableKind, container: number, name: number | string, title: string | undefined]>([
  ['issue', 20, 2, 'Confidential'], ['issue', 20, 31, undefined], ['issue', 21, 1, 'Open'], ['merge_request', 20, 1, 'Change'],
  ['snippet', 20, 40, 'Snippet'], ['snippet', 21, 40, undefined], ['epic', 10, 500, 'Roadmap'], ['epic', 10, 1, undefined],
  ['epic', 20, 500, undefined], ['commit', 20, refs.commit, 'Commit'], ['commit', 20, refs.commit.toUpperCase(), 'Commit'],
  ['commit', 20, refs.commit.slice(0, 8), undefined], ['issue', 20, Number.MAX_SAFE_INTEGER, undefined],
])('%s %s of container %i is found in its place alone', async (kind, container, name, title) => {
  const database = await storeWith(acme);
  expect((await database.read((queries) => noteableIn(queries, kind, container, name)))?.title).toBe(title);
});

test('a change is found between its two ends: of a merge request from either base, of a commit from its parent', async () => {
  const database = await storeWith(acme);
  const between = async (from: string, to: string, project = 20) =>
    (await database.read((queries) => changeBetween(queries, project, from, to)))?.title;
  expect([await between(refs.base, refs.head), await between(refs.start, refs.head), await between(refs.parent, refs.commit)])
    .toEqual(['Change', 'Change', 'Commit']);
  expect([await between(refs.head, refs.base), await between(refs.base, refs.commit), await between(refs.base, refs.head, 21)])
    .toEqual([undefined, undefined, undefined]);
});

test('a commit is found by its number in its project, and a diff by the row of its noteable', async () => {
  const database = await storeWith(acme);
  const commit = (await database.read((queries) => noteableIn(queries, 'commit', 20, refs.commit)))!;
  expect(await database.read((queries) => commitByNumber(queries, 20, commit.global_id))).toEqual(commit);
  expect(await database.read((queries) => commitByNumber(queries, 21, commit.global_id))).toBeUndefined();
  const plain = (await database.read((queries) => noteableIn(queries, 'issue', 20, 1)))!;
  expect(await database.read((queries) => storedDiff(queries, commit.id))).toBe(diff);
  expect(await database.read((queries) => storedDiff(queries, plain.id))).toBeNull();
  expect(await database.read((queries) => storedDiff(queries, 99_999))).toBeNull();
});

const at = (day: number) => `2024-04-0${day}T08:00:00.000Z`;
const mixed: World = {
  users: [{ id: 1, username: 'ada' }, { id: 2, username: 'bob' }],
  projects: [
    { id: 1, path: 'a/one', issues: [
      { id: 1, author: 'ada', created_at: at(1), state: 'closed' }, { id: 2, author: 'bob', created_at: at(2), confidential: true },
      { id: 3, author: 'ada', created_at: at(3), confidential: true },
    ] },
    { id: 2, path: 'a/two', issues: [{ id: 4, author: 'ada', created_at: at(2), confidential: true }, { id: 5, author: 'bob', created_at: at(4) }] },
    { id: 3, path: 'a/three', issues: [{ id: 6, author: 'ada', created_at: at(5) }],
      merge_requests: ['a', 'b'].map((source_branch, i) => ({ id: 7 + i, source_branch, target_branch: 'main', author: 'ada' })) },
  ],
};

test.each<[what: string, filter: Omit<NoteableFilter, 'kind'>, ids: number[]]>([
  ['all of one project, newest first', { caller: 9, containers: [{ id: 1, showsConfidential: true }] }, [3, 2, 1]],
  ['its open ones to a stranger', { caller: 9, containers: [{ id: 1, showsConfidential: false }] }, [1]],
  ['its open ones and the own confidential ones to an author', { caller: 2, containers: [{ id: 1, showsConfidential: false }] }, [2, 1]],
  ['the confidential ones of that project alone in which they are shown',
    { caller: 9, containers: [{ id: 1, showsConfidential: false }, { id: 2, showsConfidential: true }] }, [5, 4, 1]],
  ['of several projects', { caller: 1, containers: [1, 2, 3].map((id) => ({ id, showsConfidential: true })) }, [6, 5, 3, 4, 2, 1]],
  ['of one state', { caller: 1, more: [['state = ?', 'closed']], containers: [{ id: 1, showsConfidential: true }] }, [1]],
  ['none without a project', { caller: 1, containers: [] }, []],
])('a list has %s, and the count is its length', async (_, filter, ids) => {
  const database = await storeWith(mixed);
  const whole = { kind: 'issue', ...filter } as const;
  const pages = [];
  for (const offset of [0, 4]) pages.push(await database.read((queries) => pageOfNoteables(queries, whole, { limit: 4, offset })));
  expect(pages.flatMap(({ noteables }) => noteables).map(({ global_id }) => global_id)).toEqual(ids);
  expect(pages.map(({ rows }) => rows)).toEqual([ids.length, ids.length]);
});

test('a list of keys becomes as long as a power of two, with the same keys', () => {
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 70 }), (keys) => {
    const longer = padded(keys);
    expect(longer.slice(0, keys.length)).toEqual(keys);
    expect(new Set(longer)).toEqual(new Set(keys));
    expect(Math.log2(longer.length || 1) % 1).toBe(0);
    expect(longer.length).toBeLessThan(2 * Math.max(keys.length, 1));
  }));
});

test('a comment raises the version and the count, up to the limit; one that is deleted makes room for another', async () => {
  const database = await storeWith(acme);
  const { id } = (await database.read((queries) => noteableIn(queries, 'issue', 20, 3)))!;
  const activity = async () => (await database.all<{ version: number; comments: number }>('SELECT version, comments FROM activity WHERE noteable = ?', id))[0];
  expect(await activity()).toEqual({ version: 1, comments: 0 });
  const at = '2024-01-01T00:00:00.000Z';
  const added = await database.write(async (queries) => [
    await addComment(queries, id, 2, at), await addComment(queries, id, 2, at), await addComment(queries, id, 2, at),
  ]);
  expect(added).toEqual([true, true, false]);
  expect(await activity()).toEqual({ version: 3, comments: 2 });
  await database.write((queries) => removeComment(queries, id));
  expect(await activity()).toEqual({ version: 4, comments: 1 });
  expect(await database.write((queries) => addComment(queries, id, 2, at))).toBe(true);
  await database.write((queries) => touchNoteable(queries, id));
  expect(await activity()).toEqual({ version: 6, comments: 2 });
});

test('the count of comments after seeding leaves out system notes', async () => {
  const database = await storeWith(acme);
  await database.write(async (queries) => {
    await queries.run('DELETE FROM activity');
    await insertAllActivity(queries);
  });
  const { id } = (await database.read((queries) => noteableIn(queries, 'issue', 20, 1)))!;
  expect(await database.all('SELECT version, comments FROM activity WHERE noteable = ?', id)).toEqual([{ version: 1, comments: 3 }]);
});
