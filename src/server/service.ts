import { hash } from 'node:crypto';
import { apiPrefix, goneApi, sudoName, targetLimit, tokenHeader } from '../contract/conventions.js';
import type { HttpRequest, HttpResponse } from '../wire/http.js';
import { answerOfError, answerOfFault } from './answer.js';
import { finished, withHeaders } from './answer-headers.js';
import { createAnswerCache, type Grounds } from './answer-cache.js';
import { createApi } from './api.js';
import { tagged, unlessKnown } from './conditional.js';
import { controlPrefix, createControl } from './control/control.js';
import type { Dialect } from './dialect.js';
import { unknownHost, type KnowsHost } from './hosts.js';
import { parametersOf, type Parameters } from './parameters.js';
import { createRateLimit } from './rate-limit.js';
import { hasToken } from './records/people.js';
import { gone, routeNotFound, targetTooLong } from './refusal.js';
import { createRequestLog, type LoggedRequest } from './request-log.js';
import type { Database } from './store/database.js';
import { serveUpload, uploadsPrefix } from './uploads.js';
import type { World } from './world/shape.js';

/** Everything a service needs; nothing is looked for elsewhere. */
export interface ServiceOptions {
  readonly database: Database;
  /** What `POST /-/reset` goes back to. */
  readonly world: World;
  readonly dialect: Dialect;
  /** The version of Colloquy, for its OpenAPI document. */
  readonly version: string;
  readonly now: () => Date;
  /** Random hexadecimal text of a length. */
  readonly hex: (length: number) => string;
  /** The address the service is known by, without a slash at the end. */
  readonly address: () => string;
  /** Requests a minute for each token; unlimited when left out. */
  readonly rateLimit?: number;
  /** The bearer token of the control plane. Without it the plane is closed where `isRemote`, and to proxies. */
  readonly controlToken?: string;
  /** Whether other machines can reach the service: then no token is public knowledge, and the control plane closed. */
  readonly isRemote?: boolean;
  /** Whether the value of a Host header names this server; any does when left out. */
  readonly knowsHost?: KnowsHost;
  /** Told of every request that was answered. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Told of every error that is a fault of the server. */
  readonly onFault?: (error: unknown, requestId: string) => void;
}

/** The reference server without a socket: a function from request to answer that never throws. */
export interface Service { handle(request: HttpRequest): Promise<HttpResponse> }

export const createService = (options: ServiceOptions): Service => {
  const api = createApi(options);
  const log = createRequestLog();
  const control = createControl(options, log);
  const { database } = options;
  const cache = createAnswerCache(database);
  const rateLimit = options.rateLimit === undefined ? null : createRateLimit({
    perMinute: options.rateLimit, now: options.now,
    isToken: (digest) => database.read((queries) => hasToken(queries, digest)),
  });

  const callApi = async (request: HttpRequest, path: string, parameters: Parameters): Promise<HttpResponse> => {
    const key = cacheKey(request);
    const kept = key === null ? null : await cache.find(key, options.now());
    if (kept) return unlessKnown(request, kept);
    const stamp = key === null ? null : database.stamp();
    let grounds: Grounds | null = null;
    const response = finished(await attempt(request, async () => {
      const made = await api(request, path, parameters);
      grounds = made.grounds;
      return made.response;
    }), options.address());
    if (response.status !== 200 || !isReading(request)) return response;
    const answered = tagged(response);
    if (key !== null && grounds !== null) cache.keep(key, answered, grounds, stamp);
    return unlessKnown(request, answered);
  };

  const route = async (request: HttpRequest): Promise<HttpResponse> => {
    const [path, query] = split(request.target);
    const { host } = request.headers;
    const isOurs = host === undefined || options.knowsHost?.(host) !== false;
    const isTooLong = request.target.length > targetLimit;
    if (isOurs && !isTooLong && path.startsWith(`${apiPrefix}/`)) {
      const parameters = parametersOf(request, query);
      const called = () => callApi(request, path, parameters);
      return rateLimit ? rateLimit(request, parameters, called) : called();
    }
    const other = async (): Promise<HttpResponse> => {
      if (!isOurs) throw unknownHost();
      if (isTooLong) throw targetTooLong();
      if (`${path}/`.startsWith(`${goneApi.prefix}/`)) throw gone();
      if (path.startsWith(uploadsPrefix)) return serveUpload(database, request.method, path);
      if (path.startsWith(controlPrefix)) return control(request, path);
      throw routeNotFound();
    };
    return finished(await attempt(request, other), options.address());
  };

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const id = options.hex(32);
    const response = withHeaders(await route(request).catch((error: unknown) => fault(error, id, request)), {
      'x-request-id': id, 'x-gitlab-meta': `{"correlation_id":"${id}","version":"1"}`,
    });
    if (!request.target.startsWith(controlPrefix)) {
      log.add(id, options.now(), request, response.status);
      options.onRequest?.(log.last()!);
    }
    return request.method === 'HEAD' ? { ...response, body: '' } : response;
  };

  const fault = (error: unknown, id: string, request: HttpRequest): HttpResponse => {
    const refused = answerOfError(error, !isReading(request));
    if (!refused) options.onFault?.(error, id);
    return finished(refused ?? answerOfFault(error, !isReading(request)), options.address());
  };

  return { handle };
};

const isReading = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD';

/** What tells requests apart whose answers may be kept: the target and everything that can name the caller. */
const cacheKey = (request: HttpRequest): string | null => {
  const { headers, target } = request;
  if (!isReading(request)) return null;
  const credentials = [headers[tokenHeader], headers['authorization'], headers[sudoName]].join('\n');
  return hash('sha256', `${credentials}\n${target}`, 'base64');
};

/** Runs a route; what it refuses becomes an answer, a fault travels on. */
const attempt = async (request: HttpRequest, work: () => Promise<HttpResponse>): Promise<HttpResponse> => {
  try {
    return await work();
  } catch (error) {
    const refused = answerOfError(error, !isReading(request));
    if (!refused) throw error;
    return refused;
  }
};

const split = (target: string): [string, string] => {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
};
