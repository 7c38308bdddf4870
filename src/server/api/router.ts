import { addRoute, createRouter, findRoute } from 'rou3';
import { everyEndpoint, type NamedEndpoint } from '../../contract/contract.js';
import { groupInfix } from '../../contract/conventions.js';
import { pathNames, type Endpoint, type Method } from '../../contract/endpoint.js';
import type { Hash } from '../../wire/forms.js';

/** One endpoint behind one of its paths. */
export interface Candidate extends NamedEndpoint {
  /** The parameters that this path names. */
  readonly inPath: readonly string[];
}

/** What a path and verb lead to: the endpoints that share them, and the path's parameters. */
export interface Match { readonly candidates: readonly Candidate[]; readonly path: Hash }

export interface Router {
  /** Null for an unknown path, or a known one with another verb. */
  match(method: string, path: string): Match | null;
  /** The verbs that a path knows. */
  methodsOf(path: string): string[];
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

let shared: Router | undefined;

/**
 * Routes for every endpoint of the contract, group paths also with the infix of moved routes (wire-facts 1.8.6). Built
 * once: it holds nothing of a service, and a service of one request is often wanted.
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
  return { match, methodsOf: (path) => methods.filter((method) => match(method, path)) };
};

/** Endpoints by method and path with the parameter names erased, so that those who share a route stand together. */
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

/** A slash at the end and a `.json` suffix are accepted (wire-facts 1.8.3). */
const plainPath = (path: string): string => path.replace(/\/$/, '').replace(/\.json$/, '');

/**
 * Percent-decoded values, or null where one can't be decoded. In all but the first, which may be a path, the service
 * reads a dot as the start of a format and knows no such route (wire-facts 1.8.6b).
 */
const decoded = (values: readonly string[]): string[] | null => {
  if (values.slice(1).some((value) => value.includes('.'))) return null;
  try {
    return values.map(decodeURIComponent);
  } catch {
    return null;
  }
};

const named = ({ inPath }: Candidate, values: readonly string[]): Hash =>
  Object.fromEntries(inPath.map((name, i) => [name, values[i]]));

/**
 * The endpoint that a request means where several share a route: the first whose required parameters are there, else
 * the first (wire-facts 6.1.1: a title makes an epic, a child's id alone assigns it).
 */
export const firstThatFits = (candidates: readonly Candidate[], given: Hash): Candidate =>
  candidates.find(({ endpoint }) => hasRequired(endpoint, given)) ?? candidates[0]!;

const hasRequired = (endpoint: Endpoint, given: Hash): boolean =>
  Object.entries(endpoint.params).every(([name, { required }]) => !required || Object.hasOwn(given, name));
