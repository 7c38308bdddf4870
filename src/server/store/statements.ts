import type { Connection, Statement } from './connection.js';

/** More than all the statements the service has; what is asked for less often than these is prepared anew. */
export const keptStatements = 256;

/**
 * Prepares each statement once and keeps the ones last used: libsql never gives back the memory of a statement while
 * its connection is open, so preparing per call grows without end.
 */
export const statementsOf = (connection: Connection, kept = keptStatements): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined && statements.size < kept) return known;
    const statement = known ?? connection.prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > kept) statements.delete(statements.keys().next().value!);
    return statement;
  };
};
