import type { Note } from '../../../contract/shapes/note.js';
import { plainCode, plainLine, plainText } from '../../../text/plain.js';
import { counted } from '../../../text/messages.js';
import { placeText, type PlacedThread } from '../places/placed-thread.js';
import { positionText } from '../position/position.js';
import { firstLine, isInternal, noteState, stateOf, shownText } from './cells.js';
import type { ShownLine } from './diff.js';
import type { Whole } from './whole.js';

/** Commands accept the start of an id. */
const shownId = ({ id }: PlacedThread): string => id.slice(0, 8);

/**
 * `id state place`, then `  author: text` for each note. Text of users is indented, so that none of its lines can
 * be taken for one of the format.
 */
export const agentThread = (thread: PlacedThread): string =>
  headOf(thread) + thread.notes.map(noteLines).join('');

const headOf = (thread: PlacedThread): string =>
  line([shownId(thread), stateOf(thread), placeText(thread)]);

const noteLines = (note: Note): string => {
  const text = plainText(shownText(note.body)).trim().replace(/\n/g, '\n    ');
  return `  ${plainLine(writerOf(note))}${note.system ? ' (system)' : ''}: ${text}\n`;
};

const writerOf = (note: Note): string => `${note.author.username}${isInternal(note) ? ' [internal]' : ''}`;

const line = (parts: readonly string[]): string => `${plainLine(parts.filter((part) => part !== '').join(' '))}\n`;

/** `id state place author: first line`, as threads of several notes have them. */
export const agentNote = (note: Note): string => {
  const text = `${writerOf(note)}: ${shownText(note.body)}`;
  const head = [String(note.id), noteState(note), positionText(note.position)].filter((part) => part !== '');
  return `${plainLine(head.join(' '))} ${plainText(text).trim().replace(/\n/g, '\n    ')}\n`;
};

/** Resolved threads are one line each. @param withCode also shows the lines of code of the others */
export const wholeAgent = async (whole: Whole, withCode: boolean): Promise<string> => {
  const parts = await Promise.all(whole.threads.map(async (thread) => {
    if (stateOf(thread) === 'resolved' && !whole.opensResolved) return briefOf(thread);
    if (!withCode) return agentThread(thread);
    const { former, current } = await whole.codeOf(thread);
    const code = current.length > 0 ? current : former;
    return headOf(thread) + code.map(codeLine).join('') + thread.notes.map(noteLines).join('');
  }));
  return parts.join('');
};

const briefOf = (thread: PlacedThread): string => {
  const { notes: [note], notes } = thread;
  const text = note && `${writerOf(note)}: ${firstLine(shownText(note.body))}`;
  return line([shownId(thread), 'resolved', placeText(thread), text ?? '', `(${counted(notes.length, 'note')})`]);
};

const signs = { added: '+', removed: '-', context: ' ' } as const;

const codeLine = ({ kind, text }: ShownLine): string => `  |${signs[kind]}${plainCode(text)}\n`;
