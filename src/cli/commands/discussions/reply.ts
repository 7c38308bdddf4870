import { NoResultError } from '../../../client/errors.js';
import { isByPerson } from '../../../client/exactly-once/copies.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { failureOfSteps, printUnsentRequests, runSteps } from '../../changes/run.js';
import { defineCommand, handler, threadArgument, withRef } from '../../command-line/command.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { changePrinter, recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination, type Destination, type Target } from '../../service/targets/target.js';
import { checkResolvable, checkServiceResolves, setResolved, threadOf } from '../../service/targets/threads.js';
import { threadName } from '../../notes/thread-id.js';
import { notePage, noteView, threadState } from '../../notes/views/note.js';
import { pickThread } from '../../notes/views/thread-picker.js';
import { purposeOf } from '../../notes/write/drafts.js';
import { sendNote, withCreatedAt, withKey, type NoteOptions, type SentNote } from '../../notes/write/new-notes.js';
import { readNoteText, withBodyFlags, type BodyFlags } from '../../notes/write/note-text.js';

interface Input extends GlobalFlags, RefFlags, BodyFlags, NoteOptions, RefArguments {
  readonly resolve?: boolean;
}

export const discussionsReplyCommand = (app: App) =>
  withKey(withCreatedAt(withBodyFlags(withRef(defineCommand('reply', 'Add a note to a thread', [
    '# Reply with a short text\ndiscussions reply mr/12 0287db -m "Done."',
    '# Reply with the output of another program\ngit log -1 --format=%B | colloquy discussions reply mr/12 0287db',
  ], selectableNames(noteView))))))
    .addArgument(threadArgument())
    .option('--resolve', 'resolve the thread after the note is added')
    .action(handler<Input>((flags, ref?: string, thread?: string) =>
      discussionsReply(app, { ...flags, ...parseRefArguments(flags, ref, thread) })));

interface Done {
  place?: { readonly target: Target; readonly thread: string };
  created?: SentNote;
  /** Set if the note was quick actions alone. */
  noResult?: NoResultError;
  isResolved?: boolean;
}

const discussionsReply = async (app: App, input: Input): Promise<void> => {
  const print = changePrinter(app, input, (on) => recordPrinter(on, input, noteView));
  const destination = await destinationOf(app, input, input.ref);
  if (input.resolve) checkResolvable(destination);
  const done: Done = {};
  const failure = input.resolve ? await addAndResolve(app, input, destination, done)
    : await add(app, input, destination, done);
  const { created, place, noResult } = done;
  if (created && place) {
    const { note } = created;
    const { thread, target } = place;
    const message = created.unsent ?? `added note ${note.id} to ${threadName(app, thread)}`;
    await print(message, note, notePage(note.id, target));
  }
  if (done.isResolved && place) await say(app, input, `resolved ${threadName(app, place.thread)}`);
  if (failure ?? noResult) throw failure ?? noResult!;
};

const add = async (app: App, input: Input, given: Destination, done: Done): Promise<null> => {
  const opened = await pickDestination(app, input, given);
  const { destination, thread: picked } = opened;
  const childId = picked ?? input.childId ?? destination.ref.note?.toString();
  const text = await readNoteText(app, input, purposeOf('discussions reply', destination, childId));
  const target = opened.target ?? await openDestination(app, input, destination);
  if (input.resolve) await checkServiceResolves(target);
  const thread = await threadOf(target, picked ?? input.childId);
  done.place = { target, thread };
  done.created = await sendNote(app, input, { to: 'thread', target, thread }, text);
  return null;
};

/** At a terminal the user picks a thread if none is named, before writing a text. */
const pickDestination = async (app: App, input: Input, destination: Destination) => {
  if (input.childId !== undefined || destination.ref.note !== undefined || !canAsk(app, input)) return { destination };
  const target = await openDestination(app, input, destination);
  return { destination, target, thread: (await pickThread(app, target, { verb: 'Reply to' })).id };
};

const addAndResolve = async (app: App, input: Input, destination: Destination, done: Done): Promise<Error | null> => {
  const outcomes = await runSteps(app, input, ['reply', 'resolve'] as const, {
    make: async (step) => {
      if (step === 'resolve') await resolve(input, done);
      else await add(app, input, destination, done).catch(keepNoResult(done));
    },
    ends: () => true,
  });
  await printUnsentRequests(app, input, outcomes);
  return failureOfSteps(outcomes, (step) => step);
};

const keepNoResult = (done: Done) => (error: unknown): void => {
  if (!(error instanceof NoResultError)) throw error;
  done.noResult = error;
};

/** A thread whose note was not stored stays as it is. The response has the note in its new state. */
const resolve = async ({ dryRun }: Input, done: Done): Promise<void> => {
  const { place, created, noResult } = done;
  if (!place || !(created || noResult || dryRun)) return;
  if (created?.existing) await checkUnanswered(place, created.note);
  const { notes } = await setResolved(place.target, place.thread, true);
  done.isResolved = true;
  const note = notes.find(({ id }) => id === created?.note.id);
  if (created && note) done.created = { ...created, note };
};

const checkUnanswered = async ({ target, thread }: Required<Done>['place'], { id, author }: Note): Promise<void> => {
  const found = await target.client.discussions[target.kind].get({ ...target.path, discussion_id: thread });
  const problem = (reason: string, hint: string) =>
    new Problem('failure', `did not resolve thread ${thread}: ${reason}`, hint);
  if (!found.notes.some((note) => note.id === id)) {
    throw problem(`note ${id} is in another thread`, 'use another --key to reply in this one');
  }
  const answer = found.notes.find((note) => note.id > id && isByPerson(note, author.id));
  if (answer === undefined || threadState(found) === 'resolved') return;
  throw problem(`${answer.author.username} answered note ${id}`, 'read the answer, then reply with another --key');
};
