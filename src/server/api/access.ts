import { epicFacts } from '../../contract/behavior/epics.js';
import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { requestFacts } from '../../contract/behavior/requests.js';
import { accessLevels, type NoteableKind, noteables } from '../../contract/conventions.js';
import { forbidden, MovedProject, notFound, recordNotFound } from '../http/response.js';
import { childrenOf, type ChildRow, epicById, epicByIid, type EpicRow } from '../repositories/epics.js';
import { commitByNumber, isAssigned, noteableIn, type NoteableRow } from '../repositories/noteables.js';
import type { NoteRow } from '../repositories/notes.js';
import {
  type ContainerRow, groupBy, levelOn, levelsOf, pathsAbove, projectBy, type ProjectRow, type UserRow,
} from '../repositories/world.js';
import type { Awaitable, Queries } from '../store/database.js';
import type { Call } from './context.js';

/** behavior: access.comment, access.locked, access.archived */
export const canComment = ({ noteable, project, member }: Target): boolean =>
  !project?.archived && (!noteable.locked || member);

/** They may also create them (behavior: access.internal-notes, notes.internal-right). */
export const seesInternal = ({ level }: Pick<ContainerAccess, 'level'>): boolean => level >= accessLevels.reporter;

/** Authors and maintainers; nobody can edit system notes (behavior: notes.who-edits, access.locked). */
export const canEditNote = (call: Call, target: Target, note: NoteRow): boolean =>
  !note.system && canComment(target)
  && (note.author_id === call.caller.id || target.level >= accessLevels.maintainer);

/** behavior: resolving.who, resolving.locked */
export const canResolveThread = (call: Call, target: Target): boolean => canComment(target)
  && (target.level >= accessLevels.developer || target.noteable.author_id === call.caller.id);

/** Like the thread, and also the note's author (behavior: resolving.who). */
export const canResolveNote = (call: Call, target: Target, note: NoteRow): boolean =>
  canResolveThread(call, target) || (note.author_id === call.caller.id && canComment(target));

/** behavior: changes.right, changes.issue-right */
export const canChangeIssuable = (
  { caller }: Call, { kind, noteable, project, level }: Target, assignees: readonly Pick<UserRow, 'id'>[],
): boolean => !project?.archived && (level >= metadataLevel(kind) || noteable.author_id === caller.id
  || assignees.some(({ id }) => id === caller.id));

/** behavior: changes.metadata-right */
export const canSetMetadata = ({ kind, level }: Pick<Target, 'kind' | 'level'>): boolean =>
  level >= metadataLevel(kind);

const metadataLevel = (kind: NoteableKind): number => accessLevels[kind === 'merge_request' ? 'developer' : 'reporter'];

/** Whoever sees the project (behavior: changes.issue-create). */
export const canCreateIssue = ({ container }: ContainerAccess<ProjectRow>): boolean => !container.archived;

/** behavior: changes.new-labels */
export const canCreateLabels = ({ level }: Pick<Target, 'level'>): boolean => level >= accessLevels.reporter;

/** behavior: changes.approve-right */
export const canApprove = ({ project, level }: Pick<Target, 'project' | 'level'>): boolean =>
  !project?.archived && level >= accessLevels.developer;

/** To the branches of a project (behavior: suggestions.right). */
export const canPush = ({ container, level }: ContainerAccess<ProjectRow>): boolean =>
  !container.archived && level >= accessLevels.developer;

/** Administrators and owners may set the time of a note (behavior: notes.created-at). */
export const canSetTime = (target: Target): boolean => target.level >= accessLevels.owner;

/** @throws HttpError 403 */
export const requirePermission = (allowed: boolean): void => { if (!allowed) throw forbidden(); };

type AccessContext = Pick<Call, 'queries' | 'caller' | 'world'>;

export interface ContainerAccess<C extends ContainerRow = ContainerRow> {
  readonly container: C;
  /** The caller's access level; administrators count as owners (behavior: access.administrators). */
  readonly level: number;
  readonly member: boolean;
}

/**
 * @throws HttpError 404, the same for a missing project and a hidden one (behavior: errors.hidden)
 * @throws MovedProject for a path that the project had before (behavior: requests.redirect, requests.moved-document)
 */
