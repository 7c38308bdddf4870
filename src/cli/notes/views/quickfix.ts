import type { Page } from '../../../client/pages.js';
import { plainCode, plainLine } from '../../../text/plain.js';
import type { Listed } from '../../terminal/output/list-printer.js';
import type { PlacedThread } from '../places/placed-thread.js';
import { firstLine, shownText } from './cells.js';

/** The format that editors read into a list of places. */
export const quickfix = 'quickfix';

/** `path:line: author: first line`, at the current line; empty for a thread without one. */
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

/** @param tell receives each thread whose line is gone */
export const countingGone = (
  threads: Listed<PlacedThread>, tell: (thread: PlacedThread) => void,
): Listed<PlacedThread> => ({
  async *pages(limit): AsyncIterable<Page<PlacedThread>> {
    for await (const page of threads.pages(limit)) {
      for (const thread of page.items) if (isGone(thread)) tell(thread);
      yield page;
    }
  },
});

const isGone = ({ notes, current_line }: PlacedThread): boolean =>
  notes[0]?.position?.position_type === 'text' && typeof current_line !== 'number';
