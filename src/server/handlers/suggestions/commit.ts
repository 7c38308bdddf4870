import { plainLine } from '../../../text/plain.js';
import type { Call } from '../../api/context.js';
import type { Pushed } from '../pushes/store-push.js';
import type { Found } from './find.js';

/** The commit that applies suggestions (behavior: suggestions.commit). @param message of the caller, or blank */
export const commitFor = (
  { caller }: Call, found: readonly Found[], message: string | null | undefined,
): Pick<Pushed, 'title' | 'description' | 'author'> => {
  const authors = new Map(found.map(({ note }) => [note.author_id, note]));
  const author = authors.size === 1 ? found[0]!.note.author_id : caller.id;
  const trailers = [...authors.values()].filter(({ author_id }) => author_id !== caller.id).map(
    ({ author_id, author_name, author_username }) =>
      `Co-authored-by: ${nameOf(author_name)} <${author_id}-${author_username}@users.noreply.localhost>`);
  const files = new Set(found.map(({ position }) => position.new_path)).size;
  const text = message?.trim() ? message
    : [`Apply ${found.length} suggestion(s) to ${files} file(s)`, '', ...trailers].join('\n').trim();
  const [title = '', ...rest] = text.split(/\r?\n/);
  return { author, title, description: rest.join('\n').trim() };
};

/** Brackets would end the name. */
const nameOf = (name: string): string => plainLine(name).replace(/[<>]/g, '').trim();
