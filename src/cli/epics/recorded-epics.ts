import { ApiError } from '../../client/errors.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import type { RecordedRun } from './journal.js';
import type { EpicFacts, LiveReader } from './live.js';
import { checkSameEpic } from './same.js';
import type { RunSite } from './site.js';

/** With the parents that the run changed. @returns errors of epics that are missing or that the token cannot read */
export const addRecorded = async (
  site: RunSite, reader: LiveReader, run: RecordedRun, ids: Iterable<number>,
): Promise<ReadonlyMap<number, ApiError>> => {
  const { forest, root } = reader.live;
  const unread = new Map<number, ApiError>();
  for (const id of new Set(ids)) {
    const recorded = run.epics.get(id);
    if (!recorded || id === root || (forest.parents.has(id) && forest.children.has(id))) continue;
    const facts = await present(site, recorded);
    if (facts instanceof ApiError) unread.set(id, facts);
    else await (run.former.parents.has(id) || run.created.has(id) ? reader.add(facts) : reader.addChildren(facts));
  }
  return unread;
};

/**
 * Some versions report a missing epic as forbidden (behavior: epics.unknown-parent). @throws Problem for another epic
 */
const present = async (site: RunSite, recorded: EpicFacts): Promise<EpicFacts | ApiError> => {
  try {
    const { lookups } = site.parent.client;
    const epic = await nullIfUnsupported(lookups.epic({ id: String(recorded.group_id), iid: recorded.iid }));
    if (epic) checkSameEpic(recorded, epic, site);
    return epic ?? { ...recorded, parent_id: null };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return error;
    throw error;
  }
};
