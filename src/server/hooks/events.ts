import type { NoteableRow } from '../repositories/noteables.js';
import type { NewNote } from '../repositories/notes.js';
import type { ProjectRow, UserRow } from '../repositories/world.js';

interface Happened {
  /** Null for what belongs to a group, which has no webhooks. */
  readonly project: ProjectRow | null;
  readonly noteable: NoteableRow;
  /** Only this webhook, whatever it receives: for a test. */
  readonly hook?: number;
}

/** A note was added or edited. */
export interface NoteEvent extends Happened {
  readonly kind: 'note';
  readonly action: 'create' | 'update';
  readonly note: Omit<NewNote, 'fragment' | 'dialect' | 'starts' | 'noteable'> & { readonly id: number };
}

export interface Change<T> { readonly previous: T; readonly current: T }

export type Changes = Readonly<Record<string, Change<unknown>>>;

export interface MergeRequestEvent extends Happened {
  readonly kind: 'merge_request';
  readonly action: 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'approved' | 'unapproved';
  /** Each changed attribute; default: none. */
  readonly changes?: Changes;
  /** The same for lists of users. */
  readonly people?: Readonly<Record<string, Change<readonly UserRow[]>>>;
  /** The time of the change before, if attributes changed. */
  readonly changedBefore?: string;
  /** The former head, after a push. */
  readonly oldrev?: string;
}

/** What a handler reports after a change, for the webhooks of the project. `noteable` is as after the change. */
export type HookEvent = NoteEvent | MergeRequestEvent;

export const eventKinds = ['note', 'merge_request'] as const;
/** What a webhook reports: a note, or a change of a merge request. */
export type EventKind = (typeof eventKinds)[number];

/** Of a fault rule about a webhook. */
export type HookFault = { readonly kind: 'drop' | 'reorder' }
  | { readonly kind: 'repeat'; readonly times: number } | { readonly kind: 'delay'; readonly milliseconds: number };

export interface HookDelivery {
  readonly event: EventKind;
  readonly body: string;
  /** The username of whoever made the change. */
  readonly user: string;
}
