import type { Discussion } from '../../contract/shapes/discussion.js';
import type { Note } from '../../contract/shapes/note.js';
import type { Tone } from '../terminal/tones.js';

/** Whether something is open, resolved, or neither because it can't be resolved. */
export type State = 'open' | 'resolved' | '';

/** The state of one note. */
export const noteState = ({ resolvable, resolved }: Note): State =>
  !resolvable || resolved === undefined ? '' : resolved ? 'resolved' : 'open';

/** The state of a thread: open until every note that can be resolved is. */
export const stateOf = ({ notes }: Discussion): State => {
  const states = notes.map(noteState).filter((state) => state !== '');
  if (states.length === 0) return '';
  return states.every((state) => state === 'resolved') ? 'resolved' : 'open';
};

/** How a state stands out. */
export const stateTone = (state: State): Tone | null =>
  state === 'open' ? 'open' : state === 'resolved' ? 'done' : null;
