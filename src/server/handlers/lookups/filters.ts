import type { Contract } from '../../../contract/operations.js';
import { readInstant } from '../../../wire/time-text.js';
import type { Call, HandlerParams } from '../../api/context.js';
import { labelConditions, type PersonRole } from '../../repositories/issuables.js';
import { type Condition, containing, lastUpdate, padded } from '../../repositories/noteables.js';
import { placeholders } from '../../store/database.js';

type Parameters = HandlerParams<Contract['lookups']['issues']> & HandlerParams<Contract['lookups']['allMergeRequests']>;

export type Filters = Partial<Omit<Parameters, 'state' | 'scope' | 'order_by'>> & {
  readonly state?: string | null | undefined;
  readonly scope?: string | null | undefined;
};

/** Of issues, merge requests and epics (behavior: lookups.filters). */
export const filterConditions = (call: Call, params: Filters): Condition[] => [
  ...whenGiven(params.state === 'all' ? null : params.state, (state) => ['state = ?', state]),
  ...scopeCondition(call, params.scope?.replaceAll('-', '_')),
  ...iidConditions(params),
  ...whenGiven(params.author_id, (id) => ['author_id = ?', id]),
  ...whenGiven(params.author_username, (name) => [`author_id IN (${userNamed})`, name]),
  ...personConditions('assignee', params.assignee_id, params.assignee_username ?? []),
  ...params.search ? [containing(searchedColumns(params), params.search)] : [],
  ...labelConditions(params.labels),
  ...whenGiven(params.confidential, (confidential) => ['confidential = ?', Number(confidential)]),
  ...timeFilters.flatMap(([name, column, comparison]) =>
    whenGiven(params[name], (time) => [`${column} ${comparison} ?`, readInstant(time)!.iso])),
];

const searchedColumns = ({ in: places }: Filters): readonly string[] => {
  const given = places?.split(',') ?? [];
  const known = ['title', 'description'].filter((column) => given.includes(column));
  return known.length > 0 ? known : ['title', 'description'];
};

const scopeCondition = ({ caller }: Call, scope: string | undefined): Condition[] => {
  if (scope === 'created_by_me') return [['author_id = ?', caller.id]];
  if (scope === 'assigned_to_me') return personConditions('assignee', caller.id);
  return scope === 'reviews_for_me' ? personConditions('reviewer', caller.id) : [];
};

const iidConditions = ({ iids }: Filters): Condition[] => {
  const given = padded(iids ?? []);
  return given.length === 0 ? [] : [[`iid IN (${placeholders(given.length)})`, ...given]];
};

const userNamed = 'SELECT id FROM users WHERE lower(username) = lower(?)';

/** None for a parameter that is not given. */
export const whenGiven = <T>(value: T | null | undefined, condition: (value: T) => Condition): Condition[] =>
  value === null || value === undefined ? [] : [condition(value)];

export const personConditions = (
  role: PersonRole, id: number | string | null | undefined, usernames: readonly string[] = [],
): Condition[] => {
  const withRole = (more: string) =>
    `noteables.id IN (SELECT noteable FROM merge_request_people WHERE role = ?${more})`;
  const byId = (who: number | string): Condition => {
    if (who === 'None') return [`NOT ${withRole('')}`, role];
    if (who === 'Any') return [withRole(''), role];
    return [withRole(' AND user_id = ?'), role, who];
  };
  const byName = (name: string): Condition => [withRole(` AND user_id IN (${userNamed})`), role, name];
  return [...whenGiven(id, byId), ...usernames.map(byName)];
};

const timeFilters = [
  ['created_after', 'created_at', '>='], ['created_before', 'created_at', '<='],
  ['updated_after', lastUpdate, '>='], ['updated_before', lastUpdate, '<='],
] as const;
