import type { Place } from '../output/view.js';

/** The web page of a note, or null where the page of what it stands on is not known. */
export const notePage = (id: number | undefined, { web }: Place): string | null =>
  web === null || id === undefined ? null : `${web.noteable}#note_${id}`;

/**
 * Where a link in a text leads: as it is when it is whole, below the project's page for an upload. Null for anything
 * else: a path within a repository can't be told from its text.
 */
export const addressOf = (href: string, { web }: Place): string | null => {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return href;
  return web !== null && href.startsWith('/uploads/') ? web.container + href : null;
};
