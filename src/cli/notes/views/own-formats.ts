import type { Note } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { plainCode, plainLine, plainText } from '../../../text/plain.js';
import { type PlacedThread, placeText, proofText } from '../places.js';
import { shortId } from '../thread-id.js';
import { lineMarks } from './code.js';
import type { Whole } from './conversation.js';
import { authorText, firstLine, shownText, threadState } from './note.js';

/** Text of users is indented, so that none of its lines can be taken for one of the format. */
export const agentThread = (thread: PlacedThread): string =>
  threadHead(thread) + thread.notes.map(noteLines).join('');

const threadHead = (thread: PlacedThread): string =>
  line([shortId(thread.id), threadState(thread), proofText(thread), placeText(thread)]);

const noteLines = (note: Note): string => {
  const text = plainText(shownText(note.body)).trim().replace(/\n/g, '\n    ');
  return `  ${plainLine(authorText(note))}${note.system ? ' (system)' : ''}: ${text}\n`;
};

const line = (parts: readonly string[]): string => `${plainLine(parts.filter((part) => part !== '').join(' '))}\n`;

/** Resolved threads are one line each. */
export const wholeAgent = async (whole: Whole, withCode: boolean): Promise<string> => {
  const parts = await Promise.all(whole.threads.map(async (thread) => {
    if (threadState(thread) === 'resolved' && !whole.opensResolved) return briefOf(thread);
    if (!withCode) return agentThread(thread);
    const { former, current } = await whole.codeOf(thread);
    const code = current.length > 0 ? current : former;
    const shown = code.map(({ kind, text }) => `  |${lineMarks[kind]}${plainCode(text)}\n`);
    return threadHead(thread) + shown.join('') + thread.notes.map(noteLines).join('');
  }));
  return parts.join('');
};

const briefOf = (thread: PlacedThread): string => {
  const { notes: [note], notes } = thread;
  const text = note && `${authorText(note)}: ${firstLine(shownText(note.body))}`;
  const marks = [shortId(thread.id), 'resolved', proofText(thread), placeText(thread)];
  return line([...marks, text ?? '', `(${counted(notes.length, 'note')})`]);
};

/** Editors read it into a list of places. */
export const quickfix = 'quickfix';

/** The text is empty for a thread without a current line. */
export const quickfixLine = ({ notes: [note], current_line, current_path }: PlacedThread): string => {
  const position = note?.position;
  if (!position || position.position_type === 'image') return '';
  const isWholeFile = position.position_type === 'file';
  const path = current_path ?? position.new_path ?? position.old_path;
  const line = isWholeFile ? 1 : current_line;
  if (typeof path !== 'string' || typeof line !== 'number') return '';
  const mark = isWholeFile || typeof position.new_line === 'number' ? '' : '[removed line] ';
  const text = plainLine(`${note.author.username}: ${mark}${firstLine(shownText(note.body))}`);
  return `${plainCode(path)}:${line}: ${text}\n`;
};

export const isGone = ({ notes, current_line }: PlacedThread): boolean =>
  notes[0]?.position?.position_type === 'text' && typeof current_line !== 'number';
