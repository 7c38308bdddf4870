import type { Command } from 'commander';
import type { App } from '../../app.js';
import { defineCommand, handler, refArgument, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { changePrinter } from '../../output/change-printer.js';
import { recordPrinter } from '../../output/record-printer.js';
import { selectableNames } from '../../output/view.js';
import { withPositionFlags, type PositionFlags } from '../../position/flags.js';
import type { RefFlags } from '../../refs/ref.js';
import { destinationOf, reached } from '../../targets/target.js';
import { notePage } from '../../views/cells.js';
import { discussionView } from '../../views/discussion.js';
import { purposeOf } from '../../writing/drafts.js';
import { outcomeMessage, startThread, withCreatedAt, withKey, type NoteOptions } from '../../writing/new-notes.js';
import { withBodyFlags, withText, type BodyFlags } from '../../writing/with-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, PositionFlags, NoteOptions {
  readonly ref: string | undefined;
}

export const discussionsCreateCommand = (app: App): Command =>
  withPositionFlags(withKey(withCreatedAt(withBodyFlags(withRefFlags(
  defineCommand('create', 'start a thread, optionally on a line of the diff', [
    'discussions create issue/7 -m "Can this wait?"',
    'discussions create mr/12 --file src/a.ts:14 -m "Why here?"',
    'discussions create mr/12 --file src/a.ts --line old:3-5 -F review.md',
  ], selectableNames(discussionView)))))))
    .addArgument(refArgument())
    .action(handler<Input>((flags, ref?: string) => discussionsCreate(app, { ...flags, ref })));

const discussionsCreate = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, recordPrinter(app, input, discussionView));
  const destination = await destinationOf(app, input, input.ref);
  const purpose = purposeOf('discussions create', destination);
  const { thread, target } = await withText(app, input, purpose, async (text) => {
    const target = await reached(app, input, destination);
    return { target, thread: await startThread(app, input, target, text) };
  });
  const message = outcomeMessage(app, `started thread ${thread.id} on ${target.name}`, target.name);
  await print(message, thread, notePage(thread.notes[0]?.id, target));
};
