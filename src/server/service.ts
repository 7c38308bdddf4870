import { apiPrefix, removedApi, targetLimit } from '../contract/conventions.js';
import { editionOf, holdsIn, type Edition } from '../contract/behavior/fact.js';
import { requestFacts } from '../contract/behavior/requests.js';
import type { Dialect } from '../contract/endpoint.js';
import { isRead, splitTarget, type Handler, type HttpRequest, type HttpResponse, type Service } from '../wire/http.js';
import { createNotesCreateLimit } from './api/rate-limit.js';
import type { Clock } from './clock.js';
import { type ControlAccess, controlPrefix } from './control/access.js';
import { createControl } from './control/control.js';
import type { MatchCustomRoute } from './control/custom-routes.js';
import { createOperations, type Operations, type WorldControls } from './control/operations.js';
import { createFaults, userLookup } from './faults/faults.js';
import { createHooks } from './hooks/deliveries.js';
import type { CreateProxy } from './http/proxy.js';
import { errorResponse, faultResponse, gone, routeNotFound, targetTooLong, withErrors } from './http/response.js';
import { withHostCheck, type HostCheck } from './http/addresses.js';
import {
  layered, type RequestIdOptions, type Sleep, withCommonHeaders, withDate, withLatency, withoutBodyOfHead,
  withRequestId,
} from './http/middleware.js';
import { createRequestLog, type LogBudget, type TracedRequest, withRequestLog } from './http/request-log.js';
import { uploadsPrefix } from './repositories/appearance.js';
import { createWorldCache, type SettingOverrides } from './repositories/world.js';
import type { Overrides } from './overrides.js';
import type { Random } from './random.js';
import { snapshotLimits, type SavedState, type SnapshotBudget } from './control/saved-state.js';
import type { Database } from './store/database.js';
import { createUserTokens, type UserTokens } from './world-file/fill.js';
import type { World } from './world-file/schema.js';
import type { ServerOptions } from './options.js';

/** No rate limit if it is undefined (behavior: limits.rate-default). */
export interface ServiceOptions extends ControlAccess, Pick<ServerOptions,
  'quickActions' | 'latency' | 'allowHooksTo' | 'acceptTokens' | 'rejectUnread' | 'rateLimit' | 'onRequest'
  | 'onFault'> {
  readonly database: Database;
  readonly world: World;
  /** A seeded world, which a reset restores instead because that is faster. */
  readonly template?: SavedState;
  readonly budget?: SnapshotBudget;
  readonly logBudget?: LogBudget;
  readonly dialect: Dialect;
  readonly settings?: SettingOverrides;
  readonly overrides?: Overrides;
  readonly version: string;
  /** Drives timestamps, the expiry of tokens, rate limits and, while it is frozen, the Date header. */
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens?: UserTokens;
  readonly sleep: Sleep;
  readonly timer?: () => number;
  readonly address: () => string;
  readonly name?: string;
  readonly worlds?: WorldControls;
  readonly cacheBytes?: number;
  readonly knowsHost?: HostCheck;
  readonly routes?: MatchCustomRoute;
  readonly createProxy?: CreateProxy;
}

export interface OperatedService extends Service {
  /** A fault of delivery is part of the response. */
  readonly handle: Handler;
  readonly operations: Operations;
  /** For a request that failed before it reached the routes; otherwise like `handle`. */
  readonly reject: (request: HttpRequest, error: unknown) => Promise<HttpResponse>;
}

/** @param create runs once, at the first request */
const createdLater = <R extends HttpRequest>(create: () => Promise<Handler<R>>): Handler<R> => {
  let creating: Promise<void> | undefined;
  let handle: Handler<R> = async (request) => {
    await (creating ??= create().then((created) => { handle = created; }));
    return handle(request);
  };
  return (request) => handle(request);
};

