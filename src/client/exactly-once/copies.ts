import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isAsWritten, readMarker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import type { FoundNote } from './reads.js';

/** A later note that counts as an answer. */
type IsAnswer = (later: Note) => boolean;

const isNoSystemNote: IsAnswer = ({ system }) => !system;

/**
 * Whether a person wrote a note. A person may use the token of the program too, so its own notes are those with a
 * marker.
 * @param owner the id of the token's user
 */
export const isByPerson = ({ system, author, body }: Note, owner: number): boolean =>
  !system && !(author.id === owner && readMarker(body).marker !== null);

/** The first answer to a note that starts a thread; null without one. */
export const answerTo = (
  { note, discussion }: { readonly note: Note; readonly discussion: Discussion }, isAnswer = isNoSystemNote,
): Note | null => {
  const [first, ...others] = discussion.notes;
  return first?.id === note.id ? others.find(isAnswer) ?? null : null;
};

/** Whether somebody answered a note. @param isAnswer as for `answerTo` */
export const isAnswered = ({ note, discussion }: FoundNote, isAnswer?: IsAnswer): boolean =>
  // An answer turns a single comment into a thread (wire-facts 4.8.2).
  discussion === null ? note.type !== null : answerTo({ note, discussion }, isAnswer) !== null;

/** Whether a person changed the text of a note, or put its marker below a text of their own. */
export const isChanged = ({ note }: FoundNote): boolean => isAsWritten(note.body) === false;

/** What becomes of several copies of one note. */
export interface SortedCopies<T> {
  /** The copy that stays, a changed one only if all are; undefined if there is none. */
  readonly kept: T | undefined;
  /** The copies to delete. */
  readonly surplus: readonly T[];
  /** The others that a person changed: they are neither updated nor deleted. */
  readonly changed: readonly T[];
}

/** How copies are sorted. */
interface CopyRules<T> {
  /** Puts the copy that stays first; the one with the lowest id by default. */
  readonly order?: (one: T, other: T) => number;
  /** Replaces `isChanged`, as for notes that the call itself wrote. */
  readonly isChanged?: (copy: T) => boolean;
  /** As for `answerTo`. */
  readonly isAnswer?: IsAnswer;
  /** The maximum number of copies to delete. */
  readonly most?: number;
}

/**
 * Decides which copy of a note stays and which ones to delete: those that nobody answered and whose text is as a
 * program wrote it, or is that of the copy that stays. A person may paste a note with its marker below a text of their
 * own, and a service may change all texts.
 */
export const sortCopies = <T extends FoundNote>(
  copies: readonly T[], { order = byId, isChanged: isOther = isChanged, isAnswer, most = Infinity }: CopyRules<T> = {},
): SortedCopies<T> => {
  const [kept, ...others] = copies.toSorted((one, other) =>
    Number(isOther(one)) - Number(isOther(other)) || order(one, other) || byId(one, other));
  const surplus = others.filter((copy) => isOther(copy) === isOther(kept!) && !isAnswered(copy, isAnswer)
    && (isAsWritten(copy.note.body) === true || hasSameText(copy.note, kept!.note)));
  return {
    kept, surplus: surplus.slice(Math.max(0, surplus.length - most)),
    changed: others.filter((copy) => isOther(copy) && !surplus.includes(copy)),
  };
};

/** Sorts the copies of several notes. @param idOf what the copies of one note share; undefined for any other note */
export const sortAllCopies = <T extends FoundNote>(
  notes: readonly T[], idOf: (note: T) => string | undefined, rules?: CopyRules<T>,
): ReadonlyMap<string, SortedCopies<T>> => {
  const groups = new Map<string, T[]>();
  for (const one of notes) {
    const id = idOf(one);
    if (id !== undefined) groups.set(id, [...groups.get(id) ?? [], one]);
  }
  return new Map([...groups].map(([id, copies]) => [id, sortCopies(copies, rules)]));
};

/** The lowest id first. */
export const byId = (one: FoundNote, other: FoundNote): number => one.note.id - other.note.id;

const hasSameText = (one: Note, other: Note): boolean =>
  isStoredAs(readMarker(one.body).text, readMarker(other.body).text);
