import { KindGuard, type TSchema } from '@sinclair/typebox';
import { addRoute, createRouter, findRoute } from 'rou3';
import { everyEndpoint, type NamedEndpoint } from '../../contract/contract.js';
import { groupInfix } from '../../contract/conventions.js';
import { hasSince } from '../../contract/versions.js';
import { pathNames, type Dialect, type Endpoint, type Method, type Parameter } from '../../contract/endpoint.js';
import type { Params } from '../../wire/forms.js';

/** The rest is ignored like undeclared parameters (behavior: requests.unknown-parameters). */
export const inDialect = (endpoint: Endpoint, dialect: Dialect): Endpoint => {
  const known = made[dialect].get(endpoint);
  if (known) return known;
  const params = Object.entries(endpoint.params).filter(([, parameter]) => isOf(dialect, parameter.dialect));
  const spoken = { ...endpoint, params: Object.fromEntries(params.map(([name, parameter]): [string, Parameter] =>
    [name, { ...parameter, shape: shapeIn(parameter.shape, dialect) }])) };
  made[dialect].set(endpoint, spoken);
  return spoken;
};

const made: Readonly<Record<Dialect, Map<Endpoint, Endpoint>>> = { document: new Map(), live: new Map() };

const isOf = (dialect: Dialect, mark: unknown): boolean => mark === undefined || mark === dialect;

/** In the document dialect no shape is open: undeclared fields are absent. */
const shapeIn = (shape: TSchema, dialect: Dialect): TSchema => {
  if (KindGuard.IsUnion(shape)) {
    const parts = shape.anyOf.filter((part) => isOf(dialect, part['x-dialect']));
    return { ...shape, anyOf: parts.map((part) => shapeIn(part, dialect)) };
  }
  if (!KindGuard.IsObject(shape)) return shape;
  const properties = Object.fromEntries(Object.entries(shape.properties)
    .filter(([, part]) => isOf(dialect, part['x-dialect'])).map(([name, part]) => [name, shapeIn(part, dialect)]));
  const { additionalProperties, ...rest } = shape;
  return { ...rest, properties, ...(dialect === 'live' && { additionalProperties }) };
};

/** Newer parameters are ignored like undeclared ones. */
export const atVersion = (endpoint: Endpoint, version: string | null): Endpoint => {
  if (version === null || isComplete(endpoint, version)) return endpoint;
  const params = Object.entries(endpoint.params).filter(([, { since }]) => hasSince(version, since));
  return { ...endpoint, params: Object.fromEntries(params) };
};

const isComplete = ({ params }: Endpoint, version: string): boolean =>
  Object.values(params).every(({ since }) => hasSince(version, since));

interface Candidate extends NamedEndpoint {
  readonly inPath: readonly string[];
}

/** Endpoints that share a route, and the values of the path parameters. */
export interface Match { readonly candidates: readonly Candidate[]; readonly path: Params }

interface Router {
  /** Null for an unknown path or method. */
  match(method: string, path: string): Match | null;
  /** @param version null for all */
  methodsOf(path: string, version: string | null): string[];
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

let shared: Router | undefined;

/**
 * Group paths also with the infix of moved routes (behavior: requests.epic-infix). Shared: many services live for one
 * request.
 */
export const contractRouter = (): Router => shared ??= createContractRouter();

const createContractRouter = (): Router => {
  const routes = createRouter<Candidate[]>();
  for (const [key, candidates] of groupedByRoute()) {
    const [method, path] = key.split(' ') as [string, string];
    addRoute(routes, method, path, candidates);
  }
  const match = (method: string, path: string): Match | null => {
    const found = findRoute(routes, method, plainPath(path));
    const values = found && decoded(Object.values(found.params ?? {}));
    if (!found || !values) return null;
    return { candidates: found.data, path: named(found.data[0]!, values) };
  };
  const methodsOf = (path: string, version: string | null) => methods.filter((method) =>
    candidatesAt(match(method, path)?.candidates ?? [], version).length > 0);
  return { match, methodsOf };
};

/** @param version null for all */
export const candidatesAt = (candidates: readonly Candidate[], version: string | null): readonly Candidate[] =>
  version === null ? candidates : candidates.filter(({ endpoint }) => hasSince(version, endpoint.since));

/** Names of parameters are erased, so that endpoints with the same route are grouped. */
const groupedByRoute = (): Map<string, Candidate[]> => {
  const routes = new Map<string, Candidate[]>();
  for (const { name, endpoint } of everyEndpoint()) {
    for (const path of endpoint.paths.flatMap(withInfix)) {
      const names = pathNames(path);
      let index = 0;
      const key = `${endpoint.method} ${path.replace(/:\w+/g, () => `:p${index++}`)}`;
      routes.set(key, [...routes.get(key) ?? [], { name, endpoint, inPath: names }]);
    }
  }
  return routes;
};

const withInfix = (path: string): string[] =>
  path.startsWith('/groups/:id/') ? [path, path.replace('/groups/:id', `/groups/:id${groupInfix}`)] : [path];

/** A trailing slash and a `.json` suffix are accepted (behavior: requests.trailing-slash). */
export const plainPath = (path: string): string => path.replace(/\/$/, '').replace(/\.json$/, '');

/**
 * Null if a value cannot be decoded. In all values except the first, which may be a path, a dot starts a format, which
 * makes the route unknown (behavior: requests.point-in-number).
 */
const decoded = (values: readonly string[]): string[] | null => {
  if (values.slice(1).some((value) => value.includes('.'))) return null;
  try {
    return values.map(decodeURIComponent);
  } catch {
    return null;
  }
};

const named = ({ inPath }: Candidate, values: readonly string[]): Params =>
  Object.fromEntries(inPath.map((name, i) => [name, values[i]]));

/**
 * The first endpoint whose required parameters are given, else the first (behavior: epics.create-or-assign: a title
 * creates an epic, a child id alone assigns it).
 */
export const firstThatFits = (candidates: readonly Candidate[], given: Params): Candidate =>
  candidates.find(({ endpoint }) => hasRequired(endpoint, given)) ?? candidates[0]!;

const hasRequired = (endpoint: Endpoint, given: Params): boolean =>
  Object.entries(endpoint.params).every(([name, { required }]) => !required || Object.hasOwn(given, name));
