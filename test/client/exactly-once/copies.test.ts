import { describe, expect, it } from 'vitest';
import { answerTo, isAnswered, isByPerson, sortCopies } from '../../../src/client/exactly-once/copies.js';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import { withMarker } from '../../../src/wire/note-text.js';

describe('an answer to a note', () => {
  const note = (id: number, system = false) => ({ id, system, type: null, body: `note ${id}` }) as unknown as Note;
  const thread = (...notes: Note[]) => ({ id: 'a', individual_note: false, notes }) as Discussion;

  it('is the first later note that counts', () => {
    const [first, second, third] = [note(1), note(2, true), note(3)];
    const found = { note: first, discussion: thread(first, second, third) };
    expect(answerTo(found)).toBe(third);
    expect(answerTo(found, ({ id }) => id > 3)).toBeNull();
    expect(isAnswered(found)).toBe(true);
  });

  it('is none to a later note of the thread', () => {
    const notes = [note(1), note(2), note(3)] as const;
    expect(answerTo({ note: notes[1], discussion: thread(...notes) })).toBeNull();
  });

  it('shows in the type of a comment whose thread is not known', () => {
    expect(isAnswered({ note: note(1), discussion: null })).toBe(false);
    expect(isAnswered({ note: { ...note(1), type: 'DiscussionNote' }, discussion: null })).toBe(true);
  });
});

const marked = (text: string) => withMarker(text, { key: 'lint' });

it('a person wrote a note that is not one of the service, nor a marked one of the token\'s user', () => {
  const note = (id: number, body: string, system = false) => ({ system, body, author: { id } }) as Note;
  expect([note(1, marked('a')), note(2, marked('a')), note(1, 'a'), note(2, 'a', true)].map((one) => isByPerson(one, 1)))
    .toEqual([false, true, true, false]);
});

describe('copies of a note', () => {
  const copy = (id: number, body: string, answers: readonly string[] = []) => {
    const notes = [body, ...answers].map((text, i) => ({ id: id + i, body: text, system: false, author: { id: i } }) as Note);
    return { note: notes[0]!, discussion: { id: 'a', individual_note: false, notes } as Discussion };
  };
  const edited = marked('a').replace('a', 'mine');
  const idsOf = (sorted: ReturnType<typeof sortCopies>) => ({
    kept: sorted.kept?.note.id, surplus: sorted.surplus.map(({ note }) => note.id), changed: sorted.changed.map(({ note }) => note.id),
  });

  it('are sorted into the lowest id, others to delete, and those that a person changed', () => {
    const copies = [copy(5, marked('b')), copy(3, marked('a')), copy(1, edited), copy(7, marked('c'))];
    expect(idsOf(sortCopies(copies))).toEqual({ kept: 3, surplus: [5, 7], changed: [1] });
    expect(idsOf(sortCopies([]))).toEqual({ kept: undefined, surplus: [], changed: [] });
  });

  it('stay if somebody answered them', () => {
    const copies = [copy(1, marked('a')), copy(5, marked('a'), ['Why?'])];
    expect(idsOf(sortCopies(copies)).surplus).toEqual([]);
    expect(idsOf(sortCopies(copies, { isAnswer: () => false })).surplus).toEqual([5]);
  });

  it('without a digest of their text are deleted only with the text of the one that stays', () => {
    expect(idsOf(sortCopies([copy(1, 'a'), copy(2, 'a'), copy(3, 'b')])).surplus).toEqual([2]);
  });

  it('whose texts the service changed are deleted if they have the same text', () => {
    expect(idsOf(sortCopies([copy(1, edited), copy(2, edited)]))).toEqual({ kept: 1, surplus: [2], changed: [] });
    expect(idsOf(sortCopies([copy(1, marked('mine')), copy(2, edited)]))).toEqual({ kept: 1, surplus: [], changed: [2] });
  });

  it('are deleted no more than allowed, the last ones', () => {
    const copies = [1, 2, 3].map((id) => copy(id, 'a'));
    expect([0, 1, 9].map((most) => idsOf(sortCopies(copies, { most })).surplus)).toEqual([[], [3], [2, 3]]);
  });

  it('are kept by another order if one is given', () => {
    const copies = [copy(1, marked('a')), copy(2, marked('a'))];
    expect(idsOf(sortCopies(copies, { order: (one, other) => other.note.id - one.note.id }))).toMatchObject({ kept: 2, surplus: [1] });
  });
});
