import { Argument, Option } from 'commander';
import { counted } from '../../../text/messages.js';
import { linksToUploads } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { onService } from '../../changes/run.js';
import { codeOfSeveral, failureOfSeveral, errorReason } from '../../changes/report.js';
import { isFinal } from '../../service/connection/batch.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { type GlobalFlags, refuseLimit } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { changePrinter, fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/ref.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import {
  ImportResult, importThreads, planImport, importResultOf, type Imported,
} from '../../notes/import/import-threads.js';
import { withoutSecrets } from '../../terminal/io/secrets.js';
import { readThreads, type ExportedThread } from '../../notes/import/exported-threads.js';

interface Input extends GlobalFlags, RefFlags, RefArguments {
  readonly systemNotes: 'quote' | 'skip';
  readonly rawText?: boolean;
}

export const discussionsImportCommand = (app: App) =>
  withRef(defineCommand('import', 'Create the threads of an exported file, each once', [
    'discussions import mr/12 threads.ndjson --dry-run',
    'discussions import issue/7 threads.ndjson --system-notes skip',
    '# Import a compressed export\nzcat threads.ndjson.gz | colloquy discussions import epic/3 -',
  ], fieldNames(ImportResult)))
    .addArgument(new Argument('[file]', 'file that `discussions export` wrote, - for standard input'))
    .addOption(new Option('--system-notes <how>', 'how to import the notes that the service wrote itself')
      .choices(['quote', 'skip']).default('quote'))
    .option('--raw-text', 'keep quick actions, mentions and references in the text')
    .action(handler<Input>((flags, ref?: string, file?: string) =>
      discussionsImport(app, { ...flags, ...parseRefArguments(flags, ref, file) })));

const discussionsImport = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => fieldPrinter(on, input, ImportResult));
  refuseLimit(input, 'discussions import', 'import a file with fewer lines, such as one of `head -n 1`');
  const path = input.childId;
  if (path === undefined) throw usage('no file given', 'name the file that `discussions export` wrote');
  const name = path === '-' ? 'standard input' : path;
  const all = await withoutSecrets(app, input, readThreads(await readText(app, path), name), name, maskedThreads);
  const threads = input.systemNotes === 'skip' ? withoutSystemNotes(all) : all;
  const target = await openNamedTarget(app, input, input.ref);
  const isRaw = input.rawText ?? false;
  const imported = input.dryRun
    ? await planImport(target, threads, isRaw) : await importThreads(app, input, target, threads, isRaw);
  const result = importResultOf(imported.outcomes, notesIn(all) - notesIn(threads));
  await sayRemarks(app, input, target, threads, imported);
  const where = input.dryRun ? `${target.name}${onService(app, input)}` : target.name;
  await print(importMessage(result, where, input), result, target.web?.noteable ?? null);
  checkFailures(imported);
};

const maskedThreads = (threads: readonly ExportedThread[], mask: (text: string) => string): readonly ExportedThread[] =>
  threads.map((thread) => ({ ...thread, notes: thread.notes.map((note) =>
    ({ ...note, author: mask(note.author), text: mask(note.text) })) }));

const notesIn = (threads: readonly ExportedThread[]): number =>
  threads.reduce((sum, { notes }) => sum + notes.length, 0);

const withoutSystemNotes = (threads: readonly ExportedThread[]): ExportedThread[] => threads
  .map((thread) => ({ ...thread, notes: thread.notes.filter(({ isSystem }) => !isSystem) }))
  .filter(({ notes }) => notes.length > 0);

const importMessage = (result: ImportResult, where: string, { dryRun }: Input): string => {
  const { created, existing, skipped, resolved } = result;
  const parts = [
    `${dryRun ? 'would import' : 'imported'} ${counted(created, 'note')}`,
    existing > 0 ? `${existing} already there` : null,
    resolved > 0 ? `${dryRun ? 'would resolve' : 'resolved'} ${resolved}` : null,
    skipped > 0 ? `skipped ${counted(skipped, 'system note')}` : null,
  ];
  return `${where}: ${parts.filter((part) => part !== null).join(', ')}`;
};

const sayRemarks = async (
  app: App, input: Input, { kind, name }: Target, threads: readonly ExportedThread[], imported: Imported,
): Promise<void> => {
  const results = imported.outcomes.flatMap(({ result }) => result ?? []);
  const unanchored = results.filter(({ isUnanchored }) => isUnanchored).length;
  const cut = results.reduce((sum, one) => sum + one.cut, 0);
  const resolved = threads.filter(({ isResolved }) => isResolved).length;
  const unlinked = threads.flatMap(({ notes }) => notes)
    .filter(({ uploads, text }) => uploads === null && linksToUploads(text)).length;
  // One that existed may be open because somebody answered it.
  const isLeftOpen = imported.outcomes.some(({ step, result, error }) =>
    step.thread.isResolved && step.existing === null && !error && !result!.isResolved);
  const remarks = [
    imported.storesTimes === false
      ? 'the service ignores creation times, except from owners and administrators: the texts name them' : null,
    unanchored > 0 ? `threads without their position in the diff, which their text names: ${unanchored}` : null,
    cut > 0 ? `notes whose text is too long and loses its end: ${cut}` : null,
    unlinked > 0 ? `notes with links to uploads of an unknown project, which do not work: ${unlinked}` : null,
    isLeftOpen && kind !== 'merge_request' && !results.some(({ isResolved }) => isResolved)
      ? `${name} has no resolved threads: ${resolved} of the imported ones were resolved` : null,
  ];
  for (const remark of remarks) if (remark !== null) await say(app, input, remark);
};

/** @throws Problem if a thread failed or was not verified; if all failed for a reason that they share, that error */
const checkFailures = ({ outcomes, unverified }: Imported): void => {
  const failed = outcomes.flatMap(({ step, error }) => error ? [{ name: `line ${step.thread.line}`, error }] : []);
  const [first] = failed;
  if (!first) {
    if (!unverified) return;
    const reason = errorReason(unverified);
    throw new Problem('unavailable', `the notes were stored, but not all could be read back: ${reason}`,
      'run the command again: it checks them and imports nothing twice');
  }
  if (isFinal(first.error) && failed.length === outcomes.length) throw first.error;
  const what = `${failed.length} of ${outcomes.length} threads were not imported`;
  throw failureOfSeveral(codeOfSeveral(failed), what, failed, 'run the command again to import the rest');
};
