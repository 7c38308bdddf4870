import type { Client } from '../../client/client.js';
import { ApiError } from '../../client/errors.js';
import { isUnknownRoute } from '../../wire/refusals.js';
import { Problem } from '../failures.js';

/**
 * The global id of an epic that is known by its internal id. Where the service cannot be asked, its children tell: they
 * carry it as `parent_id`.
 * @throws Problem when neither way leads to it
 */
export const globalEpicId = async (client: Client, group: string, iid: number): Promise<number> => {
  const epic = await whereKnown(client.lookups.epic({ id: group, iid }));
  if (epic) return epic.id;
  for await (const { parent_id } of client.epics.list({ id: group, epic_iid: iid })) {
    if (parent_id !== null) return parent_id;
  }
  throw new Problem('not_found', `the global id of epic/${iid} can't be found: no look-up on the service, no children`,
    'name the epic by its global id: epic/id:501');
};

/** What a look-up outside the interface answers, or null where the service does not know its route. */
export const whereKnown = async <T>(answer: Promise<T>): Promise<T | null> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && isUnknownRoute(error.status, error.body)) return null;
    throw error;
  }
};
