import { KindGuard, type TSchema } from '@sinclair/typebox';
import { addRoute, createRouter, findRoute, type RouterContext } from 'rou3';
import type { Edition } from '../../contract/behavior/fact.js';
import { apiPrefix, groupInfix, hasSince } from '../../contract/conventions.js';
import { type Dialect, type Endpoint, type Parameter, pathNames } from '../../contract/endpoint.js';
import { endpointNamed, type Route, routes } from '../../contract/routes.js';
import { nearestName } from '../../text/messages.js';
import type { Params } from '../../wire/http.js';

/** What the service has. The rest is ignored like undeclared parameters (behavior: requests.unknown-parameters). */
export const inEdition = (endpoint: Endpoint, edition: Edition): Endpoint => {
  const known = restrictedEndpoints.get(edition) ?? new Map<Endpoint, Endpoint>();
  restrictedEndpoints.set(edition, known);
  const found = known.get(endpoint) ?? restricted(endpoint, edition);
  known.set(endpoint, found);
  return found;
};

const restrictedEndpoints = new WeakMap<Edition, Map<Endpoint, Endpoint>>();

const restricted = (endpoint: Endpoint, edition: Edition): Endpoint => {
  const params = Object.entries(endpoint.params).filter(([, parameter]) => isIn(edition, parameter))
    .map(([name, parameter]): [string, Parameter] =>
      [name, { ...parameter, shape: shapeIn(parameter.shape, edition) }]);
  return { ...endpoint, params: Object.fromEntries(params) };
};

interface Marks {
  readonly dialect?: Dialect | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const isIn = ({ dialect, version }: Edition, marks: Marks): boolean =>
  (marks.dialect ?? dialect) === dialect && hasSince(version, marks.since)
  && !(marks.until !== undefined && hasSince(version, marks.until));

const marksOf = (shape: TSchema): Marks =>
  ({ dialect: shape['x-dialect'] as Dialect, since: shape['x-since'] as string, until: shape['x-until'] as string });

/** In the document dialect no shape is open: undeclared fields are absent. */
const shapeIn = (shape: TSchema, edition: Edition): TSchema => {
  if (KindGuard.IsUnion(shape)) {
    const parts = shape.anyOf.filter((part) => isIn(edition, marksOf(part)));
    return { ...shape, anyOf: parts.map((part) => shapeIn(part, edition)) };
  }
  if (!KindGuard.IsObject(shape)) return shape;
  const properties = Object.fromEntries(Object.entries(shape.properties)
    .filter(([, part]) => isIn(edition, marksOf(part))).map(([name, part]) => [name, shapeIn(part, edition)]));
  const { additionalProperties, ...rest } = shape;
  return { ...rest, properties, ...(edition.dialect === 'live' && { additionalProperties }) };
};

interface Candidate extends Route {
  readonly endpoint: Endpoint;
  readonly inPath: readonly string[];
}

export interface Match { readonly candidates: readonly Candidate[]; readonly path: Params }

const methods: readonly Endpoint['method'][] = ['GET', 'POST', 'PUT', 'DELETE'];

let shared: ReturnType<typeof createContractRouter> | undefined;

/** Shared, because many services live for one request (behavior: requests.epic-infix). */
export const contractRouter = () => shared ??= createContractRouter();

const createContractRouter = () => {
  const groups = groupedRoutes();
  const routers = new Map<string, RouterContext<Candidate[]>>();
  const match = (method: string, path: string): Match | null => {
    const plain = plainPath(path);
    const key = groupOf(method, plain);
    const group = groups.get(key);
    if (!group) return null;
    const router = routers.get(key) ?? routerOf(group);
    routers.set(key, router);
    const found = findRoute(router, method, plain);
    if (!found) return null;
    const values = decoded(found.data[0]!, Object.values(found.params ?? {}));
    const { inPath } = found.data[0]!;
    return values && { candidates: found.data, path: Object.fromEntries(inPath.map((name, i) => [name, values[i]])) };
  };
  const methodsOf = (path: string, edition: Edition) => methods.filter((method) =>
    candidatesIn(edition, match(method, path)?.candidates ?? []).length > 0);
  return { match, methodsOf };
};

export const candidatesIn = (edition: Edition, candidates: readonly Candidate[]): readonly Candidate[] =>
  candidates.filter((candidate) => isRouteIn(edition, candidate));

const isRouteIn = ({ dialect, version }: Edition, { since, isDocumentedOnly }: Route): boolean =>
  hasSince(version, since) && (dialect === 'document' || !isDocumentedOnly);

/** Each group gets a router when a request needs it: adding all routes at once takes milliseconds. */
const groupedRoutes = (): Map<string, Route[]> => {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    for (const path of withInfix(route.path)) {
      const key = groupOf(route.method, path);
      const group = groups.get(key) ?? [];
      group.push({ ...route, path });
      groups.set(key, group);
    }
  }
  return groups;
};

