import type Libsql from 'libsql';
import type { Row, Value } from '../database.js';
import { StoreError } from '../errors.js';
import type { ColumnTypes } from '../schema.js';
import { packedRows, rowReader, type Column } from './packed-rows.js';

interface Changed { readonly changes: number; readonly lastInsertRowid: number }

export interface Statement {
  get(values: readonly Value[]): Row | undefined;
  all(values: readonly Value[]): Row[];
  run(values: readonly Value[]): Changed;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export type Engine = (file: string) => Connection;

/** AUTOINCREMENT never reuses the ids of deleted rows. */
export const sqliteTypes: ColumnTypes = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT', integer: 'INTEGER', bytes: 'BLOB',
};

/** A library for SQLite: the one of Node.js, or the optional dependency. */
export type EngineName = 'node:sqlite' | 'libsql';

/** The first available one without a name. @throws StoreError if none is available */
export const loadEngine = async (name?: EngineName): Promise<Engine> => {
  const builtin = name === 'libsql' ? undefined : nodeSqliteEngine ??= loadNodeSqlite();
  if (builtin !== undefined) return builtin;
  const found = name === 'node:sqlite' ? undefined : await (libsqlEngine ??= loadLibsql()).catch(() => undefined);
  if (found !== undefined) return found;
  throw new StoreError(
    `no SQLite engine: Node.js ${process.version} has no usable node:sqlite, and libsql is not installed`,
    'use Node.js 22.16 or newer, or install the package libsql',
  );
};

const engineOf = <D extends Pick<Connection, 'close'> & { exec(sql: string): unknown }>(
  open: (file: string) => D, statementOf: (database: D, sql: string) => Statement,
): Engine => (file) => {
  const database = open(file);
  return {
    exec: (sql) => { database.exec(sql); },
    prepare: (sql) => statementOf(database, sql),
    close: () => { database.close(); },
  };
};

/** Cached: even a repeated import takes longer than opening an in-memory store. */
let libsqlEngine: Promise<Engine> | undefined;

const loadLibsql = async (): Promise<Engine> => {
  const { default: Database } = await import('libsql');
  return engineOf((file) => new Database(file), libsqlStatement);
};

/** Reads run as another statement that returns the same rows as bytes, prepared on first use. */
const libsqlStatement = (database: Libsql.Database, sql: string): Statement => {
  const statement = database.prepare<Value[][]>(sql);
  const run = (values: readonly Value[]) => statement.run([...values]) as Changed;
  if (!/^\s*(SELECT|WITH)\b/i.test(sql)) return { run, ...plainReads(statement) };
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
const plainReads = (statement: Libsql.Statement<Value[][]>): Pick<Statement, 'get' | 'all'> => ({
  get: (values) => {
    const found = statement.get([...values]) as Row & { readonly _metadata?: unknown } | undefined;
    if (found === undefined) return undefined;
    const { _metadata, ...row } = found;
    return row;
  },
  all: (values) => statement.all([...values]) as Row[],
});

interface NodeStatement {
  get(...values: readonly Value[]): Value[] | undefined;
  all(...values: readonly Value[]): Value[][];
  run(...values: readonly Value[]): Changed;
  columns(): readonly Column[];
  setReturnArrays(on: boolean): void;
}

interface NodeDatabase extends Pick<Connection, 'exec' | 'close'> { prepare(sql: string): NodeStatement }

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
  readonly StatementSync: { readonly prototype: Partial<NodeStatement> };
}

let nodeSqliteEngine: Engine | undefined;

const loadNodeSqlite = (): Engine | undefined => {
  const builtin = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  if (builtin?.StatementSync.prototype.setReturnArrays === undefined) return undefined;
  return engineOf((file) => new builtin.DatabaseSync(file), nodeSqliteStatement);
};

/** Node.js decodes invalid UTF-8 to this character; stored text may also contain it. */
const hasReplacement = (cell: Value): boolean => typeof cell === 'string' && cell.includes('\ufffd');

/** Rows with a replacement character are read again as bytes. */
const nodeSqliteStatement = (database: NodeDatabase, sql: string): Statement => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns();
  const read = rowReader(columns);
  const readRow = (cells: Value[]): Row | null => cells.some(hasReplacement) ? null : read(cells);
  const asBytes = (values: readonly Value[]): Row[] => {
    const packed = packedRows(sql, columns);
    const reading = database.prepare(packed.all);
    reading.setReturnArrays(true);
    return packed.rowsOf(reading.get(...values)![0] as Uint8Array);
  };
  return {
    run: (values) => statement.run(...values),
    get: (values) => {
      const cells = statement.get(...values);
      return cells && (readRow(cells) ?? asBytes(values)[0]);
    },
    all: (values) => {
      const rows = statement.all(...values).map(readRow);
      return rows.includes(null) ? asBytes(values) : rows as Row[];
    },
  };
};
