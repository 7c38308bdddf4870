import type { Row, Value } from '../database.js';
import type { Changed, Connection, Engine, Statement } from './connection.js';
import { packedRows, rowReader, type Column } from './packed-rows.js';

interface NodeStatement {
  get(...values: readonly Value[]): Value[] | undefined;
  all(...values: readonly Value[]): Value[][];
  run(...values: readonly Value[]): Changed;
  columns(): readonly Column[];
  setReturnArrays(on: boolean): void;
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => NodeDatabase;
  readonly StatementSync: { readonly prototype: Partial<NodeStatement> };
}

/** Undefined if node:sqlite is missing or cannot return rows as arrays. */
export const nodeSqlite = (): Engine | undefined => loaded ??= load();

let loaded: Engine | undefined;

const load = (): Engine | undefined => {
  const builtin = process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  if (builtin?.StatementSync.prototype.setReturnArrays === undefined) return undefined;
  return (file): Connection => {
    const database = new builtin.DatabaseSync(file);
    return {
      exec: (sql) => { database.exec(sql); },
      prepare: (sql) => statementOf(database, sql),
      close: () => { database.close(); },
    };
  };
};

/** Node.js decodes invalid UTF-8 to it; stored text may also contain it. */
const replacementCharacter = '\ufffd';

const hasReplacement = (cell: Value): boolean => typeof cell === 'string' && cell.includes(replacementCharacter);

/** Rows with a replacement character are read again as bytes. */
const statementOf = (database: NodeDatabase, sql: string): Statement => {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const columns = statement.columns();
  const read = rowReader(columns);
  const rowOf = (cells: Value[]): Row | null => cells.some(hasReplacement) ? null : read(cells);
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
      return cells && (rowOf(cells) ?? asBytes(values)[0]);
    },
    all: (values) => {
      const rows = statement.all(...values).map(rowOf);
      return rows.includes(null) ? asBytes(values) : rows as Row[];
    },
  };
};
