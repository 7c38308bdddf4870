import { contract } from '../../contract/contract.js';
import { isUpload, type ParamsOf } from '../../contract/endpoint.js';
import { firstWords, plainLine } from '../../text/plain.js';
import { imageFields, sha256Of, type ImageField, type LiveAppearance } from './live.js';

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
  /** In bytes; null if the image could not be read, like `sha256`. */
  readonly size: number | null;
  readonly sha256: string | null;
}

/** Null for an image that is not set. */
export type Value = string | boolean | ImageSummary | null;

export const liveValue = ({ fields: all, images }: LiveAppearance, field: Field): Value => {
  if (!isImageField(field)) return all[field] ?? '';
  const image = images[field];
  return image && { name: image.address, size: image.bytes?.length ?? null, sha256: image.sha256 };
};

/** Null for an image to remove. */
export const wantedValue = async (value: unknown): Promise<Value> => {
  if (!isUpload(value)) return value === undefined ? null : value as string | boolean;
  return { name: value.filename, size: value.bytes.length, sha256: await sha256Of(value.bytes) };
};

/** Images are equal if their content is, or their names where it could not be read. */
export const isSame = (before: Value, now: Value): boolean => {
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null) return before === now;
  return before.sha256 === null || now.sha256 === null ? before.name === now.name : before.sha256 === now.sha256;
};

/** All fields if the appearance before is unknown. An image that was not read counts as different. */
export const changedFields = async (before: LiveAppearance | null, changes: AppearanceChanges): Promise<Field[]> => {
  const changed: Field[] = [];
  for (const field of Object.keys(changes) as Field[]) {
    if (before === null || !isSame(liveValue(before, field), await wantedValue(changes[field]))) changed.push(field);
  }
  return changed;
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
  return `${plainLine(name)} (${size === null || sha256 === null ? 'not read'
    : `${size} bytes, sha256 ${sha256.slice(0, 8)}`})`;
};

/** In quotes and one line, safe for a terminal. */
export const shortText = (text: string): string => {
  const [line, start] = [plainLine(text), firstWords(text)];
  return `"${start}${start === line ? '' : '…'}"`;
};

/** The same within a sentence; undefined for a field that a response does not have. */
export const shownInSentence = (value: Value | undefined): string => {
  if (value === undefined) return 'missing in the response';
  if (value === null) return 'not set';
  return value === '' ? 'empty' : shown(value);
};
