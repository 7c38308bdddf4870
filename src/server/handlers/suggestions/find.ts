import type { Suggestion } from '../../../contract/shapes/note.js';
import type { Position } from '../../../contract/shapes/position.js';
import { visible, type Place } from '../../api/access/access.js';
import type { Call } from '../../api/context.js';
import { diffOf, noteableById, type NoteableRow } from '../../repositories/noteables.js';
import { noteById, type ShownNoteRow } from '../../repositories/notes.js';
import { projectBy, type ProjectRow } from '../../repositories/world.js';
import { isSuggestion } from '../../serializers/note.js';
import { suggestionPlace, suggestionsOf } from '../../serializers/suggestions.js';

/** A suggestion with what applying it depends on. */
export interface Found {
  readonly suggestion: Suggestion;
  readonly note: ShownNoteRow;
  readonly position: Position;
  readonly mergeRequest: NoteableRow;
  readonly diff: string | null;
  readonly place: Place<ProjectRow>;
}

/** Undefined if there is none that the caller can see (behavior: suggestions.hidden). */
export const foundSuggestion = async (call: Call, id: number | null): Promise<Found | undefined> => {
  if (id === null || id < 0) return undefined;
  const { note: noteId, place: at } = suggestionPlace(id);
  const note = await noteById(call.queries, noteId);
  const mergeRequest = note && await noteableById(call.queries, note.noteable);
  if (!note || mergeRequest?.kind !== 'merge_request' || note.position === null) return undefined;
  if (!isSuggestion({ noteable: mergeRequest, edition: call.edition }, note)) return undefined;
  const place = await visible(call, await projectBy(call.queries, mergeRequest.project_id!));
  if (!place) return undefined;
  const diff = await diffOf(call.queries, mergeRequest.id);
  const position = JSON.parse(note.position) as Position;
  const suggestion = suggestionsOf({ noteable: mergeRequest, diff }, note, position)[at];
  return suggestion && { suggestion, note, position, mergeRequest, diff, place };
};

/** In the order of their ids, each once; undefined if one is missing. */
export const foundSuggestions = async (call: Call, ids: readonly number[]): Promise<readonly Found[] | undefined> => {
  const all: Found[] = [];
  for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
    const found = await foundSuggestion(call, id);
    if (!found) return undefined;
    all.push(found);
  }
  return all.length === ids.length && all.length > 0 ? all : undefined;
};
