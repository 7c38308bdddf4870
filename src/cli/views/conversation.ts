import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { DiffLine } from '../../diff/lines.js';
import { plainLine, plainText } from '../io/plain.js';
import { linked, painter, safeAddress, type Paint } from '../io/style.js';
import type { Place } from '../output/view.js';
import { hunkText } from './diff.js';
import { markdownText } from './markdown.js';
import { addressOf, ago, notePage, noteState, placeOf, stateOf, stateTone, type State } from './parts.js';

/** What a conversation is written with. */
interface Style {
  readonly place: Place;
  readonly paint: Paint;
  /** The state of the thread: a note tells its own only where it differs. */
  readonly state: State;
}

/**
 * A thread as a conversation: the lines of the diff it is about, then who said what and when, replies indented below
 * the first note. On a terminal Markdown is rendered; in a pipe it stays as it was written.
 */
export const conversation = async (
  thread: Discussion, place: Place, lines: readonly DiffLine[] = [],
): Promise<string> => {
  const pen: Style = { place, paint: await painter(place.colors), state: stateOf(thread) };
  const hunk = lines.length === 0 ? '' : `\n${hunkText(lines, pen.paint)}`;
  const notes = await Promise.all(thread.notes.map((note, i) => noteText(note, i === 0 ? '' : '  ', pen)));
  return heading(thread, pen) + hunk + notes.map((note) => `\n${note}\n`).join('');
};

const heading = ({ id, notes }: Discussion, { place, paint, state }: Style): string => {
  const where = placeOf(notes[0]?.position);
  const resolver = notes.findLast(({ resolved_by }) => resolved_by);
  const mark = state === '' ? '' : ` ${paint(stateTone(state), `[${resolution(state, resolver, place)}]`)}`;
  const name = paint('strong', plainLine(`thread ${id}`));
  return `${withLink(name, notePage(notes[0]?.id, place), place)}${where && ` on ${plainLine(where)}`}${mark}\n`;
};

const noteText = async (note: Note, indent: string, pen: Style): Promise<string> => {
  const { place } = pen;
  const width = Math.min(place.columns, widest) - indent.length - 2;
  const rendering = { paint: pen.paint, links: place.links, addressOf: (href: string) => addressOf(href, place) };
  const body = place.isTerminal ? await markdownText(note.body, width, rendering) : plainText(note.body);
  const lines = [...body.replace(/\n+$/, '').split('\n'), ...attachmentLines(note)];
  return [`${indent}${head(note, pen)}`, ...lines.map((line) => line === '' ? '' : `${indent}  ${line}`)].join('\n');
};

/** Lines longer than this are hard to read, however wide the terminal. */
const widest = 100;

const head = (note: Note, { place, paint, state }: Style): string => {
  const { author, system } = note;
  const own = noteState(note);
  const marks = [
    system ? '[system]' : '',
    own !== '' && own !== state ? paint(stateTone(own), plainLine(`[${resolution(own, note, place)}]`)) : '',
  ].filter((mark) => mark !== '').map((mark) => ` ${mark}`).join('');
  const name = paint('strong', plainLine(author.name));
  const who = `${withLink(name, author.web_url, place)} ${plainLine(`(@${author.username})`)}`;
  return `${who} ${paint('faint', time(note, place))}${marks}  ${paint('faint', `#note_${note.id}`)}`;
};

/** When a note was written: to people how long ago and at what time, to programs the instant itself. */
const time = (note: Note, { isTerminal, now }: Place): string => {
  const { created_at, updated_at, resolved } = note;
  const edited = Date.parse(updated_at) > Date.parse(created_at) && !resolved ? ', edited' : '';
  return plainLine(isTerminal ? `${ago(created_at, now)}, ${minute(created_at)}${edited}` : `${created_at}${edited}`);
};

/** An instant to the minute: `2024-05-01 11:49 UTC`. */
const minute = (instant: string): string => {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

const resolution = (state: State, note: Note | undefined, { isTerminal, now }: Place): string => {
  if (state !== 'resolved') return state;
  const by = note?.resolved_by ? ` by @${note.resolved_by.username}` : '';
  const at = note?.resolved_at ? ` ${isTerminal ? ago(note.resolved_at, now) : `at ${note.resolved_at}`}` : '';
  return plainLine(`resolved${by}${at}`);
};

/** What hangs on a note, by its address. */
const attachmentLines = ({ attachment }: Note): string[] => {
  const hasUrl = typeof attachment === 'object' && attachment !== null && 'url' in attachment;
  const url = hasUrl ? attachment.url : attachment;
  return typeof url === 'string' && url !== '' ? [`attachment: ${plainLine(url)}`] : [];
};

const withLink = (text: string, page: string | null, { links }: Place): string => {
  const address = links && page !== null ? safeAddress(page) : null;
  return address === null ? text : linked(text, address);
};
