import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineNoteCommand, handler } from '../../flags/command.js';
import { say } from '../../io/messages.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { parseRefArguments } from '../../refs/ref.js';
import { destinationOf, reached } from '../../targets/target.js';
import { noteOn, type NoteFlags } from '../../targets/threads.js';
import { noteView } from '../../views/records.js';
import { purposeOf } from '../../writing/drafts.js';
import { editContext } from '../../writing/editor-context.js';
import { withBodyFlags, withText, type BodyFlags } from '../../writing/with-text.js';

interface Input extends NoteFlags, BodyFlags {}

export const notesEditCommand = (app: App): Command =>
  withBodyFlags(defineNoteCommand('edit', 'edit the text of a note', [
    'notes edit mr/12 345 -m "Better said."', 'notes edit issue/7 345 --editor',
  ], selectableNames(noteView)))
    .action(handler<Input>((flags, ref?: string, note?: string) =>
      notesEdit(app, { ...flags, ...parseRefArguments(flags, ref, note) })));

const notesEdit = async (app: App, input: Input): Promise<void> => {
  const print = recordPrinter(app, input, noteView);
  const destination = await destinationOf(app, input, input.ref);
  const childId = input.childId ?? destination.ref.note?.toString();
  const { note, name } = await withText(app, input, purposeOf('notes edit', destination, childId), async (text) => {
    const found = await noteOn(await reached(app, input, destination), input);
    const body = await text(() => editContext(found));
    return { name: found.name, note: await found.client.discussions[found.kind].modifyNote({ ...found.path, body }) };
  });
  await say(app, input, `changed ${name}`);
  await print(note);
};
