import type { Pages } from '../../../client/pages.js';
import { discussionIdPattern, noteables } from '../../../contract/conventions.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { showHidden } from '../../../markdown/prose.js';
import { firstWords } from '../../../text/plain.js';
import { visibleText } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { resolvingVersions } from '../../command-line/hints.js';
import {
  hasRefFlag, isRef, isUrl, type Ref, refFromUrl, type RefArguments, type RefFlags,
} from '../../command-line/ref.js';
import { once } from '../connection/batch.js';
import { nullIfMissing, nullIfUnsupported } from '../connection/unsupported.js';
import { mergeRequestPath, openNamedTarget, type Target } from './target.js';

const shortestPrefix = 4;
const threadPrefix = new RegExp(`^[0-9a-f]{${shortestPrefix},40}$`);

/**
 * Accepts a full id (not looked up), the start of one, or a note in it: number, `#note_345` or URL. Without a word, the
 * thread of the note in the reference. @throws Problem if no thread or several match
 */
export const threadOf = async (target: Target, word: string | undefined, threads?: Threads): Promise<string> => {
  if (word === undefined) return (await threadOfNote(target, noteOf(target, undefined))).id;
  await checkWords(target, [word]);
  return threadNamed(target, word, threads);
};

const threadNamed = async (target: Target, word: string, threads?: Threads): Promise<string> =>
  discussionIdPattern.test(word) ? word : (await findThread(target, word, threads)).id;

/** Null if the service has no merge requests to read. @throws Problem for the record of another one */
export const readMergeRequest = async (
  { client, name, ...place }: Pick<Target, 'client' | 'name' | 'path' | 'ref'>,
): Promise<MergeRequest | null> => {
  const path = mergeRequestPath(place);
  const found = await nullIfUnsupported(client.lookups.mergeRequest(path));
  if (found === null || found.iid === path.iid) return found;
  throw new Problem('unavailable', `the service sent something else than ${name}`, 'run the command again');
};

/** The service counts threads that the token cannot read, such as internal ones (behavior: lookups.merge-status). */
export const hasHiddenThreads = async (target: Target): Promise<boolean> => target.kind === 'merge_request'
  && (((await readMergeRequest(target))?.blocking_discussions_resolved as unknown) ?? true) !== true;

type Threads = AsyncIterable<Discussion> | Iterable<Discussion>;

/** Requests a thread by its full id; `threads` has others. @throws Problem if no thread or several match */
export const findThread = async (
  target: Target, word: string, threads: Threads = listed(target),
): Promise<Discussion> => {
  const { client, kind, path } = target;
  if (discussionIdPattern.test(word)) {
    return { ...await client.discussions[kind].get({ ...path, discussion_id: word }), id: word };
  }
  checkThread(word);
  const note = noteNumber(word);
  if (note !== null && !/^\d+$/.test(word)) return threadOfNote(target, note, threads);
  return singleMatch(await matchingThreads(threads, word, note), word, target);
};

/** Requests at most one list for several words. @throws Problem for words that contradict the reference */
export const threadFinder = async (
  target: Target, words: readonly string[],
): Promise<(word: string) => Promise<Discussion>> => {
  await checkWords(target, words);
  if (words.length === 1) return (word) => findThread(target, word);
  const threads = once(() => listed(target).all());
  return async (word) => findThread(target, word, discussionIdPattern.test(word) ? [] : await threads());
};

const isThread = (word: string): boolean =>
  discussionIdPattern.test(word) || noteNumber(word) !== null || threadPrefix.test(word);

export const checkThread = (word: string): void => {
  if (isThread(word)) return;
  throw usage(`${JSON.stringify(word)} is not a valid thread`,
    'give the id of the thread, at least 4 characters of it, or a note of it');
};

/** @throws Problem for a noteable whose threads no service resolves */
export const checkResolvable = ({ ref, name }: Pick<Target, 'ref' | 'name'>): void => {
  if (noteables[ref.kind].resolvable) return;
  throw usage(`threads of ${name} are not resolvable`, 'choose a thread of a merge request, an issue or an epic');
};

/** The service decides about issues and epics: older ones show their threads as not resolvable. */
export const serviceResolves = async (
  { kind }: Target, threads: Threads | readonly Pick<Discussion, 'notes'>[],
): Promise<boolean> => {
  if (kind === 'merge_request') return true;
  for await (const { notes: [first] } of threads) {
    if (first !== undefined && !first.system && first.type !== null) return first.resolvable === true;
  }
  return true;
};

