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
export const statementsOf = (kept = keptStatements): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const writes = /^\s*(INSERT|UPDATE|DELETE)\b/i.test(sql);
    const repeats = writes || /^\s*(SELECT|WITH)\b/i.test(sql);
    const name = repeats && statements.size < kept ? `colloquy_${statements.size + 1}` : undefined;
    const statement = { name, text: numbered(sql), writes };
    if (name !== undefined) statements.set(sql, statement);
    return statement;
  };
};

/** `?` becomes `$1`, `$2`, …, but not inside a text or a quoted name. */
export const numbered = (sql: string): string => {
  let count = 0;
  return sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => part === '?' ? `$${++count}` : part);
};
