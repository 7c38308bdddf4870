import * as Type from '@sinclair/typebox';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { Note } from '../../../contract/shapes/note.js';
import { digestOfText, isAsWritten, isStoredAs, readMarker, withMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { markerLostHint } from '../../command-line/hints.js';
import { withFollowing } from '../../service/connection/dry-run.js';
import type { Target } from '../../service/targets/target.js';
import type { View } from '../../terminal/output/view.js';
import { checkUsers } from '../filters/people.js';
import { isInternal, noteView } from '../views/note.js';
import { earlierNotes } from '../write/own-notes.js';
import { postNote } from '../write/new-notes.js';
import { type Content, type KeyNotes, keyNotesOf, type Overflow, type UpsertMode, type WantedComment } from './plan.js';
import { hasSections, sharedTextOf } from './shared-plan.js';

export interface UpsertOptions extends GlobalFlags {
  readonly key: string;
  readonly mode: UpsertMode;
  readonly section?: string;
  readonly keepSections?: boolean;
  readonly newerThan?: string;
  readonly resolvable?: boolean;
  readonly author?: readonly string[];
  readonly overflow: Overflow;
  readonly visibleKey?: boolean;
  /** Whether nothing is posted where there is no comment with the key. */
  readonly isUpdateOnly?: boolean;
}

/** The note is null if there is none any more. */
export interface UpsertResult {
  readonly action: 'created' | 'updated' | 'unchanged' | 'stale' | 'healed' | 'deleted';
  readonly note: Note | null;
}

export interface Upserted {
  readonly result: UpsertResult;
  /** Why a stale run changed nothing. */
  readonly whyStale: string;
}

export interface UpsertRun<W extends WantedComment = WantedComment> {
  readonly app: App;
  readonly options: UpsertOptions;
  readonly target: Target;
  readonly wanted: W;
  readonly progress: UpsertProgress;
}

interface UpsertProgress {
  action: 'created' | 'updated' | 'deleted' | null;
  isStored: boolean;
  healed: number;
  readonly written: Set<number>;
  /** By id, with the reason why they are left as they are. */
  readonly left: Map<number, string>;
}

/** With a fingerprint the marker is that of a finding. @param known the only note; null to read all */
export const readKeyNotes = async (
  { options, target, wanted: { key }, progress }: UpsertRun, known: MarkedNote | null = null,
): Promise<KeyNotes> => {
  const again = known && await target.client.readAgain(target, known);
  const authors = options.author?.map((author) => author.replace(/^@/, ''));
  const found = again ? [again] : (await earlierNotes(target, 'comment', authors)).notes
    .filter(({ marker }) => marker['key'] === key && marker['fp'] === undefined);
  const notes = keyNotesOf(found, progress.written, isInSections);
  for (const { note } of notes.changed) progress.left.set(note.id, 'its text was changed by hand');
  return notes;
};

export const isInSections = (one: MarkedNote): boolean => hasSections(sharedTextOf(one));

export const upsertResult = (
  { progress: { action, healed, isStored } }: UpsertRun, note: Note | null,
  otherwise: 'unchanged' | 'stale' = 'unchanged',
): UpsertResult => {
  if (otherwise === 'stale' && !isStored) return { action: 'stale', note };
  if (healed > 0) return { action: 'healed', note };
  return { action: action ?? otherwise, note };
};

export const recordUpdate = ({ progress }: UpsertRun, isSameText: boolean): void => {
  if (!isSameText) progress.action ??= 'updated';
};

export const deleteNotes = async (run: UpsertRun, [first, ...others]: readonly MarkedNote[]): Promise<void> => {
  if (first === undefined) return;
  const deleteOthers = () => deleteNotes(run, others);
  await withFollowing(run.target.client.removeNotes(run.target, [first]), deleteOthers);
  await deleteOthers();
};

export const deleteCopies = async (run: UpsertRun, copies: readonly MarkedNote[]): Promise<void> => {
  await deleteNotes(run, copies);
  run.progress.healed += copies.length;
};

/** @returns an existing note of this identity @throws Problem beside an internal one, which would become public */
export const addNote = async (
  { app, options, target, wanted: { key } }: UpsertRun, { copies, changed }: KeyNotes,
  { text, marker, isVisible }: Content, isShared = false,
): Promise<Note> => {
  const hidden = [...copies, ...changed].find(({ note }) => isInternal(note));
  if (hidden !== undefined) {
    throw new Problem('rejected',
      `note ${hidden.note.id} of ${target.name} with key ${key} is internal and was changed: `
      + 'a new comment would show its text to everybody',
      'use another --key, or delete the note with `colloquy notes delete`');
  }
  await checkUsers(target.client, options);
  const input = { ...options, marker, visibleMarker: isVisible, isShared };
  const to = options.resolvable ? 'new thread' : 'comments';
  return (await postNote(app, input, { to, target }, { body: text })).note;
};

export const bodyOf = ({ text, marker, isVisible }: Content): string => withMarker(text, marker, { isVisible });

/** @throws Problem if the service removed the marker: then the comment keeps its text */
export const checkMarker = ({ target: { name } }: UpsertRun, { id, body }: Note): void => {
  if (readMarker(body).marker !== null) return;
  throw new Problem('failure', `the service removed the marker from note ${id} of ${name}: later runs will not find it`,
    markerLostHint);
};

/** The service may have changed the text. */
export const hasText = ({ body }: Note, given: string): boolean => {
  const { text, hash } = readMarker(body);
  return isStoredAs(given, text) || hash === digestOfText(given);
};

/** @throws Problem if the service changes the text each time, including the one that it made of the text of this run */
export const checkSealed = ({ target }: UpsertRun, { id, body }: Note): void => {
  if (isAsWritten(body) !== false) return;
  throw new Problem('failure', `the service changes the text of note ${id} of ${target.name} each time: `
    + 'later runs cannot tell it from one that was changed by hand', 'use a simpler text');
};

export const keepsChanging = ({ target, wanted: { key } }: UpsertRun): Problem =>
  new Problem('failure', `the comment with key ${key} on ${target.name} keeps changing`,
    'check which other programs use the key, then run the command again');

export const cannotMix = (
  { target, wanted: { key } }: UpsertRun, change: string, { note: { id } }: MarkedNote, has: string, otherWay: string,
): Problem => new Problem('rejected', `cannot ${change} note ${id} of ${target.name} with key ${key}: it has ${has}`,
  `${otherWay}, use another --key, or delete the note with \`colloquy notes delete\``);

export const upsertView: View<UpsertResult> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: () => 'strong' },
    ...noteView.columns.map(({ name, cell }) => ({
      name: name === 'note' ? 'id' : name,
      cell: ({ note }: UpsertResult, display: Parameters<typeof cell>[1]) => note === null ? '' : cell(note, display),
    })),
  ],
  id: ({ note }) => note === null ? '' : noteView.id(note),
  text: async ({ action, note }) => note === null ? `action  ${action}\n` : undefined,
  shape: Type.Object({ action: Type.String(), note: Type.Union([Note, Type.Null()]) }),
  emptyText: 'no comment',
};

export const upsertMessage = (
  { result: { action, note }, whyStale }: Upserted, { name }: Target, key: string,
): string => {
  if (note === null) {
    if (action === 'stale') return `nothing changed: ${whyStale}`;
    const comment = `comment with key ${key}`;
    if (action === 'deleted') return `deleted the ${comment} from ${name}`;
    return `${action === 'unchanged' ? 'nothing to delete: ' : ''}${name} has no ${comment}`;
  }
  const one = `note ${note.id} of ${name}`;
  return {
    created: `added note ${note.id} to ${name}`, updated: `updated ${one}`, unchanged: `${one} is unchanged`,
    stale: `${one} was not changed: ${whyStale}`, healed: `kept ${one} and deleted its copies`,
    deleted: `deleted ${one}`,
  }[action];
};
