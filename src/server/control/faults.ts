import { textOf, type Handler, type HttpResponse } from '../../wire/http.js';
import { FaultError, type Faults } from '../faults/faults.js';
import { badRequest, emptyResponse, jsonResponse } from '../http/errors.js';
import { json } from '../http/json.js';
import type { ControlActions } from './actions.js';

/** @throws HttpError */
export const faultActions = (faults: Faults): ControlActions => {
  const shown = (): HttpResponse => jsonResponse(200, json(faults.state()));
  const replace: Handler = async ({ body }) => {
    try {
      const { faultsFrom } = await import('../faults/file.js');
      const { rules, seed } = await faultsFrom(textOf(body ?? ''), 'request body');
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
