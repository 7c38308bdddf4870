import { bodyLimit } from '../../contract/conventions.js';
import type { NoteableKind } from '../../contract/noteables.js';
import { invalidNote } from '../refusal.js';

/**
 * A body as the service keeps it. Everywhere but on snippets, carriage returns go and white space at the end is cut,
 * a trace of the search for quick actions (wire-facts 4.5.11b); quick actions themselves are text like any other here.
 */
export const keptBody = (kind: NoteableKind, body: string): string =>
  kind === 'snippet' ? body : body.replaceAll('\r', '').trimEnd();

/**
 * @param before what stands before the hash in the text: creating and editing differ (wire-facts 4.5.3, 4.6.4)
 * @throws Refusal 400 for a blank body and for one over the limit
 */
export const checkBody = (body: string | null, before?: string): string => {
  if (body === null || body.trim() === '') throw invalidNote({ note: ["can't be blank"] }, before);
  if (hasAtMost(body, bodyLimit)) return body;
  throw invalidNote({ note: [`is too long (maximum is ${bodyLimit} characters)`] }, before);
};

/** Characters are counted one by one only where the length of the text leaves it open: a pair of code units is one. */
const hasAtMost = (text: string, most: number): boolean => {
  if (text.length <= most || text.length > 2 * most) return text.length <= most;
  let count = 0;
  for (const _ of text) count++;
  return count <= most;
};
