import type { Page, Pages } from '../../client/pages.js';
import type { Discussion } from '../../contract/shapes/discussion.js';
import type { Note } from '../../contract/shapes/note.js';
import { pageSize, type Listed } from '../output/list-printer.js';
import type { GlobalFlags } from '../flags/global.js';
import { noteState, stateOf } from '../views/state.js';
import type { Filter, Test } from './filter.js';

/** The threads that pass, in pages as they arrive. How many there are in all is known to nobody then. */
export const threadsThat = (filter: Filter, threads: Pages<Discussion>): Listed<Discussion> => isEmpty(filter) ? threads
  : pagesOf(threads, (thread) => threadPasses(filter, thread) ? [thread] : []);

/** The notes that pass, thread by thread, in pages of threads. */
export const notesThat = (filter: Filter, threads: Pages<Discussion>): Listed<Note> =>
  pagesOf(threads, (thread) => thread.notes.filter((note) => notePasses(filter, note, thread)));

/** How many threads to ask for at once: where some are left out, as many as the service gives. */
export const filteredPageSize = (filter: Filter, flags: GlobalFlags): number => pageSize(isEmpty(filter) ? flags : {});

const isEmpty = ({ state, about, said }: Filter): boolean => state === null && about.length + said.length === 0;

const pagesOf = <T>(threads: Pages<Discussion>, itemsOf: (thread: Discussion) => readonly T[]): Listed<T> => ({
  async *pages(): AsyncIterable<Page<T>> {
    for await (const page of threads.pages()) yield { ...page, items: page.items.flatMap(itemsOf), total: null };
  },
});

const threadPasses = ({ state, about, said }: Filter, thread: Discussion): boolean => {
  const [first] = thread.notes;
  return first !== undefined && (state === null || stateOf(thread) === state)
    && all(about, first, thread) && thread.notes.some((note) => all(said, note, thread));
};

const notePasses = ({ state, about, said }: Filter, note: Note, thread: Discussion): boolean =>
  (state === null || noteState(note) === state) && all(about, note, thread) && all(said, note, thread);

const all = (tests: readonly Test[], note: Note, thread: Discussion): boolean =>
  tests.every((test) => test(note, thread));
