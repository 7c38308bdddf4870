import { createHash, timingSafeEqual } from 'node:crypto';
import { openApi } from '../../contract/openapi.js';
import { textOf, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { answer, emptyAnswer } from '../answer.js';
import { beginWith } from '../begin.js';
import { json } from '../json.js';
import { forbidden, refusal, routeNotFound, unauthorized } from '../refusal.js';
import type { RequestLog } from '../request-log.js';
import type { ServiceOptions } from '../service.js';
import { dumpWorld } from '../world/dump.js';
import { emptyDatabase } from '../world/empty.js';
import { WorldError } from '../world/problem.js';
import type { World } from '../world/shape.js';
import { worldFrom } from '../world/text.js';

/** The control plane stands outside the interface, below this prefix. */
export const controlPrefix = '/-/';

type Control = (request: HttpRequest, path: string) => Promise<HttpResponse>;
type Action = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * What a test author steers the server with: health, the requests it saw, its world, its OpenAPI document.
 * A page in a browser can't use it (any `Origin` is refused), nor anyone without the control token where one is set.
 * @throws Refusal
 */
export const createControl = (options: ServiceOptions, log: RequestLog): Control => {
  const refill = async (world: World): Promise<HttpResponse> => {
    await options.database.write(async (queries) => {
      await emptyDatabase(queries);
      await beginWith(queries, world, options);
    });
    log.clear();
    return emptyAnswer(204);
  };
  const actions: Record<string, Action> = {
    'GET /-/health': async () => answer(200, json({ status: 'ok' })),
    'GET /-/openapi.json': async () => answer(200, json(openApi(options.version))),
    'GET /-/requests': async () => answer(200, json(log.all())),
    'POST /-/reset': () => refill(options.world),
    'GET /-/world': async () => answer(200, json(await dumpWorld(options.database))),
    'PUT /-/world': async (request) => refill(worldIn(request)),
  };
  return async (request, path) => {
    if (request.headers['origin'] !== undefined) throw forbidden('The control plane is not for browsers');
    const action = actions[`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`];
    if (!action) throw routeNotFound();
    if (!openToAll.has(path)) checkToken(request, options.controlToken);
    return action(request);
  };
};

const openToAll = new Set(['/-/health', '/-/openapi.json']);

const checkToken = (request: HttpRequest, token: string | undefined): void => {
  if (token === undefined) return;
  const given = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
  if (!timingSafeEqual(digest(given), digest(token))) throw unauthorized();
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A world as YAML or JSON; images by path are for files, not for what comes over a wire. */
const worldIn = (request: HttpRequest): World => {
  try {
    return worldFrom(textOf(request.body ?? ''), 'the request');
  } catch (error) {
    if (error instanceof WorldError) throw refusal(422, error.message);
    throw error;
  }
};
