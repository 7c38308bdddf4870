import { isAscii, isUtf8 } from 'node:buffer';
import { randomHex } from '../../random.js';
import type { Row, Value } from '../database.js';
import { DamagedRow } from '../errors.js';

export interface Column { readonly name: string; readonly type: string | null }

const typeChecks: Readonly<Record<string, (cell: Value) => boolean>> = {
  TEXT: (cell) => typeof cell === 'string',
  INTEGER: (cell) => typeof cell === 'number',
  BLOB: (cell) => cell instanceof Uint8Array,
};

/** Null if a value does not have the type of its column, which means that the file is damaged. */
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

/** Ends each value. No stored text contains it (`isStorableText`). */
const terminator = '\0';

/** Starts each row, and stands for null: a null check for each value would take a fifth of the time of a list. */
const nullMarker = randomHex(16);

/**
 * Bytes are validated before they are decoded: libsql aborts the process when it reads text that is not UTF-8, as after
 * a flipped bit. Lists are also faster than libsql's own rows. SQLite keeps the order of the inner statement, because
 * it may matter to an aggregate (select.c, flattenSubquery, rule 16).
 */
export const packedRows = (sql: string, columns: readonly Column[]) => {
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
