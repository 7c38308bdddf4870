import type { Contract } from '../../../contract/operations.js';
import { readInstant } from '../../../wire/time-text.js';
import type { Place } from '../../api/access/access.js';
import type { Call, HandlerParams } from '../../api/context.js';
import { badParameters } from '../../http/errors.js';
import type { PersonRole } from '../../repositories/merge-requests.js';
import { containing, lastUpdate, padded, type Condition, type NoteableFilter } from '../../repositories/noteables.js';

export type MergeRequestParams = HandlerParams<Contract['lookups']['allMergeRequests']>;

/** behavior: lookups.filters @throws HttpError 400 for times that cannot be read */
export const mergeRequestFilter = (
  call: Call, places: readonly Place[], params: MergeRequestParams, defaultScope: 'all' | 'created_by_me',
): NoteableFilter => ({
  kind: 'merge_request', caller: call.caller.id,
  containers: places.map(({ container }) => ({ id: container.id, showsConfidential: true })),
  state: params.state === 'all' ? undefined : params.state ?? undefined,
  source_branch: params.source_branch ?? undefined, target_branch: params.target_branch ?? undefined,
  more: [
    ...scopeCondition(call, (params.scope ?? defaultScope).replaceAll('-', '_')),
    ...iidConditions(params),
    ...authorConditions(params),
    ...personConditions('assignee', params.assignee_id, params.assignee_username),
    ...personConditions('reviewer', params.reviewer_id, params.reviewer_username),
    ...params.search ? [containing(['title', 'description'], params.search)] : [],
    ...draftCondition(params.wip),
    ...timeConditions(params),
  ],
  order: { by: params.order_by ?? 'created_at', direction: params.sort === 'asc' ? 'ASC' : 'DESC' },
});

const scopeCondition = ({ caller }: Call, scope: string): Condition[] => {
  if (scope === 'created_by_me') return [['author_id = ?', caller.id]];
  if (scope === 'assigned_to_me') return personConditions('assignee', caller.id, null);
  return scope === 'reviews_for_me' ? personConditions('reviewer', caller.id, null) : [];
};

const iidConditions = ({ iids }: MergeRequestParams): Condition[] => {
  const given = padded(iids ?? []);
  return given.length === 0 ? [] : [[`iid IN (${given.map(() => '?').join(', ')})`, ...given]];
};

const userNamed = 'SELECT id FROM users WHERE lower(username) = lower(?)';

const authorConditions = ({ author_id, author_username }: MergeRequestParams): Condition[] => [
  ...isGiven(author_id) ? [['author_id = ?', author_id] as const] : [],
  ...isGiven(author_username) ? [[`author_id IN (${userNamed})`, author_username] as const] : [],
];

const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

const personConditions = (
  role: PersonRole, id: number | string | null | undefined, username: string | null | undefined,
): Condition[] => {
  const withRole = (more: string) =>
    `noteables.id IN (SELECT noteable FROM merge_request_people WHERE role = ?${more})`;
  const conditions: Condition[] = [];
  if (id === 'None') conditions.push([`NOT ${withRole('')}`, role]);
  else if (id === 'Any') conditions.push([withRole(''), role]);
  else if (isGiven(id)) conditions.push([withRole(' AND user_id = ?'), role, id]);
  if (isGiven(username)) conditions.push([withRole(` AND user_id IN (${userNamed})`), role, username]);
  return conditions;
};

const draftCondition = (wip: string | null | undefined): Condition[] => {
  if (!isGiven(wip)) return [];
  const title = 'lower(trim(title))';
  const isDraft = `(${title} LIKE 'draft:%' OR ${title} LIKE '[draft]%' OR ${title} LIKE '(draft)%')`;
  return [[wip === 'yes' ? isDraft : `NOT ${isDraft}`]];
};

const timeFilters = [
  ['created_after', 'created_at', '>='], ['created_before', 'created_at', '<='],
  ['updated_after', lastUpdate, '>='], ['updated_before', lastUpdate, '<='],
] as const;

const timeConditions = (params: MergeRequestParams): Condition[] =>
  timeFilters.flatMap(([name, column, comparison]) => {
    const given = params[name];
    if (!isGiven(given) || given === '') return [];
    const at = readInstant(given);
    if (!at) throw badParameters([`${name} is invalid`]);
    return [[`${column} ${comparison} ?`, at.iso] as const];
  });
