import type { Row, Value } from './database.js';

/** A column of a result; the type is the one that the table declares, null for an expression. */
export interface Column { readonly name: string; readonly type: string | null }

const fitting: Readonly<Record<string, (cell: Value) => boolean>> = {
  TEXT: (cell) => typeof cell === 'string',
  INTEGER: (cell) => typeof cell === 'number',
  BLOB: (cell) => cell instanceof Uint8Array,
};

/** Makes rows of arrays of values; null where a value is not what its column can hold, so that the file is damaged. */
export const rowReader = (columns: readonly Column[]): ((cells: readonly Value[]) => Row | null) => {
  const tests = columns.map(({ type }) => fitting[type ?? '']);
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
