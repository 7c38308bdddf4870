import type { App } from '../../app.js';
import { defineNoteCommand, handler } from '../../command-line/command.js';
import { agree } from '../../changes/run.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { emptyPrinter } from '../../terminal/output/record-printer.js';
import { firstWords, plainLine } from '../../../text/plain.js';
import { parseRefArguments } from '../../command-line/ref.js';
import { chooseNote } from '../../notes/views/thread-picker.js';
import { openNamedTarget } from '../../service/targets/target.js';
import { noteIn, type NamedNote, type NoteFlags } from '../../service/targets/threads.js';
import { shownText } from '../../notes/views/note.js';

export const notesDeleteCommand = (app: App) =>
  defineNoteCommand('delete', 'Delete a note', [
    'notes delete mr/12 345', 'notes delete https://gitlab.example.com/acme/app/-/issues/7#note_345 --yes',
  ])
    .action(handler<NoteFlags>((flags, ref?: string, note?: string) =>
      notesDelete(app, { ...flags, ...parseRefArguments(flags, ref, note) })));

const notesDelete = async (app: App, input: NoteFlags): Promise<void> => {
  const print = emptyPrinter(app, input);
  const found = await chooseNote(app, input, await openNamedTarget(app, input, input.ref), 'Delete');
  const { target: { client, kind }, path, name } = found;
  await agree(app, input, { lines: willAsk(app, input) ? [await noteSummary(found)] : [], action: `delete ${name}` });
  await client.discussions[kind].deleteNote(path);
  await say(app, input, `deleted ${name}`);
  await print();
};

const willAsk = (app: App, flags: NoteFlags): boolean => canAsk(app, flags) && !flags.yes && !flags.dryRun;

const noteSummary = async (found: NamedNote): Promise<string> => {
  const { author, body } = found.note ?? await noteIn(found);
  return plainLine(`note ${found.path.note_id} by @${author.username}: ${firstWords(shownText(body))}`);
};
