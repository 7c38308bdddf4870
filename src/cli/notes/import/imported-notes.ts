import { isSurplus } from '../../../client/exactly-once/copies.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { isAsWritten, readMarker } from '../../../wire/marker.js';
import { ignoreGone } from '../../service/connection/repeat.js';
import type { Target } from '../../service/targets/target.js';

/** A note that an import created. */
export interface ImportedNote {
  readonly source: string;
  readonly note: Note;
  readonly discussion: Discussion;
}

/** The imported notes of a noteable by their source; copies of a note in one list, the one to keep first. */
export type ImportedNotes = ReadonlyMap<string, readonly ImportedNote[]>;

/** Finds what imports created on a noteable: the notes of the token's user whose marker has a source. */
export const importedNotes = async ({ client, kind, path }: Target): Promise<ImportedNotes> => {
  const { id } = await client.lookups.user({});
  const found = new Map<string, ImportedNote[]>();
  for await (const discussion of client.discussions[kind].list(path)) {
    for (const note of discussion.notes.filter((one) => one.author.id === id)) {
      const source = sourceOf(note);
      if (source !== null) found.set(source, [...found.get(source) ?? [], { source, note, discussion }]);
    }
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

const isChanged = ({ note }: ImportedNote): boolean => isAsWritten(note.body) === false;

/** The copy in the longest thread, because other copies of a thread have no replies; then the older one. */
const bestFirst = (one: ImportedNote, other: ImportedNote): number =>
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
  const { client, kind, path } = target;
  const copies = [...notes.values()].flatMap(([kept, ...others]) => others.map((copy) => ({ copy, kept: kept! })));
  for (const { copy } of copies) if (isChanged(copy)) changed.add(copy.note.id);
  const surplus = copies.filter(({ copy, kept }) =>
    isOnlyImported(copy.discussion) && isSurplus(copy, kept.note, isByPerson)).map(({ copy }) => copy);
  for (const { note, discussion } of surplus) {
    const copy = { ...path, discussion_id: discussion.id, note_id: note.id };
    await client.discussions[kind].deleteNote(copy).catch(ignoreGone);
  }
  return surplus.length === 0 ? notes : importedNotes(target);
};
