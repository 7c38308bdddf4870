import { holdsIn } from '../../../contract/behavior/fact.js';
import { noteFacts } from '../../../contract/behavior/notes.js';
import { bodyLimit } from '../../../contract/conventions.js';
import type { NoteableKind } from '../../../contract/noteables.js';
import { countCharacters } from '../../../wire/note-text.js';
import type { Target } from '../../api/access.js';
import type { AcceptedActions, Call } from '../../api/context.js';
import { badRequest, invalidNote } from '../../http/errors.js';
import { json } from '../../http/response.js';
import { actionResult, extractQuickActions } from './quick-actions.js';
import { addSystemNote } from './stored-note.js';

interface TextOptions { readonly before?: string | undefined; readonly isComment?: boolean }

interface NoteText { readonly body: string; readonly changes: Readonly<Record<string, unknown>> }

/**
 * Without quick actions if they are on (behavior: notes.quick-actions, notes.quick-actions-not-run). @param options
 * the prefix of the message (behavior: errors.model, notes.edit-blank, notes.edit-blank-newer), and whether quick
 * actions alone are accepted in all versions (behavior: notes.quick-actions-comment)
 * @throws HttpError 400 for a blank text, one over the limit, and quick actions alone that all fail (behavior:
 * notes.spend-invalid)
 */
export const noteText = async (
  call: Call, target: Target, given: string | null, { before, isComment = false }: TextOptions = {},
): Promise<NoteText | AcceptedActions> => {
  const { kind } = target;
  const whole = storedBody(kind, checkBody(given, before));
  if (!call.quickActions) return { body: whole, changes: {} };
  const { body, actions } = extractQuickActions(kind, whole);
  const isAlone = body.trim() === '';
  if (isAlone && !isComment && holdsIn(noteFacts['notes.quick-actions-blank'], call.edition)) throw blank(before);
  const results = actions.flatMap((action) => actionResult(call, kind, action) ?? []);
  if (isAlone && results.length === 0) throw badRequest('Failed to apply commands.');
  for (const { systemNote } of results) {
    if (systemNote !== undefined) await addSystemNote(call, target.noteable, systemNote);
  }
  const changes = Object.assign({}, ...results.map((result) => result.changes)) as NoteText['changes'];
  if (!isAlone) return { body, changes };
  return { accepted: json({ commands_changes: changes, summary: results.map(({ summary }) => summary) }) };
};

/**
 * Except on snippets, carriage returns and trailing white space are removed, a side effect of quick actions (behavior:
 * notes.trimmed), even where they are text.
 */
const storedBody = (kind: NoteableKind, body: string): string =>
  kind === 'snippet' ? body : body.replaceAll('\r', '').trimEnd();

const blankProblem = "can't be blank";

const blank = (before?: string) => invalidNote({ note: [blankProblem] }, before);

const checkBody = (body: string | null, before?: string): string => {
  const problem = textProblem(body);
  if (problem !== null) throw invalidNote({ note: [problem] }, before);
  return body!;
};

/** Null if the text can be stored (behavior: notes.blank, limits.body). */
export const textProblem = (body: string | null): string | null => {
  if (body === null || body.trim() === '') return blankProblem;
  return countCharacters(body) <= bodyLimit ? null : `is too long (maximum is ${bodyLimit} characters)`;
};
