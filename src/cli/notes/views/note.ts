import { type Discussion, Note } from '../../../contract/shapes/note.js';
import { showHidden, withoutMarkup, withSummaries } from '../../../markdown/prose.js';
import { plainLine, plainText } from '../../../text/plain.js';
import { visibleText } from '../../../wire/note-text.js';
import type { Tone } from '../../terminal/io/style.js';
import type { Display, View } from '../../terminal/output/view.js';
import { positionText } from '../position/position.js';

/** Marks what the page of the note hides. */
export const shownText = (body: unknown): string => showHidden(visibleText(body));

export const notePage = (id: number | undefined, { web }: Pick<Display, 'web'>): string | null =>
  web === null || id === undefined ? null : `${web.noteable}#note_${id}`;

/** Null for relative links other than uploads, because no base is known for them. */
export const resolveLink = (href: string, { web }: Display): string | null => {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return href;
  return web !== null && href.startsWith('/uploads/') ? web.container + href : null;
};

/**
 * The first line with text; of folded text, the summary. A finding has its title there, so it is its level and the
 * first line of its message.
 */
export const firstLine = (text: string): string => {
  const [first = '', second] = withSummaries(text).split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const [, level] = /^\*\*(error|warning|note)\*\*(?: \u00b7|$)/.exec(first) ?? [];
  return level === undefined || second === undefined ? first : `${level}: ${second}`;
};

/** What cannot be resolved has no state. */
export type State = 'open' | 'resolved' | '';

/** A service may report no state, or no boolean: then the note is open. */
export const noteState = (note: Note): State =>
  !canBeResolved(note) ? '' : note.resolved === true ? 'resolved' : 'open';

/** Without `resolvable`, a thread of a merge request can be (behavior: resolving.kinds). */
const canBeResolved = ({ resolvable, resolved, system, type, noteable_type }: Note): boolean => {
  if ((resolvable ?? null) !== null) return resolvable !== false;
  const isOfThread = system !== true && type !== null;
  return isOfThread && ((resolved ?? null) !== null || /^Merge ?[Rr]equest$/.test(noteable_type));
};

export const isPlainComment = ({ type, resolvable }: Note): boolean => type === null && resolvable === false;

/** Some services still use the old name, `confidential`. A note that one of both calls internal must not be public. */
export const isInternal = ({ internal, confidential }: Note): boolean => (internal || confidential) ?? false;

/** False only if one name of the field says that the note is internal, and the other does not deny it. */
export const mayBePublic = (note: Note): boolean =>
  !isInternal(note) || note.internal === false || note.confidential === false;

export const noteText = (
  note: Note | undefined, { isTerminal, hasMarks = isTerminal }: Pick<Display, 'isTerminal' | 'hasMarks'>,
): string => {
  const text = shownText(note?.body);
  const marks = note && hasMarks ? [note.system ? '[system] ' : '', isInternal(note) ? '[internal] ' : ''] : [];
  return marks.join('') + (isTerminal ? rowText(text) : text);
};

/** More than fits into a row. */
const longestText = 5_000;

/** Of a finding, the title is its level and rule: `error E722: Do not use bare except`. */
const rowText = (text: string): string => withoutMarkup(text.slice(0, longestText).replace(findingTitle,
  (_, level: string, rule?: string) => `${level}${rule === undefined ? '' : ` ${rule}`}: `));

const findingTitle = new RegExp(String.raw`^\*\*(error|warning|note)\*\*`
  + String.raw`(?: \u00b7 (\[?(${'`+'})(?!${'`'}).*?(?<!${'`'})\3(?!${'`'})(?:\]\([^()\s]*\))?))?(?: \u00b7 .*)?\n+`);

/**
 * Newer services say it of the thread itself, too (behavior: threads.more-keys). A thread is open if either says so:
 * what a service leaves out of one of them must not pass a gate.
 */
export const threadState = (thread: Discussion): State => {
  const states = [ownState(thread), ...thread.notes.map(noteState)].filter((state) => state !== '');
  if (states.length === 0) return '';
  return states.every((state) => state === 'resolved') ? 'resolved' : 'open';
};

