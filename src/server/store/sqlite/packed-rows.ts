import { isAscii, isUtf8 } from 'node:buffer';
import { randomHex } from '../../random.js';
import type { Row, Value } from '../database.js';
import { DamagedRow } from '../errors.js';

/** A column of a result; the type is the one that the table declares, null for an expression. */
export interface Column { readonly name: string; readonly type: string | null }

const typeChecks: Readonly<Record<string, (cell: Value) => boolean>> = {
  TEXT: (cell) => typeof cell === 'string',
  INTEGER: (cell) => typeof cell === 'number',
  BLOB: (cell) => cell instanceof Uint8Array,
};

/** Makes rows of arrays of values; null where a value is not what its column can hold, so that the file is damaged. */
export const rowReader = (columns: readonly Column[]): ((cells: readonly Value[]) => Row | null) => {
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

/** A statement whose rows come as bytes. */
export interface PackedRows {
  /** Gives the first row, its bytes in hexadecimal: a short text costs libsql less than bytes. */
  readonly first: string;
  /** Gives the bytes of all rows as one value, null where there are none. */
  readonly all: string;
  /** @throws DamagedRow where the bytes cannot be what was stored */
  readonly rowsOf: (bytes: Uint8Array) => Row[];
}

/** Behind each value. No text that is stored has it (`isStorableText`). */
const terminator = '\0';

/** Before each row, and in place of null: to ask for each value whether it is null costs a fifth of a list. */
const nullMarker = randomHex(16);

/**
 * The same rows as bytes, which can be looked at before they become text: libsql ends the process where it reads a text
 * that is not UTF-8, as after one flipped bit. A list costs less than as libsql's own rows. SQLite keeps the order of
 * the inner statement, because it may matter to an aggregate (select.c, flattenSubquery, rule 16).
 */
export const packedRows = (sql: string, columns: readonly Column[]): PackedRows => {
  const cells = columns.map((column) => `ifnull(${cellOf(column)}, '${nullMarker}'), char(0)`);
  const row = `concat('${nullMarker}', char(0), ${cells.join(', ')})`;
  const readers = columns.map(({ type }) => readerOf(type));
  return {
    first: `SELECT hex(${row}) FROM (${sql})`,
    all: `SELECT CAST(group_concat(${row}, '') AS BLOB) FROM (${sql})`,
    rowsOf: (bytes) => parseRows(textOf(bytes).split(terminator), columns, readers),
  };
};

/** An expression can be of any type: the first letter of its type stands before it. */
const cellOf = ({ name, type }: Column): string => {
  if (type === null) return `substr(typeof("${name}"), 1, 1) || "${name}"`;
  return type === 'BLOB' ? `iif("${name}" IS NULL, NULL, hex("${name}"))` : `"${name}"`;
};

/** Bytes that are all ASCII become text faster as Latin 1. */
const textOf = (bytes: Uint8Array): string => {
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

const readerOf = (type: string | null): Reader => {
  if (type === null) return (text) => text.startsWith('t') ? text.slice(1) : numberOf(text.slice(1));
  if (type === 'BLOB') return (text) => new Uint8Array(Buffer.from(text, 'hex'));
  return type === 'INTEGER' ? numberOf : (text) => text;
};

const numberOf = (text: string): number => {
  const value = Number(text);
  if (text === '' || Number.isNaN(value)) throw new DamagedRow('a value is not a number');
  return value;
};
