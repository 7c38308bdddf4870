import type { Edition } from '../../contract/behavior/fact.js';
import { type Handler, type HttpRequest, type HttpResponse, splitTarget, bodyText } from '../../wire/http.js';
import { parseJsonObject } from '../../yaml/limits.js';
import { type Clock, ClockError } from '../clock.js';
import { FaultError, type Faults } from '../faults/faults.js';
import type { Hooks } from '../hooks/deliveries.js';
import {
  badRequest, emptyResponse, httpError, jsonResponse, OperationError, routeNotFound, unauthorized,
} from '../http/errors.js';
import { checkName } from '../http/names.js';
import { json } from '../http/response.js';
import { type WorldProblem, WorldError } from '../world-file/problem.js';
import { checkSender, checkToken, type ControlAccess, hasToken, isOpenToAll } from './access.js';
import { inspectorActions, isInspectorData } from './inspector/inspector.js';
import type { Operations, WorldControls } from './operations.js';
import type { Snapshots } from './saved-state.js';

interface ControlOptions extends ControlAccess {
  readonly version: string;
  readonly address: () => string;
  readonly current: { readonly edition: Edition };
  readonly name?: string;
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
      return jsonResponse(201, json(await operations.push(pushChangeFrom(bodyText(body ?? '')))));
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

/** An empty file is an empty world, but an empty body is more likely a mistake. @throws HttpError */
const demandWorld = (value: unknown): readonly WorldProblem[] => {
  if (value !== null && value !== undefined) return [];
  throw badRequest('the body contains no world; send one as YAML or JSON, or {} for an empty one');
};

/** The world is YAML or JSON; images by path are allowed in files only. @throws HttpError */
const putWorld = async (request: HttpRequest, { setWorld }: Operations): Promise<HttpResponse> => {
  const { worldFrom } = await import('../world-file/load.js');
  try {
    await setWorld(worldFrom(bodyText(request.body ?? ''), 'request body', demandWorld));
    return emptyResponse(204);
  } catch (error) {
    if (error instanceof WorldError) throw httpError(422, error.message);
    throw error;
  }
};

/** `*` at the end of a route stands for the name, which may be any text. */
type ControlAction = (request: HttpRequest, name: string) => Promise<HttpResponse>;

type ControlActions = Readonly<Record<string, ControlAction>>;

const findAction = (
  actions: ControlActions, method: string, path: string,
): ((request: HttpRequest) => Promise<HttpResponse>) | undefined => {
  const verb = method === 'HEAD' ? 'GET' : method;
  const [, folder = '', name = ''] = /^(\/-\/[^/]+\/)(.+)$/.exec(path) ?? [];
  const action = actions[`${verb} ${path}`] ?? (name === '' ? undefined : actions[`${verb} ${folder}*`]);
  return action && ((request) => action(request, name));
};

const snapshotActions = (snapshots: Snapshots): ControlActions => {
  const done = async (operation: Promise<void>) => {
    await operation;
    return emptyResponse(204);
  };
  return {
    'GET /-/snapshots': async () => jsonResponse(200, json(snapshots.list())),
    'PUT /-/snapshots/*': (_request, name) => done(snapshots.take(name)),
    'POST /-/snapshots/*': (_request, name) => done(snapshots.restore(name)),
    'DELETE /-/snapshots/*': (_request, name) => done(snapshots.remove(name)),
  };
};

const faultActions = (faults: Faults): ControlActions => {
  const shown = (): HttpResponse => jsonResponse(200, json(faults.state()));
  const replace: Handler = async ({ body }) => {
    try {
      const { faultsFrom } = await import('../faults/file.js');
      const { rules, seed } = await faultsFrom(bodyText(body ?? ''), 'request body');
      await faults.set(rules, seed);
    } catch (error) {
      if (error instanceof FaultError) throw badRequest(`${error.message}; ${error.hint}`);
      throw error;
    }
    return shown();
  };
  return {
    'GET /-/faults': async () => shown(),
    'PUT /-/faults': replace,
    'DELETE /-/faults': async () => {
      await faults.set([]);
      return emptyResponse(204);
    },
  };
};

const clockActions = (clock: Clock): ControlActions => ({
  'GET /-/clock': async () => jsonResponse(200, json(clock.state())),
  'PUT /-/clock': async ({ body }) => {
    try {
      clock.change(parseClockChange(bodyText(body ?? '')));
    } catch (error) {
      if (error instanceof ClockError) throw badRequest(`${error.message}; ${error.hint}`);
      throw error;
    }
    return jsonResponse(200, json(clock.state()));
  },
});

const parseClockChange = (text: string): unknown => {
  if (!/^\s*"/.test(text)) return parseJsonObject(text);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const hookActions = (hooks: Hooks): ControlActions => ({
  'GET /-/hooks': async (request) => (await import('./requests.js')).deliveriesResponse(request, hooks),
  'POST /-/hooks/*': async (_request, name) => {
    const [, id] = /^(\d{1,15})\/redeliver$/.exec(name) ?? [];
    const delivery = id === undefined ? null : await hooks.redeliver(Number(id));
    if (delivery) return jsonResponse(200, json(delivery));
    throw new OperationError(404, 'there is no such delivery; GET /-/hooks lists the latest ones');
  },
});

const worldActions = (worlds: WorldControls): ControlActions => ({
  'GET /-/worlds': async () => jsonResponse(200, json(await worlds.names())),
  'DELETE /-/worlds/*': async (_request, name) => {
    checkName('world', name);
    if (!await worlds.remove(name)) throw new OperationError(404, `no world is named ${name}`);
    return emptyResponse(204);
  },
});
