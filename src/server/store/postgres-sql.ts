import { hash } from 'node:crypto';

/** A statement as PostgreSQL takes it. */
export interface Statement {
  /** Under this name a connection keeps it prepared; undefined where it is prepared for each use. */
  readonly name: string | undefined;
  readonly text: string;
  /** Whether it changes rows. */
  readonly writes: boolean;
}

/** So many statements get names: more than the service has, and few enough to be kept on every connection. */
const keptStatements = 500;

/** The statements of one store, each translated once. */
export interface Statements {
  readonly of: (sql: string) => Statement;
  /** No statement has a name any more: connections do not keep what was prepared on them. */
  readonly withoutNames: () => void;
}

/**
 * A name says what the statement is: where a pooler hands connections from process to process, none ever runs what
 * another one prepared under a name of its own.
 */
export const statementsOf = (kept = keptStatements): Statements => {
  const statements = new Map<string, Statement>();
  let isNaming = true;
  const made = (sql: string): Statement => {
    const writes = /^\s*(INSERT|UPDATE|DELETE)\b/i.test(sql);
    const repeats = writes || /^\s*(SELECT|WITH)\b/i.test(sql);
    const name = repeats && isNaming && statements.size < kept ? `colloquy_${hash('sha1', sql)}` : undefined;
    return { name, text: numbered(sql), writes };
  };
  return {
    of: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = made(sql);
      if (statement.name !== undefined) statements.set(sql, statement);
      return statement;
    },
    withoutNames: () => {
      isNaming = false;
      statements.clear();
    },
  };
};

/** `?` becomes `$1`, `$2`, …, but not inside a text or a quoted name. */
export const numbered = (sql: string): string => {
  let count = 0;
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => part === '?' ? `$${++count}` : part);
};
