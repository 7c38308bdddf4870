import { type Appearance, type ImageField, imageFields } from '../../contract/appearance.js';
import { contract } from '../../contract/contract.js';
import { type ParamsOf } from '../../contract/endpoint.js';
import { isUpload } from '../../wire/http.js';
import { firstWords, plainLine, plainText } from '../../text/plain.js';
import { Problem } from '../command-line/failure.js';
import type { PlanLine } from '../terminal/io/messages.js';
import type { Paint } from '../terminal/io/style.js';
import { type LiveAppearance, sha256Of } from './live.js';

export type AppearanceChanges = ParamsOf<typeof contract.appearance.set>;
export type Field = keyof AppearanceChanges;

export const fields = Object.keys(contract.appearance.set.params) as readonly Field[];

export const isField = (name: string): name is Field => (fields as readonly string[]).includes(name);

/** Older services do not have the newer fields (behavior: appearance.web-app, appearance.member-guidelines). */
export const isMissing = (name: Field, live: Partial<Appearance>): boolean =>
  'since' in contract.appearance.set.params[name] && live[name] === undefined;

export const isImageField = (name: string): name is ImageField => (imageFields as readonly string[]).includes(name);

export interface ImageSummary {
  readonly name: string;
  readonly size: number | null;
  readonly sha256: string | null;
}

export type Value = string | boolean | ImageSummary | null;

export const liveValue = ({ fields: all, images }: LiveAppearance, field: Field): Value => {
  if (!isImageField(field)) return all[field] ?? '';
  const image = images[field] ?? null;
  return image && { name: image.address, size: image.bytes?.length ?? null, sha256: image.sha256 };
};

const wantedValue = async (value: unknown): Promise<Value> => {
  if (!isUpload(value)) return value === undefined ? null : value as string | boolean;
  return { name: value.filename, size: value.bytes.length, sha256: await sha256Of(value.bytes) };
};

/** Images are equal if their content is, or their names where it could not be read. */
export const isSame = (one: Value, other: Value | undefined): boolean => {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  return one.sha256 === null || other.sha256 === null ? one.name === other.name : one.sha256 === other.sha256;
};

/** As `isSame`, but services change white space in texts. */
export const isEquivalent = (one: Value, other: Value | undefined): boolean =>
  isSame(one, other) || (typeof one === 'string' && isSameText(one, other));

export interface FieldValue {
  readonly field: Field;
  readonly value: Value;
}

export const differing = (
  expected: readonly FieldValue[], valueNow: (field: Field) => Value | undefined, isEqual = isSame,
) => expected.map(({ field, value }) => ({ field, value, now: valueNow(field) }))
  .filter(({ value, now }) => !isEqual(value, now));

/** @param since as in "has changed since …" @throws Problem that names the fields with another value than expected */
export const checkUnmoved = (
  expected: readonly FieldValue[], live: LiveAppearance, since: string, hint = '',
): void => {
  const moved = differing(expected, (field) => liveValue(live, field));
  if (moved.length === 0) return;
  throw new Problem('failure', `the appearance has changed since ${since}; nothing was sent`,
    moved.map(({ field, value, now }) => `  ${field}: was ${shown(value)}, is now ${shown(now ?? null)}`).join('\n')
      + hint);
};

/** All fields if the appearance before is unknown. An image that was not read counts as different. */
export const changedFields = async (before: LiveAppearance | null, changes: AppearanceChanges): Promise<Field[]> => {
  const names = Object.keys(changes) as Field[];
  if (before === null) return names;
  const wanted = await Promise.all(names.map(async (field) => ({ field, value: await wantedValue(changes[field]) })));
  return differing(wanted, (field) => liveValue(before, field)).map(({ field }) => field);
};

export const onlyChanged = (changes: AppearanceChanges, changed: readonly string[]): AppearanceChanges =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => changed.includes(field)));

/** Ignores the form of line ends and white space at the end of lines. */
export const isSameText = (a: unknown, b: unknown): boolean => normalized(a) === normalized(b);

const normalized = (value: unknown): unknown => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return value;
  return value.replace(/\r\n?/g, '\n').replace(/(?<![^\S\n])[^\S\n]+$/gm, '').trimEnd();
};

