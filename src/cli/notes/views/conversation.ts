import type { Note } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import type { DiffLine } from '../../../diff/lines.js';
import { plainLine, plainText } from '../../../text/plain.js';
import { suggestionBlocks, type SuggestionBlock } from '../../../text/suggestion-blocks.js';
import { visibleText } from '../../../wire/marker.js';
import { linked, painter, safeAddress, type Paint } from '../../terminal/io/style.js';
import type { Display } from '../../terminal/output/view.js';
import { placeText, type PlacedThread } from '../places/placed-thread.js';
import { ago, isInternal, notePage, noteState, resolveLink, stateOf, stateTone, type State } from './cells.js';
import { codeText, hunkText } from './diff.js';
import type { ThreadCode } from './thread-code.js';

interface Style {
  readonly display: Display;
  readonly paint: Paint;
  /** A note shows its own state only if it differs from that of the thread. */
  readonly state: State;
}

/** The lines of the diff, then the notes, with replies indented. Markdown is rendered on a terminal only. */
export const conversation = async (
  thread: PlacedThread, display: Display, code: Partial<ThreadCode> = {},
): Promise<string> => {
  const style: Style = { display, paint: await painter(display.colors), state: stateOf(thread) };
  const hunk = await codeOf(code, style.paint);
  const lineOf = (note: Note): number | null => {
    const position: PartialPosition = note.position ?? thread.notes[0]?.position ?? {};
    return position.new_line ?? null;
  };
  const notes = await Promise.all(thread.notes.map((note, i) => noteText(note, i === 0 ? '' : '  ', {
    ...style, line: lineOf(note), file: code.file ?? code.current ?? [],
  })));
  return await fittedHead(heading(thread, style), '  ', display) + hunk + notes.map((note) => `\n${note}\n`).join('');
};

const codeOf = async ({ former = [], current = [] }: Partial<ThreadCode>, paint: Paint): Promise<string> => {
  const title = former.length > 0 && current.length > 0 ? `\n${paint('faint', 'now')}` : '';
  const hunks = [former, current].map(async (lines) => lines.length === 0 ? '' : `\n${await hunkText(lines, paint)}`);
  return (await Promise.all(hunks)).join(title);
};

const heading = (thread: PlacedThread, { display, paint, state }: Style): string => {
  const { id, notes, new: isNew = false } = thread;
  const where = placeText(thread);
  const resolver = notes.findLast(({ resolved_by }) => resolved_by);
  const news = isNew ? ` ${paint('strong', '[new]')}` : '';
  const mark = state === '' ? '' : ` ${paint(stateTone(state), `[${resolution(state, resolver, display)}]`)}`;
  const name = paint('strong', plainLine(`thread ${isNarrow(display) ? id.slice(0, 8) : id}`));
  const linkedName = withLink(name, notePage(notes[0]?.id, display), display);
  return `${linkedName}${where && ` on ${plainLine(where)}`}${mark}${news}\n`;
};

/** A whole id would not fit beside the rest, and eight characters find the thread too. */
const isNarrow = ({ isTerminal, columns }: Display): boolean => isTerminal && columns < 60;

interface NoteStyle extends Style {
  /** The commented line of the file; null without one. */
  readonly line: number | null;
  readonly file: readonly DiffLine[];
}

const noteText = async (note: Note, indent: string, style: NoteStyle): Promise<string> => {
  const { display, paint } = style;
  const width = Math.min(display.columns, maxWidth) - indent.length - 2;
  const rendering = { paint, links: display.links, resolveLink: (href: string) => resolveLink(href, display) };
  const textOf = async (text: string) => display.isTerminal
    ? (await import('./markdown.js')).markdownText(text, width, rendering) : plainText(text);
  const body = await withSuggestions(visibleText(note.body), style, textOf);
  const lines = [...body.replace(/(?<!\n)\n+$/, '').split('\n'), ...attachmentLines(note)];
  const title = await fittedHead(indent + head(note, style), `${indent}    `, display);
  return [title, ...lines.map((line) => line === '' ? '' : `${indent}  ${line}`)].join('\n');
};

