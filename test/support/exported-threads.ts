import { readThreads, type ExportedThread } from '../../src/cli/notes/import/exported-threads.js';

/** A note of an exported thread. */
interface GivenNote { readonly body?: string; readonly system?: boolean; readonly resolved?: boolean; readonly position?: object }

/** An exported thread with the id `a…a` for `a`, whose notes have the ids 1, 2 … */
export const exported = (letter: string, notes: readonly GivenNote[], parts: object = {}): string => JSON.stringify({
  id: letter.repeat(40), individual_note: false,
  notes: notes.map(({ body = `text ${letter}`, system = false, resolved, position }, i) => ({
    id: i + 1, body, system, author: { username: 'bob' }, created_at: `2023-01-01T10:00:0${i}.000Z`,
    ...(position !== undefined && { position }), ...(resolved !== undefined && { resolvable: true, resolved }),
  })), ...parts,
});

export const threadsOf = (...lines: readonly string[]): readonly ExportedThread[] => readThreads(lines.join('\n'), 'f');
