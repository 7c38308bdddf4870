import type { Note } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import type { DiffLine } from '../../../diff/lines.js';
import { codeBlock } from '../../../markdown/code.js';
import { showHidden } from '../../../markdown/prose.js';
import { type SuggestionBlock, suggestionBlocks } from '../../../markdown/suggestions.js';
import { groupedBy } from '../../../text/groups.js';
import { counted } from '../../../text/messages.js';
import { asText, plainLine, plainText } from '../../../text/plain.js';
import { visibleText } from '../../../wire/note-text.js';
import { linked, type Paint, painter, safeAddress } from '../../terminal/io/style.js';
import type { Display } from '../../terminal/output/view.js';
import { type PlacedThread, placeText, proofText } from '../places.js';
import { shortIds } from '../thread-id.js';
import type { DiffFile } from '../position/known-diff.js';
import { codeText, haveTabs, hunkText, lineMarks, threadPath, type ShownLine, type ThreadCode } from './code.js';
import { type Coloring, coloringOf } from './syntax.js';
import {
  ago, firstLine, isInternal, notePage, noteState, resolvedNote, resolveLink, shownText, type State, threadState,
  stateTone,
} from './note.js';

/** Markdown is rendered on a terminal only. */
export const conversation = async (
  thread: PlacedThread, display: Display, code: Partial<ThreadCode> = {},
): Promise<string> => drawnThread({ thread, code }, await penFor(display, [{ thread, code }]));

interface DrawnThread { readonly thread: PlacedThread; readonly code: Partial<ThreadCode> }

/** Loaded once, so that many threads are drawn without waiting. */
interface Pen {
  readonly display: Display;
  readonly paint: Paint;
  readonly idOf: (thread: Pick<PlacedThread, 'id'>) => string;
  readonly code: (text: string) => string;
  readonly coloring: (path: string) => Coloring | null;
  /** @param width in columns */
  readonly text: (text: string, width: number) => string;
  /** @param indent of the further lines on a narrow terminal */
  readonly heading: (line: string, indent: string) => string;
}

const penFor = async (display: Display, threads: readonly DrawnThread[]): Promise<Pen> => {
  const paint = await painter(display.colors);
  const code = await codeText(threads.some(hasTabs));
  const own = { display, paint, code };
  if (!display.isTerminal) {
    return { ...own, idOf: ({ id }) => id, coloring: () => null, text: plainText, heading: (line) => line };
  }
  const coloring = display.colors > 0 ? await coloringOf(threads.flatMap(coloredPaths)) : () => null;
  const ids = shortIds(threads.map(({ thread: { id } }) => asText(id)));
  const [{ markdownText }, { wrapHeading }] = await Promise.all(
    [import('./markdown.js'), import('../../terminal/io/width.js')]);
  const rendering = { paint, links: display.links, resolveLink: (href: string) => resolveLink(href, display) };
  return {
    ...own, coloring, idOf: ({ id }) => ids.get(id) ?? asText(id),
    text: (text, width) => markdownText(text, width, rendering),
    heading: (line, indent) => wrapHeading(line, indent, display.columns),
  };
};

const coloredPaths = ({ thread, code: { former = [], current = [] } }: DrawnThread): readonly string[] =>
  former.length + current.length > 0 ? [threadPath(thread) ?? ''] : [];

const hasTabs = ({ thread, code: { former = [], current = [], file = [] } }: DrawnThread): boolean =>
  [former, current, file].some(haveTabs) || thread.notes.some(({ body }) => asText(body).includes('\t'));

/** @param count `3 of 17` */
const drawnThread = ({ thread, code }: DrawnThread, pen: Pen, count = ''): string => {
  const noteLine = (note: Note): number | null => {
    const position: PartialPosition = note.position ?? thread.notes[0]?.position ?? {};
    return position.new_line ?? null;
  };
  const [state, file] = [threadState(thread), code.file ?? code.current ?? []];
  const notes = thread.notes.map((note, i) =>
    `\n${noteText(note, i === 0 ? '' : '  ', { pen, state, line: noteLine(note), file })}\n`);
  return pen.heading(heading(thread, state, pen, count), '  ') + hunksText(thread, code, pen) + notes.join('');
};

const hunksText = (
  thread: PlacedThread, { former = [], current = [] }: Partial<ThreadCode>, pen: Pen,
): string => {
  const color = pen.coloring(threadPath(thread) ?? '');
  const title = former.length > 0 && current.length > 0 ? `\n${pen.paint('faint', 'now')}` : '';
  const hunk = (lines: readonly ShownLine[]) =>
    lines.length === 0 ? '' : `\n${hunkText(lines, pen.paint, pen.code, color)}`;
  return hunk(former) + title + hunk(current);
};

