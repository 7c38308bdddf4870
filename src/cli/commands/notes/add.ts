import type { Command } from 'commander';
import type { Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { acting, refArgument, verb, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../io/messages.js';
import { recordPrinter } from '../../output/record-printer.js';
import { fieldNames } from '../../output/view.js';
import { hasPosition, withPositionFlags, type PositionFlags } from '../../position/flags.js';
import type { RefFlags } from '../../refs/ref.js';
import { destinationOf, reached, type Target } from '../../targets/target.js';
import { threadOf } from '../../targets/threads.js';
import { noteView } from '../../views/parts.js';
import { aboutThread } from '../../writing/about.js';
import { purposeOf } from '../../writing/drafts.js';
import {
  reply, startThread, withBodyFlags, withCreatedAt, withText, type BodyFlags, type CreatedAtFlag, type AskText,
} from '../../writing/with-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, PositionFlags, CreatedAtFlag {
  readonly ref: string | undefined;
  readonly thread?: string;
}

export const notesAddCommand = (app: App): Command => withPositionFlags(withCreatedAt(withBodyFlags(withRefFlags(
  verb('add', 'comment: start a thread, or add to one with --thread', [
    'notes add mr/12 -m "Looks good." -m "Thank you."',
    'npm test 2>&1 | colloquy notes add mr/12',
    'notes add issue/7 --thread 0287db -F answer.md',
  ], fieldNames(noteView.shape))))))
    .addArgument(refArgument())
    .option('--thread <id>', 'add to this thread: its id, the start of it, or a note of it')
    .action(acting<Input>((flags, ref?: string) => notesAdd(app, { ...flags, ref })));

const notesAdd = async (app: App, input: Input): Promise<void> => {
  const print = recordPrinter(app, input, noteView);
  const destination = await destinationOf(app, input, input.ref);
  const purpose = purposeOf('notes add', destination, input.thread);
  const note = await withText(app, input, purpose, async (text) =>
    added(app, input, await reached(app, input, destination), text));
  await say(app, input, `added note ${note.id} to ${destination.name}`);
  await print(note);
};

const added = async (app: App, input: Input, target: Target, text: AskText): Promise<Note> => {
  if (input.thread === undefined) return firstOf(await startThread(app, input, target, text));
  if (hasPosition(input)) {
    throw usage('a note in a thread stands where the thread stands', 'leave out --thread or the position');
  }
  const thread = await threadOf(target, input.thread);
  return reply(target, thread, await text(() => aboutThread(target, thread)), input);
};

const firstOf = ({ notes: [first], id }: { notes: readonly Note[]; id: string }): Note => {
  if (!first) throw new Error(`the service answered with thread ${id} without a note`);
  return first;
};
