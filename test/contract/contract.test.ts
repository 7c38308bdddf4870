import { KindGuard, type TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { pathNames, type Endpoint } from '../../src/contract/endpoint.js';
import { noteableKinds } from '../../src/contract/conventions.js';

const all = everyEndpoint();
const parametersOf = (endpoint: Endpoint) => Object.entries(endpoint.params);
const everyParameter = all.flatMap(({ name, endpoint }) =>
  parametersOf(endpoint).map(([key, parameter]) => ({ name: `${name} ${key}`, parameter })));

/** The shapes that `coerce` supports. */
const isConvertible = (shape: TSchema): boolean => {
  if (KindGuard.IsUnion(shape)) return shape.anyOf.every(isConvertible);
  if (KindGuard.IsObject(shape)) return Object.values(shape.properties).every(isConvertible);
  if (KindGuard.IsArray(shape)) return KindGuard.IsInteger(shape.items) || KindGuard.IsString(shape.items);
  return KindGuard.IsLiteral(shape) || KindGuard.IsInteger(shape) || KindGuard.IsBoolean(shape) || KindGuard.IsString(shape) ||
    KindGuard.IsNull(shape) || shape['format'] === 'binary';
};

describe('the table of endpoints', () => {
  it('contains every operation of the document', () => {
    const names = all.map(({ name }) => name);
    const common = ['list', 'get', 'create', 'addNote', 'modifyNote', 'deleteNote'];
    expect(names).toEqual(expect.arrayContaining([
      ...noteableKinds.flatMap((kind) => common.map((verb) => `discussions.${kind}.${verb}`)),
      'discussions.merge_request.resolve', 'appearance.get', 'appearance.set',
      'epics.list', 'epics.assign', 'epics.create', 'epics.reorder', 'epics.unassign',
    ]));
    expect(all.filter(({ endpoint }) => !('companion' in endpoint))).toHaveLength(noteableKinds.length * 6 + 1 + 2 + 5);
  });

  it('has a required parameter for every name in the first path', () => {
    for (const { name, endpoint } of all) {
      for (const key of pathNames(endpoint.paths[0])) {
        expect(endpoint.params[key], `${name} ${key}`).toMatchObject({ required: true });
      }
    }
  });

  it('names only parameters in its other paths', () => {
    for (const { endpoint } of all) {
      for (const path of endpoint.paths) {
        expect(Object.keys(endpoint.params)).toEqual(expect.arrayContaining([...pathNames(path)]));
        expect(new Set(pathNames(path)).size, path).toBe(pathNames(path).length);
      }
    }
  });

  it('starts every path with a slash and ends none with one', () => {
    for (const { endpoint } of all) {
      for (const path of endpoint.paths) expect(path).toMatch(/^(\/(:\w+|[a-z_]+))+$/);
    }
  });

  it('gives no two endpoints the same method and path, but create and assign on the children of an epic', () => {
    const users = new Map<string, string[]>();
    for (const { name, endpoint } of all) {
      for (const path of endpoint.paths) {
        const key = `${endpoint.method} ${path.replace(/:\w+/g, ':')}`;
        users.set(key, [...users.get(key) ?? [], name]);
      }
    }
    expect([...users.values()].filter((names) => names.length > 1)).toEqual([['epics.create', 'epics.assign']]);
  });

  it('has no result exactly for status 204', () => {
    for (const { name, endpoint } of all) expect(endpoint.returns === null, name).toBe(endpoint.status === 204);
  });

  it('has paging parameters only for lists', () => {
    for (const { name, endpoint } of all) {
      if (!endpoint.paged) expect(endpoint.params, name).not.toHaveProperty('page');
      else {
        expect(KindGuard.IsArray(endpoint.returns), name).toBe(true);
        expect(Object.keys(endpoint.params), name).toEqual(expect.arrayContaining(['page', 'per_page']));
      }
    }
  });

  it('renames at most one parameter in clients, which is part of every path', () => {
    const renaming = everyEndpoint().filter(({ endpoint: { clientNames } }) => clientNames);
    expect(renaming.length).toBeGreaterThan(0);
    for (const { name, endpoint: { clientNames = {}, params, paths } } of renaming) {
      const [[wireName, clientName] = ['', ''], ...others] = Object.entries(clientNames);
      expect([others, paths.every((path) => pathNames(path).includes(wireName)), clientName in params], name).toEqual([[], true, false]);
    }
  });

  it('has only its own parameters in exactlyOneOf', () => {
    for (const { endpoint } of all) {
      expect(Object.keys(endpoint.params)).toEqual(expect.arrayContaining([...endpoint.exactlyOneOf ?? []]));
    }
  });
});

describe('the texts of the table', () => {
  const texts = [
    ...all.map(({ name, endpoint }) => [name, endpoint.summary] as const),
    ...everyParameter.map(({ name, parameter }) => [name, parameter.text] as const),
  ];

  it('are fragments: present, on one line, without a full stop', () => {
    for (const [name, text] of texts) expect(text, name).toMatch(/^[^\s.][^\n]*[^\s.]$/);
  });

  it('start in lower case, but for names and abbreviations', () => {
    for (const [name, text] of texts) expect(text, name).toMatch(/^([a-z]|[A-Z]{2,}|Markdown)/);
  });

  it('are unique in the document', () => {
    const summaries = all.filter(({ endpoint }) => !endpoint.companion).map(({ endpoint }) => endpoint.summary);
    expect(new Set(summaries).size).toBe(summaries.length);
  });
});

describe('the parameters of the table', () => {
  it('have shapes that `coerce` supports', () => {
    for (const { name, parameter } of everyParameter) expect(isConvertible(parameter.shape), name).toBe(true);
  });

  it('have one documented name each within an endpoint', () => {
    for (const { name, endpoint } of all) {
      const documented = parametersOf(endpoint).map(([key, parameter]) => parameter.documented ?? key);
      expect(new Set(documented).size, name).toBe(documented.length);
    }
  });

  it('name a documented spelling only where it differs', () => {
    for (const { endpoint } of all) {
      for (const [key, parameter] of parametersOf(endpoint)) expect(parameter.documented).not.toBe(key);
    }
  });

  it('are never required if unneeded', () => {
    const unneeded = everyParameter.filter(({ parameter }) => parameter.unneeded || parameter.dialect);
    expect(unneeded.length).toBeGreaterThan(0);
    expect(unneeded.filter(({ parameter }) => parameter.required)).toEqual([]);
  });
});

it('every version that introduced something is a version', () => {
  const since = [...all.map(({ endpoint }) => endpoint.since), ...everyParameter.map(({ parameter }) => parameter.since)];
  const given = since.filter((version) => version !== undefined);
  expect(given.length).toBeGreaterThan(3);
  for (const version of given) expect(version).toMatch(/^\d+\.\d+$/);
});
