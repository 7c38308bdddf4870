import { expect, test } from 'vitest';
import { deleteHook, hookOf, hooksOf, insertHook, updateHook } from '../../../src/server/repositories/hooks.js';
import { openDatabase } from '../../../src/server/store/open.js';

const hook = {
  project_id: 20, url: 'http://127.0.0.1/', token: null, uuid: 'a', note_events: 1, confidential_note_events: 0,
  merge_requests_events: 0, issues_events: 0, confidential_issues_events: 0, enable_ssl_verification: 1, created_at: '2024-05-01T12:00:00.000Z',
};

test('a webhook is found in its project alone', async () => {
  const database = await openDatabase();
  const id = await database.write((queries) => insertHook(queries, hook));
  await database.write((queries) => updateHook(queries, id, { token: 'x' }));
  expect(await database.read((queries) => hooksOf(queries, 20))).toEqual([{ ...hook, id, token: 'x' }]);
  expect(await database.read((queries) => hookOf(queries, 21, id))).toBeUndefined();
  await database.write((queries) => deleteHook(queries, id));
  expect(await database.read((queries) => hooksOf(queries, 20))).toEqual([]);
  await database.close();
});