/** Of another type or alone, the fields say no more than that it may be open. */
const ownState = ({ resolvable, resolved }: Discussion): State => {
  if (resolvable === false || (resolvable ?? resolved ?? null) === null) return '';
  if (resolved !== true) return 'open';
  return (resolvable as unknown) === true ? 'resolved' : '';
};

/** The first note counts, because replies are stored as resolved by their authors (behavior: replies.resolved). */
export const resolvedNote = ({ notes }: Discussion): Note | undefined => notes.find((note) => noteState(note) !== '');

/** Nothing is known of a thread that comes without its notes. */
export const mayBeOpen = (thread: Discussion): boolean => threadState(thread) === 'open' || thread.notes.length === 0;

export const stateTone = (state: State): Tone | null =>
  state === 'open' ? 'open' : state === 'resolved' ? 'done' : null;

export const levelTone = (level: string | null | undefined): Tone | null =>
  level === 'error' ? 'removed' : level === 'warning' ? 'changed' : level === 'note' ? 'faint' : null;

const units: readonly (readonly [seconds: number, name: Intl.RelativeTimeFormatUnit])[] = [
  [31_536_000, 'year'], [2_592_000, 'month'], [604_800, 'week'], [86_400, 'day'], [3_600, 'hour'], [60, 'minute'],
];

let relativeTime: Intl.RelativeTimeFormat | undefined;

export const ago = (instant: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) return instant;
  const unit = units.find(([length]) => Math.abs(seconds) >= length);
  if (!unit) return 'just now';
  const [length, name] = unit;
  return (relativeTime ??= new Intl.RelativeTimeFormat('en')).format(-Math.trunc(seconds / length), name);
};

export const timeText = (instant: string, { isTerminal, now }: Pick<Display, 'isTerminal' | 'now'>): string =>
  isTerminal ? ago(instant, now) : instant;

export const clockText = (instant: string | number, { isTerminal }: Pick<Display, 'isTerminal'>): string => {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return String(instant);
  if (!isTerminal) return date.toISOString();
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
};

export const noteView: View<Note> = {
  columns: [
    {
      name: 'note', cell: ({ id }) => String(id),
      tone: () => 'strong', link: ({ id }, display) => notePage(id, display),
    },
    { name: 'state', cell: noteState, tone: (note) => stateTone(noteState(note)) },
    {
      name: 'author', cell: ({ author }) => author.username, link: ({ author }) => author.web_url,
      minWidth: 8, hideOrder: 3,
    },
    {
      name: 'created', cell: ({ created_at }, display) => timeText(created_at, display),
      tone: () => 'faint', hideOrder: 1,
    },
    { name: 'place', cell: ({ position }) => positionText(position), minWidth: 12, keep: 'end', hideOrder: 2 },
    { name: 'text', cell: noteText, minWidth: 20 },
  ],
  moreColumns: [{ name: 'first_line', cell: ({ body }) => firstLine(shownText(body)) }],
  id: ({ id }) => String(id),
  shape: Note,
  emptyText: 'no notes',
};

export const authorText = (note: Note): string => `${note.author.username}${isInternal(note) ? ' [internal]' : ''}`;

/** Text of users for agents: its further lines are indented, so that none can be taken for one of the format. */
export const agentText = (text: string): string => plainText(text).trim().replace(/\n/g, '\n    ');

const agentNote = (note: Note): string => {
  const text = `${authorText(note)}: ${shownText(note.body)}`;
  const head = [String(note.id), noteState(note), positionText(note.position)].filter((part) => part !== '');
  return `${plainLine(head.join(' '))} ${agentText(text)}\n`;
};

export const listedNoteView: View<Note> = {
  ...noteView, ownFormats: { agent: agentNote },
  moreColumns: [...noteView.moreColumns!, { name: 'url', cell: ({ id }, display) => notePage(id, display) ?? '' }],
};
