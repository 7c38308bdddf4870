import type { Row, Value } from './database.js';
import type { Changed, Connection, Engine, Statement } from './connection.js';

interface NodeStatement {
  get(...values: readonly Value[]): Row | undefined;
  all(...values: readonly Value[]): Row[];
  run(...values: readonly Value[]): Changed;
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => {
    exec(sql: string): void;
    prepare(sql: string): NodeStatement;
    close(): void;
  };
}

/** SQLite as Node has it built in; undefined where the running Node has none. */
export const nodeSqlite = (): Engine | undefined => loaded ??= load();

let loaded: Engine | undefined;

const load = (): Engine | undefined => {
  const builtin = quietly(() => process.getBuiltinModule('node:sqlite')) as NodeSqlite | undefined;
  if (builtin === undefined) return undefined;
  return (file): Connection => {
    const database = new builtin.DatabaseSync(file);
    return {
      exec: (sql) => { database.exec(sql); },
      prepare: (sql) => statementOf(database.prepare(sql)),
      close: () => { database.close(); },
    };
  };
};

/** Node 22 warns on stderr that its SQLite is experimental; nobody who runs a command can do anything about it. */
const quietly = <T>(load: () => T): T => {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
};

const statementOf = (statement: NodeStatement): Statement => ({
  get: (values) => statement.get(...values),
  all: (values) => statement.all(...values),
  run: (values) => statement.run(...values),
});
