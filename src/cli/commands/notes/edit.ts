import type { Command } from 'commander';
import type { App } from '../../app.js';
import { bodyFrom, withBodyFlags, type BodyFlags } from '../../flags/body.js';
import { acting, noteVerb } from '../../flags/command.js';
import { recordPrinter } from '../../output/record-printer.js';
import { named } from '../../refs/words.js';
import { say } from '../../say.js';
import { noteFrom, type FoundNote, type NoteFlags } from '../../threads/note.js';
import { noteView } from '../../views/note.js';

interface Input extends NoteFlags, BodyFlags {}

export const notesEditCommand = (app: App): Command =>
  withBodyFlags(noteVerb('edit', 'change the text of a note', [
    'notes edit mr/12 345 -m "Better said."', 'notes edit issue/7 345 --editor',
  ]))
    .action(acting<Input>((flags, ref?: string, note?: string) =>
      notesEdit(app, { ...flags, ...named(flags, ref, note) })));

const notesEdit = async (app: App, input: Input): Promise<void> => {
  const print = recordPrinter(app, input, noteView);
  const found = await noteFrom(app, input);
  const body = await bodyFrom(app, input, input.editor ? await present(found) : '');
  const note = await found.client.discussions[found.kind].modifyNote({ ...found.path, body });
  await say(app, input, `changed ${found.name}`);
  await print(note);
};

const present = async ({ client, kind, path }: FoundNote): Promise<string> => {
  const { notes } = await client.discussions[kind].get(path);
  return notes.find(({ id }) => id === path.note_id)?.body ?? '';
};
