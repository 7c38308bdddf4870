import { ApiError } from '../../../client/errors.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { Effect, Got, ObjectName, Objects, Probe } from '../../../conformance/check.js';
import { imitationRecord, type ImitationRecord } from '../../../conformance/imitation.js';
import { type CheckedArea, type Examination, withShapes } from '../../../conformance/run.js';
import { type NoteableKind, noteables, type Tier } from '../../../contract/conventions.js';
import type { Dialect } from '../../../contract/endpoint.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import { isObject } from '../../../wire/json.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { openClient, openTransport } from '../connection/client.js';
import { isOfService } from '../connection/unsupported.js';
import { address, pastedPlace } from '../settings/sources.js';
import { type Destination, destinationOf, openDestination, type Target } from '../targets/target.js';
import { callOver, type FoundTier, instanceDialect, instanceTier, instanceVersion, withoutSilent } from './probe.js';

export interface ExaminationInput extends GlobalFlags {
  readonly area?: CheckedArea;
  readonly write?: boolean;
  readonly leaveEpics?: boolean;
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly dialect?: Dialect;
}

export interface RecordedExamination extends Examination, Pick<ImitationRecord, 'imitation'> {
  readonly address: string;
}

/** Finds out what no option gives. @throws Problem, ApiError, ConnectionError and ResponseError */
export const examinationOf = async (
  app: App, input: ExaminationInput, targets: readonly NamedTarget[], isChosen: Examination['isChosen'],
): Promise<RecordedExamination> => {
  const base = targets[0]?.base;
  const { transport: own, anonymous, base: { href }, settings: { project, group } } =
    await openTransport(app, input, { needsContainer: true, limits, ...base !== undefined && base !== '' && { base } });
  const reported = await instanceVersion(own, href, app.signal);
  const record = imitationRecord();
  const call = record.recording(withoutSilent(callOver({ own, anonymous: await anonymous() }, app.signal)));
  const earlier: Got[] = [];
  const asking: Probe['call'] = async (method, path, sent) => {
    const got = await call(method, path, sent);
    earlier.push(got);
    return got;
  };
  const found = await Promise.all(targets.map(foundTarget));
  const named = namedObjects(found);
  const unreachable = unreachableObjects(found);
  const objects = await withFoundObjects(asking, {
    ...named, project: named.project ?? (project === null ? null : projectPath(project)),
    group: named.group ?? (group === null ? null : groupPath(group)),
  });
  const dialect = input.dialect ?? await instanceDialect(asking, objects);
  const tier: FoundTier = input.tier === undefined ? await instanceTier(asking, objects) : { tier: input.tier };
  const probe: Probe = { dialect, objects, unreachable, call };
  const version = input.serviceVersion ?? reported;
  const given = { probe, writable: named, effects: effectsOf(input), version, ...tier, isChosen };
  const examination = withShapes(given, earlier);
  return { ...examination, ...record, address: href };
};

/** Other failures are what the checks look for. @throws ApiError if the service does not have the object */
const foundTarget = async (target: NamedTarget): Promise<NamedTarget> => {
  const { client, kind, path, unreachable } = target;
  if (unreachable !== undefined) return target;
  try {
    await client.discussions[kind].list({ ...path, per_page: 1 }).pages(1)[Symbol.asyncIterator]().next();
  } catch (error) {
    if (!isOfService(error)) throw error;
    if (error instanceof ApiError && error.status === 404 && !isUnknownRoute(error.status, error.body)) {
      return { ...target, unreachable: await whyNoEpics(target, error) };
    }
  }
  return target;
};

/** In milliseconds. Questions are short, and there are hundreds: a service that is silent ends the run soon. */
const limits = { timeout: 10_000, responseTimeout: 30_000, retries: 1 };

const effectsOf = ({ write, area, leaveEpics }: ExaminationInput): ReadonlySet<Effect> => {
  if (!write) return new Set(['none']);
  return new Set(['none', area === 'appearance' ? 'appearance' : 'notes', ...leaveEpics ? ['epics' as const] : []]);
};

interface NamedTarget extends Target { readonly unreachable?: string }

/** What references name: at most one object of each kind, all on one service. @throws Problem */
export const namedTargets = async (
  app: App, flags: GlobalFlags, words: readonly string[],
): Promise<readonly NamedTarget[]> => {
  const destinations: Destination[] = [];
  for (const word of words) destinations.push(await destinationOf(app, flags, word));
  checkKinds(destinations);
  if (!flags.sandbox) checkService(destinations);
  const [first] = destinations;
  if (first === undefined) return [];
  const client = await openClient(app, flags, first.settings, first.ref.base);
  const targets: NamedTarget[] = [];
  for (const destination of destinations) targets.push(await reachedOr(app, flags, { ...destination, client }));
  return targets;
};

const reachedOr = async (
  app: App, flags: GlobalFlags, destination: Destination & { readonly client: NoteClient },
): Promise<NamedTarget> => {
  try {
    return await openDestination(app, flags, destination);
  } catch (error) {
    const { client, container: id, ref, name } = destination;
    const path = { id, noteable_id: ref.id };
    const unreachable = await whyNoEpics({ client, kind: ref.kind, path, name }, error);
    return { client, kind: ref.kind, path, ref, name, base: ref.base ?? '', web: null, unreachable };
  }
};

/** Where the caller can read no epics at all, no named one is a mistake. @throws the error of all other objects */
const whyNoEpics = async (
  { client, kind, path, name }: Pick<Target, 'client' | 'path' | 'name'> & { readonly kind: NoteableKind },
  error: unknown,
): Promise<string> => {
  if (kind !== 'epic' || !isHidden(error)) throw error;
  try {
    await client.lookups.epics({ id: path.id, per_page: 1 }).pages(1)[Symbol.asyncIterator]().next();
  } catch (failure) {
    if (isHidden(failure)) return `the token can read no epics here: ${name} gets ${error.status}`;
  }
  throw error;
};

const isHidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

const checkKinds = (destinations: readonly Destination[]): void => {
  for (const { ref: { kind }, name } of destinations) {
    const [, other] = destinations.filter((one) => one.ref.kind === kind);
    if (!other) continue;
    throw usage(`two ${noteables[kind].noun}s given: ${name} and ${other.name}`, 'name one object of each kind');
  }
};

const checkService = (destinations: readonly Destination[]): void => {
  const [first, other] = [...new Set(destinations.map(serviceName))];
  if (other === undefined) return;
  throw usage(`the references are on two services: ${first} and ${other}`, 'name objects of one service');
};

const serviceName = ({ ref, settings }: Destination): string =>
  address(pastedPlace(ref.base))?.href ?? settings.url?.href ?? 'that of the settings';

type Found = Partial<Record<ObjectName, string>>;

const noObjects: Objects = {
  project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null,
};

export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`;
export const groupPath = (id: string): string => `/groups/${encodeURIComponent(id)}`;

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

const unreachableObjects = (targets: readonly NamedTarget[]): NonNullable<Probe['unreachable']> =>
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

const parentAmong = (epics: readonly unknown[]): unknown => {
  const parents = new Set(epics.map((epic) => isObject(epic) ? epic['parent_id'] : null));
  return epics.find((epic) => isObject(epic) && parents.has(epic['id']));
};

/**
 * Adds the first object of each other kind that the caller can see, and of epics the first with a child. A list that
 * cannot be read adds none.
 */
export const withFoundObjects = async (call: Probe['call'], named: Objects): Promise<Objects> => {
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
