import type { Edition } from '../../contract/behavior/fact.js';
import { hooksOf, type HookRow } from '../repositories/hooks.js';
import { mergeRequestDetails } from '../repositories/merge-requests.js';
import { noteableIn, type NoteableRow } from '../repositories/noteables.js';
import { projectBy, userById, type ProjectRow, type UserRow } from '../repositories/world.js';
import type { Queries } from '../store/database.js';
import { deliversEdits, hookBody, isConfidential, type BodyContext, type MergeRequestState } from './body.js';
import type { EventKind, HookEvent } from './events.js';

/** A delivery that is still to be sent. */
export interface Announcement {
  readonly hook: HookRow;
  readonly event: EventKind;
  /** `Note Hook`. */
  readonly name: string;
  readonly body: string;
  readonly user: string;
  /** Of the service. */
  readonly edition: Edition;
}

/** For the webhooks of the project that receive the event. In the transaction of the change. */
export const announcementsOf = async (
  queries: Queries, event: HookEvent, context: Omit<BodyContext, 'state' | 'author'>,
): Promise<Announcement[]> => {
  const { project, kind } = event;
  if (!project || !isDelivered(event, context.edition)) return [];
  const hooks = (await hooksOf(queries, project.id)).filter((hook) => receives(hook, event));
  if (hooks.length === 0) return [];
  const { noteable } = event;
  const state = noteable.kind === 'merge_request' ? await mergeRequestState(queries, noteable, project) : null;
  const author = await commitAuthor(queries, noteable, state);
  const body = JSON.stringify(hookBody(event, project, { ...context, state, author }));
  const { edition, caller: { username: user } } = context;
  return hooks.map((hook) => ({ hook, event: kind, name: nameOf(event), body, user, edition }));
};

/** A head that is not known counts as a commit of the author of the merge request. */
const commitAuthor = async (
  queries: Queries, noteable: NoteableRow, state: MergeRequestState | null,
): Promise<UserRow | null> => noteable.kind === 'commit' || state !== null
  ? await userById(queries, (state?.head ?? noteable).author_id) ?? null : null;

const mergeRequestState = async (
  queries: Queries, { id, project_id, head_sha, source_project_id }: NoteableRow, project: ProjectRow,
): Promise<MergeRequestState> => ({
  ...(await mergeRequestDetails(queries, [id])).get(id)!,
  source: source_project_id === null ? project : await projectBy(queries, source_project_id) ?? project,
  head: head_sha === null ? undefined : await noteableIn(queries, 'commit', project_id!, head_sha),
});

/** behavior: hooks.notes */
const isDelivered = (event: HookEvent, edition: Edition): boolean =>
  event.kind !== 'note' || event.hook !== undefined
  || event.note.system === 0 && (event.action === 'create' || deliversEdits(edition));

const receives = (hook: HookRow, event: HookEvent): boolean => {
  if (event.hook !== undefined) return event.hook === hook.id;
  if (event.kind === 'merge_request') return hook.merge_requests_events === 1;
  return (isConfidential(event) ? hook.confidential_note_events : hook.note_events) === 1;
};

const nameOf = (event: HookEvent): string => {
  if (event.kind === 'merge_request') return 'Merge Request Hook';
  return isConfidential(event) ? 'Confidential Note Hook' : 'Note Hook';
};
