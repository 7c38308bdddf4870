import type { Database } from '../database.js';
import { migrate, plan } from '../schema/migrations.js';
import { sqliteDatabase, sqliteTypes, statementsOf } from './database.js';
import type { Connection, Engine } from './engine.js';

/** A connection to a store in memory of its own, with the present tables and nothing in them. */
interface Empty {
  readonly connection: Connection;
  /** The names of its tables, SQLite's own counters among them. */
  readonly tables: readonly string[];
  /** SQLite's number of this schema: another one as soon as anything is changed in it. */
  readonly schema: number;
}

/** What closed stores left, one for each engine. */
const spares = new WeakMap<Engine, Empty>();

/**
 * A new store in memory. Where one was closed before, its tables and prepared statements are taken over, emptied:
 * making them is more than half of what a service costs that answers one request and is gone, as in tests.
 */
export const openInMemory = async (connect: Engine): Promise<Database> => {
  const empty = spares.get(connect) ?? made(connect);
  spares.delete(connect);
  const database = sqliteDatabase({ ...empty.connection, close: () => { leave(connect, empty); } });
  await database.write((queries) => migrate(queries, [], versionAlone));
  return database;
};

/** The tables are there; what is not is the row that says of which version they are. */
const versionAlone = { ...plan(sqliteTypes), create: [] };

const made = (connect: Engine): Empty => {
  const opened = connect(':memory:');
  const connection = { ...opened, prepare: statementsOf(opened) };
  connection.exec(plan(sqliteTypes).create.join(';\n'));
  const rows = connection.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all([]);
  return { connection, tables: rows.map(({ name }) => name as string), schema: told(connection, 'schema_version') };
};

/** Larger ones are not kept: memory that was taken once stays with the connection. */
const mostPages = 256;

const leave = (connect: Engine, empty: Empty): void => {
  const { connection, tables, schema } = empty;
  const isAsMade = told(connection, 'schema_version') === schema && told(connection, 'page_count') <= mostPages;
  if (spares.has(connect) || !isAsMade) return connection.close();
  connection.exec(tables.map((table) => `DELETE FROM ${table}`).join(';\n'));
  spares.set(connect, empty);
};

const told = (connection: Connection, pragma: string): number =>
  Number(connection.prepare(`PRAGMA ${pragma}`).get([])![pragma]);
