import type { Edition } from '../../contract/behavior/fact.js';
import { type Handler, type HttpRequest, type HttpResponse, splitTarget, bodyText } from '../../wire/http.js';
import { parseJsonObject } from '../../yaml/limits.js';
import { type Clock, ClockError } from '../clock.js';
import type { Faults } from '../faults/faults.js';
import { FaultError, faultsFrom } from '../faults/file.js';
import type { Hooks } from '../hooks/deliveries.js';
import {
  badRequest, emptyResponse, httpError, json, jsonResponse, OperationError, routeNotFound, unauthorized,
} from '../http/response.js';
import { checkName } from '../http/addresses.js';
import { type WorldProblem, WorldError } from '../world-file/problem.js';
import { checkSender, checkToken, type ControlAccess, hasToken, isOpenToAll } from './access.js';
import { inspectorActions, isInspectorData } from './inspector/inspector.js';
import type { Operations, WorldControls } from './operations.js';
import type { Snapshots } from './saved-state.js';
import { parsedJson } from '../../wire/json.js';

/** `*` at the end of a route stands for the name, which may be any text. */
type ControlAction = (request: HttpRequest, name: string) => Promise<HttpResponse>;

type ControlActions = Readonly<Record<string, ControlAction>>;

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
    'GET /-/health': async () => shown({ status: 'ok' }),
    'GET /-/openapi.json': async () => shown((await import('../../contract/openapi.js')).openApi(options.version)),
    'GET /-/requests': async (request) =>
      (await import('./requests.js')).requestsResponse(request, operations.requests, options),
    'GET /-/assumptions': async () => shown((await import('../../contract/behavior/behavior.js')).behavior),
    'POST /-/reset': () => empty(operations.reset()),
    'GET /-/world': async () => shown(await operations.world()),
    'POST /-/push': async (request) => {
      const { pushChangeFrom } = await import('./push.js');
      return jsonResponse(201, json(await operations.push(pushChangeFrom(textIn(request)))));
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

const shown = (value: unknown): HttpResponse => jsonResponse(200, json(value));

const empty = async (operation: Promise<void>): Promise<HttpResponse> => {
  await operation;
  return emptyResponse(204);
};

const textIn = ({ body = '' }: HttpRequest): string => bodyText(body);

/** An empty file is an empty world, but an empty body is more likely a mistake. @throws HttpError */
const demandWorld = (value: unknown): readonly WorldProblem[] => {
  if (value !== null && value !== undefined) return [];
  throw badRequest('the body contains no world; send one as YAML or JSON, or {} for an empty one');
};

/** The world is YAML or JSON; images by path are allowed in files only. @throws HttpError */
const putWorld = async (request: HttpRequest, { setWorld }: Operations): Promise<HttpResponse> => {
  const { worldFrom } = await import('../world-file/load.js');
  try {
    return await empty(setWorld(worldFrom(textIn(request), 'request body', demandWorld)));
  } catch (error) {
    if (error instanceof WorldError) throw httpError(422, error.message);
    throw error;
  }
};

const findAction = (
  actions: ControlActions, method: string, path: string,
): ((request: HttpRequest) => Promise<HttpResponse>) | undefined => {
  const verb = method === 'HEAD' ? 'GET' : method;
  const [, folder = '', name = ''] = /^(\/-\/[^/]+\/)(.+)$/.exec(path) ?? [];
  const action = actions[`${verb} ${path}`] ?? (name === '' ? undefined : actions[`${verb} ${folder}*`]);
  return action && ((request) => action(request, name));
};

const snapshotActions = (snapshots: Snapshots): ControlActions => ({
  'GET /-/snapshots': async () => shown(snapshots.list()),
  'PUT /-/snapshots/*': (_request, name) => empty(snapshots.take(name)),
  'POST /-/snapshots/*': (_request, name) => empty(snapshots.restore(name)),
  'DELETE /-/snapshots/*': (_request, name) => empty(snapshots.remove(name)),
});

const faultActions = (faults: Faults): ControlActions => ({
  'GET /-/faults': async () => shown(faults.state()),
  'PUT /-/faults': async (request) => {
    const { rules, seed } = await faultsFrom(textIn(request), 'request body').catch(rejectChange);
    await faults.set(rules, seed).catch(rejectChange);
    return shown(faults.state());
  },
  'DELETE /-/faults': () => empty(faults.set([])),
});

const rejectChange = (error: unknown): never => {
  if (error instanceof FaultError || error instanceof ClockError) throw badRequest(error.message);
  throw error;
};

const clockActions = (clock: Clock): ControlActions => ({
  'GET /-/clock': async () => shown(clock.state()),
  'PUT /-/clock': async (request) => {
    try {
      const text = textIn(request);
      clock.change(/^\s*"/.test(text) ? parsedJson(text) : parseJsonObject(text));
    } catch (error) {
      rejectChange(error);
    }
    return shown(clock.state());
  },
});

const hookActions = (hooks: Hooks): ControlActions => ({
  'GET /-/hooks': async (request) => (await import('./requests.js')).deliveriesResponse(request, hooks),
  'POST /-/hooks/*': async (_request, name) => {
    const [, id] = /^(\d{1,15})\/redeliver$/.exec(name) ?? [];
    const delivery = id === undefined ? null : await hooks.redeliver(Number(id));
    if (delivery) return shown(delivery);
    throw new OperationError(404, 'there is no such delivery; GET /-/hooks lists the latest ones');
  },
});

const worldActions = (worlds: WorldControls): ControlActions => ({
  'GET /-/worlds': async () => shown(await worlds.names()),
  'DELETE /-/worlds/*': async (_request, name) => {
    checkName('world', name);
    if (!await worlds.remove(name)) throw new OperationError(404, `no world is named ${name}`);
    return emptyResponse(204);
  },
});