/** The text is safe for a terminal, and on one line. */
export const shown = (value: Value): string => {
  if (value === null || value === '') return '(empty)';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return shortText(value);
  // A broken service can have anything instead of a text.
  if (!Object.hasOwn(Object(value), 'sha256')) return plainLine(value);
  const { name, size, sha256 } = value;
  const digest = sha256 === null ? 'not read' : `sha256 ${sha256.slice(0, 8)}`;
  return `${plainLine(name)} (${size === null ? '' : `${size} bytes, `}${digest})`;
};

const shortText = (text: string): string => {
  const [line, start] = [plainLine(text), firstWords(text)];
  return `"${start}${start === line ? '' : '…'}"`;
};

/** The same within a sentence; undefined for a field that a response does not have. */
export const shownInSentence = (value: Value | undefined): string => {
  if (value === undefined) return 'missing in the response';
  if (value === null) return 'not set';
  return value === '' ? 'empty' : shown(value);
};

export interface Difference {
  readonly field: Field;
  readonly live: Value;
  readonly wanted: Value;
}

export const differencesOf = async (
  live: LiveAppearance, values: AppearanceChanges, removals: readonly { readonly field: Field }[] = [],
): Promise<Difference[]> => {
  const changed: readonly Field[] = [...await changedFields(live, values), ...removals.map(({ field }) => field)];
  return Promise.all(fields.filter((field) => changed.includes(field)).map(async (field) =>
    ({ field, live: liveValue(live, field), wanted: await wantedValue(values[field]) })));
};

export const differencesFrom = async (
  live: LiveAppearance | null, values: AppearanceChanges,
): Promise<KnownDifference[]> => live ? differencesOf(live, values)
  : Promise.all(fields.filter((field) => field in values).map(async (field) =>
    ({ field, wanted: await wantedValue(values[field]) })));

export interface DifferenceLine {
  readonly tone: 'added' | 'removed' | null;
  readonly text: string;
}

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

/** The same as a plan: `~ title: "Old" → "New"`, and long texts below the name of their field. */
export const differenceLines = async (differences: readonly KnownDifference[]): Promise<PlanLine[]> => {
  const known = await shownDifferences(differences);
  return known.flatMap((one, at): PlanLine[] => {
    const [sign, tone] = kindOf(differences[at]!);
    if (!('lines' in one)) return [{ text: `${sign} ${textOf(one, (_, text) => text).trimEnd()}`, tone }];
    const changed = one.lines.map((line) => ({ ...line, text: `    ${line.text}` }));
    return [{ text: `${sign} ${one.field}:`, tone: null }, ...changed];
  });
};

const kindOf = ({ live, wanted }: KnownDifference) =>
  isEmpty(wanted) ? ['-', 'removed'] as const : isEmpty(live) ? ['+', 'added'] as const : ['~', 'changed'] as const;

const isEmpty = (value: Value | undefined): boolean => value === null || value === '';

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
  const [old, now] = [comparedLines(before, isMarked), comparedLines(after, isMarked)];
  const parts = diffArrays(old, now, { maxEditLength: maxEdits })
    ?? [{ value: old, removed: true, added: false }, { value: now, removed: false, added: true }];
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added) return value.map((line) => differenceLine('added', `+ ${line}`));
    if (removed) return value.map((line) => differenceLine('removed', `- ${line}`));
    return contextLines(value, index === 0, index === parts.length - 1);
  });
};

const differenceLine = (tone: DifferenceLine['tone'], text: string): DifferenceLine =>
  ({ tone, text: plainText(text) });

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n', text.length - 2) + 1).replace(/\n$/, '');

const comparedLines = (text: string, isMarked: boolean): string[] => {
  if (text === '') return [];
  const body = text.endsWith('\n') ? text.slice(0, -1) : `${text}${isMarked ? ' (no line break at the end)' : ''}`;
  return body.split('\n');
};

const contextLines = (lines: readonly string[], isFirst: boolean, isLast: boolean): DifferenceLine[] => {
  const [start, end] = [isFirst ? 0 : context, isLast ? 0 : context];
  const isWhole = lines.length <= start + end + 1;
  const kept = isWhole ? lines : [...lines.slice(0, start), '…', ...(end === 0 ? [] : lines.slice(-end))];
  return kept.map((line) => differenceLine(null, `  ${line}`));
};
