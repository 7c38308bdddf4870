import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineCommand, handler, refArgument, threadArgument, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../refs/ref.js';
import { destinationOf, reached } from '../../targets/target.js';
import { threadOf } from '../../targets/threads.js';
import { notePage } from '../../views/cells.js';
import { noteView } from '../../views/records.js';
import { purposeOf } from '../../writing/drafts.js';
import { replyContext } from '../../writing/editor-context.js';
import { outcomeMessage, reply, withCreatedAt, withKey, type NoteOptions } from '../../writing/new-notes.js';
import { withBodyFlags, withText, type BodyFlags } from '../../writing/with-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, NoteOptions, RefArguments {}

export const discussionsReplyCommand = (app: App): Command =>
  withKey(withCreatedAt(withBodyFlags(withRefFlags(defineCommand('reply', 'add a note to a thread', [
    'discussions reply mr/12 0287db -m "Done."',
    'git log -1 --format=%B | colloquy discussions reply mr/12 0287db',
  ], selectableNames(noteView))))))
    .addArgument(refArgument())
    .addArgument(threadArgument())
    .action(handler<Input>((flags, ref?: string, thread?: string) =>
      discussionsReply(app, { ...flags, ...parseRefArguments(flags, ref, thread) })));

const discussionsReply = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, noteView));
  const destination = await destinationOf(app, input, input.ref);
  const childId = input.childId ?? destination.ref.note?.toString();
  const purpose = purposeOf('discussions reply', destination, childId);
  const { note, thread, target } = await withText(app, input, purpose, async (text) => {
    const target = await reached(app, input, destination);
    const thread = await threadOf(target, input.childId);
    const given = await text(() => replyContext(app, target, thread));
    return { target, thread, note: await reply(target, thread, given, input) };
  });
  const message = outcomeMessage(app, `added note ${note.id} to thread ${thread}`, target.name);
  await print(message, note, notePage(note.id, target));
};
