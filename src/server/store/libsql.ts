import type Libsql from 'libsql';
import type { Row, Value } from './database.js';
import type { Changed, Connection, Engine, Statement } from './connection.js';

/** SQLite as the package `libsql` brings it, prebuilt; rejects where the package is not installed. */
export const libsql = async (): Promise<Engine> => {
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
  const bytes = statement.columns().filter(({ type }) => type === 'BLOB').map(({ name }) => name);
  const rowOf = bytes.length === 0 ? (row: RawRow) => row as Row : (row: RawRow) => withBytes(row, bytes);
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
