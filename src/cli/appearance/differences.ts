import { firstWords, plainText } from '../../text/plain.js';
import type { Paint } from '../terminal/io/style.js';
import type { LiveAppearance } from './live.js';
import { changedFields, fields, liveValue, shown, wantedValue, type Field, type Value } from './values.js';
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

/** `title: "Old" → "New"`, and long texts as a diff of their lines; safe for a terminal. */
export const differenceText = async (differences: readonly Difference[], paint: Paint): Promise<string> => {
  const texts: string[] = [];
  for (const difference of differences) {
    texts.push(isLong(difference.live) || isLong(difference.wanted) ? await longText(difference, paint)
      : `${difference.field}: ${shown(difference.live)} → ${shown(difference.wanted)}\n`);
  }
  return texts.join('');
};

/** For messages. */
export const plainDifferences = async (differences: readonly Difference[]): Promise<string> =>
  (await differenceText(differences, (_, text) => text)).trimEnd();

const isLong = (value: Value): value is string =>
  typeof value === 'string' && (value.includes('\n') || firstWords(value) !== value);

const longText = async ({ field, live, wanted }: Difference, paint: Paint): Promise<string> => {
  const lines = await changedLines(String(live ?? ''), String(wanted ?? ''));
  return `${field}:\n${lines.map((line) => `  ${paint(toneOf(line), plainText(line))}\n`).join('')}`;
};

const toneOf = (line: string) => line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : null;

const context = 2;
/** More changed lines are shown as removed and added, because comparing them takes long. */
const maxEdits = 2_000;

const changedLines = async (before: string, after: string): Promise<string[]> => {
  const { diffArrays } = await import('diff');
  const isMarked = lastLine(before) === lastLine(after) && before.endsWith('\n') !== after.endsWith('\n');
  const [old, now] = [linesOf(before, isMarked), linesOf(after, isMarked)];
  const parts = diffArrays(old, now, { maxEditLength: maxEdits })
    ?? [{ value: old, removed: true, added: false }, { value: now, removed: false, added: true }];
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added || removed) return value.map((line) => `${added ? '+' : '-'} ${line}`);
    return contextOf(value, index === 0, index === parts.length - 1);
  });
};

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n', text.length - 2) + 1).replace(/\n$/, '');

const linesOf = (text: string, isMarked: boolean): string[] => {
  if (text === '') return [];
  const body = text.endsWith('\n') ? text.slice(0, -1) : `${text}${isMarked ? ' (no line break at the end)' : ''}`;
  return body.split('\n');
};

const contextOf = (lines: readonly string[], isFirst: boolean, isLast: boolean): string[] => {
  const [start, end] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= start + end + 1) return lines.map((line) => `  ${line}`);
  const kept = (some: readonly string[]) => some.map((line) => `  ${line}`);
  return [...kept(lines.slice(0, start)), '  …', ...kept(end === 0 ? [] : lines.slice(-end))];
};
