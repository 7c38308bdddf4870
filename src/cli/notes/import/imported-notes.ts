import { isByPerson, sortCopies } from '../../../client/exactly-once/copies.js';
import type { MarkedNote } from '../../../client/exactly-once/marked-notes.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { Target } from '../../service/targets/target.js';
import { earlierNotes } from '../write/earlier-notes.js';

/** The notes that imports created from one note. */
interface ImportedNote {
  readonly kept: MarkedNote;
  readonly surplus: readonly MarkedNote[];
  readonly changed: readonly MarkedNote[];
  /** Whether a person wrote in the thread. */
  readonly isAnswered: boolean;
}

/** What imports created on a noteable, by the source of the notes. */
export type ImportedNotes = ReadonlyMap<string, ImportedNote>;

/** Finds the notes of the token's user whose marker has a source. */
export const importedNotes = async (target: Target): Promise<ImportedNotes> => {
  const { owner, notes } = await earlierNotes(target, 'notes');
  const bySource = new Map<string, MarkedNote[]>();
  for (const one of notes) {
    const { source } = one.marker;
    if (source !== undefined) bySource.set(source, [...bySource.get(source) ?? [], one]);
  }
  return new Map([...bySource].map(([source, copies]) => [source, importedNote(copies, owner)]));
};

const importedNote = (copies: readonly MarkedNote[], owner: number): ImportedNote => {
  const isAnswer = (note: Note) => isByPerson(note, owner);
  const hasPerson = ({ notes }: Discussion) => notes.some(isAnswer);
  const { kept, surplus, changed } = sortCopies(copies, { order: bestFirst, isAnswer });
  return {
    kept: kept!, surplus: surplus.filter(({ discussion }) => !hasPerson(discussion)), changed,
    isAnswered: hasPerson(kept!.discussion),
  };
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