export const createService = (given: ServiceOptions): OperatedService => {
  const state = createState(given);
  const { clock, random, tokens = createUserTokens(), budget = { bytes: snapshotLimits.bytes } } = given;
  const options = { ...given, ...state, budget, tokens, now: clock.now, hex: random.hex };
  const { database, address, proxy } = options;
  const operations = createOperations(options);
  const complete = (handler: Handler) => withCommonHeaders(withErrors(handler), address);
  // A server is ready sooner without the operations.
  const apiRoutes = createdLater(async () => {
    const { createApi } = await import('./api/api.js');
    const { handlers } = await import('./handlers/handlers.js');
    const { overrides, routes: match } = options;
    const findCustomRoute = match && (await import('./control/custom-routes.js')).createCustomRoutes(match, options);
    return createApi({ ...options, perPage: overrides?.perPage, findCustomRoute }, handlers);
  });
  const controlRoutes = complete(withTargetLimit(createControl(options, operations)));
  const uploadRoutes = complete(withTargetLimit(createUploadRoutes(database)));
  const otherRoutes = proxy ? proxy.around(uploadRoutes) : uploadRoutes;
  const routes: Handler<TracedRequest> = (request) => {
    if (isForApi(request)) return apiRoutes(request);
    return request.target.startsWith(controlPrefix) ? controlRoutes(request) : otherRoutes(request);
  };

  const reject: OperatedService['reject'] = (request, error) =>
    withOuterLayers(complete(async () => { throw error; }), options)(request);
  return { handle: withOuterLayers(routes, options), reject, operations };
};

type State = ReturnType<typeof createState>;

const createState = (options: ServiceOptions) => {
  const { clock, random, sleep, address, allowHooksTo: allowed, name, logBudget, onFault } = options;
  const { now } = clock;
  const worldCache = createWorldCache(options.settings);
  const onLateError = (error: unknown) => onFault?.(error, 'of a late change');
  const faults = createFaults(now, sleep, userLookup({ ...options, now, worldCache }), onLateError);
  const hooks = createHooks({
    now, sleep, address, uniqueHex: random.uniqueHex, allowed,
    faultOf: (delivery) => faults.active?.ofHook(delivery) ?? null,
  });
  const log = createRequestLog({ ...name !== undefined && { world: name }, ...logBudget && { budget: logBudget } });
  const counts = new Map<string, number>();
  const notesCreateLimit = createNotesCreateLimit(now);
  const { timer = () => now().getTime() } = options;
  const proxy = options.createProxy?.({ address, now, timer }) ?? null;
  const restart = (): Promise<void> => {
    clock.reset();
    counts.clear();
    notesCreateLimit.reset();
    proxy?.reset();
    return faults.reset();
  };
  const version = options.settings?.version ?? options.world.settings?.version ?? null;
  /** The edition of the last request to the API; a response that is made without the store depends on it. */
  const current: { edition: Edition } = { edition: editionOf(options.dialect, version) };
  return { log, faults, hooks, counts, notesCreateLimit, current, proxy, restart, timer, worldCache };
};

const withOuterLayers = (
  handler: Handler<TracedRequest>, options: ServiceOptions & State,
): Handler => {
  const { clock, random, latency, onRequest, knowsHost = () => true, log, faults, overrides, timer } = options;
  const idFor = (request: HttpRequest) => (isForApi(request) ? random.requestHex : random.uniqueHex)(32);
  const hasMeta = () => holdsIn(requestFacts['requests.meta-header'], options.current.edition);
  const isLogged = (target: string) => !target.startsWith(controlPrefix);
  return withoutBodyOfHead(withRequestLog(layered<TracedRequest>([
    (inner) => overrides ? overrides.changeHeaders(inner, isForApi) : inner,
    (inner) => withDate(inner, clock),
    (inner) => withRequestId(inner, { idFor, hasMeta, onFault: faultReporter(options) }),
    (inner) => latency ? withLatency(inner, latency, faults.delay) : inner,
    (inner) => withHostCheck(inner, knowsHost),
  ], handler), log, { now: clock.now, timer, isLogged, onRequest }));
};

const isForApi = ({ target }: HttpRequest): boolean =>
  target.startsWith(`${apiPrefix}/`) && target.length <= targetLimit;

const withTargetLimit = (inner: Handler): Handler => async (request) => {
  if (request.target.length > targetLimit) throw targetTooLong();
  return inner(request);
};

const createUploadRoutes = (database: Database): Handler => async (request) => {
  const [path] = splitTarget(request.target);
  if (`${path}/`.startsWith(`${removedApi.prefix}/`)) throw gone();
  if (path.startsWith(uploadsPrefix)) {
    const { serveUpload } = await import('./handlers/appearance/images.js');
    return serveUpload(database, request.method, path);
  }
  throw routeNotFound();
};

const faultReporter = ({ address, onFault }: ServiceOptions): RequestIdOptions['onFault'] =>
  async (error, id, request) => {
    const changes = !isRead(request);
    const response = errorResponse(error, changes);
    if (!response) onFault?.(error, id);
    return withCommonHeaders(async () => response ?? faultResponse(error, changes), address)(request);
  };
