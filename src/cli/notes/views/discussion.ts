import { Discussion } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { showText } from '../../terminal/io/messages.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { recordPrinter } from '../../terminal/output/record-printer.js';
import { displayFor, type View } from '../../terminal/output/view.js';
import { type DiffFile, newestFiles } from '../position/known-diff.js';
import { newsIn } from '../seen.js';
import { shortId } from '../thread-id.js';
import { placedThreads, PlacedThread, placeText, showsPlaces } from '../places.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { agentThread } from './own-formats.js';
import { firstLine, notePage, noteText, threadState, stateTone, timeText, shownText } from './note.js';
import { conversation } from './conversation.js';
import { fileFinder, fileLinesAt, linesAround, threadCode, type ThreadCode } from './code.js';

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
  text: (thread, display) => conversation(thread, display),
  emptyText: 'no threads',
};

export const placedThreadView: View<PlacedThread> = {
  ...discussionView, shape: PlacedThread, ownFormats: { agent: agentThread },
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
    if (!isConversation) return printRecord(showsPlaces(app, flags) ? await placed(found) : found, target.web);
    const thread = await nullIfFailed(placed(found)) ?? found;
    const code = await discussionCode(app, target, thread);
    await showText(app, flags, await conversation(thread, displayFor(app, target.web), code));
  };
};

/** Shows threads as `view` does; without lines of the diff if they are not available. */
export const threadLooks = (app: App, target: Target) => {
  const [placed, isNew] = [placedThreads(app, target, {}), newsIn(app, target)];
  let files: Promise<readonly DiffFile[] | null> | undefined;
  return async (found: Discussion): Promise<{ readonly place: Place; readonly code: ThreadCode }> => {
    const { outdated = false, current_line = null, current_path = null } = await nullIfFailed(placed(found)) ?? {};
    const place = { outdated, current_line, current_path, new: await nullIfFailed(isNew(found)) ?? false };
    const fileAt = fileFinder(await (files ??= nullIfFailed(newestFiles(app, target))) ?? []);
    const code = await nullIfFailed(threadCode(app, target, { ...found, ...place }, { fileAt, context: 3 }));
    return { place, code: code ?? { former: [], current: [], file: [] } };
  };
};

type Place = Omit<PlacedThread, keyof Discussion>;

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
