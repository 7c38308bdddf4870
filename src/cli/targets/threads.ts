import type { Client } from '../../client/methods.js';
import { discussionIdPattern } from '../../contract/conventions.js';
import type { NoteableKind } from '../../contract/noteables.js';
import type { Discussion } from '../../contract/shapes/note.js';
import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainLine } from '../io/plain.js';
import type { RefArguments, RefFlags } from '../refs/ref.js';
import { targetOf, type Target } from './target.js';

const shortestPrefix = 4;

/**
 * The id of a thread given as a full id (not looked up), the start of one, or a note in it: number, `#note_345` or URL.
 * Without a word, the thread of the note in the reference.
 * @throws Problem if no thread or several match
 */
export const threadOf = async (target: Target, word: string | undefined): Promise<string> => {
  if (word === undefined) return threadOfNote(target, noteOf(target, undefined));
  if (discussionIdPattern.test(word)) return word;
  const note = noteIn(word);
  if (note !== null && !/^\d+$/.test(word)) return threadOfNote(target, note);
  if (note === null && !new RegExp(`^[0-9a-f]{${shortestPrefix},40}$`).test(word)) {
    throw usage(`${JSON.stringify(word)} is not a valid thread`,
      'give the id of the thread, at least 4 characters of it, or a note of it');
  }
  return singleMatch(await matchingThreads(target, word, note), word, target);
};

/** The number of the note that a word names, or that the reference points at. @throws Problem when there is none */
export const noteOf = ({ ref, name }: Target, word: string | undefined): number => {
  const note = word === undefined ? ref.note ?? null : noteIn(word);
  if (note !== null) return note;
  if (word !== undefined) throw usage(`${JSON.stringify(word)} is not a valid note`, 'give the number of the note');
  throw usage('no note or thread given', `name it after ${name}, or paste a URL that ends in #note_<id>; `
    + `run \`colloquy discussions list ${name}\` or \`notes list\` to list them`);
};

/** The id of the thread that a note belongs to. Pages are asked for until it is found. @throws Problem */
export const threadOfNote = async (target: Target, note: number): Promise<string> => {
  for await (const { id, notes } of listed(target)) if (notes.some((one) => one.id === note)) return id;
  throw new Problem('not_found', `${target.name} has no note ${note}`,
    'check the number: the note may be deleted, or hidden from the token');
};

const noteIn = (word: string): number | null => {
  const digits = /^(?:\S*#?note_)?([1-9]\d{0,15})$/.exec(word)?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Digits may be the number of a note or the start of a thread id: both match. */
const matchingThreads = async (target: Target, prefix: string, note: number | null): Promise<Discussion[]> => {
  const found: Discussion[] = [];
  const isPrefix = prefix.length >= shortestPrefix;
  for await (const one of listed(target)) {
    if ((isPrefix && one.id.startsWith(prefix)) || one.notes.some(({ id }) => id === note)) found.push(one);
  }
  return found;
};

const singleMatch = ([first, ...others]: readonly Discussion[], word: string, { name }: Target): string => {
  if (!first) {
    throw new Problem('not_found', `${name} has no thread ${word}`,
      `run \`colloquy discussions list ${name}\` to list them`);
  }
  if (others.length === 0) return first.id;
  const candidates = [first, ...others].slice(0, 5)
    .map(({ id, notes }) => `  ${id}  ${plainLine(notes[0]?.body ?? '').slice(0, 60)}`);
  throw usage(`${word} matches ${others.length + 1} threads`, `give more of the id:\n${candidates.join('\n')}`);
};

const listed = ({ client, kind, path }: Target): AsyncIterable<Discussion> => client.discussions[kind].list(path);

/** The flags that identify a note. */
export interface NoteFlags extends GlobalFlags, RefFlags, RefArguments {
  readonly thread?: string;
}

/** A note with its client and path. */
export interface FoundNote {
  readonly client: Client;
  readonly kind: NoteableKind;
  readonly path: Target['path'] & { readonly discussion_id: string; readonly note_id: number };
  /** As it stands in messages: `note 345 of mr/12`. */
  readonly name: string;
  /** What carries it: `mr/12`. */
  readonly on: string;
}

/** The note that a command line names; its thread is looked for where `--thread` does not tell. @throws Problem */
export const noteFrom = async (app: App, input: NoteFlags): Promise<FoundNote> =>
  noteOn(await targetOf(app, input, input.ref), input);

/** The same where the noteable is known. @throws Problem */
export const noteOn = async (target: Target, input: NoteFlags): Promise<FoundNote> => {
  const note_id = noteOf(target, input.childId);
  const { thread } = input;
  const discussion_id = await (thread === undefined ? threadOfNote(target, note_id) : threadOf(target, thread));
  const { client, kind, path } = target;
  const name = `note ${note_id} of ${target.name}`;
  return { client, kind, path: { ...path, discussion_id, note_id }, name, on: target.name };
};
