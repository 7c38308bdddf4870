import { expect, test } from 'vitest';
import { statementsOf } from '../../../src/server/store/sqlite/database.js';
import type { Connection } from '../../../src/server/store/sqlite/connection.js';

const counted = () => {
  const prepared: string[] = [];
  const connection: Connection = {
    exec: () => undefined,
    close: () => undefined,
    prepare: (sql) => {
      prepared.push(sql);
      return { get: () => undefined, all: () => [], run: () => ({ changes: 0, lastInsertRowid: 0 }) };
    },
  };
  return { connection, prepared };
};

test('a statement is prepared once', () => {
  const { connection, prepared } = counted();
  const statement = statementsOf(connection, 2);
  expect(statement('a')).toBe(statement('a'));
  statement('b');
  statement('a');
  expect(prepared).toEqual(['a', 'b']);
});

test('the least recently used statement is prepared again when the cache is full', () => {
  const { connection, prepared } = counted();
  const statement = statementsOf(connection, 2);
  for (const sql of ['a', 'b', 'a', 'c', 'a', 'c', 'b']) statement(sql);
  expect(prepared).toEqual(['a', 'b', 'c', 'b']);
});
