import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isAsWritten, isStoredAs, readMarker } from '../../wire/note-text.js';
import type { FoundNote } from './requests.js';

type IsAnswer = (later: Note) => boolean;

const isNoSystemNote: IsAnswer = ({ system }) => !system;

/** A person may use the token of the program too, so its own notes are those with a marker. @param owner its user */
export const isByPerson = ({ system, author, body }: Note, owner: number): boolean =>
  !system && !(author.id === owner && readMarker(body).marker !== null);

export const answerTo = (
  { note, discussion }: { readonly note: Note; readonly discussion: Discussion }, isAnswer = isNoSystemNote,
): Note | null => {
  const [first, ...others] = discussion.notes;
  return first?.id === note.id ? others.find(isAnswer) ?? null : null;
};

export const isAnswered = ({ note, discussion }: FoundNote, isAnswer?: IsAnswer): boolean =>
  // An answer turns a single comment into a thread (behavior: replies.to-comment).
  discussion === null ? note.type !== null : answerTo({ note, discussion }, isAnswer) !== null;

export const isChanged = ({ note }: FoundNote): boolean => isAsWritten(note.body) === false;

export interface SortedCopies<T> {
  /** The copy that stays, a changed one only if all are; undefined if there is none. */
  readonly kept: T | undefined;
  readonly surplus: readonly T[];
  /** The others that a person changed: they are neither updated nor deleted. */
  readonly changed: readonly T[];
}

interface CopyRules<T> {
  /** Puts the copy that stays first; the one with the lowest id by default. */
  readonly order?: (one: T, other: T) => number;
  /** Replaces `isChanged`, as for notes that the call itself wrote. */
  readonly isChanged?: (copy: T) => boolean;
  readonly isAnswer?: IsAnswer;
  readonly most?: number;
}

/**
 * Copies to delete are those that nobody answered and whose text is as a program wrote it, or is that of the copy that
 * stays. A person may paste a note with its marker below a text of their own, and a service may change all texts.
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

export const byId = (one: FoundNote, other: FoundNote): number => one.note.id - other.note.id;

const hasSameText = (one: Note, other: Note): boolean =>
  isStoredAs(readMarker(one.body).text, readMarker(other.body).text);
