import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { type DiffLine, isNextLine } from '../../../diff/lines.js';
import { isSameLine } from '../../../diff/trace.js';
import { plainLine, plainText } from '../../../text/plain.js';
import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import { allThreads } from '../../service/targets/threads.js';
import { type CurrentPlace, currentPlaces } from '../places.js';
import { knownDiff } from '../position/known-diff.js';
import { positionText } from '../position/position.js';
import type { Shas } from '../position/version.js';
import { shortId } from '../thread-id.js';
import { lineMarks } from '../views/code.js';
import { firstLine, shownText, threadState } from '../views/note.js';
import { noteLines } from '../write/edit-text.js';
import type { Verdict } from './verdict.js';

export interface ReviewFile {
  readonly old_path: string;
  readonly new_path: string;
  /** Null if no source shows them. */
  readonly lines: readonly DiffLine[] | null;
}

interface ReviewThread {
  readonly thread: Discussion;
  readonly file: number | null;
  /** Counts from 0; a thread may be on no line of the diff. */
  readonly line: number | null;
  /** Such as `on src/a.ts:28 of an older version`; empty if its place shows it. */
  readonly note: string;
}

export interface Review {
  readonly name: string;
  readonly files: readonly ReviewFile[];
  readonly threads: readonly ReviewThread[];
}

export type Anchor =
  | { readonly to: 'request' | 'verdict' | 'summary' }
  | { readonly to: 'file'; readonly file: ReviewFile }
  | { readonly to: 'line'; readonly file: ReviewFile; readonly line: DiffLine }
  | { readonly to: 'thread'; readonly thread: Discussion };

/** Lines without an anchor take no comments. */
export interface PageLine {
  readonly text: string;
  readonly anchor: Anchor | null;
}

/** vim reads settings from the first and last five lines, so none of those may come from other users. */
const head = [
  'Write your comments below the quoted lines, and leave the quoted lines as they are.',
  '  Below a line of the diff: a comment on that line. For several lines, put "> |" in place of "> "',
  '    on each of them, and the comment below the last one.',
  '  Below a thread: a reply; [resolve] alone on a line resolves the thread.',
  '  Below "diff --git": a comment on the whole file. Below the next line: one on all of it.',
];
const foot = ['~', '~', '~', '~', '~'];

/** Each thread is below its line, those without a line are below their file, and general ones are last. */
export const reviewPage = ({ name, files, threads }: Review): readonly PageLine[] => [
  ...head.map(silent),
  { text: 'Verdict (request-changes, reviewed or approve), below this line:', anchor: { to: 'verdict' } },
  { text: 'Summary, which is posted last, below this line:', anchor: { to: 'summary' } },
  { text: plainLine(name), anchor: { to: 'request' } },
  ...files.flatMap((file, i) => [silent(''), ...fileLines(file, threads.filter((placed) => placed.file === i))]),
  ...generalLines(threads.filter(({ file }) => file === null)),
  ...foot.map(silent),
];

const silent = (text: string): PageLine => ({ text, anchor: null });

const fileLines = (file: ReviewFile, threads: readonly ReviewThread[]): PageLine[] => {
  const below = (line: number | null) => threads.filter((placed) => placed.line === line).flatMap(threadLines);
  const name = `diff --git ${plainLine(`a/${file.old_path}`)} ${plainLine(`b/${file.new_path}`)}`;
  const anchor = { to: 'file', file } as const;
  const lines = file.lines?.flatMap((line, i, all) => [
    ...i === 0 || !isNextLine(all[i - 1]!, line) ? [silent(`@@ -${line.oldLine} +${line.newLine} @@`)] : [],
    { text: lineMarks[line.kind] + oneLine(line.text), anchor: { to: 'line' as const, file, line } },
    ...below(i),
  ]) ?? [{ text: 'The service does not show the lines of this file.', anchor }];
  return [{ text: name, anchor }, ...below(null), ...lines];
};

const oneLine = (text: string): string => plainText(text).replaceAll('\n', '\\u000a');

const generalLines = (threads: readonly ReviewThread[]): PageLine[] =>
  threads.length === 0 ? []
    : [silent(''), silent('Threads without a position in the diff'), ...threads.flatMap(threadLines)];

const threadLines = ({ thread, note }: ReviewThread): PageLine[] => {
  const state = threadState(thread);
  const title = `thread ${shortId(thread.id)}${state && ` [${state}]`} ${note}`.trimEnd();
  const texts = state === 'resolved' ? thread.notes.slice(0, 1).flatMap(shortLines) : thread.notes.flatMap(noteLines);
  const anchor = { to: 'thread', thread } as const;
  return [title, ...texts.slice(1)].map((text) => ({ text: `# ${text}`.trimEnd(), anchor }));
};

const shortLines = (note: Note): string[] =>
  [...noteLines(note).slice(0, 2), `  ${plainLine(firstLine(shownText(note.body)))}`];

/** What is given already stands where it would be written. */
export const pageText = (
  lines: readonly PageLine[], { verdict, summary }: Verdict = { verdict: null, summary: null },
): string => lines.map(({ text, anchor }) => {
  const given = anchor?.to === 'verdict' ? verdict : anchor?.to === 'summary' ? summary : null;
  return `${`> ${text}`.trimEnd()}\n${given === null ? '' : `${asText(given)}\n`}`;
}).join('');

/** Nothing in it is a line of the page: a quote has a space before it, or none after it, which means the same. */
const asText = (text: string): string => text.split('\n').map((line) => line.trim() === '[resolve]'
  ? line.replace('[', '\\[') : line.replace(/^> (?=\S)/, '>').replace(/^>(?= |\r?$)/, ' >')).join('\n');

/** @throws Problem when the commits of the diff are not known */
export const readReview = async (app: App, target: Target): Promise<{ review: Review; shas: Shas }> => {
  const [diff, threads] = await Promise.all([knownDiff(app, {}, target), allThreads(app, target)]);
  const files = await Promise.all((diff.files ?? []).map(async (file): Promise<ReviewFile> =>
    ({ old_path: file.old_path, new_path: file.new_path, lines: await file.lines() })));
  const isWhole = diff.files !== null && !diff.isCut && files.every(({ lines }) => lines !== null);
  const name = `Review of ${target.name}`
    + (isWhole ? '' : ': lines are missing, because the service does not show the whole diff');
  const shown = threads.filter(({ notes }) => notes.some(({ system }) => !system));
  const placeOf = currentPlaces(app, target);
  const placed = await Promise.all(shown.map(async (thread) => reviewThread(thread, await placeOf(thread), files)));
  return { shas: diff.shas, review: { name, files, threads: placed } };
};

/** A comment on an older version is at its current line, if the diff shows that. */
const reviewThread = (
  thread: Discussion, { outdated, now }: CurrentPlace, files: readonly ReviewFile[],
): ReviewThread => {
  const position = thread.notes[0]?.position;
  if (!position) return { thread, file: null, line: null, note: '' };
  const path = now?.path ?? position.new_path ?? position.old_path;
  const file = files.findIndex(({ old_path, new_path }) => path === new_path || path === old_path);
  const line = file < 0 || !now ? -1 : files[file]!.lines?.findIndex((one) => isSameLine(one, now)) ?? -1;
  const written = `on ${positionText(position)}${outdated ? ' of an older version' : ''}`;
  return {
    thread, file: file < 0 ? null : file, line: line < 0 ? null : line, note: outdated || line < 0 ? written : '',
  };
};