const heading = (thread: PlacedThread, state: State, { display, paint, idOf }: Pen, count: string): string => {
  const where = placeText(thread);
  const news = thread.new ? ` ${paint('strong', '[new]')}` : '';
  const words = resolution(state, resolvedNote(thread), display);
  const fix = proofText(thread);
  const mark = state === '' ? '' : ` ${paint(stateTone(state), `[${words}${fix && `, ${fix}`}]`)}`;
  const name = paint('strong', plainLine(`${nounFor(thread)} ${idOf(thread)}`));
  const linkedName = withLink(name, notePage(thread.notes[0]?.id, display), display);
  return `${linkedName}${where && ` on ${plainLine(where)}`}${mark}${news}${count && ` ${paint('faint', count)}`}\n`;
};

/** The service writes its system notes as comments. */
const nounFor = ({ individual_note, notes: [note] }: PlacedThread): string =>
  individual_note ? note?.system ? 'note' : 'comment' : 'thread';

interface NoteStyle {
  readonly pen: Pen;
  /** A note shows its own state only if it differs from that of the thread. */
  readonly state: State;
  readonly line: number | null;
  readonly file: readonly DiffLine[];
}

const noteText = (note: Note, indent: string, style: NoteStyle): string => {
  const { pen } = style;
  const width = Math.min(pen.display.columns, maxWidth) - indent.length - 2;
  const body = withSuggestions(visibleText(note.body), style, (text) => pen.text(showHidden(text), width));
  const lines = [...body.replace(/(?<!\n)\n+$/, '').split('\n'), ...attachmentLines(note)];
  const title = pen.heading(indent + head(note, style), `${indent}    `);
  return [title, ...lines.map((line) => line === '' ? '' : `${indent}  ${line}`)].join('\n');
};

const withSuggestions = (
  body: string, { line, file, pen }: NoteStyle, textOf: (text: string) => string,
): string => {
  const blocks = line === null ? [] : suggestionBlocks(body);
  if (blocks.length === 0) return textOf(body);
  const parts: string[] = [];
  let at = 0;
  for (const block of blocks) {
    parts.push(textOf(body.slice(at, block.start).trimEnd()));
    parts.push(suggestionText(block, line!, file, pen));
    at = block.end;
  }
  parts.push(textOf(body.slice(at)));
  return parts.filter((part) => part.trim() !== '').join('\n\n');
};

/** The replaced lines are left out if not all are known. */
const suggestionText = (
  { above, below, text }: SuggestionBlock, line: number, file: readonly DiffLine[], { paint, code: show }: Pen,
): string => {
  const [from, to] = [Math.max(1, line - above), line + below];
  const old = file.filter(({ kind, newLine }) => kind !== 'removed' && newLine >= from && newLine <= to);
  const removed = old.length === to - from + 1 ? old.map((one) => one.text) : [];
  const added = text.split('\n').slice(0, -1);
  return [
    paint('faint', `suggested change of ${from === to ? `line ${from}` : `lines ${from}-${to}`}:`),
    ...removed.map((one) => paint('removed', `-${show(one)}`)), ...added.map((one) => paint('added', `+${show(one)}`)),
  ].join('\n');
};

/** Lines longer than this are hard to read, however wide the terminal. */
const maxWidth = 100;

