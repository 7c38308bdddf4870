import type { Target } from '../access/noteable.js';
import { canSetTime } from '../access/rights.js';
import { invalidNote } from '../refusal.js';

const iso = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * When a new note was made: the time that was given, for those who may give one; else now. A time without the right is
 * dropped without a word (wire-facts 4.5.6), and so is one that can't be read (4.5.9).
 * @throws Refusal 400 for a time before 1970 (wire-facts 4.5.8)
 */
export const creationTime = (target: Target, given: string | null | undefined, now: string): string => {
  if (!given || !canSetTime(target) || !iso.test(given)) return now;
  const saysZone = /(Z|[+-]\d{2}:?\d{2})$/i.test(given) || given.length === 10;
  const time = new Date(saysZone ? given : `${given.replace(' ', 'T')}Z`);
  if (Number.isNaN(time.getTime())) return now;
  if (time.getTime() < 0) throw invalidNote({ created_at: ['The created date provided is too far in the past.'] });
  return time.toISOString();
};
