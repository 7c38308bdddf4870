import { Argument } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import { linksToUploads, visibleText } from '../../../wire/note-text.js';
import { isObject, jsonOrNull } from '../../../wire/json.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { type GlobalFlags, refuseLimit } from '../../command-line/flags.js';
import { say, withProgress } from '../../terminal/io/messages.js';
import { counted } from '../../../text/messages.js';
import { plainJson } from '../../../text/plain.js';
import type { ExportedDiscussion } from '../../notes/import/exported-threads.js';
import { askToReplace, writeNamed } from '../../terminal/io/named-files.js';
import { throwIfClosed } from '../../terminal/io/streams.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/ref.js';
import { openNamedTarget } from '../../service/targets/target.js';
import { listed } from '../../service/targets/threads.js';

interface Input extends GlobalFlags, RefFlags, RefArguments {}

export const discussionsExportCommand = (app: App) =>
  withRef(defineCommand('export', 'Write all threads to a file, one JSON object on each line', [
    'discussions export mr/12 threads.ndjson',
    '# Compress the export\ndiscussions export issue/7 | gzip > threads.ndjson.gz',
  ]))
    .addArgument(new Argument('[file]', 'file to write; standard output without one, or with -'))
    .action(handler<RefFlags>((flags, ref?: string, file?: string) =>
      discussionsExport(app, { ...flags, ...parseRefArguments(flags, ref, file) })));

const discussionsExport = async (app: App, input: Input): Promise<void> => {
  checkFormat(input);
  const path = input.childId ?? '-';
  if (path !== '-') await askToReplace(app, input, path, isThread);
  const target = await openNamedTarget(app, input, input.ref);
  await app.program.expectLongList();
  const threads = await withProgress(app, input, `reading ${target.name}`, () => listed(target).complete());
  if (path !== '-') await askToReplace(app, input, path, (line) => !isThread(line) || isOnObject(line, threads[0]));
  const lines = linesOf(threads, target.web?.container ?? null);
  if (path === '-') await print(app, lines);
  else await writeNamed(app, input, path, () => app.files.writeParts(path, lines));
  if (path !== '-' && input.dryRun) return;
  await say(app, input, `exported ${counted(threads.length, 'thread')} of ${target.name}`);
};

const isThread = (line: string): boolean => {
  const thread = jsonOrNull(line);
  return isObject(thread) && Array.isArray(thread['notes']);
};

/** Only the notes say which object an export is of. Without any to compare, it counts as another one. */
const isOnObject = (line: string, thread: Discussion | undefined): boolean => {
  const [exported] = (jsonOrNull(line) as Discussion).notes;
  const [note] = thread?.notes ?? [];
  return exported !== undefined && note !== undefined && exported.noteable_type === note.noteable_type
    && exported.noteable_id === note.noteable_id && exported.commit_id === note.commit_id;
};

const checkFormat = (input: Input): void => {
  const format = chosenFormat(input) ?? 'ndjson';
  if (format !== 'ndjson') {
    throw usage(`\`discussions export\` cannot print ${format}`, 'remove the option, or use `discussions list`');
  }
  const hint = 'use `discussions list -o ndjson`';
  if (input.jq !== undefined) throw usage('--jq is not available for `discussions export`', hint);
  refuseLimit(input, 'discussions export', hint);
};

/** Parts of a text, because the text of all threads would take as much memory again. */
const partSize = 100;

async function* linesOf(threads: readonly Discussion[], page: string | null): AsyncIterable<string> {
  const exportedLine = (thread: Discussion) => `${JSON.stringify(withUploads(withoutMarker(thread), page))}\n`;
  for (let at = 0; at < threads.length; at += partSize) {
    yield threads.slice(at, at + partSize).map(exportedLine).join('');
  }
}

/** An import elsewhere finds the files that the notes link to. */
const withUploads = (thread: Discussion, page: string | null): ExportedDiscussion =>
  page !== null && thread.notes.some(({ body }) => linksToUploads(body)) ? { ...thread, uploads_url: page } : thread;

/** A marker identifies a note on this noteable only. */
const withoutMarker = (thread: Discussion): Discussion =>
  ({ ...thread, notes: thread.notes.map((note) => ({ ...note, body: visibleText(note.body) })) });

const print = async ({ out }: App, lines: AsyncIterable<string>): Promise<void> => {
  for await (const text of lines) {
    await out.write(out.isTerminal ? plainJson(text) : text);
    throwIfClosed(out);
  }
};
