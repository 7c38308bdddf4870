import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { hasPosition, withPositionFlags, type PositionFlags } from '../../notes/position/position.js';
import type { RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination, type Target } from '../../service/targets/target.js';
import { threadOf } from '../../service/targets/threads.js';
import { notePage, noteView } from '../../notes/views/note.js';
import { purposeOf } from '../../notes/write/drafts.js';
import {
  planThread, sendNote, withCreatedAt, withKey, type NoteOptions, type NotePlan,
} from '../../notes/write/new-notes.js';
import { readNoteText, withBodyFlags, type BodyFlags, type NoteText } from '../../notes/write/note-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, PositionFlags, NoteOptions {
  readonly thread?: string;
  readonly resolvable?: boolean;
}

export const notesAddCommand = (app: App) =>
  withPositionFlags(withKey(withCreatedAt(withBodyFlags(withRef(
  defineCommand('add', 'Add a comment; with --resolvable or a position, start a thread', [
    '# Add a comment of two paragraphs\nnotes add mr/12 -m "Looks good." -m "Thank you."',
    '# Post the output of another program\nnpm test 2>&1 | colloquy notes add mr/12',
    '# Post once, even if the job runs again\nnotes add mr/12 --key deploy -m "Deployed to staging."',
  ], selectableNames(noteView)))))))
    .option('--thread <id>', 'thread to reply to, by its id or that of a note')
    .option('--resolvable', 'start a thread, which can be resolved')
    .action(handler<Input>((flags, ref?: string) => notesAdd(app, { ...flags, ref })));

const notesAdd = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, noteView));
  const destination = await destinationOf(app, input, input.ref);
  const text = await readNoteText(app, input, purposeOf('notes add', destination, input.thread));
  const target = await openDestination(app, input, destination);
  const created = await sendNote(app, input, await planNote(app, input, target, text), text);
  const { note } = created;
  const message = created.unsent ?? `added note ${note.id} to ${target.name}`;
  await print(message, note, notePage(note.id, target));
};

const planNote = async (app: App, input: Input, target: Target, text: NoteText): Promise<NotePlan> => {
  const { thread, resolvable } = input;
  if (thread === undefined) {
    const isThread = resolvable || input.commitId !== undefined || hasPosition(input);
    return isThread ? planThread(app, input, target, text) : { to: 'comments', target };
  }
  const conflict = hasPosition(input) ? 'a position on the diff' : resolvable ? '--resolvable'
    : input.commitId !== undefined ? '--commit-id' : null;
  if (conflict !== null) throw usage(`--thread and ${conflict} cannot be combined`, 'remove one of them');
  return { to: 'thread', target, thread: await threadOf(target, thread) };
};
