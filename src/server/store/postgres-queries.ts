import type { QueryResult } from 'pg';
import type { Queries, Row, Value } from './database.js';

/** Asks one statement with its values. */
export type Ask = (sql: string, values: readonly Value[]) => Promise<QueryResult<Row>>;

/** The queries of one transaction. */
export const queriesOf = (ask: Ask): Queries => ({
  get: async <R extends Row>(sql: string, ...values: Value[]) => (await ask(sql, values)).rows[0] as R | undefined,
  all: async <R extends Row>(sql: string, ...values: Value[]) => (await ask(sql, values)).rows as R[],
  run: async (sql, ...values) => (await ask(sql, values)).rowCount ?? 0,
  insert: async (sql, ...values) => (await ask(`${sql} RETURNING id`, values)).rows[0]!['id'] as number,
  script: async (statements) => { for (const sql of statements) await ask(sql, []); },
  lock: async (name) => { await ask(`SELECT pg_advisory_xact_lock(${lockKey('?')})`, [name]); },
  numberOn: async (table) => {
    const largest = `SELECT coalesce(max(id), 0) FROM ${table}`;
    const { rows } = await ask(
      `SELECT pg_get_serial_sequence('${table}', 'id') AS sequence, (${largest}) + 1 AS next`, []);
    await ask(`ALTER SEQUENCE ${rows[0]!['sequence']} RESTART WITH ${rows[0]!['next']}`, []);
  },
});

/**
 * PostgreSQL locks numbers, the same ones in all of a database: here 64 bits of a digest of the lock's name, a text in
 * SQL, and of the schema, for there may be several stores in one database.
 */
export const lockKey = (name: string): string => `hashtextextended(current_schema()::text || ' ' || ${name}::text, 0)`;
