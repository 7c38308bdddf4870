import { withFoundObjects } from '../../src/cli/service/conformance/objects.js';
import type { Got, Objects, Probe, Sent } from '../../src/conformance/check.js';
import { apiPrefix } from '../../src/contract/conventions.js';
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

/** The demo world with what checks need to look at: an administrator who may act for others, and an empty text. */
export const checkedWorld: World = {
  ...demoWorld,
  users: [...demoWorld.users!, { id: 9, username: 'super', admin: true, tokens: [{ token: 'super-token', scopes: ['api', 'sudo'] }] }],
  appearance: { ...demoWorld.appearance, header_message: '' },
};

/** The oldest and the newest version, and versions between which facts begin and end. */
export const versions = ['11.7', '12.7', '13.12', '16.7', '18.5'] as const;

/** Everybody whose rights decide about a fact. */
export const people = ['root', 'super', 'bob'] as const;

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
