import { noteables, type NoteableKind } from '../../../contract/noteables.js';
import { isObject } from '../../../wire/json.js';
import type { ObjectName, Objects, Probe } from '../../../conformance/check.js';
import type { NamedTarget } from './targets.js';

type Call = Probe['call'];
type Found = Partial<Record<ObjectName, string>>;

const noObjects: Objects = {
  project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null,
};

export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`;
export const groupPath = (id: string): string => `/groups/${encodeURIComponent(id)}`;

/** The paths of what references name. */
export const namedObjects = (targets: readonly NamedTarget[]): Objects =>
  ({ ...noObjects, ...Object.assign({}, ...targets.map(namedObject)) as Found });

const namedObject = ({ kind, path, ref, unreachable }: NamedTarget): Found => {
  const container = noteables[kind].container;
  const base = container === 'group' ? groupPath(path.id) : projectPath(path.id);
  if (unreachable !== undefined) return { [container]: base };
  return {
    [container]: base, [kind]: `${base}${collections[kind]}/${path.noteable_id}`,
    ...kind === 'epic' && !ref.isGlobal && { parent: `${base}/epics/${ref.id}` },
  };
};

/** Why checks cannot look at what references name. */
export const unreachableObjects = (targets: readonly NamedTarget[]): NonNullable<Probe['unreachable']> =>
  Object.assign({}, ...targets.map(({ kind, unreachable: reason }) =>
    reason !== undefined && { [kind]: reason, ...kind === 'epic' && { parent: reason } })) as Found;

/** With the path of commits that the service has; the documentation has another one. */
const collections: Readonly<Record<NoteableKind, string>> = {
  issue: '/issues', merge_request: '/merge_requests', snippet: '/snippets', epic: '/epics',
  commit: '/repository/commits',
};

/** Where the first object of each kind is listed, and the key that names it in a path. */
const lists: readonly (readonly [name: ObjectName, container: 'project' | 'group', list: string, key: string])[] = [
  ['merge_request', 'project', '/merge_requests', 'iid'], ['issue', 'project', '/issues', 'iid'],
  ['snippet', 'project', '/snippets', 'id'], ['commit', 'project', '/repository/commits', 'id'],
  ['epic', 'group', '/epics', 'id'], ['parent', 'group', '/epics', 'iid'],
];

/** The first epic that has a child among them. */
const parentAmong = (epics: readonly unknown[]): unknown => {
  const parents = new Set(epics.map((epic) => isObject(epic) ? epic['parent_id'] : null));
  return epics.find((epic) => isObject(epic) && parents.has(epic['id']));
};

/**
 * Adds the first object of each other kind that the caller can see, and of epics the first with a child. A list that
 * cannot be read adds none.
 */
export const withFoundObjects = async (call: Call, named: Objects): Promise<Objects> => {
  const found: Partial<Record<ObjectName, string>> = {};
  for (const [name, container, list, key] of lists) {
    const base = named[container];
    if (named[name] !== null || base === null) continue;
    const query = container === 'group' ? 'per_page=100&include_descendant_groups=false' : 'per_page=1';
    const { status, json } = await call('GET', `${base}${list}`, { query });
    const items: readonly unknown[] = status === 200 && Array.isArray(json) ? json : [];
    const first = container === 'group' ? parentAmong(items) ?? items[0] : items[0];
    const id = isObject(first) ? first[key] : undefined;
    if (typeof id === 'number' || typeof id === 'string') found[name] = `${base}${list}/${id}`;
  }
  return { ...named, ...found };
};
