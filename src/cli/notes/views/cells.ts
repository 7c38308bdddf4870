import { type Note, type Discussion } from '../../../contract/shapes/note.js';
import type { Tone } from '../../terminal/io/style.js';
import type { Display } from '../../terminal/output/view.js';

/** The web URL of a note, or null if the page of its noteable is unknown. */
export const notePage = (id: number | undefined, { web }: Pick<Display, 'web'>): string | null =>
  web === null || id === undefined ? null : `${web.noteable}#note_${id}`;

/**
 * Resolves a link in a text: absolute URLs stay, uploads are below the page of the project. Null for other relative
 * links, whose base is unknown.
 */
export const resolveLink = (href: string, { web }: Display): string | null => {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return href;
  return web !== null && href.startsWith('/uploads/') ? web.container + href : null;
};

/** The first line of a text that is not empty. */
export const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '')?.trim() ?? '';

/** The state of a note or thread; empty if it cannot be resolved. */
export type State = 'open' | 'resolved' | '';

/** The state of one note. */
export const noteState = ({ resolvable, resolved }: Note): State =>
  !resolvable || resolved === undefined ? '' : resolved ? 'resolved' : 'open';

/** The state of a thread: open until all its resolvable notes are resolved. */
export const stateOf = ({ notes }: Discussion): State => {
  const states = notes.map(noteState).filter((state) => state !== '');
  if (states.length === 0) return '';
  return states.every((state) => state === 'resolved') ? 'resolved' : 'open';
};

/** The tone of a state. */
export const stateTone = (state: State): Tone | null =>
  state === 'open' ? 'open' : state === 'resolved' ? 'done' : null;

const units: readonly (readonly [seconds: number, name: Intl.RelativeTimeFormatUnit])[] = [
  [31_536_000, 'year'], [2_592_000, 'month'], [604_800, 'week'], [86_400, 'day'], [3_600, 'hour'], [60, 'minute'],
];

let relativeTime: Intl.RelativeTimeFormat | undefined;

/** The age of a timestamp in its largest unit: `3 hours ago`. Invalid timestamps are returned as they are. */
export const ago = (instant: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) return instant;
  const unit = units.find(([length]) => Math.abs(seconds) >= length);
  if (!unit) return 'just now';
  const [length, name] = unit;
  return (relativeTime ??= new Intl.RelativeTimeFormat('en')).format(-Math.trunc(seconds / length), name);
};

/** A timestamp in a table: its age on a terminal, unchanged elsewhere. */
export const timeText = (instant: string, { isTerminal, now }: Pick<Display, 'isTerminal' | 'now'>): string =>
  isTerminal ? ago(instant, now) : instant;
