import { apiPrefix, removedApi, targetLimit } from '../contract/conventions.js';
import type { Dialect } from '../contract/endpoint.js';
import { isRead, splitTarget, type Handler, type HttpRequest, type Service } from '../wire/http.js';
import { createApi } from './api/api.js';
import { withCache } from './api/cache.js';
import { apiRequest, type ApiRequest } from './api/parameters.js';
import { withRateLimit } from './api/rate-limit.js';
import { serveUpload } from './appearance/uploads.js';
import { controlPrefix, createControl } from './control.js';
import { createClock, type Clock } from './clock.js';
import { userLookup } from './faults/caller.js';
import { createFaults, type Faults } from './faults/faults.js';
import { handlers } from './handlers.js';
import { errorResponse, faultResponse, gone, routeNotFound, targetTooLong, withErrors } from './http/errors.js';
import { withHostCheck, type HostCheck } from './http/hosts.js';
import { withLatency, type Sleep } from './http/latency.js';
import { createRequestLog, withRequestLog, type LoggedRequest, type TracedRequest } from './http/request-log.js';
import {
  withCommonHeaders, withDate, withEtag, withNotModified, withoutBodyOfHead, withRequestId, type RequestIdOptions,
} from './http/response-headers.js';
import { uploadsPrefix } from './repositories/appearance.js';
import { createRandom, type Random } from './random.js';
import { hasToken } from './repositories/world.js';
import type { Database } from './store/database.js';
import type { World } from './world/schema.js';

/** The dependencies of a service. */
export interface ServiceOptions {
  readonly database: Database;
  /** The world that `POST /-/reset` restores. */
  readonly world: World;
  readonly dialect: Dialect;
  /** The version of Colloquy, for its OpenAPI document. */
  readonly version: string;
  readonly now: () => Date;
  /** The clock behind `now`, which the control plane can set. */
  readonly clock?: Clock;
  readonly sleep: Sleep;
  /** A clock for durations, in milliseconds from any start; default: `now`. */
  readonly timer?: () => number;
  /** Random hexadecimal text of a length. */
  readonly hex: (length: number) => string;
  /** The random texts behind `hex`. */
  readonly random?: Random;
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
  /** Whether a Host header names this server; any does if undefined. */
  readonly knowsHost?: HostCheck;
  /** Receives every handled request. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Receives every internal error. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** A service, and its state besides the store. Its handler returns a fault of delivery as part of the response. */
export interface CreatedService extends Service { readonly faults: Faults; readonly clock: Clock }

/** The service: middleware around the API and the other routes. */
export const createService = (given: ServiceOptions): CreatedService => {
  const { clock = createClock(given.now), random = createRandom(undefined, given.hex) } = given;
  const options = { ...given, clock, random, now: clock.now, hex: random.hex, uniqueHex: random.uniqueHex };
  const { database, now, sleep, address, latency, onRequest } = options;
  const { timer = () => now().getTime(), knowsHost = () => true } = options;
  const log = createRequestLog();
  const faults = createFaults({
    now, sleep, userOf: userLookup(database, now), onLateError: (error) => options.onFault?.(error, 'of a late change'),
  });
  const counts = new Map<string, number>();
  const complete = <R extends HttpRequest>(handler: Handler<R>) => withCommonHeaders(withErrors(handler), address);

  const api = limited(options, counts,
    withNotModified(withCache(withEtag(complete(createApi(options, handlers))), database, now)));
  const restart = (): Promise<void> => {
    clock.reset();
    counts.clear();
    return faults.reset();
  };
  const faulty: Handler<ApiRequest> = (request) => faults.active ? faults.active.handle(request, api) : api(request);
  const others = complete(besideApi(database, createControl({ ...options, faults, restart }, log)));
  const routes: Handler<TracedRequest> = (request) => isForApi(request) ? faulty(apiRequest(request)) : others(request);

  const idFor = (request: HttpRequest) => (isForApi(request) ? random.requestHex : random.uniqueHex)(32);
  const identified = withDate(
    withRequestId(withHostCheck(routes, knowsHost), { idFor, onFault: faultReporter(options) }), clock);
  const isLogged = (target: string) => !target.startsWith(controlPrefix);
  const delayed = latency ? withLatency(identified, latency, sleep) : identified;
  const handle = withoutBodyOfHead(withRequestLog(delayed, log, { now, timer, isLogged, onRequest }));
  return { handle, faults, clock };
};

const isForApi = ({ target }: HttpRequest): boolean =>
  target.startsWith(`${apiPrefix}/`) && target.length <= targetLimit;

const limited = (
  { database, now, rateLimit: perMinute }: ServiceOptions, counts: Map<string, number>, api: Handler<ApiRequest>,
): Handler<ApiRequest> => perMinute === undefined ? api : withRateLimit(api, {
  perMinute, now, counts, isToken: (digest) => database.read((queries) => hasToken(queries, digest)),
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
