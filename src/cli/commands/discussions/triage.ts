import { counted } from '../../../text/messages.js';
import { type RefFlags, resolvableKinds } from '../../command-line/ref.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { tryMarkSeen } from '../../notes/seen.js';
import { noneTried } from '../../notes/triage/effects.js';
import { commands } from '../../notes/triage/page.js';
import { runNumbered, runOnScreen, type Session } from '../../notes/triage/session.js';
import { triageTexts } from '../../notes/triage/texts.js';
import { firstState, unsentTexts } from '../../notes/triage/state.js';
import { threadState } from '../../notes/views/note.js';
import { threadLooks } from '../../notes/views/discussion.js';
import { subjectName, subjectOf } from '../../notes/views/subject.js';
import { tokenOwner } from '../../notes/write/own-notes.js';
import { allThreads, checkResolvable } from '../../service/targets/threads.js';
import { destinationOf, openDestination, type Destination, type Target } from '../../service/targets/target.js';
import { canAsk, say, withProgress } from '../../terminal/io/messages.js';

interface Input extends GlobalFlags, RefFlags {}

export const discussionsTriageCommand = (app: App) =>
  withRef(defineCommand('triage', 'Go through the unresolved threads one by one, with one key per action', [
    'discussions triage mr/12',
    'discussions triage',
  ]), resolvableKinds)
    .addHelpText('after', `\nKeys:\n  ${keys.slice(0, 7).join(', ')},\n  ${keys.slice(7).join(', ')}\n`)
    .action(handler<Input>((flags, ref?: string) => discussionsTriage(app, { ...flags, ref })));

const keys = commands.map(([key, short]) => `${key} ${short}`);

const discussionsTriage = async (app: App, input: Input): Promise<void> => {
  if (!canAsk(app, input)) {
    throw usage('cannot read keys without a terminal',
      'run this at a terminal, or use `colloquy discussions list --unresolved`');
  }
  const destination = await destinationOf(app, input, input.ref);
  checkResolvable(destination);
  // Messages about waits and repeats would be written over the screen.
  const target = await openDestination(app, app.ask.screen === null ? input : { ...input, quiet: true }, destination);
  const [threads, user, subject] = await withProgress(app, input, `reading the threads of ${target.name}`, () =>
    Promise.all([allThreads(app, target), tokenOwner(target.client), subjectOf(target)]));
  const open = threads.filter((thread) => threadState(thread) === 'open');
  if (open.length === 0) return say(app, input, `no unresolved threads on ${target.name}`);
  const ended = await triage(app, input, { destination, target, name: subjectName(target.name, subject) },
    firstState(open, user?.id ?? null));
  // Notes that came in the meantime stay new: others may have come before them, to threads that were read earlier.
  const notes = threads.flatMap((thread) => thread.notes.map((note) => ({ ...note, thread: thread.id })));
  await tryMarkSeen(app, input, target, notes, ({ thread }) => ended.shown.has(thread));
};

const triage = async (
  app: App, input: Input, { destination, target, name }: { destination: Destination; target: Target; name: string },
  start: Session['state'],
): Promise<Session['state']> => {
  const tried = noneTried();
  const [texts, lookAt] = [triageTexts(app, destination, target, tried.texts), threadLooks(app, target)];
  const sessionWith = (lend: Session['lend']): Session =>
    ({ app, target, name, texts, tried, lend, state: start, lookAt });
  let session = sessionWith((work) => work());
  try {
    if (app.ask.screen === null) await runNumbered(session);
    else {
      await app.ask.screen(async (screen) => {
        session = sessionWith(screen.lend);
        await runOnScreen(session, screen);
      });
    }
  } finally {
    await texts.report(input, unsentTexts(session.state));
  }
  const { threads } = session.state;
  const left = threads.filter((thread) => threadState(thread) === 'open').length;
  await say(app, input, `${left} of ${counted(threads.length, 'thread')} unresolved on ${target.name}`);
  return session.state;
};
