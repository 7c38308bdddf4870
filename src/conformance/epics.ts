import {
  firstWith, type Got, hasStatus, listIn, objectIn, type Objects, objectPath, type Probe, Skipped,
} from './check.js';

export interface EpicSeen {
  readonly [key: string]: unknown;
  readonly id: number;
  readonly iid: number;
  readonly parent_id: number | null;
  readonly title: string;
}

export const childrenPath = (probe: Probe): string => `${objectPath(probe, 'parent')}/epics`;

/** @throws Skipped where the service has no links of epics, or does not show them */
export const withLinks = (got: Got): Got => {
  if (got.status === 403 || got.status === 404) throw new Skipped(`links of epics are ${got.status} here`);
  return got;
};

export const childrenAt = async (probe: Probe, path: string): Promise<readonly [Got, readonly EpicSeen[]]> => {
  const got = withLinks(await probe.call('GET', path, { query: 'per_page=100' }));
  return [got, epicsIn(got)];
};

export const childrenOf = (probe: Probe): Promise<readonly [Got, readonly EpicSeen[]]> =>
  childrenAt(probe, childrenPath(probe));

export const someChildren = async (probe: Probe): Promise<readonly [Got, readonly EpicSeen[]]> => {
  const [got, children] = await childrenOf(probe);
  firstWith(children, 'child epic');
  return [got, children];
};

export const firstChild = async (probe: Probe): Promise<readonly [Got, EpicSeen]> => {
  const [got, [child]] = await someChildren(probe);
  return [got, child!];
};

export const epicsIn = (got: Got): readonly EpicSeen[] => listIn(got) as unknown as readonly EpicSeen[];

export const epicIn = (got: Got): EpicSeen => objectIn(got) as unknown as EpicSeen;

/** The title of epics that checks make: a later check or run uses those without a parent again. */
export const epicTitle = 'A conformance check made this epic, which nothing can delete';

export interface Family {
  readonly path: string;
  readonly children: readonly EpicSeen[];
  readonly below: (child: EpicSeen) => string;
}

/** Works with new children of the epic, which are without a parent afterwards, even after a failure. */
export const withChildren = async (
  probe: Probe, count: number, work: (family: Family) => Promise<void>,
): Promise<void> => {
  const path = childrenPath(probe);
  withLinks(await probe.call('GET', path));
  const group = objectPath(probe, 'group');
  const below = ({ iid }: EpicSeen): string => `${group}/epics/${iid}/epics`;
  const used: EpicSeen[] = [];
  try {
    used.push(...(await spareEpics(probe, epicTitle)).slice(0, count));
    for (const { id } of used) withLinks(hasStatus(await probe.call('POST', `${path}/${id}`), 201, 403, 404));
    while (used.length < count) used.push(await newChild(probe));
    const ids = new Set(used.map(({ id }) => id));
    const [, all] = await childrenOf(probe);
    await work({ path, below, children: all.filter(({ id }) => ids.has(id)) });
  } finally {
    for (const place of [path, ...used.map(below)]) await removeChildren(probe, place);
  }
};

const newChild = async (probe: Probe, json: unknown = { title: epicTitle }): Promise<EpicSeen> =>
  epicIn(hasStatus(withLinks(await probe.call('POST', childrenPath(probe), { json })), 201));

const spareEpics = async (probe: Probe, title: string): Promise<readonly EpicSeen[]> => {
  const query = 'per_page=100&include_descendant_groups=false&state=opened';
  const epics = epicsIn(await probe.call('GET', `${objectPath(probe, 'group')}/epics`, { query }));
  return epics.filter((epic) => epic.title === title && epic.parent_id === null);
};

/**
 * The response to the creation of a child, one for all checks of a run: each creation leaves an epic. With the id of
 * another epic, which a title makes meaningless.
 */
export const createdChild = async (probe: Probe): Promise<Got> => {
  const known = created.get(probe.objects);
  if (known) return known;
  try {
    const json = { title: epicTitle, child_epic_id: 1 };
    const got = hasStatus(withLinks(await probe.call('POST', childrenPath(probe), { json })), 201);
    created.set(probe.objects, got);
    return got;
  } finally {
    await removeChildren(probe, childrenPath(probe));
  }
};

const created = new WeakMap<Objects, Got>();

const confidentialTitle = `${epicTitle} (confidential)`;

export const withConfidentialEpic = async (probe: Probe, work: (path: string) => Promise<void>): Promise<void> => {
  await childrenOf(probe);
  const [spare] = await spareEpics(probe, confidentialTitle);
  const epic = spare ?? await newChild(probe, { title: confidentialTitle, confidential: true });
  const path = `${objectPath(probe, 'group')}/epics/${epic.iid}/epics`;
  try {
    // Guests do not see their own one (behavior: access.confidential-epics).
    withLinks(await probe.call('GET', path));
    await work(path);
  } finally {
    await removeChildren(probe, path);
    await removeChildren(probe, childrenPath(probe));
  }
};

const removeChildren = async (probe: Probe, path: string): Promise<void> => {
  const got = await probe.call('GET', path, { query: 'per_page=100', isCleanUp: true });
  if (got.status !== 200) return;
  for (const { id, title } of epicsIn(got)) {
    if (!title.startsWith(epicTitle)) continue;
    hasStatus(await probe.call('DELETE', `${path}/${id}`, { isCleanUp: true }), 200, 404);
  }
};
