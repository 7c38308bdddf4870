import { expect, test } from 'vitest';
import { statementsOf } from '../../../../src/server/store/postgres/queries.js';

const ask = `SELECT value FROM meta WHERE name = ?`;
const add = `INSERT INTO meta (name, value) VALUES (?, '')`;

test('a statement has the same name in every process, and no other one has it', () => {
  const [one, other] = [statementsOf(), statementsOf()];
  const names = [ask, add].map((sql) => one.of(sql).name);
  expect([add, ask].map((sql) => other.of(sql).name)).toEqual([...names].reverse());
  expect(new Set(names).size).toBe(2);
});
