import { Discussion, type Note } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { plainCode, plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { showText } from '../../terminal/io/messages.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { recordPrinter } from '../../terminal/output/record-printer.js';
import { displayFor, type View } from '../../terminal/output/view.js';
import { newestFiles } from '../position/known-diff.js';
import { newsIn } from '../seen.js';
import { shortId } from '../thread-id.js';
import { placedThreads, PlacedThread, placeText, proofText, showsPlaces } from '../places.js';
import { once } from '../../service/connection/batch.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import {
  agentText, authorText, firstLine, notePage, noteText, threadState, stateTone, timeText, shownText,
} from './note.js';
import { conversation, isOneLine, type Whole } from './conversation.js';
import { fileFinder, fileLinesAt, lineMarks, linesAround, noCode, threadCode, type ThreadCode } from './code.js';

export const discussionView: View<PlacedThread> = {
  columns: [
    {
      name: 'thread', cell: ({ id }, { isTerminal }) => isTerminal ? shortId(id) : id,
      tone: () => 'strong', link: ({ notes }, display) => notePage(notes[0]?.id, display),
    },
    { name: 'state', cell: threadState, tone: (thread) => stateTone(threadState(thread)) },
    {
      name: 'author', cell: ({ notes }) => notes[0]?.author.username ?? '', minWidth: 8, hideOrder: 4,
      link: ({ notes }) => notes[0]?.author.web_url ?? null,
    },
    {
      name: 'created', cell: ({ notes }, display) => notes[0] ? timeText(notes[0].created_at, display) : '',
      tone: () => 'faint', hideOrder: 2,
    },
    { name: 'notes', cell: ({ notes }) => String(notes.length), hideOrder: 1 },
    { name: 'place', cell: placeText, minWidth: 12, keep: 'end', hideOrder: 3 },
    { name: 'text', cell: ({ notes }, display) => noteText(notes[0], display), minWidth: 20 },
  ],
  moreColumns: [{ name: 'first_line', cell: ({ notes }) => firstLine(shownText(notes[0]?.body)) }],
  id: ({ id }) => id,
  shape: Discussion,
  computed: {
    resolvable: (thread) => threadState(thread) !== '', resolved: (thread) => threadState(thread) === 'resolved',
  },
  text: (thread, display) => conversation(thread, display),
  emptyText: 'no threads',
};

export const placedThreadView: View<PlacedThread> = {
  ...discussionView, shape: PlacedThread, ownFormats: { agent: (thread) => agentThread(thread) },
  moreColumns: [
    ...discussionView.moreColumns!,
    { name: 'url', cell: ({ notes }, display) => notePage(notes[0]?.id, display) ?? '' },
  ],
};

/** @throws Problem for an unavailable format or field, before any request */
export const threadPrinter = (app: App, flags: GlobalFlags) => {
  const printRecord = recordPrinter(app, flags, placedThreadView);
  const isConversation = flags.json === undefined && (chosenFormat(flags) ?? 'table') === 'table';
  return async (found: Discussion, target: Target): Promise<void> => {
    const placed = placedThreads(app, target, flags);
    if (app.agent?.hunks) return printWithCode(app, target, found);
    if (!isConversation) return printRecord(showsPlaces(app, flags) ? await placed(found) : found, target.web);
    const thread = await nullIfFailed(placed(found)) ?? found;
    const code = await discussionCode(app, target, thread);
    await showText(app, flags, await conversation(thread, displayFor(app, target.web), code));
  };
};

const printWithCode = async (app: App, target: Target, found: Discussion): Promise<void> => {
  const { place, code } = await threadLooks(app, target)(found);
  await app.out.write(agentThread({ ...found, ...place }, agentCode(code)));
};

/** Shows threads as `view` does; without lines of the diff if they are not available. */
export const threadLooks = (app: App, target: Target) => {
  const [placed, isNew] = [placedThreads(app, target, {}), newsIn(app, target)];
  const newest = once(() => nullIfFailed(newestFiles(app, target)));
  return async (found: Discussion) => {
    const { outdated = false, current_line = null, current_path = null } = await nullIfFailed(placed(found)) ?? {};
    const place = { outdated, current_line, current_path, new: await nullIfFailed(isNew(found)) ?? false };
    const fileAt = fileFinder(await newest() ?? []);
    const code = await nullIfFailed(threadCode(app, target, { ...found, ...place }, { fileAt, context: 3 })) ?? noCode;
    return { place, code };
  };
};

const discussionCode = async (app: App, target: Target, thread: PlacedThread): Promise<Partial<ThreadCode>> => {
  const position = thread.notes[0]?.position;
  if (!position) return {};
  if (thread.outdated) {
    const files = thread.current_line === null ? [] : await newestFiles(app, target);
    return threadCode(app, target, thread, { fileAt: fileFinder(files), context: 3 });
  }
  const file = await fileLinesAt(app, target, position);
  return { current: linesAround(file, position), file };
};

const agentThread = (thread: PlacedThread, code = ''): string => {
  const head = agentLine([shortId(thread.id), threadState(thread), proofText(thread), placeText(thread)]);
  return head + code + thread.notes.map(agentNote).join('');
};

const agentNote = (note: Note): string =>
  `  ${plainLine(authorText(note))}${note.system ? ' (system)' : ''}: ${agentText(shownText(note.body))}\n`;

const agentLine = (parts: readonly string[]): string => `${plainLine(parts.filter((part) => part !== '').join(' '))}\n`;

/** Resolved threads are one line each. */
export const wholeAgent = async (whole: Whole, withCode: boolean): Promise<string> => {
  const parts = await Promise.all(whole.threads.map(async (thread) => {
    if (isOneLine(thread, whole)) return agentBrief(thread);
    if (!withCode) return agentThread(thread);
    return agentThread(thread, agentCode(await whole.codeOf(thread)));
  }));
  return parts.join('');
};

const agentCode = ({ former, current }: ThreadCode): string => (current.length > 0 ? current : former)
  .map(({ kind, text }) => `  |${lineMarks[kind]}${plainCode(text)}\n`).join('');

const agentBrief = (thread: PlacedThread): string => {
  const { notes: [note], notes } = thread;
  const text = note && `${authorText(note)}: ${firstLine(shownText(note.body))}`;
  const marks = [shortId(thread.id), 'resolved', proofText(thread), placeText(thread)];
  return agentLine([...marks, text ?? '', `(${counted(notes.length, 'note')})`]);
};

/** Editors read it into a list of places. */
export const quickfix = 'quickfix';

/** The text is empty for a thread without a current line. */
export const quickfixLine = ({ notes: [note], current_line, current_path }: PlacedThread): string => {
  const position = note?.position;
  if (!position || position.position_type === 'image') return '';
  const isWholeFile = position.position_type === 'file';
  const path = current_path ?? position.new_path ?? position.old_path;
  const line = isWholeFile ? 1 : current_line;
  if (typeof path !== 'string' || typeof line !== 'number') return '';
  const mark = isWholeFile || typeof position.new_line === 'number' ? '' : '[removed line] ';
  const text = plainLine(`${note.author.username}: ${mark}${firstLine(shownText(note.body))}`);
  return `${plainCode(path)}:${line}: ${text}\n`;
};

export const isGone = ({ notes, current_line }: PlacedThread): boolean =>
  notes[0]?.position?.position_type === 'text' && typeof current_line !== 'number';
