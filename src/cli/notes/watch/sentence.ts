import { firstWords, plainLine } from '../../../text/plain.js';
import { positionText } from '../position/position.js';
import type { WatchEvent } from './events.js';
import { shownText } from '../views/note.js';

/** One line, escaped: `ada wrote in thread 1a2b3c4d of mr/12 (src/a.ts:5): first words`. */
export const watchSentence = ({ event, ref, discussion_id, note }: WatchEvent): string => {
  const [author, resolver] = [plainLine(note.author.username), plainLine(note.resolved_by?.username)];
  const place = plainLine(positionText(note.position));
  const thread = `thread ${plainLine(discussion_id).slice(0, 8)} of ${ref}${place === '' ? '' : ` (${place})`}`;
  const words = firstWords(shownText(note.body));
  switch (event) {
    case 'created': return note.system ? `${author} ${words} (${ref})` : `${author} wrote in ${thread}: ${words}`;
    case 'updated': return `${author} edited note ${note.id} in ${thread}: ${words}`;
    case 'deleted': return `note ${note.id} by ${author} was deleted from ${thread}: ${words}`;
    case 'resolved': return resolver === '' ? `${thread} was resolved` : `${resolver} resolved ${thread}`;
    case 'unresolved': return `${thread} was reopened`;
  }
};
