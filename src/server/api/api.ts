import { editionOf, type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { limitFacts } from '../../contract/behavior/requests.js';
import { apiPrefix, perPage, type TokenType } from '../../contract/conventions.js';
import type { Dialect, Endpoint } from '../../contract/endpoint.js';
import { checkEncoding, decode } from '../../wire/decode.js';
import {
  type Handler, type HttpResponse, isRead, missingRouteHeader, type Params, throwIfAborted,
} from '../../wire/http.js';
import { pageHeadersFor } from '../../wire/pages.js';
import type { HookEvent } from '../hooks/events.js';
import { announcementsOf, type Announcement } from '../hooks/announce.js';
import type { Hooks } from '../hooks/deliveries.js';
import {
  badParameters, emptyResponse, errorResponse, forbidden, jsonArray, jsonResponse, MovedProject, movedResponse,
  routeNotFound, withErrors,
} from '../http/response.js';
import { layered, missingRouteValue, withCommonHeaders, withEtag, withNotModified } from '../http/middleware.js';
import type { ServiceProxy } from '../http/proxy.js';
import type { TracedRequest } from '../http/request-log.js';
import type { Hex } from '../random.js';
import { hasToken, type WorldCache, type WorldReads } from '../repositories/world.js';
import type { Awaitable, Database, Queries } from '../store/database.js';
import { withCache } from './cache.js';
import {
  acceptsJobToken, apiRequest, type ApiRequest, authenticate, type Authenticated, linkParameters, readParameters,
  tokenRow, unreadNames, unreadParameters, validToken, withBearerChallenge, withUnreadHeader,
} from './request.js';
import type { AcceptedActions, Call, HandlerAreas, PageOf, PageRequest, PartlyDone, WithHeaders } from './context.js';
import { checkPermission } from './permissions.js';
import { type NotesCreateLimit, withRateLimit } from './rate-limit.js';
import { isWorkItemPath, rejectWorkItems } from './work-items.js';
import { candidatesIn, contractRouter, firstThatFits, inEdition, type Match, nearestRoute } from './router.js';

export interface ApiOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  /** Default: in the live dialect (behavior: notes.quick-actions-off). */
  readonly quickActions?: boolean;
  /** Tokens of another kind count as not given; undefined for both kinds. */
  readonly acceptTokens?: TokenType;
  readonly rejectUnread?: boolean;
  readonly now: () => Date;
  readonly hex: Hex;
  /** It has no trailing slash, and is read for every response. */
  readonly address: () => string;
  readonly hooks: Hooks;
  readonly worldCache: WorldCache;
  readonly current: { edition: Edition };
  readonly notesCreateLimit: NotesCreateLimit;
  readonly perPage?: { readonly default?: number; readonly max?: number } | undefined;
  /** Custom routes; those of the contract win unless the path is exactly the same. */
  readonly findCustomRoute?: FindCustomRoute | undefined;
  readonly cacheBytes?: number;
  readonly rateLimit?: number;
  readonly counts: Map<string, number>;
  readonly faults: { readonly active: ActiveFaults | null };
  readonly overrides?: { readonly change: (handler: Handler<ApiRequest>) => Handler<ApiRequest> };
  readonly proxy: ServiceProxy | null;
}

interface ActiveFaults {
  readonly handle: (request: ApiRequest, api: Handler<ApiRequest>) => Promise<HttpResponse>;
}

interface FoundRoute {
  readonly replaces: boolean;
  readonly respond: (request: ApiRequest) => Promise<HttpResponse>;
}

export type FindCustomRoute = (method: string, path: string) => FoundRoute | null;

/** What responds below `/api/v4`: the operations, in front of them what changes or replaces their responses. */
export const createApi = (options: ApiOptions, handlers: HandlerAreas): Handler<TracedRequest> => {
  const { database, now, address, faults, cacheBytes, overrides, proxy } = options;
  const api = layered<ApiRequest>([
    (inner) => withTokenLimit(options, inner),
    (inner) => options.acceptTokens === 'bearer' ? withBearerChallenge(inner) : inner,
    withNotModified,
    (inner) => {
      const read = withCache(withEtag(inner), database, now, cacheBytes);
      return (request) => isRead(request) ? read(request) : inner(request);
    },
    (inner) => overrides ? withCommonHeaders(overrides.change(inner), address) : inner,
    (inner) => withCommonHeaders(withErrors(inner), address),
  ], operationsHandler(options, handlers));
  const apiOrProxy = proxy ? withProxy(proxy, api) : api;
  const routes = withUnreadHeader<ApiRequest>((request) =>
    faults.active ? faults.active.handle(request, apiOrProxy) : apiOrProxy(request));
  return (request) => routes(apiRequest(request));
};

const withTokenLimit = (
  { database, now, rateLimit: perMinute, counts, current }: ApiOptions, api: Handler<ApiRequest>,
): Handler<ApiRequest> => perMinute === undefined ? api : withRateLimit(api, {
  perMinute, now, counts, hasHeaders: () => sendsRateHeaders(current.edition),
  isToken: (digest) => database.read((queries) => hasToken(queries, digest)),
});

