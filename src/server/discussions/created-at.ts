import { readInstant } from '../../wire/instants.js';
import type { Target } from '../access/noteable.js';
import { canSetTime } from '../access/rights.js';
import { invalidNote } from '../refusal.js';

/**
 * When a new note was made: the time that was given, for those who may give one; else now. A time without the right is
 * dropped without a word (wire-facts 4.5.6), and so is one that can't be read (4.5.9).
 * @throws Refusal 400 for a time before 1970 (wire-facts 4.5.8)
 */
export const creationTime = (target: Target, given: string | null | undefined, now: string): string => {
  const instant = given && canSetTime(target) ? readInstant(given)?.iso : undefined;
  if (instant === undefined) return now;
  if (instant < '1970') throw invalidNote({ created_at: ['The created date provided is too far in the past.'] });
  return instant;
};
