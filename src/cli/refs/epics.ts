import type { Client } from '../../client/client.js';
import { ApiError } from '../../client/errors.js';
import type { Epic } from '../../contract/shapes/epic.js';
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

/** Where an epic is, by group and internal id, that is known by its global id. */
export interface InternalPlace { readonly id: string; readonly epic_iid: number }

/**
 * The place of an epic that is known by its global id, among those that the service lists for a group.
 * @throws Problem when it is not there, or the service can't list them
 */
export const internalPlace = async (client: Client, group: string, id: number): Promise<InternalPlace> => {
  const epic = await whereKnown(among(client.lookups.epics({ id: group }), id));
  if (epic) return { id: String(epic.group_id), epic_iid: epic.iid };
  throw new Problem('not_found', `group ${group} has no epic with the global id ${id}, or can't tell`,
    'name it by its internal id: &1 with --group, or paste its URL');
};

const among = async (epics: AsyncIterable<Epic>, id: number): Promise<Epic | null> => {
  for await (const epic of epics) if (epic.id === id) return epic;
  return null;
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
