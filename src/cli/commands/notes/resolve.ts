import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineNoteCommand, handler } from '../../command-line/command.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { parseRefArguments } from '../../command-line/ref.js';
import { checkServiceResolves, checkState, noteFrom, type NoteFlags } from '../../service/targets/threads.js';
import { notePage, noteView } from '../../notes/views/note.js';

const command = (app: App, name: string, summary: string, resolved: boolean) =>
  defineNoteCommand(name, summary, [`notes ${name} mr/12 345`, `notes ${name} mr/12 345 --thread 0287db`],
    selectableNames(noteView), ['merge_request', 'issue', 'epic', 'commit'])
    .action(handler<NoteFlags>((flags, ref?: string, note?: string) =>
      notesResolve(app, { ...flags, ...parseRefArguments(flags, ref, note) }, resolved)));

export const notesResolveCommand = (app: App) =>
  command(app, 'resolve', 'Resolve a note of a merge request, issue or epic', true);

export const notesUnresolveCommand = (app: App) =>
  command(app, 'unresolve', 'Reopen a resolved note of a merge request, issue or epic', false);

const notesResolve = async (app: App, input: NoteFlags, resolved: boolean): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, noteView));
  const { target, path, name, note: found } = await noteFrom(app, input);
  const { client, kind } = target;
  if (kind === 'snippet') throw usage(`cannot resolve ${name}`, 'choose one of a merge request, an issue or an epic');
  if (found !== null && kind !== 'commit') await checkServiceResolves(target, [{ notes: [found] }]);
  const note = await client.discussions[kind].modifyNote({ ...path, resolved });
  checkState(name, note.resolved, resolved);
  await print(`${resolved ? 'resolved' : 'unresolved'} ${name}`, note, notePage(note.id, target));
};
