import type { Contract } from '../../contract/operations.js';
import type { Suggestion } from '../../contract/shapes/note.js';
import type { Position } from '../../contract/shapes/position.js';
import { amendedDiff } from '../../diff/write.js';
import { plainLine } from '../../text/plain.js';
import { canPush, type ContainerAccess, requirePermission, accessTo } from '../api/access.js';
import type { Call, HandlersOf } from '../api/context.js';
import { httpError, json, jsonArray } from '../http/response.js';
import { noteableById, type NoteableRow } from '../repositories/noteables.js';
import { storedDiff } from '../repositories/diffs.js';
import { noteById, type ShownNoteRow, updateNote } from '../repositories/notes.js';
import { projectBy, type ProjectRow } from '../repositories/world.js';
import { isSuggestion } from '../serializers/note.js';
import {
  type JudgedSuggestion, judgedSuggestions, parseSuggestionId, withApplied,
} from '../serializers/suggestions.js';
import { type Pushed, storePush } from './pushes/push.js';

interface FoundSuggestion extends JudgedSuggestion {
  readonly note: ShownNoteRow;
  readonly position: Position;
  readonly mergeRequest: NoteableRow;
  readonly diff: string | null;
  readonly access: ContainerAccess<ProjectRow>;
}

/** Undefined if there is none that the caller can see (behavior: suggestions.hidden). */
const findSuggestion = async (call: Call, id: number | string | null): Promise<FoundSuggestion | undefined> => {
  if (typeof id !== 'number' || id < 0) return undefined;
  const { note: noteId, index } = parseSuggestionId(id);
  const note = await noteById(call.queries, noteId);
  const mergeRequest = note && await noteableById(call.queries, note.noteable);
  if (!note || mergeRequest?.kind !== 'merge_request' || note.position === null) return undefined;
  if (!isSuggestion({ noteable: mergeRequest, edition: call.edition }, note)) return undefined;
  const access = await accessTo(call, await projectBy(call.queries, mergeRequest.project_id!));
  if (!access) return undefined;
  const diff = await storedDiff(call.queries, mergeRequest.id);
  const position = JSON.parse(note.position) as Position;
  const judged = judgedSuggestions({ noteable: mergeRequest, diff, edition: call.edition }, note, position)[index];
  return judged && { ...judged, note, position, mergeRequest, diff, access };
};

/** Returns them by id; undefined if one is missing, or named twice (behavior: suggestions.repeated). */
const findSuggestions = async (call: Call, ids: readonly number[]): Promise<readonly FoundSuggestion[] | undefined> => {
  const all: FoundSuggestion[] = [];
  for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
    const found = await findSuggestion(call, id);
    if (!found) return undefined;
    all.push(found);
  }
  return all.length === ids.length && all.length > 0 ? all : undefined;
};

/** behavior: suggestions.apply, suggestions.together, suggestions.right, suggestions.refused @throws HttpError */
const applyTogether = async (
  call: Call, found: readonly FoundSuggestion[], message: string | null | undefined,
): Promise<void> => {
  for (const { access } of found) requirePermission(canPush(access));
  const problem = batchProblem(found);
  if (problem !== null) throw httpError(400, problem);
  const [{ mergeRequest, access }] = found as [FoundSuggestion, ...FoundSuggestion[]];
  await markApplied(call, found);
  const { event } = await storePush(call, { project: access.container, mergeRequest },
    { diff: diffWith(found), ...commitFor(call, found, message) });
  call.addEvent(event);
};

/** The commit that applies suggestions (behavior: suggestions.commit). @param message of the caller, or blank */
const commitFor = (
  { caller }: Call, found: readonly FoundSuggestion[], message: string | null | undefined,
): Pick<Pushed, 'title' | 'description' | 'author'> => {
  const authors = new Map(found.map(({ note }) => [note.author_id, note]));
  const author = authors.size === 1 ? found[0]!.note.author_id : caller.id;
  const trailers = [...authors.values()].filter(({ author_id }) => author_id !== caller.id).map(
    ({ author_id, author_name, author_username }) =>
      // Brackets would end the name of an author.
      `Co-authored-by: ${plainLine(author_name).replace(/[<>]/g, '').trim()} `
        + `<${author_id}-${author_username}@users.noreply.localhost>`);
  const files = new Set(found.map(({ position }) => position.new_path)).size;
  const text = message?.trim() ? message
    : [`Apply ${found.length} suggestion(s) to ${files} file(s)`, '', ...trailers].join('\n').trim();
  const [title = '', ...rest] = text.split(/\r?\n/);
  return { author, title, description: rest.join('\n').trim() };
};

const batchProblem = (found: readonly FoundSuggestion[]): string | null => {
  for (const one of found) {
    if (one.mergeRequest.id !== found[0]!.mergeRequest.id) return 'Suggestions must all be on the same branch.';
    if (one.refusal !== null) return one.refusal;
  }
  return overlap(found) ? 'Suggestions are not applicable as their lines cannot overlap.' : null;
};

const overlap = (found: readonly FoundSuggestion[]): boolean => found.some(({ suggestion, position }, at) =>
  found.slice(at + 1).some((other) => other.position.new_path === position.new_path
    && other.suggestion.from_line <= suggestion.to_line && suggestion.from_line <= other.suggestion.to_line));

const diffWith = (found: readonly FoundSuggestion[]): string => {
  const paths = new Set(found.map(({ position }) => position.new_path!));
  return [...paths].reduce((diff, path) => amendedDiff(diff, path, found
    .filter(({ position }) => position.new_path === path)
    .map(({ suggestion: { from_line, to_line, to_content } }) => ({ from_line, to_line, text: to_content }))),
  found[0]!.diff!);
};

/** The push that follows serializes the notes. */
const markApplied = async ({ queries }: Call, found: readonly FoundSuggestion[]): Promise<void> => {
  const marked = new Map<number, string>();
  for (const { note, suggestion } of found) {
    marked.set(note.id, withApplied(marked.get(note.id) ?? note.suggestions, suggestion));
  }
  for (const [id, suggestions] of marked) await updateNote(queries, id, { suggestions });
};

/** behavior: suggestions.response, suggestions.unknown */
export const suggestionHandlers: HandlersOf<Contract['suggestions']> = {
  apply: async ({ id, commit_message }, call) => {
    const found = await findSuggestion(call, id);
    if (!found) throw httpError(404, 'Suggestion is not applicable as the suggestion was not found.');
    await applyTogether(call, [found], commit_message);
    return json<Suggestion>(found.suggestion);
  },
  applyAll: async ({ ids, commit_message }, call) => {
    const found = await findSuggestions(call, ids ?? []);
    if (!found) throw httpError(404, 'Suggestions are not applicable as one or more suggestions were not found.');
    await applyTogether(call, found, commit_message);
    return jsonArray(found.map(({ suggestion }) => json<Suggestion>(suggestion)));
  },
};
