import type { App } from '../../app.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { withPositionFlags, type PositionFlags } from '../../notes/position/position.js';
import type { RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination } from '../../service/targets/target.js';
import { threadName } from '../../notes/thread-id.js';
import { notePage } from '../../notes/views/note.js';
import { discussionView } from '../../notes/views/discussion.js';
import { purposeOf } from '../../notes/write/drafts.js';
import {
  planThread, sendNote, withCreatedAt, withKey, type NoteOptions,
} from '../../notes/write/new-notes.js';
import { readNoteText, withBodyFlags, type BodyFlags } from '../../notes/write/note-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, PositionFlags, NoteOptions {}

export const discussionsCreateCommand = (app: App) =>
  withPositionFlags(withKey(withCreatedAt(withBodyFlags(withRef(
  defineCommand('create', 'Start a thread, optionally on a line of the diff', [
    '# Start a thread on an issue\ndiscussions create issue/7 -m "Can this wait?"',
    '# Comment on a line of the diff\ndiscussions create mr/12 --file src/a.ts:14 -m "Why here?"',
    '# Comment on removed lines, with the text of a file\n'
        + 'discussions create mr/12 --file src/a.ts --line old:3-5 -F review.md',
  ], selectableNames(discussionView)))))))
    .action(handler<Input>((flags, ref?: string) => discussionsCreate(app, { ...flags, ref })));

const discussionsCreate = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, discussionView));
  const destination = await destinationOf(app, input, input.ref);
  const text = await readNoteText(app, input, purposeOf('discussions create', destination));
  const target = await openDestination(app, input, destination);
  const created = await sendNote(app, input, await planThread(app, input, target, text), text);
  const thread = created.thread!;
  const message = created.unsent ?? `started ${threadName(app, thread.id)} on ${target.name}`;
  await print(message, thread, notePage(thread.notes[0]?.id, target));
};