/** @throws Problem if the service does not resolve threads of the noteable */
export const checkServiceResolves = async (
  target: Target, threads: Parameters<typeof serviceResolves>[1] = listed(target),
): Promise<void> => {
  if (await serviceResolves(target, threads)) return;
  throw new Problem('not_found', `the service does not resolve threads of ${target.name}`, resolvingVersions);
};

/** Older services reject it on issues and epics. @throws ApiError; Problem for a thread that keeps its state */
export const setResolved = async (
  { client, kind, path, name }: Target, discussion_id: string, resolved: boolean,
): Promise<Discussion> => {
  const thread = await client.discussions[kind === 'issue' || kind === 'epic' ? kind : 'merge_request']
    .resolve({ ...path, discussion_id, resolved });
  const states = thread.notes.filter(({ resolvable }) => resolvable === true).map((note) => note.resolved);
  checkState(`thread ${discussion_id} of ${name}`, resolved && states.includes(false) ? false : states[0], resolved);
  return thread;
};

/** @param found undefined if the response shows none @throws Problem for another state than the wanted one */
export const checkState = (name: string, found: boolean | undefined, wanted: boolean): void => {
  if (found === wanted) return;
  const state = found === undefined ? 'in an unknown state' : `${wanted ? 'un' : ''}resolved`;
  throw new Problem('failure', `the service left ${name} ${state}`);
};

/** Without a word, that of the reference. @throws Problem when there is none */
export const noteOf = ({ ref, name }: Target, word: string | undefined): number => {
  const note = word === undefined ? ref.note ?? null : noteNumber(word);
  if (note !== null) return note;
  if (word !== undefined) throw usage(`${JSON.stringify(word)} is not a valid note`, 'give the number of the note');
  throw usage('no note or thread given', `name it after ${name}, or paste a URL that ends in #note_<id>; `
    + `run \`colloquy discussions list ${name}\` or \`notes list\` to list them`);
};

/** @throws Problem for a thread that the service sent without an id: no request can name it */
export const withId = (thread: Discussion, { name }: Target): Discussion => {
  if (thread.id !== '') return thread;
  throw new Problem('unavailable', `the service sent a thread of ${name} without its id`, 'change it in the browser');
};

const threadOfNote = async (target: Target, note: number, threads: Threads = listed(target)): Promise<Discussion> => {
  for await (const thread of threads) if (thread.notes.some((one) => one.id === note)) return withId(thread, target);
  throw new Problem('not_found', `${target.name} has no note ${note}`,
    'check the number: the note may be deleted, or hidden from the token');
};

