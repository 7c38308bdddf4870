import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineNoteCommand, handler } from '../../command-line/flags/command.js';
import { consent, say } from '../../terminal/io/messages.js';
import { emptyPrinter } from '../../terminal/output/record-printer.js';
import { parseRefArguments } from '../../command-line/refs/ref.js';
import { noteFrom, type NoteFlags } from '../../service/targets/threads.js';

export const notesDeleteCommand = (app: App): Command =>
  defineNoteCommand('delete', 'delete a note', [
    'notes delete mr/12 345', 'notes delete https://gitlab.example.com/acme/app/-/issues/7#note_345 --yes',
  ])
    .action(handler<NoteFlags>((flags, ref?: string, note?: string) =>
      notesDelete(app, { ...flags, ...parseRefArguments(flags, ref, note) })));

const notesDelete = async (app: App, input: NoteFlags): Promise<void> => {
  const print = emptyPrinter(app, input);
  const { target: { client, kind }, path, name } = await noteFrom(app, input);
  await consent(app, input, `delete ${name}`);
  await client.discussions[kind].deleteNote(path);
  await say(app, input, `deleted ${name}`);
  await print();
};
