import type { TSchema } from '@sinclair/typebox';

/** What a cell may depend on beside its record. */
export interface Place {
  readonly isTerminal: boolean;
  readonly now: Date;
}

/** One column of a table. The text may be a stranger's: it is made safe where it is printed. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T, place: Place) => string;
}

/** How records of one kind are shown. */
export interface View<T> {
  readonly columns: readonly Column<T>[];
  readonly id: (record: T) => string;
  /** The record's shape in the contract: it says which fields `--json` may name. */
  readonly shape: TSchema;
  /** One record on a terminal, as text that is already safe; without it the record is shown field by field. */
  readonly text?: (record: T, place: Place) => string;
  /** What a list's emptiness is called: `no threads`. */
  readonly none: string;
}

/** The fields that a record of a shape can have. */
export const fieldNames = (shape: TSchema): string[] =>
  Object.keys((shape as { properties?: object }).properties ?? {});
