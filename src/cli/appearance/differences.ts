import { firstWords, plainText } from '../../text/plain.js';
import type { Paint } from '../terminal/io/style.js';
import type { LiveAppearance } from './live.js';
import {
  changedFields, fields, liveValue, shown, wantedValue, type AppearanceChanges, type Field, type Value,
} from './values.js';
import type { WantedAppearance } from './wanted.js';

export interface Difference {
  readonly field: Field;
  readonly live: Value;
  readonly wanted: Value;
}

/** In the order of the contract. */
export const differencesOf = async (
  live: LiveAppearance, { values, removals }: Pick<WantedAppearance, 'values' | 'removals'>,
): Promise<Difference[]> => {
  const changed: readonly Field[] = [...await changedFields(live, values), ...removals.map(({ field }) => field)];
  return Promise.all(fields.filter((field) => changed.includes(field)).map(async (field) =>
    ({ field, live: liveValue(live, field), wanted: await wantedValue(values[field]) })));
};

/** @param live null if it is unknown */
export const differencesFrom = async (
  live: LiveAppearance | null, values: AppearanceChanges,
): Promise<KnownDifference[]> => live ? differencesOf(live, { values, removals: [] })
  : Promise.all(fields.filter((field) => field in values).map(async (field) =>
    ({ field, wanted: await wantedValue(values[field]) })));

/** A line of a text with its marker, which also says what the tone says. */
export interface DifferenceLine {
  readonly tone: 'added' | 'removed' | null;
  readonly text: string;
}

/** The live value is missing if it is unknown. */
type KnownDifference = Pick<Difference, 'field' | 'wanted'> & Partial<Pick<Difference, 'live'>>;

/** Short values in one line each, long texts as the lines that change; safe for a terminal. */
export type ShownDifference =
  | { readonly field: Field; readonly live: string; readonly wanted: string }
  | { readonly field: Field; readonly lines: readonly DifferenceLine[] };

export const shownDifferences = (differences: readonly KnownDifference[]): Promise<ShownDifference[]> =>
  Promise.all(differences.map(async ({ field, live, wanted }) => isLong(live) || isLong(wanted)
    ? { field, lines: await changedLines(String(live ?? ''), String(wanted ?? '')) }
    : { field, live: live === undefined ? '(unknown)' : shown(live), wanted: shown(wanted) }));

/** `title: "Old" → "New"`, and long texts as a diff of their lines; safe for a terminal. */
export const differenceText = async (differences: readonly KnownDifference[], paint: Paint): Promise<string> =>
  (await shownDifferences(differences)).map((one) => textOf(one, paint)).join('');

/** For messages. */
export const plainDifferences = async (differences: readonly KnownDifference[]): Promise<string> =>
  (await differenceText(differences, (_, text) => text)).trimEnd();

const textOf = (one: ShownDifference, paint: Paint): string => 'lines' in one
  ? `${one.field}:\n${one.lines.map(({ tone, text }) => `  ${paint(tone, text)}\n`).join('')}`
  : `${one.field}: ${one.live} → ${one.wanted}\n`;

const isLong = (value: Value | undefined): value is string =>
  typeof value === 'string' && (value.includes('\n') || firstWords(value) !== value);

const context = 2;
/** More changed lines are shown as removed and added, because comparing them takes long. */
const maxEdits = 2_000;

const changedLines = async (before: string, after: string): Promise<DifferenceLine[]> => {
  const { diffArrays } = await import('diff');
  const isMarked = lastLine(before) === lastLine(after) && before.endsWith('\n') !== after.endsWith('\n');
  const [old, now] = [linesOf(before, isMarked), linesOf(after, isMarked)];
  const parts = diffArrays(old, now, { maxEditLength: maxEdits })
    ?? [{ value: old, removed: true, added: false }, { value: now, removed: false, added: true }];
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added) return value.map((line) => lineOf('added', `+ ${line}`));
    if (removed) return value.map((line) => lineOf('removed', `- ${line}`));
    return contextOf(value, index === 0, index === parts.length - 1);
  });
};

const lineOf = (tone: DifferenceLine['tone'], text: string): DifferenceLine => ({ tone, text: plainText(text) });

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n', text.length - 2) + 1).replace(/\n$/, '');

const linesOf = (text: string, isMarked: boolean): string[] => {
  if (text === '') return [];
  const body = text.endsWith('\n') ? text.slice(0, -1) : `${text}${isMarked ? ' (no line break at the end)' : ''}`;
  return body.split('\n');
};

const contextOf = (lines: readonly string[], isFirst: boolean, isLast: boolean): DifferenceLine[] => {
  const [start, end] = [isFirst ? 0 : context, isLast ? 0 : context];
  const isWhole = lines.length <= start + end + 1;
  const kept = isWhole ? lines : [...lines.slice(0, start), '…', ...(end === 0 ? [] : lines.slice(-end))];
  return kept.map((line) => lineOf(null, `  ${line}`));
};