const sendsRateHeaders = (edition: Edition): boolean => holdsIn(limitFacts['limits.rate-headers-always'], edition)
  || holdsIn(limitFacts['limits.rate-headers-document'], edition);

/** The body of a request to the API is read only when a proxy needs it. */
const withProxy = (proxy: ServiceProxy, api: Handler<ApiRequest>): Handler<ApiRequest> => {
  const handle = proxy.around((request) => api(request as ApiRequest));
  return (request) => {
    const body = request.parameters.bytes();
    return handle(body === undefined ? request : { ...request, body });
  };
};

/**
 * Checks in the order of the service (behavior: errors.order, errors.appearance-order). Reads HEAD as GET (behavior:
 * requests.head).
 * @throws HttpError and the errors of parsing that `withErrors` maps
 */
const operationsHandler = (options: ApiOptions, areas: HandlerAreas): Handler<ApiRequest> => {
  const handlerOf = handlersIn(areas);
  const check = (token: string) => options.database.read(async (queries) => {
    validToken(await tokenRow(await options.worldCache.of(queries), token), options.now().toISOString());
  });
  const rejectIfWorkItem = async (method: string, path: string, request: ApiRequest): Promise<void> => {
    if (!isWorkItemPath(path)) return;
    const given = await readParameters(request.parameters, check);
    await options.database.read(async (queries) => {
      const { world, edition } = await worldIn(options, queries);
      const authenticated = () => callerOf(options, world, request, given);
      await rejectWorkItems({ method, path, queries, edition, authenticated });
    });
  };
  return async (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const path = request.path.slice(apiPrefix.length);
    checkEncoding(request.target);
    const router = contractRouter();
    const match = router.match(method, path);
    const own = options.findCustomRoute?.(method, path);
    if (own && (!match || own.replaces)) return own.respond(request);
    if (!match) {
      await rejectIfWorkItem(method, path, request);
      if (request.method !== 'OPTIONS') return rejectRoute(request);
      const { edition } = await options.database.read((queries) => worldIn(options, queries));
      return optionsResponse(router.methodsOf(path, edition), request);
    }
    const all = Object.assign(await readParameters(request.parameters, check), match.path);
    const work = (queries: Queries) => performCall({ options, handlerOf, queries, request, match, all });
    throwIfAborted(request.signal);
    const { database } = options;
    // The numbers of versions and commits follow from all others.
    const isPush = match.candidates.some(({ name }) => name.startsWith('suggestions.'));
    const { response, announcements } = await (isRead(request) ? database.read(work)
      : isPush ? database.writeExclusively(work) : database.write(work, request.signal));
    if (announcements.length > 0) options.hooks.announce(announcements);
    return response;
  };
};

const worldIn = async ({ worldCache, dialect, current }: ApiOptions, queries: Queries) => {
  const world = await worldCache.of(queries);
  return { world, edition: current.edition = editionOf(dialect, world.settings.version) };
};

/** The log then knows the caller. @throws HttpError 401, 403 */
const callerOf = async (
  options: ApiOptions, world: WorldReads, request: ApiRequest, given: Params, acceptsJob = false,
): Promise<Authenticated> => {
  const { headers, trace } = request;
  const found = await authenticate(world, { headers, given, reads: isRead(request), acceptsJob }, options);
  trace.user = found.caller.username;
  return found;
};

/** A known path responds to OPTIONS with its methods (behavior: requests.options). */
const optionsResponse = (methods: readonly string[], request: ApiRequest): HttpResponse => {
  if (methods.length === 0) return rejectRoute(request);
  const allowed = methods.includes('GET') ? ['OPTIONS', 'HEAD', ...methods] : ['OPTIONS', ...methods];
  return emptyResponse(204, { allow: allowed.join(', ') });
};

/** The nearest route helps (behavior: errors.unknown-route). @param edition null for all routes */
const rejectRoute = ({ method, path }: ApiRequest, edition: Edition | null = null): never => {
  const nearest = nearestRoute(method === 'HEAD' ? 'GET' : method, path.slice(apiPrefix.length), edition);
  throw routeNotFound({ [missingRouteHeader]: missingRouteValue({ method }, path, nearest) });
};

interface Work {
  readonly options: ApiOptions;
  readonly handlerOf: HandlerOf;
  readonly queries: Queries;
  readonly request: ApiRequest;
  readonly match: Match;
  readonly all: Params;
}