export const visibleProject = async (call: Call, id: number | string | null): Promise<ContainerAccess<ProjectRow>> => {
  const access = await projectAccess(call, id);
  const { container } = access;
  if (typeof id !== 'string' || container.path.toLowerCase() === id.toLowerCase()) return access;
  throw redirects(call.edition) ? new MovedProject(container.id) : notFound('Project');
};

const redirects = (edition: Edition): boolean =>
  holdsIn(requestFacts['requests.redirect'], edition) || holdsIn(requestFacts['requests.moved-document'], edition);

/** Finds a project by a former path too. @throws HttpError 404 */
export const projectAccess = (call: AccessContext, id: number | string | null) =>
  grantedAccess(call, 'Project', id, projectBy);

/** @throws HttpError 404, the same if missing or hidden (behavior: errors.project, errors.private-group) */
export const visibleGroup = (call: Call, id: number | string | null) => grantedAccess(call, 'Group', id, groupBy);

const grantedAccess = async <C extends ContainerRow>(
  call: AccessContext, thing: 'Project' | 'Group', id: number | string | null,
  find: (queries: Queries, id: number | string) => Awaitable<C | undefined>,
): Promise<ContainerAccess<C>> => {
  const access = await call.world.cacheGrant(JSON.stringify([thing, call.caller.id, id]), async () =>
    accessTo(call, id === null ? undefined : await find(call.queries, id)));
  if (!access) throw notFound(thing);
  return access;
};

/** Leaves out the containers that the caller cannot see (behavior: access.private). */
export const accessToAll = async <C extends ContainerRow>(
  call: Call, containers: readonly C[],
): Promise<ContainerAccess<C>[]> => {
  const levels = await levelsOf(call.queries, call.caller.id);
  return containers.flatMap((container) => {
    const stored = Math.max(0, ...pathsAbove(container.path).map((path) => levels.get(path) ?? 0));
    return accessWith(call, container, stored) ?? [];
  });
};

/** Null if it is missing or hidden (behavior: access.private). */
export const accessTo = async <C extends ContainerRow>(
  call: Pick<AccessContext, 'queries' | 'caller'>, container: C | undefined,
): Promise<ContainerAccess<C> | null> => {
  const stored = await levelOn(call.queries, call.caller.id, container?.path ?? '');
  return container ? accessWith(call, container, stored) : null;
};

const accessWith = <C extends ContainerRow>(
  { caller }: Pick<Call, 'caller'>, container: C, stored: number,
): ContainerAccess<C> | null => {
  const level = caller.admin ? accessLevels.owner : stored;
  const member = level >= accessLevels.guest;
  return container.visibility === 'private' && !member ? null : { container, level, member };
};

export interface Target extends ContainerAccess {
  readonly kind: NoteableKind;
  readonly noteable: NoteableRow;
  readonly project: ProjectRow | null;
}

export interface NoteablePath { readonly id: number | string | null; readonly noteable_id: number | string | null }

/** @throws HttpError 404 (behavior: errors.order, errors.commit, errors.record, epics.threads-tier) */
export const readableNoteable = async (call: Call, kind: NoteableKind, path: NoteablePath): Promise<Target> => {
  const { access, project } = await accessForKind(call, kind, path.id);
  if (kind === 'epic' && !call.world.settings.epics) throw notFound('Epic');
  const { noteable_id: name } = path;
  // Text instead of a number matches nothing (behavior: parameters.noteable-text).
  const found = name === null || kind !== 'commit' && typeof name !== 'number' ? undefined
    : await noteableIn(call.queries, kind, access.container.id, name)
      ?? await numberedCommit(call, kind, access.container.id, String(name));
  const noteable = await unlessHidden(call, access, found);
  if (!noteable) throw kind === 'commit' ? notFound('Commit') : recordNotFound();
  call.onNoteable(noteable);
  return { ...access, kind, noteable, project };
};

/** Call before threads change: locks them in all processes until the transaction ends. */
export const lockNoteable = async (call: Call, kind: NoteableKind, path: NoteablePath): Promise<Target> => {
  const key = JSON.stringify(['noteable', call.caller.id, kind, path.id, path.noteable_id]);
  const target = (await call.world.cacheGrant(key, () => readableNoteable(call, kind, path)))!;
  await call.queries.lock(`noteable ${target.noteable.id}`);
  return target;
};

const accessForKind = async (call: Call, kind: NoteableKind, id: number | string | null) => {
  if (noteables[kind].container === 'group') return { access: await visibleGroup(call, id), project: null };
  const access = await visibleProject(call, id);
  return { access, project: access.container };
};

