import { apiPrefix, removedApi, targetLimit } from '../contract/conventions.js';
import type { Dialect } from '../contract/endpoint.js';
import { isRead, splitTarget, type Handler, type HttpRequest, type HttpResponse, type Service } from '../wire/http.js';
import { createApi } from './api/api.js';
import { withCache } from './api/cache.js';
import { apiRequest, type ApiRequest } from './api/parameters.js';
import { withRateLimit } from './api/rate-limit.js';
import { serveUpload } from './appearance/uploads.js';
import { controlPrefix, createControl } from './control.js';
import type { WorldControls } from './control/worlds.js';
import { handlers } from './handlers.js';
import { errorResponse, faultResponse, gone, routeNotFound, targetTooLong, withErrors } from './http/errors.js';
import { withHostCheck, type HostCheck } from './http/hosts.js';
import { withLatency, type Sleep } from './http/latency.js';
import { createRequestLog, withRequestLog, type LoggedRequest, type TracedRequest } from './http/request-log.js';
import {
  withCommonHeaders, withEtag, withNotModified, withoutBodyOfHead, withRequestId, type RequestIdOptions,
} from './http/response-headers.js';
import { uploadsPrefix } from './repositories/appearance.js';
import { hasToken } from './repositories/world.js';
import { createOperations, type Operations } from './operations.js';
import type { RandomStream } from './random.js';
import { snapshotLimits, type SavedState, type SnapshotBudget } from './snapshots.js';
import type { Database } from './store/database.js';
import type { World } from './world/schema.js';

/** The dependencies of a service. */
export interface ServiceOptions extends RandomStream {
  readonly database: Database;
  /** The world that a reset restores. */
  readonly world: World;
  /** The state that a reset restores instead: that of a seeded world, which is faster to copy. */
  readonly template?: SavedState;
  /** The memory that its snapshots share with those of other services; default: memory of its own. */
  readonly budget?: SnapshotBudget;
  readonly dialect: Dialect;
  /** The version of Colloquy, for its OpenAPI document. */
  readonly version: string;
  readonly now: () => Date;
  readonly sleep: Sleep;
  /** A clock for durations, in milliseconds from any start; default: `now`. */
  readonly timer?: () => number;
  /** The public address of the service, without a trailing slash. */
  readonly address: () => string;
  /** Delay of every API request in milliseconds. */
  readonly latency?: number;
  /** Requests per minute and token; unlimited if undefined. */
  readonly rateLimit?: number;
  /**
   * The bearer token of the control plane. Without it the control plane is closed if `isRemote`, and to requests
   * through proxies.
   */
  readonly controlToken?: string;
  /** Whether other machines can reach the service: then tokens are secret, and the control plane is closed. */
  readonly isRemote?: boolean;
  /** The name of its world below `/w/`; undefined for the start world. */
  readonly name?: string;
  /** The worlds below `/w/`, for the control plane of the start world. */
  readonly worlds?: WorldControls;
  /** The most bytes of cached responses. */
  readonly cacheBytes?: number;
  /** Whether a Host header names this server; any does if undefined. */
  readonly knowsHost?: HostCheck;
  /** Receives every handled request. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Receives every internal error. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** A service and what can be done with it besides sending requests. */
export interface OperatedService extends Service {
  readonly operations: Operations;
  /** Responds to a request that failed before it reached the routes; otherwise like `handle`. */
  readonly reject: (request: HttpRequest, error: unknown) => Promise<HttpResponse>;
}

/** The service: middleware around the API and the other routes. */
export const createService = (options: ServiceOptions): OperatedService => {
  const { database, now, sleep, hex, address, latency, onRequest } = options;
  const { timer = () => now().getTime(), knowsHost = () => true } = options;
  const log = createRequestLog(options.name);
  const complete = <R extends HttpRequest>(handler: Handler<R>) => withCommonHeaders(withErrors(handler), address);

  const api = limited(options,
    withNotModified(withCache(withEtag(complete(createApi(options, handlers))), database, now, options.cacheBytes)));
  const { budget = { bytes: snapshotLimits.bytes } } = options;
  const operations = createOperations({ ...options, budget }, log);
  const others = complete(besideApi(database, createControl(options, operations)));
  const routes: Handler<TracedRequest> = (request) => isForApi(request) ? api(apiRequest(request)) : others(request);

  const isLogged = (target: string) => !target.startsWith(controlPrefix);
  const around = (handler: Handler<TracedRequest>): Handler => {
    const identified = withRequestId(withHostCheck(handler, knowsHost), { hex, onFault: faultReporter(options) });
    const delayed = latency ? withLatency(identified, latency, sleep) : identified;
    return withoutBodyOfHead(withRequestLog(delayed, log, { now, timer, isLogged, onRequest }));
  };
  const reject: OperatedService['reject'] = (request, error) =>
    around(complete(async () => { throw error; }))(request);
  return { handle: around(routes), reject, operations };
};

const isForApi = ({ target }: HttpRequest): boolean =>
  target.startsWith(`${apiPrefix}/`) && target.length <= targetLimit;

const limited = (
  { database, now, rateLimit: perMinute }: ServiceOptions, api: Handler<ApiRequest>,
): Handler<ApiRequest> => perMinute === undefined ? api : withRateLimit(api, {
  perMinute, now, isToken: (digest) => database.read((queries) => hasToken(queries, digest)),
});

/** Stored images and the control plane. @throws HttpError */
const besideApi = (database: Database, control: Handler): Handler => async (request) => {
  const [path] = splitTarget(request.target);
  if (request.target.length > targetLimit) throw targetTooLong();
  if (`${path}/`.startsWith(`${removedApi.prefix}/`)) throw gone();
  if (path.startsWith(uploadsPrefix)) return serveUpload(database, request.method, path);
  if (path.startsWith(controlPrefix)) return control(request);
  throw routeNotFound();
};

const faultReporter = ({ address, onFault }: ServiceOptions): RequestIdOptions['onFault'] =>
  async (error, id, request) => {
    const changes = !isRead(request);
    const response = errorResponse(error, changes);
    if (!response) onFault?.(error, id);
    return withCommonHeaders(async () => response ?? faultResponse(error, changes), address)(request);
  };
