import type { Discussion } from '../../contract/shapes/discussion.js';
import type { Note } from '../../contract/shapes/note.js';
import { plainLine, plainText } from '../plain.js';

/** A thread as it is shown to someone who answers it: who wrote, when, and what. */
export const quoted = ({ id, notes }: Discussion, name: string): string[] =>
  [`Thread ${plainLine(id)} of ${name}:`, ...notes.flatMap(said)];

const said = ({ id, author, created_at, resolved, system, body }: Note): string[] => {
  const state = system ? ', by the service' : resolved ? ', resolved' : '';
  const head = `${author.name} (@${author.username}), ${created_at}${state}, note ${id}`;
  return ['', plainLine(head), ...plainText(body).split('\n').map((line) => `  ${line}`.trimEnd())];
};