/** Documented is a number; the live service knows SHAs only (behavior: threads.commit-number, threads.commit-sha). */
const numberedCommit = (call: Call, kind: NoteableKind, project: number, id: string) =>
  kind === 'commit' && call.dialect === 'document' && /^\d{1,15}$/.test(id)
    ? commitByNumber(call.queries, project, Number(id)) : undefined;

/** Takes the same number of queries for a missing one as for a hidden one (behavior: access.confidential). */
export const unlessHidden = async (
  { queries, caller }: Pick<Call, 'queries' | 'caller'>, { level }: ContainerAccess, noteable: NoteableRow | undefined,
): Promise<NoteableRow | undefined> => {
  if (level >= accessLevels.reporter || noteable?.confidential === 0) return noteable;
  const isAuthor = noteable?.kind === 'issue' && noteable.author_id === caller.id;
  return isAuthor || await isAssigned(queries, noteable?.id ?? 0, caller.id) ? noteable : undefined;
};

/** In the group of the epic (behavior: epics.fixed-dates). */
export const canAdministerEpic = ({ level }: Pick<ContainerAccess, 'level'>): boolean => level >= accessLevels.reporter;

/** behavior: access.confidential-epics */
export const canReadEpic = (access: ContainerAccess, { confidential }: Pick<EpicRow, 'confidential'>): boolean =>
  !confidential || canAdministerEpic(access);

/** `change` needs the multi-level feature, `part` only epics (behavior: epics.tiers). */
type LinkUse = 'read' | 'create' | 'change' | 'part';

export interface Parent { readonly epic: EpicRow; readonly access: ContainerAccess }

/** @throws HttpError 404 for the group, 403 for the rest (behavior: errors.epic-links-order, epics.unknown-parent) */
export const parentEpic = async (
  call: Call, { id, epic_iid }: { readonly id: number | string | null; readonly epic_iid: number | null }, use: LinkUse,
): Promise<Parent> => {
  const access = await visibleGroup(call, id);
  const { epics, nested_epics } = call.world.settings;
  if (!epics || ((use === 'change' || use === 'create') && !nested_epics)) throw forbidden();
  const epic = epic_iid === null ? undefined : await epicByIid(call.queries, access.container.id, epic_iid);
  if (!epic || !canReadEpic(access, epic)) throw forbidden();
  if (access.level < levelFor(use, call.edition)) throw forbidden();
  return { epic, access };
};

/** behavior: epics.rights, epics.guests, epics.guests-create, epics.reporters-create */
const levelFor = (use: LinkUse, edition: Edition): number => {
  if (use === 'read') return 0;
  if (holdsIn(epicFacts['epics.rights'], edition)) return accessLevels.reporter;
  const isForReporters = use === 'create' && holdsIn(epicFacts['epics.reporters-create'], edition);
  return isForReporters ? accessLevels.reporter : accessLevels.guest;
};

/** Newer services hide a child from callers outside its group (behavior: epics.child-group). */
export const canChangeChild = async (call: Call, child: { readonly group_id: number }): Promise<boolean> =>
  !holdsIn(epicFacts['epics.child-group'], call.edition)
  || (await accessTo(call, await groupBy(call.queries, child.group_id)))?.member === true;

/** Takes the same number of queries if the caller cannot read it, so that the time reveals nothing. */
export const readableEpic = async (call: Call, id: number | null): Promise<EpicRow | undefined> => {
  const epic = id === null ? undefined : await epicById(call.queries, id);
  const access = await accessTo(call, await groupBy(call.queries, epic?.group_id ?? 0));
  return epic && access && canReadEpic(access, epic) ? epic : undefined;
};

/** In order (behavior: epics.list). */
export const readableChildren = async (call: Call, parent: EpicRow): Promise<ChildRow[]> => {
  const children = await childrenOf(call.queries, parent.id);
  const accesses = await accessToGroups(call, children);
  return children.filter((child) => {
    const access = accesses.get(child.group_id);
    return access && canReadEpic(access, child);
  });
};

export const accessToGroups = async (call: Call, epics: readonly Pick<EpicRow, 'group_id'>[]) => {
  const accesses = new Map<number, ContainerAccess | null>();
  for (const group of new Set(epics.map(({ group_id }) => group_id))) {
    accesses.set(group, await accessTo(call, await groupBy(call.queries, group)));
  }
  return accesses;
};
