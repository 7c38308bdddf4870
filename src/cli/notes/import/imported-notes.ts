import { isSurplus, type MarkedNote } from '../../../client/exactly-once/marked-notes.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { readMarker } from '../../../wire/marker.js';
import type { Target } from '../../service/targets/target.js';
import { earlierNotes, removeEarlier } from '../write/earlier-notes.js';

/** The imported notes of a noteable by their source; copies of a note in one list, the one to keep first. */
export type ImportedNotes = ReadonlyMap<string, readonly MarkedNote[]>;

/** Finds what imports created on a noteable: the notes of the token's user whose marker has a source. */
export const importedNotes = async (target: Target): Promise<ImportedNotes> => {
  const found = new Map<string, MarkedNote[]>();
  for (const one of (await earlierNotes(target, 'notes')).notes) {
    const { source } = one.marker;
    if (source !== undefined) found.set(source, [...found.get(source) ?? [], one]);
  }
  for (const copies of found.values()) copies.sort(bestFirst);
  return found;
};

/** Where an imported note comes from; null for any other note. */
export const sourceOf = ({ system, body }: Note): string | null =>
  system ? null : readMarker(body).marker?.['source'] ?? null;

/** Whether all notes of a thread were imported: nobody answered. */
export const isOnlyImported = ({ notes }: Discussion): boolean => !notes.some(isByPerson);

const isByPerson = (note: Note): boolean => !note.system && sourceOf(note) === null;

const isChanged = ({ isAsWritten }: MarkedNote): boolean => isAsWritten === false;

/** The copy in the longest thread, because other copies of a thread have no replies; then the older one. */
const bestFirst = (one: MarkedNote, other: MarkedNote): number =>
  Number(isChanged(one)) - Number(isChanged(other)) || other.discussion.notes.length - one.discussion.notes.length
  || one.discussion.notes[0]!.id - other.discussion.notes[0]!.id || one.note.id - other.note.id;

/**
 * Deletes the copies that a stopped import and its successor created of the same notes, unless somebody answered in
 * their thread or changed their text. Returns what is left.
 * @param changed receives the ids of copies with another text
 */
export const withoutCopies = async (
  target: Target, notes: ImportedNotes, changed: Set<number>,
): Promise<ImportedNotes> => {
  const copies = [...notes.values()].flatMap(([kept, ...others]) => others.map((copy) => ({ copy, kept: kept! })));
  for (const { copy } of copies) if (isChanged(copy)) changed.add(copy.note.id);
  const surplus = copies.filter(({ copy, kept }) =>
    isOnlyImported(copy.discussion) && isSurplus(copy, kept.note, isByPerson)).map(({ copy }) => copy);
  for (const copy of surplus) await removeEarlier(target, copy);
  return surplus.length === 0 ? notes : importedNotes(target);
};
