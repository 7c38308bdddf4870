import { plainLine, plainText } from '../../../text/plain.js';
import { counted } from '../../../text/messages.js';
import type { Display } from '../../terminal/output/view.js';
import { placeText, type PlacedThread } from '../places/placed-thread.js';
import type { DiffFile } from '../position/known-diff.js';
import { firstLine, stateOf, shownText } from './cells.js';
import { drawnThread, penFor, type DrawnThread, type Pen } from './conversation.js';
import type { ShownLine } from './diff.js';
import { pathOf, type ThreadCode } from './thread-code.js';

/** How all threads of a noteable are shown. */
export interface Whole {
  /** In the order of `inPlaceOrder`. */
  readonly threads: readonly PlacedThread[];
  readonly codeOf: (thread: PlacedThread) => Promise<ThreadCode>;
  /** Resolved threads are one line each otherwise. */
  readonly opensResolved: boolean;
}

/** By file and line; general ones last, in the order of the service. */
export const inPlaceOrder = (threads: readonly PlacedThread[], files: readonly DiffFile[]): PlacedThread[] => {
  const places = new Map(files.map(({ new_path }, i) => [new_path, i] as const));
  const keyOf = (thread: PlacedThread): readonly [number, string, number] => {
    const path = pathOf(thread);
    if (path === null) return [2, '', 0];
    const at = places.get(path);
    return at === undefined ? [1, path, lineOf(thread)] : [0, String(at).padStart(9, '0'), lineOf(thread)];
  };
  return threads.map((thread) => ({ thread, key: keyOf(thread) }))
    .sort((a, b) => a.key[0] - b.key[0] || compare(a.key[1], b.key[1]) || a.key[2] - b.key[2])
    .map(({ thread }) => thread);
};

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;

const lineOf = ({ notes, current_line }: PlacedThread): number => {
  const position = notes[0]?.position;
  const written = position?.position_type === 'text' ? position.new_line ?? position.old_line : null;
  return current_line ?? written ?? 0;
};

/** A conversation for each open thread, below the name of its file. */
export const wholeText = async (whole: Whole, display: Display): Promise<string> => {
  const drawn: DrawnThread[] = [];
  for (const thread of whole.threads) {
    drawn.push({ thread, code: isBrief(thread, whole) ? {} : await whole.codeOf(thread) });
  }
  const pen = await penFor(display, drawn);
  const parts: string[] = [];
  let file: string | null | undefined;
  for (const one of drawn) {
    const path = pathOf(one.thread);
    if (path !== file) {
      if (parts.at(-1)?.endsWith('\n\n') === false) parts.push('\n');
      parts.push(`${pen.paint('strong', path === null ? 'General' : plainLine(path))}\n\n`);
    }
    file = path;
    parts.push(isBrief(one.thread, whole) ? briefText(one.thread, pen) : `${drawnThread(one, pen)}\n`);
  }
  return parts.join('').replace(/\n+$/, '\n');
};

const isBrief = (thread: PlacedThread, { opensResolved }: Whole): boolean =>
  stateOf(thread) === 'resolved' && !opensResolved;

const briefText = (thread: PlacedThread, { paint, heading }: Pen): string => {
  const { id, notes } = thread;
  const place = placeText(thread);
  const text = `${place}${place && ' '}${notes[0]?.author.username}: ${firstLine(shownText(notes[0]?.body))}`;
  const mark = paint('faint', `${id.slice(0, 8)} [resolved]`);
  return heading(`${mark} ${plainLine(text)} (${counted(notes.length, 'note')})\n`, '  ');
};

/** To hand over to people and agents: the text of each note as it is, quoted. */
export const wholeMarkdown = async (whole: Whole, title: string): Promise<string> => {
  const parts = [`# ${escaped(title)}\n`];
  let file: string | null | undefined;
  for (const thread of whole.threads) {
    const path = pathOf(thread);
    if (path !== file) parts.push(`## ${path === null ? 'General' : escaped(path)}\n`);
    file = path;
    parts.push(await markdownOf(thread, whole));
  }
  return parts.join('\n');
};

const markdownOf = async (thread: PlacedThread, whole: Whole): Promise<string> => {
  const marks = [stateOf(thread), thread.new ? 'new' : ''].map((mark) => mark && ` [${mark}]`);
  const place = placeText(thread);
  const head = `### ${escaped(place === '' ? 'Thread' : place)}${marks.join('')} (${thread.id})\n`;
  if (isBrief(thread, whole)) {
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
  const code = lines.map(({ kind, text }) => `${signs[kind]}${plainText(text)}\n`).join('');
  const fence = '`'.repeat(Math.max(3, ...(code.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return code === '' ? [] : [`${fence}diff\n${code}${fence}\n`];
};

const signs = { added: '+', removed: '-', context: ' ' } as const;

const escaped = (text: string): string => plainLine(text).replace(/[\\`*_[\]<>#|~]/g, '\\$&');
