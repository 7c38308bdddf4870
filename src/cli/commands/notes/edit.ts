import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import type { App } from '../../app.js';
import { agree } from '../../changes/run.js';
import { defineNoteCommand, handler } from '../../command-line/command.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { parseRefArguments } from '../../command-line/ref.js';
import { canAsk } from '../../terminal/io/messages.js';
import { currentUser, nullIf, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { destinationOf, openDestination, type Target } from '../../service/targets/target.js';
import { noteIn, noteOn, type NamedNote, type NoteFlags } from '../../service/targets/threads.js';
import { notePage, noteView } from '../../notes/views/note.js';
import { chooseNoteId } from '../../notes/views/thread-picker.js';
import { purposeOf } from '../../notes/write/drafts.js';
import { changeText } from '../../notes/write/own-notes.js';
import { editContext } from '../../notes/write/edit-text.js';
import {
  finishText, keepUntilSent, readNoteText, withBodyFlags, type BodyFlags,
} from '../../notes/write/note-text.js';

interface Input extends NoteFlags, BodyFlags {}

export const notesEditCommand = (app: App) =>
  withBodyFlags(defineNoteCommand('edit', 'Edit the text of a note', [
    'notes edit mr/12 345 -m "Better said."', 'notes edit issue/7 345 --editor',
  ], selectableNames(noteView)))
    .action(handler<Input>((flags, ref?: string, note?: string) =>
      notesEdit(app, { ...flags, ...parseRefArguments(flags, ref, note) })));

const notesEdit = async (app: App, named: Input): Promise<void> => {
  const print = changePrinter(app, named, (on) => recordPrinter(on, named, noteView));
  const destination = await destinationOf(app, named, named.ref);
  const isNamed = named.childId !== undefined || destination.ref.note !== undefined;
  const reachedNow = isNamed || !canAsk(app, named) ? null : await openDestination(app, named, destination);
  const input = { ...named, ...reachedNow && await chooseNoteId(app, named, reachedNow, 'Edit') };
  const childId = input.childId ?? destination.ref.note?.toString();
  const given = await readNoteText(app, input, purposeOf('notes edit', destination, childId));
  const found = await ownNote(app, input, reachedNow ?? await openDestination(app, input, destination));
  const text = await finishText(app, input, given, () => editContext(app, found));
  const note = await keepUntilSent(app, input, text, () => changeText(found, text.body, text.opened));
  await print(`changed ${found.name}`, note, notePage(note.id, found.target));
};

/** Asks if somebody else wrote the note, or may have; services that have no lookup of the user report nobody. */
const ownNote = async (app: App, input: Input, target: Target): Promise<NamedNote> => {
  if (input.yes || input.dryRun) return noteOn(target, input);
  const [found, user] = await Promise.all([noteOn(target, input), nullIfUnsupported(userOf(target.client))]);
  if (user === null) return found;
  const note = found.note ?? await noteIn(found);
  if (note.author.id !== user.id) {
    await agree(app, input, { lines: [], action: `edit ${found.name} by @${note.author.username}` });
  }
  return { ...found, note };
};

/** Without an id if the service denies it, as to a token without this permission. */
const userOf = async (client: Client): Promise<{ readonly id?: number }> =>
  await nullIf(currentUser(client), (error) =>
    error instanceof ApiError && [403, 404].includes(error.status) && !isUnknownRoute(error.status, error.body)) ?? {};
