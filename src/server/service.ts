import { apiPrefix, removedApi, targetLimit } from '../contract/conventions.js';
import type { Dialect } from '../contract/endpoint.js';
import { isRead, splitTarget, type Handler, type HttpRequest, type Service } from '../wire/http.js';
import { createApi } from './api/api.js';
import { withCache } from './api/cache.js';
import { apiRequest, type ApiRequest } from './api/parameters.js';
import { withRateLimit } from './api/rate-limit.js';
import { serveUpload } from './appearance/uploads.js';
import { controlPrefix, createControl } from './control.js';
import { handlers } from './handlers.js';
import { errorResponse, faultResponse, gone, routeNotFound, targetTooLong, withErrors } from './http/errors.js';
import { withHostCheck, type HostCheck } from './http/hosts.js';
import { withLatency, type Sleep } from './http/latency.js';
import {
  createRequestLog, withRequestLog, type LoggedRequest, type RequestLog, type TracedRequest,
} from './http/request-log.js';
import {
  withCommonHeaders, withEtag, withNotModified, withoutBodyOfHead, withRequestId, type RequestIdOptions,
} from './http/response-headers.js';
import { uploadsPrefix } from './repositories/appearance.js';
import { hasToken, type SettingOverrides } from './repositories/world.js';
import type { Database } from './store/database.js';
import type { World } from './world/schema.js';

/** The dependencies of a service. */
export interface ServiceOptions {
  readonly database: Database;
  /** The world that `POST /-/reset` restores. */
  readonly world: World;
  readonly dialect: Dialect;
  /** Whether quick actions are taken out of the texts of notes; default: in the live dialect. */
  readonly quickActions?: boolean;
  /** Override the settings of the world. */
  readonly settings?: SettingOverrides;
  /** The version of Colloquy, for its OpenAPI document. */
  readonly version: string;
  readonly now: () => Date;
  readonly sleep: Sleep;
  /** A clock for durations, in milliseconds from any start; default: `now`. */
  readonly timer?: () => number;
  /** Random hexadecimal text of a length. */
  readonly hex: (length: number) => string;
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
  /** The log of its requests; default: a new one. */
  readonly log?: RequestLog;
  /** The logs of other worlds, by name. */
  readonly logOf?: (world: string) => RequestLog | undefined;
  /** Receives every handled request. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Receives every internal error. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** The service: middleware around the API and the other routes. */
export const createService = (options: ServiceOptions): Service => {
  const { database, now, sleep, hex, address, latency, onRequest } = options;
  const { timer = () => now().getTime(), knowsHost = () => true, log = createRequestLog(), logOf } = options;
  const complete = <R extends HttpRequest>(handler: Handler<R>) => withCommonHeaders(withErrors(handler), address);

  const api = limited(options,
    withNotModified(withCache(withEtag(complete(createApi(options, handlers))), database, now)));
  const others = complete(besideApi(database, createControl(options, { own: log, ...(logOf && { of: logOf }) })));
  const routes: Handler<TracedRequest> = (request) => isForApi(request) ? api(apiRequest(request)) : others(request);

  const identified = withRequestId(withHostCheck(routes, knowsHost), { hex, onFault: faultReporter(options) });
  const isLogged = (target: string) => !target.startsWith(controlPrefix);
  const delayed = latency ? withLatency(identified, latency, sleep) : identified;
  return { handle: withoutBodyOfHead(withRequestLog(delayed, log, { now, timer, isLogged, onRequest })) };
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
