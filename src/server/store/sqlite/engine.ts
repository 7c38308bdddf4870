import { isAscii, isUtf8 } from 'node:buffer';
import type Libsql from 'libsql';
import { randomHex } from '../../random.js';
import type { Row, Value } from '../database.js';
import { DamagedRow, StoreError } from '../errors.js';
import type { ColumnTypes } from '../schema.js';

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

interface Column { readonly name: string; readonly type: string | null }

const typeChecks: Readonly<Record<string, (cell: Value) => boolean>> = {
  TEXT: (cell) => typeof cell === 'string',
  INTEGER: (cell) => typeof cell === 'number',
  BLOB: (cell) => cell instanceof Uint8Array,
};

/** Null if a value does not have the type of its column, which means that the file is damaged. */
const rowReader = (columns: readonly Column[]): ((cells: readonly Value[]) => Row | null) => {
  const tests = columns.map(({ type }) => typeChecks[type ?? '']);
  const names = columns.map(({ name }) => name);
  return (cells) => {
    const row: Record<string, Value> = {};
    for (let i = 0; i < names.length; i++) {
      const cell = cells[i]!;
      if (cell !== null && tests[i]?.(cell) === false) return null;
      row[names[i]!] = cell;
    }
    return row;
  };
};

/** Ends each value. No stored text contains it (`isStorableText`). */
const terminator = '\0';

/** Starts each row, and stands for null: a null check for each value would take a fifth of the time of a list. */
const nullMarker = randomHex(16);

/**
 * Bytes are validated before they are decoded: libsql aborts the process when it reads text that is not UTF-8, as after
 * a flipped bit. Lists are also faster than libsql's own rows. SQLite keeps the order of the inner statement, because
 * it may matter to an aggregate (select.c, flattenSubquery, rule 16).
 */
const packedRows = (sql: string, columns: readonly Column[]) => {
  const cells = columns.map((column) => `ifnull(${cellOf(column)}, '${nullMarker}'), char(0)`);
  const row = `concat('${nullMarker}', char(0), ${cells.join(', ')})`;
  const readers = columns.map(({ type }) => columnReader(type));
  return {
    /** The first row in hexadecimal, which libsql returns faster than bytes. */
    first: `SELECT hex(${row}) FROM (${sql})`,
    all: `SELECT CAST(group_concat(${row}, '') AS BLOB) FROM (${sql})`,
    /** @throws DamagedRow if the bytes are not what was stored */
    rowsOf: (bytes: Uint8Array): Row[] => parseRows(decodedText(bytes).split(terminator), columns, readers),
  };
};

/** Expressions have no declared type: the first letter of the type is prepended. */
const cellOf = ({ name, type }: Column): string => {
  if (type === null) return `substr(typeof("${name}"), 1, 1) || "${name}"`;
  return type === 'BLOB' ? `iif("${name}" IS NULL, NULL, hex("${name}"))` : `"${name}"`;
};

/** Latin 1 decodes ASCII faster. */
const decodedText = (bytes: Uint8Array): string => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return buffer.toString('latin1');
  if (!isUtf8(buffer)) throw new DamagedRow('a text is not UTF-8');
  return buffer.toString();
};

type Reader = (text: string) => Value;

const parseRows = (parts: readonly string[], columns: readonly Column[], readers: readonly Reader[]): Row[] => {
  const rows: Row[] = [];
  for (let at = 0; at < parts.length - 1;) {
    if (parts[at++] !== nullMarker) throw new DamagedRow('a text contains a null character');
    const row: Record<string, Value> = {};
    for (let i = 0; i < columns.length; i++) {
      const part = parts[at++]!;
      row[columns[i]!.name] = part === nullMarker ? null : readers[i]!(part);
    }
    rows.push(row);
  }
  return rows;
};

const columnReader = (type: string | null): Reader => {
  if (type === null) return (text) => text.startsWith('t') ? text.slice(1) : storedNumber(text.slice(1));
  if (type === 'BLOB') return (text) => new Uint8Array(Buffer.from(text, 'hex'));
  return type === 'INTEGER' ? storedNumber : (text) => text;
};

const storedNumber = (text: string): number => {
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) throw new DamagedRow('a value is not a number');
  return value;
};
