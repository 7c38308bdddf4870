import { Socket } from 'node:net';
import type { ClientBase, Pool, PoolConfig } from 'pg';
import type { Database } from '../database.js';
import { StoreError } from '../errors.js';
import { migrate, plan, type Plan } from '../schema.js';
import { commitsTable, connectionsOf, deleteOldUnits } from './connections.js';
import { postgresDatabase } from './database.js';
import { openingError } from './errors.js';
import { postgresTypes, valueTypes, withByteOrder } from './queries.js';

/** `pg` leaves a socket open if it gives up a login by itself, such as one without a password. */
const newSockets = (): { readonly stream: () => Socket; readonly destroy: () => void } => {
  const open = new Set<Socket>();
  return {
    stream: () => {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => { open.delete(socket); });
      return socket;
    },
    destroy: () => { for (const socket of open) socket.destroy(); },
  };
};

const maxConnections = { reading: 4, writing: 6 };

/** Milliseconds for every wait, and for transactions of processes that hang. */
const limits: PoolConfig = {
  connectionTimeoutMillis: 5_000, lock_timeout: 10_000, idle_in_transaction_session_timeout: 10_000,
  query_timeout: 30_000, keepAlive: true,
};

/** Any number of processes may open it. @throws StoreError, never with the password */
export const openPostgres = async (url: string): Promise<Database> => {
  const { default: pg } = await import('pg');
  const place = connectionLabel(() => new pg.Client({ connectionString: withVerifiedTls(url) }));
  const { stream, destroy } = newSockets();
  const poolOf = (max: number): Pool => ignoreIdleErrors(new pg.Pool({
    application_name: 'colloquy', ...limits, connectionString: withVerifiedTls(url), stream, max, pipeline: true,
    types: valueTypes, idleTimeoutMillis: 0, allowExitOnIdle: true, onConnect: requireDurableCommits,
  }));
  const database = postgresDatabase(connectionsOf(poolOf(maxConnections.reading), poolOf(maxConnections.writing)));
  try {
    await prepare(database);
    return database;
  } catch (error) {
    await database.close();
    destroy();
    throw openingError(place, error);
  }
};

/** `pg` treats these modes as verify-full already, but prints a warning for each. */
const withVerifiedTls = (url: string): string => /[?&]uselibpqcompat=true/.test(url) ? url
  : url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full');

/**
 * Commits reach the disk even if the database has synchronous_commit off. Must be the first statement of a connection.
 */
const requireDurableCommits = (client: ClientBase): void => {
  client.query(
    `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
  ).catch(() => undefined);
};

/** A failed connection is replaced when the next one is needed. */
const ignoreIdleErrors = (pool: Pool): Pool => {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => { client.on('error', () => undefined); });
  return pool;
};

interface ConnectionTarget { readonly host: string; readonly port: number; readonly database?: string | undefined }

/** Leaves out user and password. The error of an invalid URL may contain both. */
const connectionLabel = (client: () => ConnectionTarget): string => {
  try {
    const { host, port, database } = client();
    if (database !== undefined && !/@/.test(host + database)) return `the database ${database} on ${host}:${port}`;
  } catch { /* said below */ }
  throw new StoreError('invalid PostgreSQL URL',
    'use postgres://user:password@host:port/database, with %40 for @ and %2F for / in the password');
};

interface Name { readonly name: string; readonly [column: string]: string }

const prepare = (database: Database): Promise<void> => database.writeExclusively(async (queries) => {
  const { name: encoding } = (await queries.get<Name>(`SELECT current_setting('server_encoding') AS name`))!;
  if (encoding !== 'UTF8') {
    const hint = 'create another one: createdb --encoding UTF8 --template template0';
    throw new StoreError(`its encoding is ${encoding}, not UTF8`, hint);
  }
  const present = await queries.all<Name>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()');
  await migrate(queries, present.map(({ name }) => name), postgresPlan);
  await queries.run(deleteOldUnits);
});

const { version, create, migrations: steps } = plan(postgresTypes);
const postgresPlan: Plan = {
  version,
  create: [...create, commitsTable].map(withByteOrder),
  migrations: steps.map((step) => step.map(withByteOrder)),
};
