import { withFoundObjects } from '../../src/cli/service/conformance/examination.js';
import type { Got, Objects, Probe, Sent } from '../../src/conformance/check.js';
import { behavior } from '../../src/contract/behavior/behavior.js';
import { apiPrefix, hasSince, newestVersion } from '../../src/contract/conventions.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { demoWorld } from '../../src/server/world-file/demo/demo.js';
import type { World } from '../../src/server/world-file/schema.js';
import type { Service } from '../../src/wire/http.js';

export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const [app, ...otherProjects] = demoWorld.projects!;
const [mergeRequest] = app!.merge_requests!;

/**
 * The demo world with what checks need to look at: an administrator who may act for others, a guest, the commit of the
 * merge request, and an empty text.
 */
export const checkedWorld: World = {
  ...demoWorld,
  users: [
    ...demoWorld.users!, { id: 9, username: 'super', admin: true, tokens: [{ token: 'super-token', scopes: ['api', 'sudo'] }] },
    { id: 10, username: 'gus', token: 'gus-token' },
  ],
  groups: demoWorld.groups!.map((group) => group.path === 'acme' ? { ...group, members: { ...group.members, gus: 'guest' } } : group),
  projects: [{ ...app!, commits: [...app!.commits!, {
    sha: mergeRequest!.head_sha!, parent_sha: mergeRequest!.base_sha!, title: 'Try again', author: 'ada', diff: mergeRequest!.diff!,
    created_at: '2024-04-30T09:00:00Z',
  }] }, ...otherProjects],
  appearance: { ...demoWorld.appearance, header_message: '' },
};

/** The last one before a version. */
const before = (version: string): string => {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  return minor > 0 ? `${major}.${minor - 1}` : `${major - 1}.11`;
};

const bounds = new Set(behavior.flatMap(({ from, to }) => [from, to]).filter((bound) => bound !== null));

const newest = newestVersion.split('.').slice(0, 2).join('.');

/** Every version with which a fact begins or ends, the last one before it, and the newest, from the oldest. */
export const versions: readonly string[] = [...new Set([...[...bounds].flatMap((bound) => [before(bound), bound]), newest])]
  .sort((a, b) => a === b ? 0 : hasSince(a, b) ? 1 : -1);

/** Everybody whose rights decide about a fact. */
export const people = ['root', 'super', 'bob', 'gus'] as const;

export type Person = (typeof people)[number];

const named: Partial<Objects> = {
  project: '/projects/acme%2Fapp', group: '/groups/acme', issue: '/projects/acme%2Fapp/issues/7',
};
const epics: Partial<Objects> = { epic: '/groups/acme/epics/500', parent: '/groups/acme/epics/1' };
const noObjects: Objects = {
  project: null, group: null, issue: null, merge_request: null, snippet: null, epic: null, parent: null, commit: null,
};

/** A probe of a service with the demo world, as one of its people. */
export const probeOf = async (service: Pick<Service, 'handle'>, dialect: Dialect, as: Person): Promise<Probe> => {
  const call = async (method: string, path: string, sent: Sent = {}): Promise<Got> => {
    const { query, json, form, headers, token = `${as}-token` } = sent;
    const target = `${sent.isOutsideApi ? '' : apiPrefix}${path}${query === undefined ? '' : `?${query}`}`;
    const body = json === undefined ? form : JSON.stringify(json);
    const response = await service.handle({ method, target, headers: {
      ...token !== null && { 'private-token': token }, ...json !== undefined && { 'content-type': 'application/json' }, ...headers,
    }, ...body !== undefined && { body } });
    const text = Buffer.from(response.body).toString();
    return { request: `${method} ${target}`, status: response.status, headers: response.headers, text, json: jsonOf(text) };
  };
  const hasEpics = (await call('GET', '/groups/acme/epics')).status === 200;
  return { dialect, call, objects: await withFoundObjects(call, { ...noObjects, ...named, ...hasEpics && epics }) };
};

/** A clock that advances with every look at it. */
export const advancingClock = (): (() => Date) => {
  let time = Date.parse('2024-06-01T12:00:00.000Z');
  return () => new Date(time += 7);
};

const notUpdated = <T extends { readonly updated_at?: string | null }>(objects: readonly T[] = []) =>
  objects.map(({ updated_at: _, ...object }) => object);

/** A world without the times of the last update of its objects: a note moves them, even one that is deleted later. */
export const withoutUpdates = (world: World): World => ({
  ...world,
  groups: world.groups!.map((group) => ({ ...group, epics: notUpdated(group.epics) })),
  projects: world.projects!.map((project) => ({
    ...project,
    issues: notUpdated(project.issues),
    snippets: notUpdated(project.snippets),
    merge_requests: notUpdated(project.merge_requests),
    commits: notUpdated(project.commits),
  })),
});
