import type { contract } from '../../contract/contract.js';
import type { ParamsOf } from '../../contract/endpoint.js';
import { firstWords } from '../../text/plain.js';

/** New values by field; an image is an upload. */
export type AppearanceChanges = ParamsOf<typeof contract.appearance.set>;
export type Field = keyof AppearanceChanges;

/** Whether two values of a field are equal, apart from the form of line ends and white space at the end of lines. */
export const isSameValue = (a: unknown, b: unknown): boolean => normalized(a) === normalized(b);

const normalized = (value: unknown): unknown => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.replace(/\r\n?/g, '\n').replace(/[^\S\n]+$/gm, '').trimEnd() : value;
};

/** A value for messages: quoted and shortened text. */
export const shownValue = (value: unknown): string => {
  if (value === undefined) return 'missing in the response';
  if (value === null || value === '') return 'empty';
  return typeof value === 'string' ? JSON.stringify(firstWords(value)) : String(value);
};
