import { InvalidArgumentError, Option, type Command } from 'commander';
import { isPlain } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { repeatable } from '../../command-line/flags.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import type { RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination } from '../../service/targets/target.js';
import { upsertMessage, type UpsertOptions, upsertView } from '../../notes/upsert/comment.js';
import { overflows, runVersion, upsertModes } from '../../notes/upsert/plan.js';
import { upsert } from '../../notes/upsert/upsert.js';
import { notePage } from '../../notes/views/note.js';
import { purposeOf } from '../../notes/write/drafts.js';
import { newCommentContext } from '../../notes/write/edit-text.js';
import {
  finishText, keepUntilSent, readNoteText, withBodyFlags, type BodyFlags,
} from '../../notes/write/note-text.js';

interface Input extends UpsertOptions, RefFlags, BodyFlags {
  readonly deleteIfEmpty?: boolean;
}

export const notesUpsertCommand = (app: App): Command => withUpsertKey(withBodyFlags(withRef(
  defineCommand('upsert', 'Add or update a comment identified by a key', [
    '# Keep one comment up to date with a report\nnotes upsert mr/12 --key lint -F report.md',
    '# Write one section of a comment for each job\nnotes upsert --key=tests --section="$CI_JOB_NAME" -F report.md',
    '# Add a line to a log\nnotes upsert issue/7 --key deploys --mode append -m "Deployed 1.2 to staging."',
  ], selectableNames(upsertView)))))
    .addOption(new Option('--section <name>', 'add or update only this part of the comment, such as that of a job in a '
      + 'matrix').argParser(sectionFrom))
    .option('--keep-sections', 'keep the sections of older pipelines, which are removed by default')
    .addOption(new Option('--mode <mode>', 'replace the text, append a paragraph, delete and add the comment again '
      + '(recreate), or keep the first text (once)').choices(upsertModes).default('replace'))
    .addOption(new Option('--newer-than <version>', 'change the comment only if no run with a higher number or time '
      + 'wrote it (default: $CI_PIPELINE_IID)'))
    .option('--visible-key', 'put the key on a visible line, where the service removes HTML comments')
    .option('--delete-if-empty', 'delete the comment if the text is empty')
    .option('--resolvable', 'start a thread, which can be resolved')
    .addOption(new Option('--author <username>', 'former user of the token, whose comment counts too; repeatable')
      .argParser(repeatable))
    .addOption(new Option('--overflow <action>', 'cut a text that is too long, or report an error')
      .choices(overflows).default('cut'))
    .action(handler<Input>((flags, ref?: string) => notesUpsert(app, { ...flags, ref })));

export const withUpsertKey = (command: Command): Command => command.addOption(
  new Option('--key <key>', 'key of the comment, which later runs find it by').makeOptionMandatory());

const longestName = 255;

const sectionFrom = (text: string): string => {
  const name = text.trim();
  if (name !== '' && name.length <= longestName && isPlain(name) && !/[\t\n]/.test(name)) return name;
  throw new InvalidArgumentError(`use a name of one line with 1 to ${longestName} characters`);
};

const checkSection = ({ section, keepSections, mode }: Input): void => {
  if (keepSections && section === undefined) {
    throw usage('--keep-sections requires --section', 'add --section, or leave out --keep-sections');
  }
  if (section !== undefined && mode === 'recreate') {
    throw usage('--section and --mode recreate cannot be combined: other jobs write into the same comment',
      'use --mode replace, append or once');
  }
};

const notesUpsert = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, upsertView));
  runVersion(app, input.newerThan);
  checkSection(input);
  const destination = await destinationOf(app, input, input.ref);
  const purpose = purposeOf('notes upsert', destination, input.key);
  const body = { ...input, mayBeEmpty: true };
  const given = await readNoteText(app, body, purpose);
  const target = await openDestination(app, input, destination);
  const text = await finishText(app, body, given, () => newCommentContext(target));
  checkText(input, text.body);
  const done = await keepUntilSent(app, body, text, () => upsert(app, input, target, text.body));
  await print(upsertMessage(done, target, input.key), done.result, notePage(done.result.note?.id, target));
};

/** With its marker, a blank text would be stored as a comment without content. @throws Problem */
const checkText = ({ deleteIfEmpty }: Input, text: string): void => {
  if (text.trim() === '' && !deleteIfEmpty) {
    throw usage('the text is empty',
      'pass a text with -m TEXT, -F FILE, or on standard input; --delete-if-empty deletes the comment if there is none',
      'pass a body');
  }
};
