import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { suggestionFacts } from '../../contract/behavior/merge-requests.js';
import { suggestionReach } from '../../contract/conventions.js';
import type { Suggestion } from '../../contract/shapes/note.js';
import type { Position } from '../../contract/shapes/position.js';
import { changeOn } from '../../diff/patch.js';
import { diffLines } from '../../diff/lines.js';
import { suggestionBlocks } from '../../markdown/suggestions.js';
import type { NoteableRow } from '../repositories/noteables.js';
import type { NoteRow } from '../repositories/notes.js';
import { filesOfDiff } from '../repositories/diffs.js';

type Refs = Pick<NoteableRow, 'base_sha' | 'start_sha' | 'head_sha'>;

interface SuggestionView {
  readonly noteable: Pick<NoteableRow, 'state'> & Refs;
  readonly diff: string | null;
  readonly edition: Edition;
}

export const mayHaveSuggestion = (body: string): boolean => suggestionBlocks(body).length > 0;

/** Limits the suggestions of a note, so that ids are unique (behavior: notes.suggestion-ids). */
const mostPerNote = 1_000;

/** What a note keeps of each suggestion in its text, in their order (behavior: suggestions.content). */
export interface KeptSuggestion {
  /** The lines that it replaces, as they were when the note was written. Null if nobody knows them. */
  readonly from: string | null;
  readonly applied: boolean;
}

export interface JudgedSuggestion {
  readonly suggestion: Suggestion;
  readonly refusal: string | null;
}

/** behavior: notes.suggestions, notes.suggestion-appliable */
export const judgedSuggestions = (
  view: SuggestionView, note: Pick<NoteRow, 'body' | 'suggestions'> & { readonly id: number | null },
  position: Position,
): JudgedSuggestion[] => {
  const kept = note.suggestions === null ? [] : JSON.parse(note.suggestions) as KeptSuggestion[];
  return suggestedChanges(view, note.body, position).map((change, index) => {
    const { text, from_line, to_line, shown } = change;
    const { from, applied } = kept[index] ?? { from: shown, applied: false };
    const refusal = refusalOf(view, position, { ...change, from, applied });
    return {
      suggestion: {
        id: (note.id ?? 0) * mostPerNote + index, from_line, to_line, appliable: refusal === null, applied,
        from_content: from ?? shown ?? '', to_content: text,
      },
      refusal,
    };
  });
};

/** behavior: suggestions.refused, suggestions.too-long, suggestions.notebooks, suggestions.branches-stay */
const refusalOf = (
  { noteable: { state }, edition }: SuggestionView, { new_path }: Position,
  { text, from_line, to_line, isLong, shown, from, applied }: SuggestedChange & KeptSuggestion,
): string | null => {
  const elsewhere = 'To apply this suggestion, edit this file directly.';
  if (applied) return 'Can\'t apply this suggestion.';
  if (state === 'merged') return `This merge request was merged. ${elsewhere}`;
  if (state !== 'opened') return `This merge request is closed. ${elsewhere}`;
  if (isLong && holdsIn(suggestionFacts['suggestions.too-long'], edition)) {
    return `Cannot apply as this suggestion spans more than ${suggestionReach} lines.`;
  }
  if (shown === null || shown !== (from ?? shown)) {
    const lines = from_line === to_line ? 'this line was' : 'these lines were';
    return `Can't apply as ${lines} changed in a more recent version.`;
  }
  if (shown === text) return 'This suggestion already matches its content.';
  return new_path?.endsWith('.ipynb')
    ? 'This file was modified for readability, and can\'t accept suggestions. Edit it directly.' : null;
};

export const keptSuggestions = (view: SuggestionView, body: string, position: Position): string | null => {
  const kept = suggestedChanges(view, body, position)
    .map(({ shown }): KeptSuggestion => ({ from: shown, applied: false }));
  return kept.length === 0 ? null : JSON.stringify(kept);
};

export const withApplied = (kept: string | null, { id, from_content }: Suggestion): string => {
  const all = kept === null ? [] : JSON.parse(kept) as KeptSuggestion[];
  const { index } = parseSuggestionId(id);
  while (all.length <= index) all.push({ from: null, applied: false });
  all[index] = { from: from_content, applied: true };
  return JSON.stringify(all);
};

/** behavior: notes.suggestion-ids */
export const parseSuggestionId = (id: number): { readonly note: number; readonly index: number } =>
  ({ note: Math.floor(id / mostPerNote), index: id % mostPerNote });

interface SuggestedChange extends Pick<Suggestion, 'from_line' | 'to_line'> {
  readonly text: string;
  readonly isLong: boolean;
  readonly shown: string | null;
}

/** behavior: notes.suggestion-range */
const suggestedChanges = (view: SuggestionView, body: string, position: Position): SuggestedChange[] => {
  if (position.position_type !== 'text' || position.new_line === null || position.new_line === undefined) return [];
  const target = position.new_line;
  const blocks = suggestionBlocks(body).slice(0, mostPerNote);
  const lines = newLines(blocks.length > 0 && hasRefs(view.noteable, position) ? view.diff : null, position);
  return blocks.map(({ above, below, text }) => {
    const from_line = Math.max(1, target - Math.min(above, suggestionReach));
    const to_line = target + Math.min(below, suggestionReach);
    const isLong = Math.max(above, below) > suggestionReach;
    return { text, from_line, to_line, isLong, shown: linesBetween(lines, from_line, to_line) };
  });
};

/** Unknown SHAs count as equal (behavior: positions.other-shas). */
export const hasRefs = (noteable: Refs, position: { readonly [K in keyof Refs]?: unknown }): boolean =>
  (['base_sha', 'start_sha', 'head_sha'] as const).every((name) =>
    noteable[name] === null || noteable[name] === position[name]);

type Lines = ReadonlyMap<number, string>;

const newLines = (diff: string | null, { new_path }: Position): Lines => {
  const file = diff === null ? undefined : changeOn(filesOfDiff(diff), 'new', new_path);
  return new Map(diffLines(file?.diff ?? '').filter(({ kind }) => kind !== 'removed')
    .map(({ newLine, text }) => [newLine, text]));
};

const linesBetween = (lines: Lines, first: number, last: number): string | null => {
  const texts = Array.from({ length: last - first + 1 }, (_, i) => lines.get(first + i));
  return texts.every((text) => text !== undefined) ? texts.map((text) => `${text}\n`).join('') : null;
};
