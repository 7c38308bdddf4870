import { Epic, LinkedEpic } from '../../contract/epics.js';
import { Note, type Discussion } from '../../contract/shapes/note.js';
import type { Position } from '../../contract/shapes/position.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Tone } from '../io/style.js';
import type { Place, View, WebPages } from '../output/view.js';
import { containerUrl, noteableUrl } from '../refs/ref.js';
import { settingsOf } from '../settings/settings.js';
import type { Target } from '../targets/target.js';

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

/**
 * Where a diff note stands, for people: `src/a.ts:12`, `logo.png at 10,20`; a line that only the old side has is
 * marked.
 */
export const placeOf = (position: Position | null | undefined): string => {
  if (!position) return '';
  const path = position.new_path ?? position.old_path ?? '';
  if (position.position_type === 'image') return `${path} at ${position.x ?? '?'},${position.y ?? '?'}`;
  if (position.position_type === 'file') return path;
  return typeof position.new_line === 'number' ? `${path}:${position.new_line}`
    : typeof position.old_line === 'number' ? `${position.old_path ?? path}:${position.old_line} (old)` : path;
};

/** Whether something is open, resolved, or neither because it can't be resolved. */
export type State = 'open' | 'resolved' | '';

/** The state of one note. */
export const noteState = ({ resolvable, resolved }: Note): State =>
  !resolvable || resolved === undefined ? '' : resolved ? 'resolved' : 'open';

/** The state of a thread: open until every note that can be resolved is. */
export const stateOf = ({ notes }: Discussion): State => {
  const states = notes.map(noteState).filter((state) => state !== '');
  if (states.length === 0) return '';
  return states.every((state) => state === 'resolved') ? 'resolved' : 'open';
};

/** How a state stands out. */
export const stateTone = (state: State): Tone | null =>
  state === 'open' ? 'open' : state === 'resolved' ? 'done' : null;

const units: readonly (readonly [seconds: number, name: Intl.RelativeTimeFormatUnit])[] = [
  [31_536_000, 'year'], [2_592_000, 'month'], [604_800, 'week'], [86_400, 'day'], [3_600, 'hour'], [60, 'minute'],
];

let relativeTime: Intl.RelativeTimeFormat | undefined;

/** How long ago an instant was, in the largest unit that fits: `3 hours ago`. What is no instant stays as it is. */
export const ago = (instant: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(instant)) / 1000);
  if (Number.isNaN(seconds)) return instant;
  const unit = units.find(([length]) => Math.abs(seconds) >= length);
  if (!unit) return 'just now';
  const [length, name] = unit;
  return (relativeTime ??= new Intl.RelativeTimeFormat('en')).format(-Math.trunc(seconds / length), name);
};

/** An instant as a table shows it: its age to people, itself to programs. */
export const when = (instant: string, { isTerminal, now }: Pick<Place, 'isTerminal' | 'now'>): string =>
  isTerminal ? ago(instant, now) : instant;

/**
 * The web pages of what a command is about, for links on a terminal. Null where the project or group is known by its
 * number alone, an epic by its global id, and in the sandbox, which has none.
 */
export const webPagesFor = async (app: App, flags: GlobalFlags, { ref, path }: Target): Promise<WebPages | null> => {
  if (!app.out.isTerminal || flags.sandbox || ref.isGlobal || /^\d+$/.test(path.id)) return null;
  const base = ref.base ?? (await settingsOf(app, flags)).url?.href;
  if (base === undefined) return null;
  return { container: containerUrl(base, path.id, ref.kind), noteable: noteableUrl(base, path.id, ref) };
};

/** How single notes are shown. */
export const noteView: View<Note> = {
  columns: [
    { name: 'note', cell: ({ id }) => String(id), tone: () => 'strong', link: ({ id }, place) => notePage(id, place) },
    { name: 'state', cell: noteState, tone: (note) => stateTone(noteState(note)) },
    {
      name: 'author', cell: ({ author }) => author.username, link: ({ author }) => author.web_url,
      least: 8, spare: 3,
    },
    {
      name: 'created', cell: ({ created_at }, place) => when(created_at, place),
      tone: () => 'faint', spare: 1,
    },
    { name: 'place', cell: ({ position }) => placeOf(position), least: 12, keeps: 'end', spare: 2 },
    { name: 'text', cell: ({ body }) => body, least: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Note,
  none: 'no notes',
};

/** How child epics are shown. */
export const epicView: View<Epic> = {
  columns: [
    { name: 'epic', cell: ({ iid }) => `&${iid}`, tone: () => 'strong', link: ({ web_url }) => web_url ?? null },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'group', cell: ({ group_id }) => String(group_id), spare: 1 },
    { name: 'start', cell: ({ start_date }) => start_date ?? '', spare: 2 },
    { name: 'due', cell: ({ due_date }) => due_date ?? '', spare: 3 },
    { name: 'title', cell: ({ title }) => title, least: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Epic,
  none: 'no child epics',
};

/** How an epic that was just created is shown. */
export const linkedEpicView: View<LinkedEpic> = {
  columns: [
    { name: 'epic', cell: ({ reference }) => reference, tone: () => 'strong', link: ({ url }) => url },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'title', cell: ({ title }) => title, least: 20 },
    { name: 'url', cell: ({ url }) => url },
  ],
  id: ({ id }) => String(id),
  shape: LinkedEpic,
  none: 'no epics',
};