const performCall = async (
  work: Work,
): Promise<{ readonly response: HttpResponse; readonly announcements: readonly Announcement[] }> => {
  const { options, queries, request, all } = work;
  const { world, edition } = await worldIn(options, queries);
  const candidates = candidatesIn(edition, work.match.candidates);
  if (candidates.length === 0) return rejectRoute(request, edition);
  const acceptsJob = candidates.some(({ name }) => acceptsJobToken(name, edition));
  const authenticated = await callerOf(options, world, request, all, acceptsJob);
  const { caller } = authenticated;
  const { name, endpoint } = firstThatFits(candidates, all);
  if (authenticated.permissions !== null || world.settings.granularGroups.size > 0) {
    await checkPermission({ queries, world, edition, ...authenticated }, endpoint, work.match.path['id'] ?? all['ids']);
  }
  if (endpoint.needs === 'admin' && !caller.admin) throw forbidden();
  const served = inEdition(endpoint, edition);
  const unread = unreadNames(endpoint, served, all);
  Object.assign(request.trace, { operation: name, unread });
  const rejected = options.rejectUnread ? unread : unread.filter((each) => endpoint.unservedFilters?.includes(each));
  if (rejected.length > 0) throw unreadParameters(rejected);
  const { values, problems } = decode(served, all);
  if (problems.length > 0) throw badParameters(problems);
  // behavior: limits.notes-create, limits.notes-create-order
  if (/^notes\.\w+\.create$/.test(name)) options.notesCreateLimit.count(request, { caller, world, edition });
  const page = pageFrom(values, { ...perPage, ...options.perPage });
  const events: HookEvent[] = [];
  const call = createCall(work, name, authenticated, {
    world, edition, page, addEvent: (event) => { if (world.settings.hooks) events.push(event); },
  });
  let result: AnyResult;
  try {
    const handler = await work.handlerOf(name);
    result = await handler(values, call);
  } catch (error) {
    if (!(error instanceof MovedProject)) throw error;
    return { response: movedResponse(request, options.address(), error), announcements: [] };
  }
  const announcements: Announcement[] = [];
  for (const event of events) {
    announcements.push(...await announcementsOf(queries, event, { caller, edition, address: options.address() }));
  }
  const url = options.address() + request.path;
  return { response: responseFor(endpoint, result, page, url, () => linkParameters(values, all)), announcements };
};

const createCall = (
  { options, queries, request }: Work, name: string, { caller, until }: Authenticated,
  given: Pick<Call, 'world' | 'edition' | 'page' | 'addEvent'>,
): Call => {
  const { dialect, hex, hooks, quickActions = dialect === 'live' } = options;
  // The time of a note is that after waiting for the lock of its noteable.
  let now: string | undefined;
  return {
    ...given, queries, caller, dialect, quickActions, hex, headers: request.headers, hookRules: hooks,
    unread: request.trace.unread,
    onNoteable: ({ id, version }) => {
      // Such responses depend on nothing but the notes and draft notes of one noteable.
      if (!/^(discussions|notes|discussionNotes|draftNotes)\./.test(name)) return;
      request.dependencies = { noteable: id, version, epoch: given.world.epoch, trace: request.trace, until };
    },
    get now() { return now ??= options.now().toISOString(); },
  };
};

type AnyResult = string | undefined | PageOf<unknown> | AcceptedActions | WithHeaders<string> | PartlyDone;

type AnyHandler = (params: Params, call: Call) => Awaitable<AnyResult>;

type HandlerOf = (name: string) => Awaitable<AnyHandler>;

const handlersIn = (areas: HandlerAreas): HandlerOf => {
  const known = new Map<string, AnyHandler>();
  const load = async (name: string): Promise<AnyHandler> => {
    const [area, ...keys] = name.split('.');
    const loaded: unknown = await areas[area as keyof HandlerAreas]();
    const handler = keys.reduce((node, key) => (node as Record<string, unknown>)[key], loaded) as AnyHandler;
    known.set(name, handler);
    return handler;
  };
  return (name) => known.get(name) ?? load(name);
};

/** behavior: pages.below-one, pages.maximum */
const pageFrom = ({ page, per_page }: Params, sizes: typeof perPage): PageRequest => {
  const number = typeof page === 'number' && page > 0 ? page : 1;
  const size = typeof per_page === 'number' && per_page > 0 ? Math.min(per_page, sizes.max) : sizes.default;
  return { page: number, limit: size, offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER) };
};

const responseFor = (
  endpoint: Endpoint, result: AnyResult, page: PageRequest, url: string, params: () => Params,
): HttpResponse => {
  if (typeof result === 'object' && 'accepted' in result) return jsonResponse(202, result.accepted);
  if (typeof result === 'object' && 'failure' in result) return errorResponse(result.failure, true)!;
  if (endpoint.returns === null) return emptyResponse(endpoint.status);
  if (typeof result === 'object' && 'headers' in result) {
    return jsonResponse(endpoint.status, result.result, result.headers);
  }
  if (!endpoint.paged) return jsonResponse(endpoint.status, result as string);
  const { items, rows } = result as PageOf<unknown>;
  const place = rows === null ? {} : pageHeadersFor(page.page, page.limit, rows, url, params());
  return jsonResponse(endpoint.status, jsonArray(items), place);
};
