import type { NoteableKind } from '../../contract/noteables.js';
import type { Client } from '../../client/client.js';
import { targetOf, type RefFlags, type Target } from '../refs/target.js';
import type { Named } from '../refs/words.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { noteOf, threadOf, threadOfNote } from './find.js';

/** What names a note on the command line. */
export interface NoteFlags extends GlobalFlags, RefFlags, Named {
  readonly thread?: string;
}

/** A note with the way to it. */
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
  const note_id = noteOf(target, input.below);
  const { thread } = input;
  const discussion_id = await (thread === undefined ? threadOfNote(target, note_id) : threadOf(target, thread));
  const { client, kind, path } = target;
  const name = `note ${note_id} of ${target.name}`;
  return { client, kind, path: { ...path, discussion_id, note_id }, name, on: target.name };
};
