import { isByPerson, sortAllCopies, type SortedCopies } from '../../../client/exactly-once/copies.js';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { Target } from '../../service/targets/target.js';
import { earlierNotes } from '../write/earlier-notes.js';

/** The notes that imports created from one note. */
interface ImportedNote extends SortedCopies<MarkedNote> {
  readonly kept: MarkedNote;
  /** Whether a person wrote in the thread. */
  readonly isAnswered: boolean;
}

/** What imports created on a noteable, by the source of the notes. */
export type ImportedNotes = ReadonlyMap<string, ImportedNote>;

export const importedNotes = async (target: Target): Promise<ImportedNotes> => {
  const { owner, notes } = await earlierNotes(target, 'notes');
  const isAnswer = (note: Note) => isByPerson(note, owner);
  const hasPerson = ({ discussion }: MarkedNote) => discussion.notes.some(isAnswer);
  const all = sortAllCopies(notes, ({ marker: { source } }) => source, { order: bestFirst, isAnswer });
  return new Map([...all].map(([source, { kept, surplus, changed }]) => [source, {
    kept: kept!, surplus: surplus.filter((copy) => !hasPerson(copy)), changed, isAnswered: hasPerson(kept!),
  }]));
};

/** The copy in the longest thread, because other copies of a thread have no replies; then the older one. */
const bestFirst = ({ discussion: one }: MarkedNote, { discussion: other }: MarkedNote): number =>
  other.notes.length - one.notes.length || one.notes[0]!.id - other.notes[0]!.id;

/**
 * Deletes the copies that a stopped import and its successor created of the same notes, unless a person wrote in their
 * thread or changed their text. Returns what is left.
 * @param changed receives the ids of copies with another text
 */
export const withoutCopies = async (target: Target, changed = new Set<number>()): Promise<ImportedNotes> => {
  const imported = await importedNotes(target);
  const all = [...imported.values()];
  for (const { note } of all.flatMap((one) => one.changed)) changed.add(note.id);
  const surplus = all.flatMap((one) => one.surplus);
  await target.client.removeNotes(target, surplus);
  return surplus.length === 0 ? imported : importedNotes(target);
};
