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

/** The message never contains the password. */
export const openingError = (place: string, error: unknown): StoreError => {
  const cause = error instanceof StoreUnavailable && error.cause !== undefined ? error.cause : error;
  const state = sqlState(cause);
  const words = cause instanceof StoreError ? cause.problem : messageOf(cause);
  const openError = (what: string, hint: string) => new StoreError(`${place} ${what}: ${words}`, hint, { cause });
  if (cause instanceof StoreError) return openError('cannot be used', cause.hint);
  if (/unsupported startup parameter/.test(words)) {
    return openError('rejected the connection settings', 'connect to PostgreSQL directly, or set in its pooler: '
      + 'ignore_startup_parameters = lock_timeout, idle_in_transaction_session_timeout');
  }
  if (/no encryption/.test(words)) {
    return openError('rejected the login', 'add ?sslmode=verify-full to the URL, or check user and database');
  }
  if (state?.startsWith('28') || /^SASL|password/.test(words)) {
    return openError('rejected the login', 'check user and password (PGPASSWORD and ~/.pgpass are also read)');
  }
  if (state === '3D000') return openError('does not exist', 'create it with createdb');
  if (state === '3F000') return openError('has no such schema', 'create the schema, or set another one in search_path');
  if (state === '42501') return openError('does not allow creating tables', 'make the user its owner');
  if (state === undefined || /^(08|57P|53)/.test(state)) {
    return openError('cannot be reached', 'check host and port, and that PostgreSQL runs and has free connections');
  }
  return openError('cannot be opened', 'check the permissions of the user');
};
