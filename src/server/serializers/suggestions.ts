import type { Suggestion } from '../../contract/shapes/note.js';
import type { Position } from '../../contract/shapes/position.js';
import { linesOf } from '../../diff/lines.js';
import { parsePatch } from '../../diff/patch.js';
import { suggestionBlocks } from '../../text/suggestion-blocks.js';
import type { NoteableRow } from '../repositories/noteables.js';

/** Of a merge request, with its diff if that is known. */
interface SuggestionView {
  readonly noteable: Pick<NoteableRow, 'state' | 'base_sha' | 'start_sha' | 'head_sha'>;
  readonly diff: string | null;
}

export const mayHaveSuggestion = (body: string): boolean => suggestionBlocks(body).length > 0;

/** At most so many of a note, so that ids are unique (behavior: notes.suggestion-ids). */
const mostPerNote = 1_000;

/**
 * One for each suggestion in the text, if the note is on a line that exists after the change (behavior:
 * notes.suggestions, notes.suggestion-appliable).
 */
export const suggestionsOf = (view: SuggestionView, note: number, body: string, position: Position): Suggestion[] => {
  if (position.position_type !== 'text' || position.new_line === null || position.new_line === undefined) return [];
  const blocks = suggestionBlocks(body).slice(0, mostPerNote);
  const isOnDiff = hasRefs(view.noteable, position);
  const lines = newLines(isOnDiff && blocks.length > 0 ? view.diff : null, position);
  return blocks.map((block, place) => {
    const from_line = Math.max(1, position.new_line! - block.above);
    const to_line = position.new_line! + block.below;
    const from = linesBetween(lines, from_line, to_line);
    const appliable = view.noteable.state === 'opened' && from !== null && from !== block.text;
    const id = note * mostPerNote + place;
    return { id, from_line, to_line, appliable, applied: false, from_content: from ?? '', to_content: block.text };
  });
};

/** Unknown SHAs fit. */
const hasRefs = (noteable: SuggestionView['noteable'], position: Position): boolean =>
  (['base_sha', 'start_sha', 'head_sha'] as const).every((name) =>
    noteable[name] === null || noteable[name] === position[name]);

type Lines = ReadonlyMap<number, string>;

/** The lines of the file after the change that its diff shows, by number. */
const newLines = (diff: string | null, { new_path }: Position): Lines => {
  const file = diff === null ? undefined : parsePatch(diff).find((change) => change.new_path === new_path);
  return new Map(linesOf(file?.diff ?? '').filter(({ kind }) => kind !== 'removed')
    .map(({ newLine, text }) => [newLine, text]));
};

/** Null if the diff does not show all of them. */
const linesBetween = (lines: Lines, first: number, last: number): string | null => {
  const texts = Array.from({ length: last - first + 1 }, (_, i) => lines.get(first + i));
  return texts.every((text) => text !== undefined) ? texts.map((text) => `${text}\n`).join('') : null;
};
