import { Problem } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import type { RecordedRun } from './journal.js';
import type { EpicFacts } from './live.js';
import type { RunSite } from './site.js';
import { isSameTitle } from './titles.js';

/** A service that was set up again uses ids again. @throws Problem if an epic is another one or has another title */
export const checkSameEpics = (
  { epics: recorded }: Pick<RecordedRun, 'epics'>, present: Iterable<EpicFacts>, site: Pick<RunSite, 'journal'>,
): void => {
  const byNumber = new Map([...recorded.values()].map((epic) => [numberOf(epic), epic]));
  for (const epic of present) {
    const former = recorded.get(epic.id) ?? byNumber.get(numberOf(epic));
    if (former) checkSameEpic(former, epic, site);
  }
};

const numberOf = ({ group_id: group, iid }: EpicFacts): string => `${group}&${iid}`;

/** Before anything else of the service is compared. */
export const checkSameTop = async ({ head: { top } }: RecordedRun, site: RunSite): Promise<void> => {
  const present = top && await site.parent.epic();
  if (present) checkSameEpic(top, present, site);
};

/** @throws Problem unless they are the same epic */
export const checkSameEpic = (former: EpicFacts, epic: EpicFacts, { journal }: Pick<RunSite, 'journal'>): void => {
  if (isSame(former, epic)) return;
  throw new Problem('failure', `the recorded run changed ${described(former)}, but the service has ${described(epic)}`,
    'restore the title and run the command again if the epic was renamed; '
    + `remove ${journal.path} if the service was set up again`);
};

const described = ({ id, iid, title, created_at: at }: EpicFacts): string =>
  `&${iid} "${plainLine(title)}" (id ${id}${at === undefined ? '' : `, created ${plainLine(at)}`})`;

const isSame = (one: EpicFacts, other: EpicFacts): boolean =>
  one.id === other.id && one.iid === other.iid && one.group_id === other.group_id
  && isSameTitle(one.title, other.title)
  && (one.created_at === undefined || other.created_at === undefined
    || Date.parse(one.created_at) === Date.parse(other.created_at));
