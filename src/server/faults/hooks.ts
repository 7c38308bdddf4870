import { eventKinds, type EventKind, type HookFault } from '../hooks/events.js';
import { shownValue } from './error.js';

export const hookForms =
  'use on "hook note", "hook merge_request" or "hook *", and do drop, repeat N (in total, from 2), delay MS or reorder';

/** Null for a rule about requests, a text for an invalid target. */
export const hookTarget = (on: string): ((event: EventKind) => boolean) | string | null => {
  const [, name] = /^hook\s+(.*)$/s.exec(on.trim()) ?? [];
  if (name === undefined) return null;
  if (name === '*') return () => true;
  return (eventKinds as readonly string[]).includes(name) ? (event) => event === name
    : `unknown event ${shownValue(name)} of a webhook`;
};

/** Null if it is invalid. A delay is at most a day. */
export const hookFaultFrom = (text: string): HookFault | null => {
  if (text === 'drop' || text === 'reorder') return { kind: text };
  const [, kind, digits] = /^(repeat|delay)\s+(\d{1,8})$/.exec(text) ?? [];
  const count = Number(digits);
  if (kind === 'repeat') return count >= 2 && count <= 100 ? { kind, times: count } : null;
  return kind === 'delay' && count <= 86_400_000 ? { kind, milliseconds: count } : null;
};
