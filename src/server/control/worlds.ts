import { emptyResponse, jsonResponse, OperationError } from '../http/errors.js';
import { json } from '../http/json.js';
import type { RequestLog } from '../http/request-log.js';
import { checkName } from '../http/names.js';
import type { ControlActions } from './actions.js';

export interface WorldControls {
  /** False if it does not exist. */
  remove(name: string): Promise<boolean>;
  /** Oldest first. */
  names(): Promise<readonly string[]>;
  /** Null if the world does not exist, unless somebody awaits its requests, which makes it. */
  log(name: string, isAwaited: boolean): Promise<RequestLog | null>;
}

export const worldActions = (worlds: WorldControls): ControlActions => ({
  'GET /-/worlds': async () => jsonResponse(200, json(await worlds.names())),
  'DELETE /-/worlds/*': async (_request, name) => {
    checkName('world', name);
    if (!await worlds.remove(name)) throw new OperationError(404, `no world is named ${name}`);
    return emptyResponse(204);
  },
});
