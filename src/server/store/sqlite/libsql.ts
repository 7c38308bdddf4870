import type Libsql from 'libsql';
import type { Row, Value } from '../database.js';
import type { Changed, Connection, Engine, Statement } from './connection.js';
import { packedRows } from './packed-rows.js';

/** Rejects if the package `libsql` is not installed. */
export const libsql = (): Promise<Engine> => loaded ??= load();

/** Cached: even a repeated import takes longer than opening an in-memory store. */
let loaded: Promise<Engine> | undefined;

const load = async (): Promise<Engine> => {
  const { default: Database } = await import('libsql');
  return (file): Connection => {
    const database = new Database(file);
    return {
      exec: (sql) => { database.exec(sql); },
      prepare: (sql) => statementOf(database, sql),
      close: () => { database.close(); },
    };
  };
};

/** Reads run as another statement that returns the same rows as bytes, prepared on first use. */
const statementOf = (database: Libsql.Database, sql: string): Statement => {
  const statement = database.prepare<Value[][]>(sql);
  const run = (values: readonly Value[]) => statement.run([...values]) as Changed;
  if (!/^\s*(SELECT|WITH)\b/i.test(sql)) return { run, ...plain(statement) };
  const packed = packedRows(sql, statement.columns());
  let first: Libsql.Statement<Value[][]> | undefined;
  let all: Libsql.Statement<Value[][]> | undefined;
  let last: { readonly hex: string; readonly row: Row | undefined } | undefined;
  return {
    run,
    get: (values) => {
      first ??= database.prepare<Value[][]>(packed.first).raw();
      const found = first.get([...values]) as [hex: string] | undefined;
      if (found === undefined) return undefined;
      const [hex] = found;
      // Many requests begin with the same row.
      if (hex !== last?.hex) last = { hex, row: packed.rowsOf(Buffer.from(hex, 'hex'))[0] };
      return last.row;
    },
    all: (values) => {
      all ??= database.prepare<Value[][]>(packed.all).raw();
      const [bytes] = all.get([...values]) as [ArrayBuffer | null];
      return bytes === null ? [] : packed.rowsOf(new Uint8Array(bytes));
    },
  };
};

/** Pragmas and the like; libsql adds its own measurement to a single row. */
const plain = (statement: Libsql.Statement<Value[][]>): Pick<Statement, 'get' | 'all'> => ({
  get: (values) => {
    const found = statement.get([...values]) as Row & { readonly _metadata?: unknown } | undefined;
    if (found === undefined) return undefined;
    const { _metadata, ...row } = found;
    return row;
  },
  all: (values) => statement.all([...values]) as Row[],
});
