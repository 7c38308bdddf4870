import { emptyResponse, OperationError } from '../http/errors.js';
import type { RequestLog } from '../http/request-log.js';
import { checkName } from '../http/names.js';
import type { ControlActions } from './actions.js';

/** The worlds below `/w/`, as the control plane of the start world sees them. */
export interface WorldControls {
  /** Deletes a world; false if it does not exist. */
  remove(name: string): Promise<boolean>;
  /** The log of a world. If the world does not exist: null, unless somebody awaits its requests, which makes it. */
  log(name: string, isAwaited: boolean): Promise<RequestLog | null>;
}

/** Deletes worlds by name. */
export const worldActions = (worlds: WorldControls): ControlActions => ({
  'DELETE /-/worlds/*': async (_request, name) => {
    checkName('world', name);
    if (!await worlds.remove(name)) throw new OperationError(404, `no world is named ${name}`);
    return emptyResponse(204);
  },
});
