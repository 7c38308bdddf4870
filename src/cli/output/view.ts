import type { TSchema } from '@sinclair/typebox';
import type { App, Output } from '../app.js';
import { showsLinks } from '../terminal/links.js';
import type { Tone } from '../terminal/tones.js';

/** Where the web pages of what is shown are, without trailing slash. */
export interface WebPages {
  /** The project's or group's page, below which uploads are. */
  readonly container: string;
  /** The page of the noteable itself. */
  readonly noteable: string;
}

/** What a cell may depend on beside its record. */
export interface Place {
  readonly isTerminal: boolean;
  readonly now: Date;
  readonly columns: number;
  readonly colors: Output['colors'];
  /** Whether a link can stand behind words. */
  readonly links: boolean;
  /** Null where it is not known. */
  readonly web: WebPages | null;
}

/** The place that a result is printed at. */
export const placeFor = ({ out, env, now }: App, web: WebPages | null = null): Place => {
  const { isTerminal, columns, colors } = out;
  return { isTerminal, now: now(), columns, colors, links: showsLinks(env, out), web };
};

/** One column of a table. The text may be a stranger's: it is made safe where it is printed. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T, place: Place) => string;
  /** How the cell stands out on a terminal; the text alone has to say it all. */
  readonly tone?: (record: T) => Tone | null;
  /** The web page behind the cell. */
  readonly link?: (record: T, place: Place) => string | null;
  /** To how many columns the cell may be cut on a narrow terminal; whole without it. */
  readonly least?: number;
  /** On a terminal that has no room for all, columns with a number are left out, the lowest first. */
  readonly spare?: number;
  /** What is left of a cell that is cut: its start, unless this says so. */
  readonly keeps?: 'end';
}

/** How records of one kind are shown. */
export interface View<T> {
  readonly columns: readonly Column<T>[];
  readonly id: (record: T) => string;
  /** The record's shape in the contract: it says which fields `--json` may name. */
  readonly shape: TSchema;
  /** One record on a terminal, as text that is already safe; without it the record is shown field by field. */
  readonly text?: (record: T, place: Place) => Promise<string>;
  /** What a list's emptiness is called: `no threads`. */
  readonly none: string;
}

/** The fields that a record of a shape can have. */
export const fieldNames = (shape: TSchema): string[] =>
  Object.keys((shape as { properties?: object }).properties ?? {});