/** By the method, the number of segments, and two that no route has as parameters. rou3 ignores a slash at the end. */
const groupOf = (method: string, path: string): string => {
  const segments = path.replace(/\/$/, '').split('/');
  return `${method} ${segments.length} ${segments[1]} ${segments[3]}`;
};

const routerOf = (group: readonly Route[]): RouterContext<Candidate[]> => {
  const router = createRouter<Candidate[]>();
  for (const [path, candidates] of candidatesByPath(group)) addRoute(router, candidates[0]!.method, path, candidates);
  return router;
};

/** Names of parameters are erased, so that endpoints with the same route are grouped. */
const candidatesByPath = (group: readonly Route[]): Map<string, Candidate[]> => {
  const candidates = new Map<string, Candidate[]>();
  for (const route of group) {
    let index = 0;
    const key = route.path.replace(/:\w+/g, () => `:p${index++}`);
    candidates.set(key, [...candidates.get(key) ?? [], candidateOf(route)]);
  }
  return candidates;
};

const candidateOf = (route: Route): Candidate => {
  let endpoint: Endpoint | undefined;
  return { ...route, inPath: pathNames(route.path), get endpoint() { return endpoint ??= endpointNamed(route.name); } };
};

const withInfix = (path: string): string[] =>
  path.startsWith('/groups/:id/') ? [path, path.replace('/groups/:id', `/groups/:id${groupInfix}`)] : [path];

const namesAtEnd = /(?:\/repository\/files\/|^\/(?:projects|groups)\/(?!\d+\.json$))[^/]*$/;

/** A final slash and `.json` are ignored (behavior: requests.trailing-slash), but in names (requests.container-id). */
export const plainPath = (path: string): string => {
  const plain = path.replace(/\/$/, '');
  return namesAtEnd.test(plain) ? plain : plain.replace(/\.json$/, '');
};

/**
 * In all values except the first and names of files, a dot starts a format, which makes the route unknown (behavior:
 * requests.point-in-number).
 */
const decoded = ({ inPath }: Candidate, values: readonly string[]): string[] | null =>
  values.some((value, i) => i > 0 && inPath[i] !== 'file_path' && value.includes('.')) ? null : decodedValues(values);

export const decodedValues = (values: readonly string[]): string[] | null => {
  try {
    return values.map(decodeURIComponent);
  } catch {
    return null;
  }
};

/** behavior: epics.create-or-assign */
export const firstThatFits = (candidates: readonly Candidate[], given: Params): Candidate =>
  candidates.find(({ endpoint: { params } }) =>
    Object.entries(params).every(([name, { required }]) => !required || Object.hasOwn(given, name))) ?? candidates[0]!;

interface SplitRoute extends Route { readonly segments: readonly string[] }

let sharedRoutes: ReturnType<typeof splitRoutes> | undefined;

const splitRoutes = () => {
  const all = routes.map((route): SplitRoute => ({ ...route, segments: route.path.slice(1).split('/') }));
  return { all, literals: new Set(all.flatMap(({ segments }) => segments).filter((segment) => !isParameter(segment))) };
};

const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Bounds the work for hostile paths. The longest route has nine segments. */
const limits = { segments: 12, characters: 40 };

/** As `METHOD /api/v4/path/:parameter`. @param path below the prefix of the API @param edition null for all routes */
export const nearestRoute = (method: string, path: string, edition: Edition | null = null): string => {
  const { all, literals } = sharedRoutes ??= splitRoutes();
  const segments = path.replace(`${groupInfix}/`, '/').split('/', limits.segments).filter((segment) => segment !== '')
    .map((segment) => segment.slice(0, limits.characters));
  const meant = new Map(segments.map((segment) => [segment, nearestName(segment, literals)]));
  const change = (given: string, wanted: string): number => {
    if (given === wanted) return 0;
    if (isParameter(wanted)) return costs.parameter;
    return meant.get(given) === wanted ? costs.typo : costs.otherSegment;
  };
  let nearest = { route: all[0]!, cost: Infinity };
  for (const route of all) {
    if (edition !== null && !isRouteIn(edition, route)) continue;
    const cost = distance(segments, route.segments, change)
      + (route.method === method ? 0 : costs.otherMethod);
    if (cost < nearest.cost) nearest = { route, cost };
  }
  return `${nearest.route.method} ${apiPrefix}${nearest.route.path}`;
};

/** Relative to one segment too many or too few. Equal words count more than values of parameters. */
const costs = { parameter: 0.2, typo: 0.5, otherMethod: 0.5, otherSegment: 1.2 };

/** The edit distance. @param change the cost of one segment instead of another */
const distance = (
  given: readonly string[], wanted: readonly string[], change: (given: string, wanted: string) => number,
): number => {
  let row = Array.from({ length: wanted.length + 1 }, (_, i) => i);
  for (const segment of given) {
    const next = [row[0]! + 1];
    for (const [i, other] of wanted.entries()) {
      next.push(Math.min(row[i]! + change(segment, other), row[i + 1]! + 1, next[i]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
};
