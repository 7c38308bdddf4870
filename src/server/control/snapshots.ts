import { emptyResponse, jsonResponse } from '../http/errors.js';
import { json } from '../http/json.js';
import type { Snapshots } from './saved-state.js';
import type { ControlActions } from './actions.js';

export const snapshotActions = (snapshots: Snapshots): ControlActions => {
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