const noteNumber = (word: string): number | null => {
  const digits = /^(?:(?:https?:\/\/\S+)?#note_|note_)?([1-9]\d{0,15})$/i.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
};

/**
 * A note of another object may have the number of one here. @throws Problem for the URL of such a note, and if the URL
 * of the reference names a note that the words do not name
 */
const checkWords = async (target: Target, words: readonly string[]): Promise<void> => {
  const { ref: { note }, name, base } = target;
  if (note !== undefined && !words.some((word) => noteNumber(word) === note)) {
    throw usage(`${words.join(' ')} and a URL that ends in #note_${note} cannot be combined`, 'use only one of them');
  }
  for (const word of words) {
    if (!isUrl(word) || await isOn(target, refFromUrl(word, base === '' ? [] : [base]))) continue;
    throw usage(`${JSON.stringify(word)} is not a note of ${name}`,
      `give the number of a note of ${name}, or paste the URL without another reference`);
  }
};

const isOn = async ({ client, kind, path, ref, base }: Target, url: Ref | null): Promise<boolean> => {
  if (url?.kind !== kind || (base !== '' && url.base !== base)) return false;
  const [container, id] = [url.container!, url.id.toLowerCase()];
  if (ref.isGlobal) {
    return (await nullIfMissing(client.lookups.epic({ id: container, iid: Number(id) })))?.id === Number(ref.id);
  }
  if (kind === 'commit' ? !isSameSha(id, ref.id.toLowerCase()) : id !== ref.id) return false;
  if (!/^\d+$/.test(path.id)) return container.toLowerCase() === path.id.toLowerCase();
  const found = await nullIfMissing<{ id: number }>(client.lookups[noteables[kind].container]({ id: container }));
  return found?.id === Number(path.id);
};

/** Also if one of them is cut. */
const isSameSha = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** Digits may be the number of a note or the start of a thread id: both match. */
const matchingThreads = async (threads: Threads, prefix: string, note: number | null): Promise<Discussion[]> => {
  const found: Discussion[] = [];
  const isPrefix = prefix.length >= shortestPrefix;
  for await (const one of threads) {
    if ((isPrefix && one.id.startsWith(prefix)) || one.notes.some(({ id }) => id === note)) found.push(one);
  }
  return found;
};

const singleMatch = (
  [first, ...others]: readonly Discussion[], word: string, { name }: Target,
): Discussion => {
  if (!first) {
    throw new Problem('not_found', `${name} has no thread ${word}`,
      `run \`colloquy discussions list ${name}\` to list them`,
      { agentHint: `use find with what threads and ref ${name} to list them` });
  }
  if (others.length === 0) return first;
  const candidates = threadLines([first, ...others].slice(0, 5));
  throw usage(`${word} matches ${others.length + 1} threads`, `give more of the id:\n${candidates}`);
};

export const threadLines = (threads: readonly Discussion[]): string =>
  threads.map(({ id, notes }) => `  ${id}  ${firstWords(showHidden(visibleText(notes[0]?.body)))}`).join('\n');

export const unseenNotes = (shown: Discussion | undefined, { notes }: Discussion): readonly Note[] => {
  const known = new Set(shown?.notes.map(({ id }) => id));
  return notes.filter(({ id, system }) => !known.has(id) && !system);
};

export const listed = ({ client, kind, path }: Target): Pages<Discussion> => client.discussions[kind].list(path);

/** In memory at once: a list is printed page by page instead. */
export const allThreads = async (app: App, target: Target): Promise<Discussion[]> => {
  const threads: Discussion[] = [];
  for await (const { items, page, more } of listed(target).pages()) {
    if (page === 1 && more) await app.program.expectLongList();
    threads.push(...items);
  }
  return threads;
};

export interface NoteFlags extends GlobalFlags, RefFlags, RefArguments {
  readonly thread?: string;
}

export interface NamedNote {
  readonly target: Target;
  readonly path: Target['path'] & { readonly discussion_id: string; readonly note_id: number };
  readonly name: string;
  readonly note: Note | null;
}

/** The thread is searched for without `--thread`. @throws Problem */
export const noteFrom = async (app: App, input: NoteFlags): Promise<NamedNote> =>
  noteOn(await openNamedTarget(app, input, input.ref), input);

export const noteOn = async (target: Target, input: NoteFlags): Promise<NamedNote> => {
  const note_id = noteOf(target, input.childId);
  await checkWords(target, [input.childId ?? String(note_id), ...input.thread === undefined ? [] : [input.thread]]);
  const thread = input.thread === undefined ? await threadOfNote(target, note_id) : null;
  const discussion_id = thread?.id ?? await threadNamed(target, input.thread!);
  return {
    target, path: { ...target.path, discussion_id, note_id }, name: `note ${note_id} of ${target.name}`,
    note: thread?.notes.find(({ id }) => id === note_id) ?? null,
  };
};

/** From its thread. @throws Problem if the thread does not have it */
export const noteIn = async (
  { target: { client, kind, name }, path: { note_id, ...path } }: NamedNote,
): Promise<Note> => {
  const note = (await client.discussions[kind].get(path)).notes.find(({ id }) => id === note_id);
  if (note) return note;
  throw new Problem('not_found', `thread ${path.discussion_id} of ${name} has no note ${note_id}`,
    'omit --thread to find the thread of the note');
};

export interface ThreadWords {
  readonly ref?: string | undefined;
  readonly threads: readonly string[];
}

/** The first word is the reference if it is one. Pasted URLs of several notes are all threads. */
export const parseThreadWords = (flags: RefFlags, words: readonly (string | undefined)[]): ThreadWords => {
  const [first, ...others] = words.filter((word) => word !== undefined);
  if (first === undefined) return { threads: [] };
  const isReference = isRef(first) || (others.length > 0 && !isThread(first));
  if (hasRefFlag(flags) || !isReference) return { threads: [first, ...others] };
  const areNotes = [first, ...others].every((word) => isUrl(word) && /#note_\d+$/.test(word));
  return { ref: first, threads: areNotes ? [first, ...others] : others };
};