const head = (note: Note, { pen: { display, paint }, state }: NoteStyle): string => {
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

const time = (note: Note, { isTerminal, now }: Display): string => {
  const { created_at, updated_at, resolved } = note;
  const edited = Date.parse(updated_at) > Date.parse(created_at) && !resolved ? ', edited' : '';
  return plainLine(isTerminal ? `${ago(created_at, now)}, ${minute(created_at)}${edited}` : `${created_at}${edited}`);
};

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

export interface Whole {
  /** They have the order of `inPlaceOrder`. */
  readonly threads: readonly PlacedThread[];
  readonly codeOf: (thread: PlacedThread) => Promise<ThreadCode>;
  /** Resolved threads are one line each otherwise. */
  readonly opensResolved: boolean;
  /** Lines above the threads, already escaped. */
  readonly heading?: (paint: Paint) => readonly string[];
}

/** General threads are last, in the order of the service. */
export const inPlaceOrder = (threads: readonly PlacedThread[], files: readonly DiffFile[]): PlacedThread[] => {
  const others = threads.flatMap((thread) => threadPath(thread) ?? []).sort();
  const paths = [...new Set([...files.map(({ new_path }) => new_path), ...others])];
  const ranks = new Map<string | null, number>(paths.map((path, i) => [path, i]));
  const rankOf = (thread: PlacedThread) => ranks.get(threadPath(thread)) ?? paths.length;
  const lineOf = (thread: PlacedThread) => threadPath(thread) === null ? 0 : threadLine(thread);
  return threads.toSorted((a, b) => rankOf(a) - rankOf(b) || lineOf(a) - lineOf(b));
};

const threadLine = ({ notes, current_line }: PlacedThread): number => {
  const position = notes[0]?.position;
  const written = position?.position_type === 'text' ? position.new_line ?? position.old_line : null;
  return current_line ?? written ?? 0;
};

export const wholeText = async (whole: Whole, display: Display): Promise<string> => {
  const drawn: DrawnThread[] = [];
  for (const thread of whole.threads) {
    drawn.push({ thread, code: isOneLine(thread, whole) ? {} : await whole.codeOf(thread) });
  }
  const pen = await penFor(display, drawn);
  const parts = (whole.heading?.(pen.paint) ?? []).map((line) => pen.heading(`${line}\n`, '  '));
  for (const [path, ofFile] of groupedBy(drawn, ({ thread }) => threadPath(thread))) {
    if (parts.at(-1)?.endsWith('\n\n') === false) parts.push('\n');
    parts.push(`${pen.paint('strong', path === null ? 'General' : plainLine(path))}\n\n`);
    for (const one of ofFile) {
      const count = display.isTerminal ? `${drawn.indexOf(one) + 1} of ${drawn.length}` : '';
      parts.push(isOneLine(one.thread, whole) ? briefText(one.thread, pen) : `${drawnThread(one, pen, count)}\n`);
    }
  }
  return parts.join('').replace(/(?<!\n)\n+$/, '\n');
};

export const isOneLine = (thread: PlacedThread, { opensResolved }: Whole): boolean =>
  threadState(thread) === 'resolved' && !opensResolved;

const briefText = (thread: PlacedThread, { paint, heading, idOf }: Pen): string => {
  const { notes, notes: [note] } = thread;
  const place = placeText(thread);
  const text = `${place}${place && ' '}${note?.author.username}: ${firstLine(shownText(note?.body))}`;
  const marks = ['resolved', proofText(thread)].filter((one) => one !== '').join(', ');
  const mark = paint('faint', `${plainLine(idOf(thread))} [${marks}]`);
  return heading(`${mark} ${plainLine(text)} (${counted(notes.length, 'note')})\n`, '  ');
};

/** For people and agents: the text of each note is quoted as it is. */
export const wholeMarkdown = async (whole: Whole, title: string): Promise<string> => {
  const parts = [`# ${escaped(title)}\n`];
  for (const [path, ofFile] of groupedBy(whole.threads, threadPath)) {
    parts.push(`## ${path === null ? 'General' : escaped(path)}\n`);
    for (const thread of ofFile) parts.push(await markdownOf(thread, whole));
  }
  return parts.join('\n');
};

const markdownOf = async (thread: PlacedThread, whole: Whole): Promise<string> => {
  const marks = [threadState(thread), proofText(thread), thread.new ? 'new' : ''].map((mark) => mark && ` [${mark}]`);
  const [place, noun] = [placeText(thread), nounFor(thread)];
  const name = place === '' ? `${noun.charAt(0).toUpperCase()}${noun.slice(1)}` : place;
  const head = `### ${escaped(name)}${marks.join('')} (${thread.id})\n`;
  if (isOneLine(thread, whole)) {
    return `${head}\n${escaped(firstLine(shownText(thread.notes[0]?.body)))}\n`;
  }
  const { former, current } = await whole.codeOf(thread);
  const title = former.length > 0 && current.length > 0 ? ['Now:\n'] : [];
  const notes = thread.notes.map(({ author, created_at, body }) => {
    const text = plainText(shownText(body)).replace(/^/gm, '> ');
    return `**${escaped(author.name)}** (@${escaped(author.username)}), ${created_at}:\n\n${text}\n`;
  });
  return [head, ...fenced(former), ...title, ...fenced(current), ...notes].join('\n');
};

const fenced = (lines: readonly ShownLine[]): string[] => {
  const code = lines.map(({ kind, text }) => `${lineMarks[kind]}${plainText(text)}\n`).join('');
  return code === '' ? [] : [`${codeBlock(code.slice(0, -1), 'diff')}\n`];
};

const escaped = (text: string): string => plainLine(text).replace(/[\\`*_[\]<>#|~]/g, '\\$&');