/** Each suggestion as the diff that it is, between the other texts. */
const withSuggestions = async (
  body: string, { line, file, paint }: NoteStyle, textOf: (text: string) => Promise<string>,
): Promise<string> => {
  const blocks = line === null ? [] : suggestionBlocks(body);
  if (blocks.length === 0) return textOf(body);
  const lines = body.split('\n');
  const parts: string[] = [];
  let at = 0;
  for (const block of blocks) {
    parts.push(await textOf(lines.slice(at, block.start).join('\n').trimEnd()));
    parts.push(await suggestionText(block, line!, file, paint));
    at = block.end;
  }
  parts.push(await textOf(lines.slice(at).join('\n')));
  return parts.filter((part) => part.trim() !== '').join('\n\n');
};

/** The replaced lines are left out if not all are known. */
const suggestionText = async (
  { above, below, text }: SuggestionBlock, line: number, file: readonly DiffLine[], paint: Paint,
): Promise<string> => {
  const [from, to] = [Math.max(1, line - above), line + below];
  const old = file.filter(({ kind, newLine }) => kind !== 'removed' && newLine >= from && newLine <= to);
  const removed = old.length === to - from + 1 ? old.map((one) => one.text) : [];
  const added = text.split('\n').slice(0, -1);
  const show = await codeText([...removed, ...added].map((one) => ({ text: one })));
  return [
    paint('faint', `suggested change of ${from === to ? `line ${from}` : `lines ${from}-${to}`}:`),
    ...removed.map((one) => paint('removed', `-${show(one)}`)), ...added.map((one) => paint('added', `+${show(one)}`)),
  ].join('\n');
};

/** Wrapped between its parts on a narrow terminal. */
const fittedHead = async (line: string, indent: string, { isTerminal, columns }: Display): Promise<string> => {
  if (!isTerminal) return line;
  const [{ wrapWords }, { widthOf }] = await Promise.all([
    import('../../terminal/io/wrap.js'), import('../../terminal/io/width.js'),
  ]);
  if (widthOf(line) <= columns) return line;
  const start = /^ */.exec(line)![0];
  const end = line.endsWith('\n') ? '\n' : '';
  const [first, ...others] = wrapWords(line.trim(), columns - indent.length).split('\n');
  return [start + first, ...others.map((other) => indent + other)].join('\n') + end;
};

/** Lines longer than this are hard to read, however wide the terminal. */
const maxWidth = 100;

const head = (note: Note, { display, paint, state }: Style): string => {
  const { author, system } = note;
  const own = noteState(note);
  const marks = [
    system ? '[system]' : '',
    isInternal(note) ? '[internal]' : '',
    own !== '' && own !== state ? paint(stateTone(own), plainLine(`[${resolution(own, note, display)}]`)) : '',
  ].filter((mark) => mark !== '').map((mark) => ` ${mark}`).join('');
  const name = paint('strong', plainLine(author.name));
  const who = `${withLink(name, author.web_url, display)} ${plainLine(`(@${author.username})`)}`;
  return `${who} ${paint('faint', time(note, display))}${marks}  ${paint('faint', `#note_${note.id}`)}`;
};

/** Age and time on a terminal, the timestamp elsewhere. */
const time = (note: Note, { isTerminal, now }: Display): string => {
  const { created_at, updated_at, resolved } = note;
  const edited = Date.parse(updated_at) > Date.parse(created_at) && !resolved ? ', edited' : '';
  return plainLine(isTerminal ? `${ago(created_at, now)}, ${minute(created_at)}${edited}` : `${created_at}${edited}`);
};

/** `2024-05-01 11:49 UTC`. */
const minute = (instant: string): string => {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? instant : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
};

const resolution = (state: State, note: Note | undefined, { isTerminal, now }: Display): string => {
  if (state !== 'resolved') return state;
  const by = note?.resolved_by ? ` by @${note.resolved_by.username}` : '';
  const at = note?.resolved_at ? ` ${isTerminal ? ago(note.resolved_at, now) : `at ${note.resolved_at}`}` : '';
  return plainLine(`resolved${by}${at}`);
};

const attachmentLines = ({ attachment }: Note): string[] => {
  const hasUrl = typeof attachment === 'object' && attachment !== null && 'url' in attachment;
  const url = hasUrl ? attachment.url : attachment;
  return typeof url === 'string' && url !== '' ? [`attachment: ${plainLine(url)}`] : [];
};

const withLink = (text: string, page: string | null, { links }: Display): string => {
  const address = links && page !== null ? safeAddress(page) : null;
  return address === null ? text : linked(text, address);
};
