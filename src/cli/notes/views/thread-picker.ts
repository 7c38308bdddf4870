import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { firstWords, plainLine } from '../../../text/plain.js';
import { canAsk } from '../../terminal/io/messages.js';
import { placedThreads, placeText, type PlacedThread } from '../places.js';
import { shortId } from '../thread-id.js';
import { allThreads, noteOn, type NamedNote, type NoteFlags } from '../../service/targets/threads.js';
import type { Target } from '../../service/targets/target.js';
import { threadState, type State, shownText } from './note.js';

/** Unresolved ones come first. @param verb as in `Show which thread of mr/12?` @throws Problem if there is none */
export const pickThread = async (
  app: App, target: Target, { verb, state }: { readonly verb: string; readonly state?: Exclude<State, ''> },
): Promise<Discussion> => {
  const threads = await unresolvedFirst(app, target, (thread) => state === undefined || threadState(thread) === state);
  const what = state === undefined ? 'threads' : { open: 'unresolved threads', resolved: 'resolved threads' }[state];
  return pick(app, target, threads.flatMap((thread) => {
    const first = thread.notes.find(({ system }) => !system);
    return first ? [choiceOf(shortId(thread.id), thread, first, thread)] : [];
  }), `${verb} which thread`, what);
};

/** At a terminal, the user picks a note that is not named. @throws Problem */
export const chooseNote = async (app: App, input: NoteFlags, target: Target, verb: string): Promise<NamedNote> =>
  noteOn(target, { ...input, ...await chooseNoteId(app, input, target, verb) });

/** Empty if a note is named, or nobody can be asked. */
export const chooseNoteId = async (
  app: App, input: NoteFlags, target: Target, verb: string,
): Promise<{ readonly childId?: string }> => {
  const isNamed = input.childId !== undefined || target.ref.note !== undefined;
  return isNamed || !canAsk(app, input) ? {} : { childId: String((await pickNote(app, target, verb)).id) };
};

const pickNote = async (app: App, target: Target, verb: string): Promise<Note> => {
  const threads = await unresolvedFirst(app, target);
  return pick(app, target, threads.flatMap((thread) => thread.notes.filter(({ system }) => !system)
    .map((note) => choiceOf(String(note.id), note, note, thread))),
  `${verb} which note`, 'notes');
};

const unresolvedFirst = async (
  app: App, target: Target, isWanted: (thread: Discussion) => boolean = () => true,
): Promise<PlacedThread[]> => {
  const threads = (await allThreads(app, target)).filter(isWanted)
    .toSorted((a, b) => Number(threadState(b) === 'open') - Number(threadState(a) === 'open'));
  return Promise.all(threads.map(placedThreads(app, target, {})));
};

interface Choice<T> { readonly value: T; readonly line: string; readonly state: State }

const pick = async <T>(
  app: App, { name }: Target, choices: readonly Choice<T>[], question: string, what: string,
): Promise<T> => {
  if (choices.length === 0) throw new Problem('not_found', `${name} has no ${what}`);
  const { wrapLines } = await import('../../terminal/io/width.js');
  const width = app.err.columns - cursor.length;
  const lines = choices.map(({ line }) => wrapLines(line, width).replaceAll('\n', `\n${cursor}`));
  return choices[await app.ask.choose(`${question} of ${name}? (${countText(choices)})`, lines)]!.value;
};

const countText = (choices: readonly Choice<unknown>[]): string => {
  const open = choices.filter(({ state }) => state === 'open').length;
  return open === 0 || open === choices.length ? `${choices.length}` : `${choices.length}, ${open} open`;
};

const choiceOf = <T>(id: string, value: T, { author, body }: Note, thread: PlacedThread): Choice<T> => {
  const state = threadState(thread);
  const about = [author.username, placeText(thread), state].filter((part) => part !== '');
  const line = `${plainLine(id)}  ${firstWords(shownText(body))} (${plainLine(about.join(', '))})`;
  return { value, line, state };
};

/** As wide as the mark of the chosen line. */
const cursor = '  ';
