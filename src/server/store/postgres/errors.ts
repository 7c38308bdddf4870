import { reasons, StoreError, StoreFault, StoreUnavailable, type Reason } from '../errors.js';

/** Returns the SQLSTATE; undefined for an error of the connection. */
const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : undefined;

const rejected = 'PostgreSQL rejected the statement';

/** The first that fits decides. `none` stands for an error of the connection. */
const temporary: readonly (readonly [state: RegExp, why: StoreUnavailable['why'], what: string, reason: Reason])[] = [
  [/^(08|57P|25P03|none)/, 'lost', 'lost the connection to PostgreSQL', reasons.away],
  [/^(40001|40P01)$/, 'conflict', 'conflict with another transaction', reasons.busy],
  [/^(26000|42P05)$/, 'unprepared', 'the connection pooler switched connections', reasons.busy],
  [/^53100/, 'refused', rejected, reasons.full],
  [/^58/, 'refused', rejected, reasons.disk],
  [/^25006/, 'refused', rejected, reasons.readOnly],
  [/^(53|55P03|57014)/, 'refused', rejected, reasons.busy],
];

export const statementError = (error: unknown): unknown => {
  const state = sqlState(error) ?? 'none';
  const words = error instanceof Error ? error.message : String(error);
  const [, why, what, reason] = temporary.find(([pattern]) => pattern.test(state)) ?? [];
  if (why) return new StoreUnavailable(`${what}: ${words}`, why, reason!, { cause: error });
  return !/^XX00[12]$/.test(state) ? error
    : new StoreFault(`the database is damaged: ${words}`, 'restore a backup', 500, reasons.damaged, { cause: error });
};

export const isTooManyConnections = (error: unknown): boolean => sqlState(error) === '53300';

export const connectionError = (error: unknown): StoreUnavailable => {
  const reason = isTooManyConnections(error) ? reasons.busy : reasons.away;
  return new StoreUnavailable(`cannot reach PostgreSQL: ${messageOf(error)}`, 'refused', reason, { cause: error });
};

/** Node's error for a host with several addresses has an empty message. */
const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
};

/** By SQLSTATE (`none` for an error of the connection) and message. The first that fits decides. */
const openingProblems: readonly (readonly [pattern: RegExp, what: string, hint: string])[] = [
  [/unsupported startup parameter/, 'rejected the connection settings', 'connect to PostgreSQL directly, or set in its '
    + 'pooler: ignore_startup_parameters = lock_timeout, idle_in_transaction_session_timeout'],
  [/no encryption/, 'rejected the login', 'add ?sslmode=verify-full to the URL, or check user and database'],
  [/^(28|\w+ SASL)|password/, 'rejected the login',
    'check user and password (PGPASSWORD and ~/.pgpass are also read)'],
  [/^3D000/, 'does not exist', 'create it with createdb'],
  [/^3F000/, 'has no such schema', 'create the schema, or set another one in search_path'],
  [/^42501/, 'does not allow creating tables', 'make the user its owner'],
  [/^(08|57P|53|none)/, 'cannot be reached',
    'check host and port, and that PostgreSQL runs and has free connections'],
  [/^(57014|55P03)/, 'did not answer in time', 'raise its statement_timeout, or end what locks its tables'],
  [/^/, 'cannot be opened', 'check the permissions of the user'],
];

/** The message never contains the password. */
export const openingError = (place: string, error: unknown): StoreError => {
  const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
  if (cause instanceof StoreError) {
    return new StoreError(`${place} cannot be used: ${cause.problem}`, cause.hint, { cause });
  }
  const words = messageOf(cause);
  const known = `${sqlState(cause) ?? 'none'} ${words}`;
  const [, what, hint] = openingProblems.find(([pattern]) => pattern.test(known))!;
  return new StoreError(`${place} ${what}: ${words}`, hint, { cause });
};
