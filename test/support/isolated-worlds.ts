export const inWorld = (name: string, path = '') => `/w/${name}/api/v4${path}`;

export const issue = '/projects/20/issues/1/discussions';

interface Note { readonly id: number; readonly body: string }
export interface Thread { readonly id: string; readonly notes: readonly Note[] }

/** The ids and texts of all notes in a list of threads. */
export const bodiesIn = (threads: readonly Thread[]) => threads.flatMap(({ notes }) => notes.map(({ id, body }) => `${id}: ${body}`));
