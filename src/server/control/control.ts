import { createHash, timingSafeEqual } from 'node:crypto';
import type { Edition } from '../../contract/behavior/fact.js';
import { isRead, splitTarget, textOf, type Handler, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { bearerOf } from '../api/authenticate.js';
import { eventHeader } from '../hooks/rules.js';
import { findAction, type ControlActions } from './actions.js';
import { clockActions } from './clock.js';
import { faultActions } from './faults.js';
import { hookActions } from './hooks.js';
import { inspectorActions, isInspectorData, isInspectorFile } from './inspector/inspector.js';
import type { InspectorKey } from './inspector/key.js';
import { snapshotActions } from './snapshots.js';
import { worldActions, type WorldControls } from './worlds.js';
import {
  badRequest, emptyResponse, forbidden, httpError, jsonResponse, routeNotFound, unauthorized, withErrors,
} from '../http/errors.js';
import { json } from '../http/json.js';
import { placeOf, worldPrefix } from '../http/names.js';
import { withCommonHeaders, withoutBodyOfHead } from '../http/response-headers.js';
import type { Operations } from './operations.js';
import { WorldError, type Problem } from '../world-file/problem.js';

/** Outside the API. */
export const controlPrefix = '/-/';

export interface ControlAccess {
  /** Without it the control plane is closed if `isRemote`, and to requests through proxies. */
  readonly controlToken?: string;
  readonly inspector?: InspectorKey;
  /** Other machines can reach the service: then tokens are secret, and the control plane is closed. */
  readonly isRemote?: boolean;
}

interface ControlOptions extends ControlAccess {
  /** For the OpenAPI document and HTTP archives. */
  readonly version: string;
  readonly address: () => string;
  readonly current: { readonly edition: Edition };
  /** Undefined for the start world. */
  readonly name?: string;
  /** Only in the start world. */
  readonly worlds?: WorldControls;
}

/**
 * Closed to webhooks, to pages of other origins, and to requests without a token if a control token is set, if other
 * machines can reach the server, or through a proxy. Requests with an `Origin` and those of the inspector always need a
 * token.
 * @throws HttpError, OperationError
 */
export const createControl = (options: ControlOptions, operations: Operations): Handler => {
  const { worlds } = options;
  const actions: ControlActions = {
    'GET /-/health': async () => jsonResponse(200, json({ status: 'ok' })),
    'GET /-/openapi.json': async () => {
      const { openApi } = await import('../../contract/openapi.js');
      return jsonResponse(200, json(openApi(options.version)));
    },
    'GET /-/requests': async (request) => {
      const { requestsResponse } = await import('./requests.js');
      return requestsResponse(request, operations.requests, options);
    },
    'GET /-/assumptions': async () => {
      const { behavior } = await import('../../contract/behavior/behavior.js');
      return jsonResponse(200, json(behavior));
    },
    'POST /-/reset': async () => {
      await operations.reset();
      return emptyResponse(204);
    },
    'GET /-/world': async () => jsonResponse(200, json(await operations.world())),
    'POST /-/push': async ({ body }) => {
      const { pushChangeFrom } = await import('./push.js');
      return jsonResponse(201, json(await operations.push(pushChangeFrom(textOf(body ?? '')))));
    },
    'PUT /-/world': (request) => putWorld(request, operations),
    ...snapshotActions(operations.snapshots),
    ...faultActions(operations.faults),
    ...clockActions(operations.clock),
    ...hookActions(operations.hooks),
    ...inspectorActions(operations, options),
    ...worlds && worldActions(worlds),
  };
  return async (request) => {
    const [path] = splitTarget(request.target);
    checkSender(request, options);
    const action = findAction(actions, request.method, path);
    if (!action) throw routeNotFound();
    if (!isOpenToAll(path)) checkToken(request, options);
    // Browsers send no Origin when a page reads from its own server: with a wrong token it would show everything.
    if (isInspectorData(path) && !hasToken(request.headers, options)) throw unauthorized();
    return action(request);
  };
};

/** @throws HttpError for a request that may not use the closed part */
export const checkControlAccess = (request: HttpRequest, options: ControlAccess): void => {
  checkSender(request, options);
  checkToken(request, options);
};

/** A webhook could name any address of the server, so the address does not tell. */
const checkSender = (request: HttpRequest, options: ControlAccess): void => {
  if (request.headers[eventHeader.toLowerCase()] !== undefined) throw forbidden('The control plane rejects webhooks');
  checkOrigin(request, options);
};

/** Browsers send it with whatever changes something. Only the server's own page has the token. */
const checkOrigin = ({ headers }: HttpRequest, options: ControlAccess): void => {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const isOwn = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
  if (!isOwn) throw forbidden('The control plane rejects requests from pages of other origins');
  if (!hasToken(headers, options)) throw unauthorized();
};

const hasToken = (headers: HttpRequest['headers'], { controlToken, inspector }: ControlAccess): boolean => {
  const given = bearerOf(headers);
  return given !== null && [controlToken, inspector?.token].some((token) =>
    token !== undefined && timingSafeEqual(digest(given), digest(token)));
};

/**
 * A page of another origin cannot read what it requests, as with an image or a form, but its requests would make
 * worlds, fill the log and use up faults. They reach nothing but what is open to all.
 */
export const withoutForeignPages = (handler: Handler, address: () => string): Handler => {
  const reject = withoutBodyOfHead(withCommonHeaders(withErrors(() => Promise.reject(foreignPage())), address));
  return (request) => isOfForeignPage(request.headers) && !isOpenRead(request) ? reject(request) : handler(request);
};

/** Browsers say it of every request (W3C Fetch Metadata); `none` is an address that the user entered. */
const isOfForeignPage = ({ 'sec-fetch-site': site }: HttpRequest['headers']): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const isOpenRead = ({ method, target }: HttpRequest): boolean => isRead({ method })
  && isOpenToAll(splitTarget(target.startsWith(worldPrefix) ? placeOf(target).target : target)[0]);

const foreignPage = () => forbidden('The request came from a page of another origin; '
  + 'send it without a browser, or from a page of this server');

export const isOpenToAll = (path: string): boolean => openToAll.has(path) || isInspectorFile(path);

const openToAll = new Set(['/-/health', '/-/openapi.json', '/-/assumptions']);

/** Does not trust the caller's address: behind a proxy all callers are local. */
const checkToken = ({ headers }: HttpRequest, options: ControlAccess): void => {
  if (hasToken(headers, options)) return;
  const { controlToken, isRemote } = options;
  if (controlToken === undefined) {
    if (isRemote) throw closed('other machines can reach this server');
    if (isForwarded(headers)) throw closed('the request came through a proxy');
    return;
  }
  throw unauthorized();
};

const closed = (why: string) => forbidden(`The control plane is closed: ${why}, and no control token is set`);

/** RFC 7239, RFC 9110 7.6.3, and the headers in common use. */
const isForwarded = (headers: HttpRequest['headers']): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/.test(name));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** An empty file is an empty world, but an empty body is more likely a mistake. @throws HttpError */
const demandWorld = (value: unknown): readonly Problem[] => {
  if (value !== null && value !== undefined) return [];
  throw badRequest('the body contains no world; send one as YAML or JSON, or {} for an empty one');
};

/** YAML or JSON; images by path are allowed in files only. @throws HttpError */
const putWorld = async (request: HttpRequest, { setWorld }: Operations): Promise<HttpResponse> => {
  const { worldFrom } = await import('../world-file/load.js');
  try {
    await setWorld(worldFrom(textOf(request.body ?? ''), 'request body', demandWorld));
    return emptyResponse(204);
  } catch (error) {
    if (error instanceof WorldError) throw httpError(422, error.message);
    throw error;
  }
};
