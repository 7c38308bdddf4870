import type { Suggestion } from '../../../contract/shapes/note.js';
import { amendedDiff } from '../../../diff/write.js';
import { canPush, requirePermission } from '../../api/access/access.js';
import type { Call } from '../../api/context.js';
import { httpError } from '../../http/errors.js';
import { updateNote } from '../../repositories/notes.js';
import { isOnDiff, withApplied } from '../../serializers/suggestions.js';
import { storePush } from '../pushes/store-push.js';
import { commitFor } from './commit.js';
import { foundSuggestion, type Found } from './find.js';

/**
 * As one commit on the source branch (behavior: suggestions.apply, suggestions.together). Returns what they are then.
 * @throws HttpError 403 (behavior: suggestions.right), 400 (behavior: suggestions.refused)
 */
export const applyTogether = async (
  call: Call, found: readonly Found[], message: string | null | undefined,
): Promise<Suggestion[]> => {
  for (const { place } of found) requirePermission(canPush(place));
  const problem = problemOf(found);
  if (problem !== null) throw httpError(400, problem);
  const [{ mergeRequest, place }] = found as [Found, ...Found[]];
  await markApplied(call, found);
  const { event } = await storePush(call, { project: place.container, mergeRequest },
    { diff: amended(found), ...commitFor(call, found, message) });
  call.happened(event);
  const after: Suggestion[] = [];
  for (const { suggestion } of found) after.push((await foundSuggestion(call, suggestion.id))!.suggestion);
  return after;
};

const problemOf = (found: readonly Found[]): string | null => {
  for (const one of found) {
    if (one.mergeRequest.id !== found[0]!.mergeRequest.id) return 'Suggestions must all be on the same branch.';
    const reason = reasonAgainst(one);
    if (reason !== null) return reason;
  }
  return overlap(found) ? 'Suggestions are not applicable as their lines cannot overlap.' : null;
};

const reasonAgainst = ({ suggestion, mergeRequest, position }: Found): string | null => {
  const { state } = mergeRequest;
  if (suggestion.appliable) return null;
  if (suggestion.applied) return 'Can\'t apply this suggestion.';
  if (state === 'merged') return 'This merge request was merged. To apply this suggestion, edit this file directly.';
  if (state !== 'opened') return 'This merge request is closed. To apply this suggestion, edit this file directly.';
  const isSame = suggestion.from_content === suggestion.to_content && isOnDiff(mergeRequest, position);
  if (isSame) return 'This suggestion already matches its content.';
  const lines = suggestion.from_line === suggestion.to_line ? 'this line was' : 'these lines were';
  return `Can't apply as ${lines} changed in a more recent version.`;
};

const overlap = (found: readonly Found[]): boolean => found.some(({ suggestion, position }, at) =>
  found.slice(at + 1).some((other) => other.position.new_path === position.new_path
    && other.suggestion.from_line <= suggestion.to_line && suggestion.from_line <= other.suggestion.to_line));

const amended = (found: readonly Found[]): string => {
  const paths = new Set(found.map(({ position }) => position.new_path!));
  return [...paths].reduce((diff, path) => amendedDiff(diff, path, found
    .filter(({ position }) => position.new_path === path)
    .map(({ suggestion: { from_line, to_line, to_content } }) => ({ from_line, to_line, text: to_content }))),
  found[0]!.diff!);
};

/** The push that follows serializes the notes. */
const markApplied = async ({ queries }: Call, found: readonly Found[]): Promise<void> => {
  const marked = new Map<number, string>();
  for (const { note, suggestion } of found) {
    const kept = marked.get(note.id) ?? note.suggestions;
    marked.set(note.id, withApplied(kept, suggestion));
  }
  for (const [id, suggestions] of marked) await updateNote(queries, id, { suggestions });
};
