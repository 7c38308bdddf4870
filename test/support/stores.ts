import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject, onTestFinished } from 'vitest';

/** Whether the tests run on PostgreSQL. */
export const onPostgres = inject('postgres') !== undefined;

type End = () => Promise<void> | void;

const ends: End[] = [];
afterAll(async () => { for (const end of ends.splice(0).reverse()) await end(); });

/** Closes an object after the test that created it, or after the file if it was created before the first test. */
export const endWithTest = (end: End): void => {
  try {
    onTestFinished(end);
  } catch {
    ends.push(end);
  }
};

/** The location of a new store: a file, or a schema in the run's PostgreSQL. */
export const newStore = async (): Promise<string> => {
  if (onPostgres) return urlOf(await newSchema());
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
  endWithTest(() => { rmSync(folder, { recursive: true, force: true }); });
  return join(folder, 'store.db');
};

/** The same in PostgreSQL, by its network address and with a password. */
export const newStoreByAddress = async (): Promise<string> => `${inject('postgres')!.url}?${searching(await newSchema())}`;

const idle: string[] = [];

/** The location of an empty store for one test, which other tests reuse. */
export const lentStore = async (): Promise<{ readonly place: string; readonly close: (end: End) => void }> => {
  const schema = idle.pop() ?? await newSchema();
  const close = (end: End) => endWithTest(async () => {
    await end();
    await emptied(schema);
    idle.push(schema);
  });
  return { place: urlOf(schema), close };
};

let connected: Promise<pg.Client> | undefined;

const connection = (): Promise<pg.Client> => connected ??= (async () => {
  const client = new pg.Client({ connectionString: inject('postgres')!.socket });
  await client.connect();
  ends.unshift(() => client.end());
  return client;
})();

const newSchema = async (): Promise<string> => {
  const name = `s${randomUUID().replaceAll('-', '')}`;
  await (await connection()).query(`CREATE SCHEMA ${name}`);
  return name;
};

const searching = (schema: string): string => `options=${encodeURIComponent(`-c search_path=${schema}`)}`;
const urlOf = (schema: string): string => `${inject('postgres')!.socket}&${searching(schema)}`;

const emptied = async (schema: string): Promise<void> => {
  const client = await connection();
  const { rows } = await client.query<{ name: string }>('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', [schema]);
  const deletions = rows.map(({ name }) => `DELETE FROM ${schema}.${name}${name === 'meta' ? ` WHERE name <> 'schemaVersion'` : ''}`);
  await client.query(deletions.join(';'));
};
