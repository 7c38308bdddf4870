import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { hookFacts } from '../../contract/behavior/hooks.js';
import { noteables } from '../../contract/conventions.js';
import type { Position } from '../../contract/shapes/position.js';
import { lineCode } from '../../diff/lines.js';
import { withUploadsBelow } from '../../wire/note-text.js';
import { hostOf } from '../http/response.js';
import { systemUploads } from '../repositories/appearance.js';
import { type HookRow, hooksOf } from '../repositories/hooks.js';
import { detailsOf, type IssuableDetails, labelsOf, labelTitles } from '../repositories/issuables.js';
import { noteableById, noteableIn, type NoteableRow } from '../repositories/noteables.js';
import { parentPath, projectBy, type ProjectRow, userById, type UserRow } from '../repositories/world.js';
import { isDraftTitle, mergeStatus, stateIds } from '../serializers/merge-request.js';
import { commitEmail, commitMessage } from '../serializers/note.js';
import type { Queries } from '../store/database.js';
import type { EventKind, HookEvent, IssueEvent, MergeRequestEvent, NoteEvent } from './events.js';

export interface Announcement {
  readonly hook: HookRow;
  readonly event: EventKind;
  readonly name: string;
  readonly body: string;
  readonly user: string;
  readonly edition: Edition;
}

/** Finds the webhooks of the project that receive the event, in the transaction of the change. */
export const announcementsOf = async (
  queries: Queries, reported: HookEvent, context: HookContext,
): Promise<Announcement[]> => {
  const { project } = reported;
  if (!project || !isDelivered(reported, context.edition)) return [];
  const all = await hooksOf(queries, project.id);
  if (all.length === 0) return [];
  const event = await withFinalNoteable(queries, reported);
  const hooks = all.filter((hook) => receives(hook, event));
  if (hooks.length === 0) return [];
  const { noteable } = event;
  const state = noteable.kind === 'merge_request' ? await mergeRequestState(queries, noteable, project) : null;
  const details = event.kind === 'issue' ? await detailsOf(queries, noteable.id) : state;
  const body = JSON.stringify(hookBody(event, project, {
    ...context, state, assignees: details?.people.assignee ?? [], author: await commitAuthor(queries, noteable, state),
    labelIds: await labelIdsFor(queries, event, project),
  }));
  const { edition, caller: { username: user } } = context;
  return hooks.map((hook) => ({ hook, event: event.kind, name: eventName(event), body, user, edition }));
};

/** Quick actions change the object after its note was reported (behavior: hooks.after-commit). */
const withFinalNoteable = async (queries: Queries, event: HookEvent): Promise<HookEvent> =>
  event.kind === 'note' ? { ...event, noteable: (await noteableById(queries, event.noteable.id))! } : event;

const labelIdsFor = async (queries: Queries, event: HookEvent, { id }: ProjectRow) => {
  const isLabelled = event.noteable.labels !== '[]' || 'changes' in event && event.changes?.['labels'] !== undefined;
  const rows = isLabelled ? await labelsOf(queries, id) : [];
  return new Map(rows.map((row) => [row.title, row.id]));
};

/** A head that is not known counts as a commit of the author of the merge request. */
const commitAuthor = async (
  queries: Queries, noteable: NoteableRow, state: MergeRequestState | null,
): Promise<UserRow | null> => noteable.kind === 'commit' || state !== null
  ? await userById(queries, (state?.head ?? noteable).author_id) ?? null : null;

