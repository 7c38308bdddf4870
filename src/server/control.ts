import { createHash, timingSafeEqual } from 'node:crypto';
import { openApi } from '../contract/openapi.js';
import { splitTarget, textOf, type Handler, type HttpRequest, type HttpResponse } from '../wire/http.js';
import { bearerOf } from './api/authenticate.js';
import {
  badRequest, emptyResponse, forbidden, httpError, jsonResponse, routeNotFound, unauthorized,
} from './http/errors.js';
import { json } from './http/json.js';
import type { RequestLogs } from './requests/find.js';
import type { Database } from './store/database.js';
import { dumpWorld } from './world/dump.js';
import { worldFrom } from './world/load.js';
import { WorldError, type Problem } from './world/problem.js';
import type { World } from './world/schema.js';
import { emptyDatabase, seedTables, type Seeding } from './world/served.js';

/** The control plane is outside the API, under this prefix. */
export const controlPrefix = '/-/';

/** The dependencies of the control plane. */
export interface ControlOptions extends Seeding {
  readonly database: Database;
  /** The world that `POST /-/reset` restores. */
  readonly world: World;
  /** The version of Colloquy, for its OpenAPI document and HTTP archives. */
  readonly version: string;
  /** The public address of the service, without a trailing slash. */
  readonly address: () => string;
  /**
   * The bearer token of the control plane. Without it the control plane is closed if `isRemote`, and to requests
   * through proxies.
   */
  readonly controlToken?: string;
  /** Whether other machines can reach the service: then tokens are secret, and the control plane is closed. */
  readonly isRemote?: boolean;
}

/**
 * The control plane for tests: health, received requests, the world, the OpenAPI document. Closed to web pages (any
 * `Origin` is rejected), and to requests without the control token if one is set, if other machines can reach the
 * server, or through a proxy.
 * @throws HttpError
 */
export const createControl = (options: ControlOptions, logs: RequestLogs): Handler => {
  const refill = async (world: World): Promise<HttpResponse> => {
    await options.database.writeExclusively(async (queries) => {
      await emptyDatabase(queries);
      await seedTables(queries, world, options);
    });
    logs.own.clear();
    return emptyResponse(204);
  };
  const actions: Record<string, Handler> = {
    'GET /-/health': async () => jsonResponse(200, json({ status: 'ok' })),
    'GET /-/openapi.json': async () => jsonResponse(200, json(openApi(options.version))),
    'GET /-/requests': async (request) => {
      const { requestsResponse } = await import('./control/requests.js');
      return requestsResponse(request, { logs, address: options.address, version: options.version });
    },
    'GET /-/assumptions': async () => {
      const { assumptions } = await import('../contract/assumptions.js');
      return jsonResponse(200, json(assumptions()));
    },
    'POST /-/reset': () => refill(options.world),
    'GET /-/world': async () => jsonResponse(200, json(await dumpWorld(options.database))),
    'PUT /-/world': async (request) => refill(worldIn(request, options)),
  };
  return async (request) => {
    const [path] = splitTarget(request.target);
    if (request.headers['origin'] !== undefined) throw forbidden('The control plane rejects requests from browsers');
    const action = actions[`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`];
    if (!action) throw routeNotFound();
    if (!openToAll.has(path)) checkToken(request, options);
    return action(request);
  };
};

const openToAll = new Set(['/-/health', '/-/openapi.json', '/-/assumptions']);

/** Does not trust the caller's address: behind a proxy all callers are local. */
const checkToken = ({ headers }: HttpRequest, { controlToken, isRemote }: ControlOptions): void => {
  if (controlToken === undefined) {
    if (isRemote) throw closed('other machines can reach this server');
    if (isForwarded(headers)) throw closed('the request came through a proxy');
    return;
  }
  const given = bearerOf(headers);
  if (given === null || !timingSafeEqual(digest(given), digest(controlToken))) throw unauthorized();
};

const closed = (why: string) => forbidden(`The control plane is closed: ${why}, and no control token is set`);

/** Whether a proxy forwarded the request: RFC 7239, RFC 9110 7.6.3, and the headers in common use. */
const isForwarded = (headers: HttpRequest['headers']): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/.test(name));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * An empty file is an empty world, but an empty body is more likely a mistake, and would delete everything.
 * @throws HttpError 400
 */
const demandWorld = (value: unknown): readonly Problem[] => {
  if (value !== null && value !== undefined) return [];
  throw badRequest('the body contains no world; send one as YAML or JSON, or {} for an empty one');
};

/** Parses a world in YAML or JSON; images by path are allowed in files only. */
const worldIn = (request: HttpRequest, { isRemote }: ControlOptions): World => {
  try {
    const world = worldFrom(textOf(request.body ?? ''), 'request body', demandWorld);
    if (isRemote && !world.users?.length) {
      throw new WorldError('a world without users gets an administrator with a publicly known token', 'add users');
    }
    return world;
  } catch (error) {
    if (error instanceof WorldError) throw httpError(422, error.message);
    throw error;
  }
};
