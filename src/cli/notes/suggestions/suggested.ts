import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import { suggestionBlocks } from '../../../markdown/code.js';

/** Lines of a file at a commit, and what a note suggests in place of them. */
export interface Suggested {
  readonly thread: string;
  readonly note: number;
  readonly author: Note['author'];
  /** From the top of the work tree; as the service gives it. */
  readonly path: string;
  /** Numbers from 1, of the version of the diff that the note is on. */
  readonly from_line: number;
  readonly to_line: number;
  /** Every line ends with a line feed. */
  readonly text: string;
  /** Null if the service does not report it. */
  readonly head_sha: string | null;
  readonly is_applied: boolean;
  readonly is_resolved: boolean;
}

/**
 * Of all notes, in their order. Notes on removed lines have none (behavior: notes.suggestions); replies without a
 * position are on the line of their thread.
 */
export const suggestionsIn = (thread: Discussion): Suggested[] =>
  thread.notes.filter(({ system }) => !system).flatMap((note) => {
    const position: PartialPosition = note.position ?? thread.notes[0]?.position ?? {};
    const { new_line: line, new_path: path, head_sha = null, position_type } = position;
    if (typeof line !== 'number' || typeof path !== 'string' || (position_type ?? 'text') !== 'text') return [];
    return suggestionBlocks(note.body).map(({ above, below, text }, at): Suggested => ({
      thread: thread.id, note: note.id, author: note.author, path, text, head_sha,
      from_line: Math.max(1, line - above), to_line: line + below,
      is_applied: note.suggestions?.[at]?.applied ?? false,
      is_resolved: thread.notes[0]?.resolved ?? false,
    }));
  });

/** `src/a.ts:3-5 by ada (note 12)`. The path and the name are not escaped. */
export const suggestionName = ({ path, from_line, to_line, author, note }: Suggested): string =>
  `${path}:${from_line}${to_line > from_line ? `-${to_line}` : ''} by ${author.username} (note ${note})`;
