import { addRoute, createRouter, findRoute } from 'rou3';
import { routes as contractRoutes } from '../../contract/routes.js';
import { accessLevels, apiPrefix } from '../../contract/conventions.js';
import { parseQuery } from '../../wire/decode.js';
import { type HttpResponse, isRead, splitTarget } from '../../wire/http.js';
import { kinds, optionProblem } from '../../wire/options.js';
import { projectAccess, requirePermission } from '../api/access.js';
import type { ApiOptions, FindCustomRoute } from '../api/api.js';
import { rejectGranular } from '../api/permissions.js';
import { type ApiRequest, authenticate } from '../api/request.js';
import type { Caller } from '../api/context.js';
import { decodedValues, plainPath } from '../api/router.js';
import { HttpError, isResponseHeader, jsonType, responseWith, RouteFault } from '../http/response.js';
import type { World } from '../world-file/schema.js';

/** What a member may do, from least to most. */
export type Role = keyof typeof accessLevels;

/** A user of the world. */
export interface RouteUser {
  /** The id in responses of the API. */
  readonly id: number;
  /** The name after `@` in texts. */
  readonly username: string;
  /** The full name, which need not be unique. */
  readonly name: string;
  /** Whether the user is an administrator, who can see every project. */
  readonly admin: boolean;
}

/** A project that the caller can see. */
export interface RouteProject {
  /** The id in responses of the API. */
  readonly id: number;
  /** The full path with its groups: `acme/app`. */
  readonly path: string;
  /** The name without its groups, for people. */
  readonly name: string;
  /** Who can see the project: `public`, `internal` or `private`. */
  readonly visibility: string;
  /** Whether the project is read-only. */
  readonly archived: boolean;
}

/** What a handler of a route learns about its caller and the world. */
export interface RouteContext {
  /** The user who sent the request. Requests without a valid token get 401 and do not reach the handler. */
  readonly user: RouteUser;
  /** The decoded strings that the stars of `on` stand for. */
  readonly params: readonly string[];
  /** Whether the caller can see the project, by id or path. */
  canSee(project: number | string): Promise<boolean>;
  /** Whether the caller can see the project and has at least this role there; administrators have all. */
  hasRole(project: number | string, role: Role): Promise<boolean>;
  /** Throws what the service responds: 404 for a project that the caller cannot see, 403 for a lesser role. */
  project(project: number | string, role?: Role): Promise<RouteProject>;
  /** A copy of the data. */
  world(): Promise<World>;
}

/** A response of a handler. A body that is neither text nor bytes is sent as JSON. */
export interface RouteResponse {
  /** The status; default: 200. */
  readonly status?: number | undefined;
  /** The headers; a body that is sent as JSON has a default for its content type. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text and bytes are sent as they are, anything else as JSON; nothing by default. */
  readonly body?: unknown;
}

/** An endpoint beside those of the server. */
export interface OwnRoute {
  /** A method, a space and a path below `/api/v4`, in which `*` stands for one segment. */
  readonly on: string;
  /** Responds to a request of an authenticated user; an error of its own becomes a 500. */
  readonly handle: (
    request: Request, context: RouteContext,
  ) => Response | RouteResponse | Promise<Response | RouteResponse>;
}

interface PreparedRoute extends OwnRoute { readonly replaces: boolean }

interface CustomMatch { readonly route: PreparedRoute; readonly params: readonly string[] }

