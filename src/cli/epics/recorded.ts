import { ApiError } from '../../client/errors.js';
import type { Epic } from '../../contract/epics.js';
import { plainLine } from '../../text/plain.js';
import { looks } from '../changes/journal.js';
import { Problem } from '../command-line/failure.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import { say, showingProgress } from '../terminal/io/messages.js';
import { isSameTitle } from './document-nodes.js';
import { createdBy, isMadeIn, type OpenWrite, parentIn, type RecordedRun, type RunSite } from './journal.js';
import type { EpicFacts, LiveReader } from './live.js';

/** A service that was set up again uses ids again. @throws Problem if an epic is another one or has another title */
export const checkSameEpics = (
  { epics: recorded }: Pick<RecordedRun, 'epics'>, present: Iterable<EpicFacts>, site: Pick<RunSite, 'journal'>,
): void => {
  const byNumber = new Map([...recorded.values()].map((epic) => [epicNumber(epic), epic]));
  for (const epic of present) {
    const former = recorded.get(epic.id) ?? byNumber.get(epicNumber(epic));
    if (former) checkSameEpic(former, epic, site);
  }
};

const epicNumber = ({ group_id: group, iid }: EpicFacts): string => `${group}&${iid}`;

/** Before anything else of the service is compared. */
export const checkSameTop = async ({ head: { top } }: RecordedRun, site: RunSite): Promise<void> => {
  const present = top && await site.parent.epic();
  if (present) checkSameEpic(top, present, site);
};

const checkSameEpic = (former: EpicFacts, epic: EpicFacts, { journal }: Pick<RunSite, 'journal'>): void => {
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

/** With the parents that the run changed. @returns errors of epics that are missing or that the token cannot read */
export const addRecorded = async (
  site: RunSite, reader: LiveReader, run: RecordedRun, ids: Iterable<number>,
): Promise<ReadonlyMap<number, ApiError>> => {
  const { forest, root } = reader.live;
  const unread = new Map<number, ApiError>();
  for (const id of new Set(ids)) {
    const recorded = run.epics.get(id);
    if (!recorded || id === root || (forest.parents.has(id) && forest.children.has(id))) continue;
    const facts = await lookUpRecorded(site, recorded);
    if (facts instanceof ApiError) unread.set(id, facts);
    else await (run.former.parents.has(id) || run.created.has(id) ? reader.add(facts) : reader.addChildren(facts));
  }
  return unread;
};

/** Some versions report a missing epic as forbidden (behavior: epics.unknown-parent). */
const lookUpRecorded = async (site: RunSite, recorded: EpicFacts): Promise<EpicFacts | ApiError> => {
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

/** Waits until the write of unknown outcome shows or the service can no longer make it, except in a dry run. */
export const settleOpenWrite = async (site: RunSite, run: RecordedRun): Promise<RecordedRun> => {
  const { app, flags, journal } = site;
  const { open } = run;
  if (!open) return run;
  const title = open.step.action === 'create' ? `"${plainLine(open.step.title)}"` : 'the last change';
  if (flags.dryRun) {
    await say(app, flags, `warning: ${title} may still appear: its request got no response`);
    return run;
  }
  const children = await waitForOutcome(site, run, open, title);
  if (open.step.action !== 'create') return run;
  const created = createdBy(open, children);
  await journal.add(created ? { type: 'done', created } : { type: 'absent' });
  return await journal.read() ?? run;
};

const waitForOutcome = (
  { app, flags, parent }: RunSite, { epics }: RecordedRun, open: OpenWrite, title: string,
): Promise<readonly Epic[]> => {
  const { step, until } = open;
  const facts = epics.get(parentIn(step));
  const path = facts ? { id: String(facts.group_id), iid: facts.iid } : parent.path;
  return showingProgress(app, flags, async (progress) => {
    for (let look = 1; ; look++) {
      const children = await parent.client.epics.list(path).complete();
      const isMade = step.action === 'create' ? createdBy(open, children) !== null
        : isMadeIn(step, children.map(({ id }) => id));
      const left = until - app.now().getTime();
      if (isMade || left <= 0) return children;
      await progress.show(`waiting for ${title}, whose request got no response: ${Math.ceil(left / 1_000)} s …`);
      await app.sleep(Math.min(left, looks[look] ?? looks.at(-1)!));
    }
  });
};