const mergeRequestState = async (
  queries: Queries, { id, project_id, head_sha, source_project_id }: NoteableRow, project: ProjectRow,
): Promise<MergeRequestState> => ({
  ...await detailsOf(queries, id),
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
  const columns = event.kind === 'note' ? ['note_events', 'confidential_note_events'] as const
    : ['issues_events', 'confidential_issues_events'] as const;
  return hook[columns[Number(isConfidential(event))]!] === 1;
};

const eventName = (event: HookEvent): string => {
  if (event.kind === 'merge_request') return 'Merge Request Hook';
  return `${isConfidential(event) ? 'Confidential ' : ''}${event.kind === 'note' ? 'Note' : 'Issue'} Hook`;
};

interface HookContext {
  readonly caller: UserRow;
  readonly edition: Edition;
  readonly address: string;
}

interface BodyContext extends HookContext {
  readonly state: MergeRequestState | null;
  readonly assignees: readonly UserRow[];
  /** The author of the commit, or of the last one of the merge request; null for other kinds. */
  readonly author: UserRow | null;
  readonly labelIds: ReadonlyMap<string, number>;
}

interface MergeRequestState extends IssuableDetails {
  readonly head: NoteableRow | undefined;
  readonly source: ProjectRow;
}

type HookFields = Readonly<Record<string, unknown>>;

/** Edited notes are delivered, with `action` (behavior: hooks.edited-notes, hooks.edited-notes-document). */
const deliversEdits = (edition: Edition): boolean =>
  holdsIn(hookFacts['hooks.edited-notes'], edition) || holdsIn(hookFacts['hooks.edited-notes-document'], edition);

/** behavior: hooks.confidential */
const isConfidential = (event: HookEvent): boolean =>
  event.noteable.confidential === 1 || event.kind === 'note' && event.note.internal === 1;

const hookBody = (event: HookEvent, project: ProjectRow, context: BodyContext): HookFields => ({
  object_kind: event.kind,
  event_type: isConfidential(event) ? `confidential_${event.kind}` : event.kind,
  user: userFields(context.caller, context),
  ...(event.kind === 'note' && { project_id: project.id }),
  project: projectFields(project, context),
  repository: {
    name: project.name, url: gitUrl(project, context), description: null, homepage: webUrl(project, context),
  },
  ...(event.kind === 'note' ? noteFields(event, project, context) : issuableEventFields(event, project, context)),
});

/** The service hides addresses of users. */
const userFields = ({ id, name, username }: UserRow, { address }: BodyContext): HookFields => ({
  id, name, username, avatar_url: `${address}${systemUploads}/user/avatar/${id}/avatar.png`, email: '[REDACTED]',
});

const visibilityLevels: Readonly<Record<string, number>> = { private: 0, internal: 10, public: 20 };

const gitUrl = ({ path }: ProjectRow, { address }: Pick<BodyContext, 'address'>): string =>
  `git@${hostOf(address)}:${path}.git`;

const webUrl = ({ path }: ProjectRow, { address }: Pick<BodyContext, 'address'>): string => `${address}/${path}`;

const projectFields = (project: ProjectRow, context: BodyContext): HookFields => {
  const { id, name, path, visibility } = project;
  const [url, ssh] = [webUrl(project, context), gitUrl(project, context)];
  return {
    id, name, description: null, web_url: url, avatar_url: null, git_ssh_url: ssh, git_http_url: `${url}.git`,
    namespace: parentPath(path), visibility_level: visibilityLevels[visibility] ?? 0,
    path_with_namespace: path, default_branch: 'main', ci_config_path: null, homepage: url, url: `${url}.git`,
    ssh_url: ssh, http_url: `${url}.git`,
  };
};

/** Links are absolute so that receivers can fetch uploads (behavior: hooks.uploads). */
const withAbsoluteUploads = (text: string | null, url: string): string | null =>
  text === null ? null : withUploadsBelow(url, text);

const noteFields = (event: NoteEvent, project: ProjectRow, context: BodyContext): HookFields => {
  const { noteable } = event;
  const url = webUrl(project, context);
  return {
    object_attributes: noteAttributes(event, url, context),
    ...(noteable.kind === 'commit' && { commit: commitFields(noteable.sha!, noteable, url, context) }),
    ...(noteable.kind === 'issue' && { issue: issueFields(noteable, project, context) }),
    ...(noteable.kind === 'merge_request' && { merge_request: mergeRequestAttributes(noteable, project, context) }),
    ...(noteable.kind === 'snippet' && { snippet: snippetFields(noteable, project, url) }),
  };
};

const noteAttributes = (
  { note, noteable, action }: NoteEvent, url: string, { caller, edition }: BodyContext,
): HookFields => {
  const isOnCommit = noteable.kind === 'commit';
  const position = note.position === null ? null : JSON.parse(note.position) as Position;
  const { attachment, author_id, discussion_id, id, body, type } = note;
  return {
    attachment, author_id, change_position: null, commit_id: isOnCommit ? noteable.sha : note.commit_id,
    created_at: hookTime(note.created_at), discussion_id, id, internal: note.internal === 1,
    line_code: position && positionLineCode(position), note: body,
    noteable_id: isOnCommit ? null : noteable.global_id, noteable_type: noteables[noteable.kind].type.live,
    original_position: position, position, project_id: noteable.project_id,
    resolved_at: note.resolved_at === null ? null : hookTime(note.resolved_at), resolved_by_id: note.resolved_by,
    resolved_by_push: null, st_diff: null, system: note.system === 1, type, updated_at: hookTime(note.updated_at),
    updated_by_id: action === 'update' ? caller.id : null, description: withAbsoluteUploads(body, url),
    url: `${objectUrl(noteable, url)}#note_${id}`, ...(deliversEdits(edition) && { action }),
  };
};

const positionLineCode = (position: Position): string | null => position.position_type !== 'text' ? null
  : lineCode(position.new_path ?? '', { oldLine: position.old_line ?? 0, newLine: position.new_line ?? 0 });

const objectUrl = ({ kind, iid, sha, global_id }: NoteableRow, url: string): string => {
  if (kind === 'commit') return `${url}/-/commit/${sha}`;
  if (kind === 'snippet') return `${url}/-/snippets/${global_id}`;
  return `${url}/-/${kind === 'issue' ? 'issues' : 'merge_requests'}/${iid}`;
};

/** All have the service's default color (behavior: hooks.labels). */
const labelFields = (
  titles: readonly string[], { project_id }: Pick<NoteableRow, 'project_id'>, { labelIds }: BodyContext,
): HookFields[] => titles.map((title) => ({
  id: labelIds.get(title) ?? null, title, color: '#6699cc', project_id, template: false, description: null,
  type: 'ProjectLabel', group_id: null,
}));

/** What this server does not store is as on a new object. */
const issuableFields = (row: NoteableRow, url: string, context: BodyContext): HookFields => ({
  id: row.global_id, iid: row.iid, title: row.title, description: withAbsoluteUploads(row.description, url),
  state: row.state, author_id: row.author_id, assignee_id: context.assignees[0]?.id ?? null,
  assignee_ids: userIds(context.assignees),
  labels: labelFields(labelTitles(row), row, context),
  position: 0, milestone_id: null, updated_by_id: null, last_edited_at: null, last_edited_by_id: null, time_estimate: 0,
  total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null, created_at: hookTime(row.created_at),
  updated_at: hookTime(row.updated_at), discussion_locked: row.locked === 1 ? true : null,
});

const issueFields = (row: NoteableRow, project: ProjectRow, context: BodyContext): HookFields => {
  const url = webUrl(project, context);
  return {
    ...issuableFields(row, url, context), project_id: row.project_id, confidential: row.confidential === 1,
    branch_name: null, due_date: null, closed_at: null, url: objectUrl(row, url),
  };
};

const mergeRequestAttributes = (row: NoteableRow, project: ProjectRow, context: BodyContext): HookFields => {
  const { people: { reviewer }, hasUnresolved, head, source } = context.state!;
  const url = webUrl(project, context);
  const isDraft = isDraftTitle(row.title);
  const [lead] = context.assignees;
  return {
    ...issuableFields(row, url, context), ...mergeFields,
    source: projectFields(source, context), target: projectFields(project, context),
    ...(lead && { assignee: userFields(lead, context) }), reviewer_ids: userIds(reviewer),
    source_branch: row.source_branch, target_branch: row.target_branch,
    source_project_id: row.source_project_id ?? row.project_id, target_project_id: row.project_id,
    state_id: stateIds[row.state] ?? null,
    last_commit: row.head_sha === null ? null : commitFields(row.head_sha, head ?? row, url, context), draft: isDraft,
    work_in_progress: isDraft, merge_status: 'can_be_merged', blocking_discussions_resolved: !hasUnresolved,
    detailed_merge_status: mergeStatus(row.state, isDraft, hasUnresolved), url: objectUrl(row, url),
  };
};

/** These are the values of a merge request that nobody asked to merge. */
const mergeFields: HookFields = {
  locked_at: null, merge_error: null, merge_params: {}, merge_when_pipeline_succeeds: false, merge_user_id: null,
  merge_commit_sha: null, squash: false, head_pipeline_id: null,
};

const userIds = (users: readonly UserRow[]): number[] => users.map(({ id }) => id);

const commitFields = (
  sha: string, commit: NoteableRow, url: string, { author }: BodyContext,
): HookFields => ({
  id: sha, message: commitMessage(commit), title: commit.title, timestamp: commit.created_at,
  url: `${url}/-/commit/${sha}`,
  author: author && { name: author.name, email: commitEmail(author) },
});

const snippetFields = (row: NoteableRow, { visibility }: ProjectRow, url: string): HookFields => ({
  id: row.global_id, title: row.title, description: withAbsoluteUploads(row.description, url), content: '',
  author_id: row.author_id, project_id: row.project_id, file_name: 'snippetfile1.txt', expires_at: null,
  type: 'ProjectSnippet', visibility_level: visibilityLevels[visibility] ?? 0, created_at: hookTime(row.created_at),
  updated_at: hookTime(row.updated_at), url: objectUrl(row, url),
});

/** behavior: hooks.merge-requests, hooks.issues, hooks.pushes */
const issuableEventFields = (
  event: MergeRequestEvent | IssueEvent, project: ProjectRow, context: BodyContext,
): HookFields => {
  const { kind, noteable, action } = event;
  const { assignees, state } = context;
  const users = (rows: readonly UserRow[]) => rows.map((row) => userFields(row, context));
  const attributes = kind === 'merge_request' ? mergeRequestAttributes(noteable, project, context)
    : { ...issueFields(noteable, project, context), state_id: stateIds[noteable.state] ?? null, type: 'Issue' };
  return {
    object_attributes: { ...attributes, action, ...'oldrev' in event && { oldrev: event.oldrev } },
    labels: labelFields(labelTitles(noteable), noteable, context), changes: changedFields(event, users, context),
    assignees: users(assignees), ...state && { reviewers: users(state.people.reviewer) },
  };
};

const changedFields = (
  { noteable, changes, people = {}, changedBefore }: MergeRequestEvent | IssueEvent,
  users: (rows: readonly UserRow[]) => HookFields[], context: BodyContext,
): HookFields => ({
  ...changes,
  ...(changes?.['labels'] && { labels: {
    previous: labelFields(changes['labels'].previous as string[], noteable, context),
    current: labelFields(changes['labels'].current as string[], noteable, context),
  } }),
  ...Object.fromEntries(Object.entries(people).map(([name, { previous, current }]) =>
    [name, { previous: users(previous), current: users(current) }])),
  ...(changedBefore !== undefined && {
    updated_at: { previous: hookTime(changedBefore), current: hookTime(noteable.updated_at) },
  }),
});

/** The service writes times in webhooks as `2026-11-22 14:03:11 UTC`. */
const hookTime = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;
