import type { UserRow } from '../../repositories/world.js';
import { draftlessTitle, isDraftTitle } from '../../serializers/merge-request.js';

/** None if it stays a draft, or ready (behavior: changes.draft-note). */
export const draftNote = (before: string, after: string): string[] => isDraftTitle(before) === isDraftTitle(after) ? []
  : [`marked this merge request as **${isDraftTitle(after) ? 'draft' : 'ready'}**`];

/** Puts marks around what changed; returns none if only the prefix of drafts did. */
export const titleNote = (before: string, after: string): string[] => {
  if (draftlessTitle(before) === draftlessTitle(after)) return [];
  const [old, current] = [[...before], [...after]];
  const start = sharedLength(old, current, Math.min(old.length, current.length));
  const end = sharedLength(old.toReversed(), current.toReversed(), Math.min(old.length, current.length) - start);
  return [`changed title from **${marked(old, start, end, '-')}** to **${marked(current, start, end, '+')}**`];
};

const sharedLength = (a: readonly string[], b: readonly string[], most: number): number => {
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
};

const marked = (text: readonly string[], start: number, end: number, sign: '-' | '+'): string => {
  const part = (from: number, to: number) => text.slice(from, to).join('');
  const changed = part(start, text.length - end);
  return part(0, start) + (changed && `{${sign}${changed}${sign}}`) + part(text.length - end, text.length);
};

const verbs = {
  assignee: { added: 'assigned to', removed: 'unassigned' },
  reviewer: { added: 'requested review from', removed: 'removed review request for' },
} as const;

export const peopleNote = (
  role: keyof typeof verbs, added: readonly UserRow[], removed: readonly UserRow[],
): string => {
  const part = (verb: string, users: readonly UserRow[]) => users.length === 0 ? []
    : [`${verb} ${inSentence(users.map(({ username }) => `@${username}`))}`];
  return [...part(verbs[role].added, added), ...part(verbs[role].removed, removed)].join(' and ');
};

export const inSentence = (names: readonly string[]): string => names.length < 3 ? names.join(' and ')
  : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)!}`;
