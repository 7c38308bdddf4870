import { type Checks, objectPath, type Probe, read, reading, rejects } from '../check.js';

const issues = (probe: Probe): string => `${objectPath(probe, 'project')}/issues`;
const mergeRequests = (probe: Probe): string => `${objectPath(probe, 'project')}/merge_requests`;
const notes = (probe: Probe): string => `${objectPath(probe, 'merge_request')}/notes`;

/** No parameter has this value. */
const unknown = 'colloquy';

const isRejected = (
  probe: Probe, path: string, name: string, value: string,
  text: string | RegExp = `${name} does not have a valid value`,
): Promise<void> => rejects(probe, 'GET', path, { query: `${name}=${value}` }, 400, 'error', text);

/** What a server that accepts it hides from a program which sends it. */
export const parameterChecks: Checks = {
  'parameters.times': reading(async (probe) => {
    for (const name of ['created_after', 'created_before', 'updated_after', 'updated_before']) {
      await isRejected(probe, mergeRequests(probe), name, unknown, `${name} is invalid`);
    }
  }),
  'parameters.none-any': reading(async (probe) => {
    await read(probe, mergeRequests(probe), 'assignee_id=nONE');
    for (const name of ['assignee_id', 'reviewer_id']) {
      await isRejected(probe, mergeRequests(probe), name, unknown,
        new RegExp(`^${name} should be an integer, .*, however got ${unknown}$`));
    }
  }),
  'parameters.states': reading(async (probe) => {
    for (const state of ['merged', 'locked', unknown]) await isRejected(probe, issues(probe), 'state', state);
  }),
  'parameters.list-values': reading(async (probe) => {
    for (const value of [unknown, '']) {
      for (const name of ['scope', 'state', 'order_by', 'sort', 'wip']) {
        await isRejected(probe, mergeRequests(probe), name, value);
      }
      for (const name of ['order_by', 'sort']) await isRejected(probe, notes(probe), name, value);
    }
  }),
  'parameters.list-order': reading(async (probe) => {
    for (const path of [issues(probe), '/projects', '/groups', '/users']) {
      for (const name of ['order_by', 'sort']) await isRejected(probe, path, name, unknown);
    }
  }),
};
