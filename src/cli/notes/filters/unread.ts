import { isUnknownName } from '../../../client/whole-records.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { isParams } from '../../../wire/http.js';
import { readInstant } from '../../../wire/time-text.js';

export type Test = (note: Note, thread: Discussion) => boolean;

/** What a test needs of a note, and cannot read: it may be what the filter asks for. */
const isUnread = {
  id: ({ author }) => !Number.isInteger(author.id),
  username: ({ author }) => !isText(author.username) || isUnknownName(author.username),
  body: ({ body }) => !isText(body),
  time: ({ created_at }) => !isText(created_at) || !readInstant(created_at) || Number.isNaN(Date.parse(created_at)),
  system: ({ system }: { readonly system: unknown }) => (system ?? false) !== false && system !== true,
  path: ({ type, position }, { notes }) => hasUnreadPath(type, position ?? notes[0]?.position ?? null),
  type: ({ system, type, position }, { individual_note }) => typeof system !== 'boolean'
    || (!system && type !== 'DiffNote'
      && (position ? !isParams(position) : isOddType(type) || typeof individual_note !== 'boolean')),
} as const satisfies Record<string, Test>;

/** Records that lack a text have an empty one. */
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isOddType = (type: unknown): boolean => type !== null && !isText(type);

const hasUnreadPath = (type: unknown, position: unknown): boolean => {
  if (position === null) return type === 'DiffNote' || isOddType(type);
  if (!isParams(position)) return true;
  const paths = [position['new_path'], position['old_path']].filter((path) => (path ?? '') !== '');
  return paths.length === 0 || !paths.every(isText);
};

/** The test passes a note of which it needs something that cannot be read. */
export type OrUnread = (needed: keyof typeof isUnread, test: Test) => Test;

/** For a gate, which a note that cannot be read must not open. */
export const orUnread: OrUnread = (needed, test) => (...tested) => isUnread[needed](...tested) || test(...tested);

/** For a list, which shows only what is certain. */
export const onlyRead: OrUnread = (_, test) => test;
