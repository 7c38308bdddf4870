import type { HookTrigger } from '../../contract/hooks.js';
import { newestOf, noteableById, type NoteableRow } from '../repositories/noteables.js';
import { newestNoteOf, type NewNote } from '../repositories/notes.js';
import type { ProjectRow, UserRow } from '../repositories/world.js';
import type { Queries } from '../store/database.js';

interface Happened {
  /** Null for what belongs to a group, which has no webhooks. */
  readonly project: ProjectRow | null;
  readonly noteable: NoteableRow;
  /** A test goes to this webhook alone, whatever it receives. */
  readonly hook?: number;
}

export interface NoteEvent extends Happened {
  readonly kind: 'note';
  readonly action: 'create' | 'update';
  readonly note: Omit<NewNote, 'fragment' | 'dialect' | 'starts' | 'noteable'> & { readonly id: number };
}

export interface Change<T> { readonly previous: T; readonly current: T }

export type Changes = Readonly<Record<string, Change<unknown>>>;

interface IssuableEvent extends Happened {
  readonly changes?: Changes;
  readonly people?: Readonly<Record<string, Change<readonly UserRow[]>>>;
  readonly changedBefore?: string;
}

export interface MergeRequestEvent extends IssuableEvent {
  readonly kind: 'merge_request';
  readonly action: 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'approved' | 'unapproved';
  readonly oldrev?: string;
}

export interface IssueEvent extends IssuableEvent {
  readonly kind: 'issue';
  readonly action: 'open' | 'update' | 'close' | 'reopen';
}

/** Handlers report it after a change. `noteable` is as after the change. */
export type HookEvent = NoteEvent | MergeRequestEvent | IssueEvent;

export const eventKinds = ['note', 'merge_request', 'issue'] as const;
/** What a webhook reports: a note, or a change of a merge request or an issue. */
export type EventKind = (typeof eventKinds)[number];

export type HookFault = { readonly kind: 'drop' | 'reorder' }
  | { readonly kind: 'repeat'; readonly times: number } | { readonly kind: 'delay'; readonly milliseconds: number };

export interface HookDelivery {
  readonly event: EventKind;
  readonly body: string;
  /** The username of whoever made the change. */
  readonly user: string;
}

export const newestEvent = async (
  queries: Queries, project: ProjectRow, trigger: HookTrigger,
): Promise<HookEvent | null> => {
  if (trigger !== 'note_events') {
    const kind = trigger === 'issues_events' ? 'issue' : 'merge_request';
    const noteable = await newestOf(queries, kind, project.id);
    return noteable ? { kind, action: 'open', project, noteable } : null;
  }
  const note = await newestNoteOf(queries, project.id);
  if (!note) return null;
  return { kind: 'note', action: 'create', project, note, noteable: (await noteableById(queries, note.noteable))! };
};