export type MatchCustomRoute = (method: string, path: string) => CustomMatch | null;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @throws TypeError for an invalid route, and for two with the same path */
export const compileCustomRoutes = (routes: readonly OwnRoute[]): MatchCustomRoute => {
  const router = createRouter<PreparedRoute>();
  const contractKeys = new Set(contractRoutes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '*')}`));
  const known = new Set<string>();
  for (const route of routes) {
    const { method, path, key } = readOn(route);
    if (known.has(key)) throw invalid(route, 'there are two with this path', 'remove one');
    known.add(key);
    let star = 0;
    addRoute(router, method, path.replace(/\*/g, () => `:p${star++}`), { ...route, replaces: contractKeys.has(key) });
  }
  return (method, path) => {
    const found = findRoute(router, method, plainPath(path));
    const params = found && decodedValues(Object.values(found.params ?? {}));
    return found && params ? { route: found.data, params } : null;
  };
};

const readOn = (route: OwnRoute) => {
  const { on, handle } = route;
  const unknown = optionProblem(route, { on: kinds.any, handle: kinds.any });
  if (unknown !== null) throw new TypeError(`invalid route ${JSON.stringify(String(on).slice(0, 100))}: ${unknown}`);
  const [method = '', path = '', ...others] = typeof on === 'string' ? on.trim().split(/\s+/) : [];
  if (path === '' || others.length > 0) throw invalid(route, 'it is not a method and a path', example);
  if (!methods.includes(method)) throw invalid(route, 'the method is unknown', `use ${methods.join(', ')}`);
  if (!/^(\/(\*|[A-Za-z0-9._~%@+-]+))+$/.test(path)) throw invalid(route, 'the path is invalid', example);
  if (path.startsWith(`${apiPrefix}/`)) throw invalid(route, `the path starts with ${apiPrefix}`, 'leave it out');
  if (typeof handle !== 'function') throw invalid(route, 'handle is not a function', 'pass a function');
  return { method, path: plainPath(path), key: `${method} ${plainPath(path)}` };
};

const example = 'use a form such as "GET /projects/*/reports", where * stands for one segment';

const invalid = ({ on }: OwnRoute, problem: string, hint: string): TypeError =>
  new TypeError(`invalid route ${JSON.stringify(String(on).slice(0, 100))}: ${problem}; ${hint}`);

type RouteOptions = Pick<ApiOptions, 'database' | 'acceptTokens' | 'now' | 'address' | 'worldCache'>;

/** Authenticates, then runs the handler outside of any transaction. @throws HttpError, RouteFault */
export const createCustomRoutes = (match: MatchCustomRoute, options: RouteOptions): FindCustomRoute => {
  const respond = async ({ route, params }: CustomMatch, request: ApiRequest): Promise<HttpResponse> => {
    const [, query] = splitTarget(request.target);
    const given = parseQuery(query);
    const caller = await options.database.read(async (queries) => {
      const credentials = { headers: request.headers, given, reads: isRead(request) };
      const found = await authenticate(await options.worldCache.of(queries), credentials, options);
      rejectGranular(found);
      return found.caller;
    });
    request.trace.user = caller.username;
    const context = createContext(options, caller, params);
    try {
      return await handlerResponse(await route.handle(standardRequest(options.address(), request), context));
    } catch (error) {
      throw error instanceof HttpError ? error : new RouteFault(route.on, { cause: error });
    }
  };
  return (method, path) => {
    const found = match(method, path);
    return found && { replaces: found.route.replaces, respond: (request) => respond(found, request) };
  };
};

const createContext = (
  { database, worldCache }: RouteOptions, caller: Caller, params: readonly string[],
): RouteContext => {
  const findPlace = (id: number | string) => database.read(async (queries) => {
    const world = await worldCache.of(queries);
    return projectAccess({ queries, caller, world }, typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id);
  });
  const project: RouteContext['project'] = async (id, role) => {
    const { container, level } = await findPlace(id);
    requirePermission(role === undefined || level >= accessLevels[role]);
    const { path, name, visibility, archived } = container;
    return { id: container.id, path, name, visibility, archived: archived !== 0 };
  };
  const isAllowed = (id: number | string, role?: Role): Promise<boolean> =>
    project(id, role).then(() => true, (error: unknown) => {
      if (error instanceof HttpError) return false;
      throw error;
    });
  const { id, username, name, admin } = caller;
  return {
    user: { id, username, name, admin: admin !== 0 }, params, project,
    canSee: (each) => isAllowed(each),
    hasRole: isAllowed,
    world: async () => (await import('../world-file/dump.js')).dumpWorld(database),
  };
};

const standardRequest = (address: string, { method, target, headers, signal, parameters }: ApiRequest): Request => {
  const body = isRead({ method }) ? undefined : parameters.bytes();
  return new Request(address + target, { method, headers, ...signal && { signal }, ...body && { body } });
};

/** @throws TypeError for anything else */
const handlerResponse = async (given: Response | RouteResponse): Promise<HttpResponse> => {
  if (given instanceof Response) {
    if (given.headers.getSetCookie().length > 1) throw new TypeError('the handler returned more than one set-cookie');
    const body = new Uint8Array(await given.arrayBuffer());
    const headers = [...given.headers].filter(([name]) => isResponseHeader(name));
    return checked(given.status, Object.fromEntries(headers), body);
  }
  if (typeof given !== 'object' || given === null) throw new TypeError('the handler returned no response');
  const { status = 200, headers = {}, body = '' } = given;
  if (typeof body === 'string' || body instanceof Uint8Array) return checked(status, headers, Buffer.from(body));
  return checked(status, { 'content-type': jsonType, ...headers }, Buffer.from(JSON.stringify(body)));
};

const checked = (...given: Parameters<typeof responseWith>): HttpResponse => {
  const response = responseWith(...given);
  if (!response) throw new TypeError('the handler returned an invalid status or header');
  return response;
};
