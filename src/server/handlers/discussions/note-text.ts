import { bodyLimit } from '../../../contract/conventions.js';
import type { NoteableKind } from '../../../contract/noteables.js';
import type { AcceptedActions, Call } from '../../api/context.js';
import { invalidNote } from '../../http/errors.js';
import { json } from '../../http/json.js';
import { changesOf, extractQuickActions, summaryOf } from './quick-actions.js';

interface NoteText { readonly body: string; readonly changes: Readonly<Record<string, unknown>> }

/**
 * Without quick actions if they are on (behavior: notes.quick-actions). @param before the prefix of the message
 * (behavior: errors.model, notes.edit-blank)
 * @throws HttpError 400 for a blank body and for one over the limit
 */
export const noteText = (
  { quickActions }: Call, kind: NoteableKind, given: string | null, before?: string,
): NoteText | AcceptedActions => {
  const whole = storedBody(kind, checkBody(given, before));
  if (!quickActions) return { body: whole, changes: {} };
  const { body, actions } = extractQuickActions(kind, whole);
  const changes = changesOf(actions);
  if (body.trim() !== '') return { body, changes };
  return { accepted: json({ commands_changes: changes, summary: summaryOf(kind, actions) }) };
};

/**
 * Except on snippets, carriage returns and trailing white space are removed, a side effect of quick actions (behavior:
 * notes.trimmed), also where they are text.
 */
const storedBody = (kind: NoteableKind, body: string): string =>
  kind === 'snippet' ? body : body.replaceAll('\r', '').trimEnd();

/** behavior: notes.blank, limits.body */
const checkBody = (body: string | null, before?: string): string => {
  if (body === null || body.trim() === '') throw invalidNote({ note: ["can't be blank"] }, before);
  if (isWithinLimit(body, bodyLimit)) return body;
  throw invalidNote({ note: [`is too long (maximum is ${bodyLimit} characters)`] }, before);
};

/** Counts code points only if the length in UTF-16 units does not decide. */
const isWithinLimit = (text: string, most: number): boolean => {
  if (text.length <= most || text.length > 2 * most) return text.length <= most;
  let count = 0;
  for (const _ of text) count++;
  return count <= most;
};
