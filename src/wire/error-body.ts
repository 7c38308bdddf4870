import { nothingStored } from '../contract/conventions.js';
import { isHash } from './forms.js';

/** The body of a refusal: a sentence, or texts by field for a value the model rejects (wire-facts 1.6). */
export type RefusalBody =
  | { readonly message: string | Readonly<Record<string, readonly string[]>> }
  | { readonly error: string; readonly error_description?: string; readonly scope?: string };

/** The server's own words in an error body, flattened to one line; null where it has none. */
export const wordsOf = (body: unknown): string | null => {
  if (!isHash(body)) return typeof body === 'string' && body.trim() !== '' ? body.trim() : null;
  const { message, error, error_description: description } = body;
  if (typeof description === 'string') return description;
  if (typeof message === 'string') return message;
  if (isHash(message)) return fieldWords(message);
  return typeof error === 'string' ? error : null;
};

/** Whether an answer means that the path itself is unknown, not the thing it names (wire-facts 1.5). */
export const isUnknownRoute = (status: number, body: unknown): boolean =>
  status === 404 && !(isHash(body) && 'message' in body);

/** Whether an error says that the request changed nothing. */
export const leftNothing = (body: unknown): boolean => wordsOf(body)?.includes(nothingStored) === true;

/** Texts by field; a lone `error` holds a sentence of its own (wire-facts 4.12.1). */
const fieldWords = (fields: Record<string, unknown>): string =>
  typeof fields['error'] === 'string' ? fields['error'] : Object.entries(fields).map(([field, texts]) =>
    `${field} ${(Array.isArray(texts) ? texts : [texts]).map(textIn).join(', ')}`).join('; ');

/** What a stranger nests too deep to be written again is not repeated. */
const textIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return '…';
  }
};
