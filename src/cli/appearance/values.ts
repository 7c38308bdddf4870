import { imageFields, type ImageField } from '../../contract/appearance.js';
import { contract } from '../../contract/contract.js';
import { isUpload, type ParamsOf } from '../../contract/endpoint.js';
import { firstWords, plainLine } from '../../text/plain.js';
import { sha256Of, type LiveAppearance } from './live.js';

/** New values by field; an image is an upload. */
export type AppearanceChanges = ParamsOf<typeof contract.appearance.set>;
export type Field = keyof AppearanceChanges;

/** In the order of the contract. */
export const fields = Object.keys(contract.appearance.set.params) as readonly Field[];

export const isField = (name: string): name is Field => (fields as readonly string[]).includes(name);
export const isImageField = (name: string): name is ImageField => (imageFields as readonly string[]).includes(name);

export interface ImageSummary {
  /** Name of the file, or address on the service. */
  readonly name: string;
  /** In bytes; null if unknown. */
  readonly size: number | null;
  /** Null if the image could not be read. */
  readonly sha256: string | null;
}

/** Null for an image that is not set. */
export type Value = string | boolean | ImageSummary | null;

export const liveValue = ({ fields: all, images }: LiveAppearance, field: Field): Value => {
  if (!isImageField(field)) return all[field] ?? '';
  const image = images[field] ?? null;
  return image && { name: image.address, size: image.bytes?.length ?? null, sha256: image.sha256 };
};

/** Null for an image to remove. */
export const wantedValue = async (value: unknown): Promise<Value> => {
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

/** A field with another value than the expected one; undefined if a response does not have the field. */
interface Differing extends FieldValue {
  readonly now: Value | undefined;
}

export const differing = (
  expected: readonly FieldValue[], valueNow: (field: Field) => Value | undefined, isEqual = isSame,
): Differing[] => expected.map(({ field, value }) => ({ field, value, now: valueNow(field) }))
  .filter(({ value, now }) => !isEqual(value, now));

/** All fields if the appearance before is unknown. An image that was not read counts as different. */
export const changedFields = async (before: LiveAppearance | null, changes: AppearanceChanges): Promise<Field[]> => {
  const names = Object.keys(changes) as Field[];
  if (before === null) return names;
  const wanted = await Promise.all(names.map(async (field) => ({ field, value: await wantedValue(changes[field]) })));
  return differing(wanted, (field) => liveValue(before, field)).map(({ field }) => field);
};

/** Ignores the form of line ends and white space at the end of lines. */
export const isSameText = (a: unknown, b: unknown): boolean => normalized(a) === normalized(b);

const normalized = (value: unknown): unknown => {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return value;
  return value.replace(/\r\n?/g, '\n').replace(/(?<![^\S\n])[^\S\n]+$/gm, '').trimEnd();
};

/** In one line, safe for a terminal. */
export const shown = (value: Value): string => {
  if (value === null || value === '') return '(empty)';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return shortText(value);
  // A broken service can have anything in place of a text.
  if (!Object.hasOwn(Object(value), 'sha256')) return plainLine(value);
  const { name, size, sha256 } = value;
  const digest = sha256 === null ? 'not read' : `sha256 ${sha256.slice(0, 8)}`;
  return `${plainLine(name)} (${size === null ? '' : `${size} bytes, `}${digest})`;
};

/** In quotes and one line, safe for a terminal. */
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
