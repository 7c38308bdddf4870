import type Libsql from 'libsql';
import type { Row, Value } from './database.js';
import type { Changed, Connection, Engine, Statement } from './connection.js';

/** SQLite as the package `libsql` brings it, prebuilt; rejects where the package is not installed. */
export const libsql = (): Promise<Engine> => loaded ??= load();

/** Once: importing what is there already takes longer than opening a store in memory. */
let loaded: Promise<Engine> | undefined;

const load = async (): Promise<Engine> => {
  const { default: Database } = await import('libsql');
  return (file): Connection => {
    const database = new Database(file);
    return {
      exec: (sql) => { database.exec(sql); },
      prepare: (sql) => statementOf(database.prepare<Value[][]>(sql)),
      close: () => { database.close(); },
    };
  };
};

/** A row as libsql gives it: bytes as one of two types, and its own measurement added to a single row. */
type RawRow = Record<string, Value | ArrayBuffer | object>;

const statementOf = (statement: Libsql.Statement<Value[][]>): Statement => {
  let bytes: readonly string[] | undefined;
  const rowOf = (row: RawRow): Row => {
    bytes ??= statement.columns().filter(({ type }) => type === 'BLOB').map(({ name }) => name);
    return bytes.length === 0 ? row as Row : withBytes(row, bytes);
  };
  return {
    get: (values) => {
      const found = statement.get([...values]) as RawRow | undefined;
      if (found === undefined) return undefined;
      const { _metadata, ...row } = found;
      return rowOf(row);
    },
    all: (values) => (statement.all([...values]) as RawRow[]).map(rowOf),
    run: (values) => statement.run([...values]) as Changed,
  };
};

const withBytes = (row: RawRow, names: readonly string[]): Row => {
  for (const name of names) if (row[name] !== null) row[name] = new Uint8Array(row[name] as ArrayBuffer);
  return row as Row;
};
