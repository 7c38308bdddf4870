import { counted } from '../../text/messages.js';
import { plainLine } from '../../text/plain.js';
import { reportProblems } from '../changes/report.js';
import { Problem } from '../command-line/failure.js';
import { say, showingProgress } from '../terminal/io/messages.js';
import { agreeTo, changeHierarchy, planReport, stepsTo, type RunReport } from './apply.js';
import { conflictsOf, serviceFacts } from './conflicts.js';
import type { RecordedRun, RunSite } from './journal.js';
import { type EpicFacts, type Live, nameIn, readLiveLinks } from './live.js';
import type { LinkTarget } from './plan.js';
import { addRecorded, checkSameEpics, checkSameTop, settleOpenWrite } from './recorded.js';

interface Rollback extends LinkTarget {
  readonly kept: readonly string[];
}

/**
 * The links before a run, where they are still as it left them; what other users changed stays. Created epics lose
 * their parents. @param live with all epics and parents that the run changed
 */
export const rollbackOf = (live: Live, { former, left, created, epics }: RecordedRun): Rollback => {
  const { forest } = live;
  const wanted = new Map<number, number | null>([
    ...former.parents, ...[...created.keys()].map((epic): [number, null] => [epic, null]),
  ]);
  const kept: string[] = [];
  const returning = new Map<number, number | null>();
  for (const [epic, parent] of wanted) {
    const now = forest.parents.get(epic);
    const isChanged = former.parents.has(epic) && left.some(({ parents }) => parents.get(epic) !== parent);
    if (now === undefined && isChanged) {
      kept.push(`${nameIn({ ...live, epics }, epic)} is missing, or the token cannot read it`);
    }
    if (now === undefined || now === parent) continue;
    if (left.some(({ parents }) => parents.get(epic) === now)) returning.set(epic, parent);
    else kept.push(`${nameIn(live, epic)} stays ${placeIn(live, now)}, where another user put it`);
  }
  const children = new Map<number, readonly number[]>();
  for (const [parent, order] of former.children) {
    const list = restoredChildren({ live, former, left, returning }, parent, order);
    if (list.isOtherOrder) {
      kept.push(`the order of the children of ${nameIn(live, parent)} stays: another user changed it`);
    }
    if (forest.children.has(parent)) children.set(parent, list.children);
  }
  for (const [epic, parent] of returning) {
    if (parent === null || children.get(parent)?.includes(epic)) continue;
    kept.push(`${nameIn(live, epic)} stays: its former parent ${nameIn(live, parent)} is missing`);
  }
  const removed = [...returning].filter(([, parent]) => parent === null).map(([epic]) => epic);
  return { children, removed, created: new Map(), kept };
};

const placeIn = (live: Live, parent: number | null): string =>
  parent === null ? 'without a parent' : `below ${nameIn(live, parent)}`;

interface Restoring extends Pick<RecordedRun, 'former' | 'left'> {
  readonly live: Live;
  readonly returning: ReadonlyMap<number, number | null>;
}

/** The present order stays if another user changed it. */
const restoredChildren = (
  { live: { forest }, left, returning }: Restoring, parent: number, order: readonly number[],
): { readonly children: readonly number[]; readonly isOtherOrder: boolean } => {
  const now = forest.children.get(parent) ?? [];
  const staying = now.filter((epic) => !returning.has(epic));
  const back = order.filter((epic) => returning.get(epic) === parent);
  const members = new Set([...staying, ...back]);
  const isOurs = left.some((one) => isSameOrder(one.children.get(parent) ?? [], now));
  const formerOrder = order.filter((epic) => members.has(epic));
  if (isOurs) return { children: inserted(formerOrder, staying, now), isOtherOrder: false };
  const isFormer = isSameOrder(staying, order);
  return { children: inserted(staying, back, order), isOtherOrder: !isFormer };
};

const isSameOrder = (a: readonly number[], b: readonly number[]): boolean => {
  const [inA, inB] = [new Set(a), new Set(b)];
  return String(a.filter((epic) => inB.has(epic))) === String(b.filter((epic) => inA.has(epic)));
};

/** Each added member follows the one that precedes it in `order`. */
const inserted = (list: readonly number[], members: readonly number[], order: readonly number[]): readonly number[] => {
  const [present, wanted] = [new Set(list), new Set(members)];
  const followers = new Map<number | null, number[]>([[null, []]]);
  let previous: number | null = null;
  for (const epic of order) {
    if (present.has(epic)) previous = epic;
    else if (wanted.has(epic)) followers.set(previous, [...followers.get(previous) ?? [], epic]);
  }
  return [...followers.get(null)!, ...list.flatMap((epic) => [epic, ...followers.get(epic) ?? []])];
};

/**
 * Restores the links before the recorded run, where they still are as the run left them, and removes the journal. It
 * stays, finished, where an epic could not be read. Epics that the run created are only removed from their parents.
 */
export const rollBack = async (site: RunSite, recorded: RecordedRun): Promise<RunReport> => {
  const { app, flags, name, journal } = site;
  await checkSameTop(recorded, site);
  const run = await settleOpenWrite(site, recorded);
  const read = () => showingProgress(app, flags, async (progress) => {
    const reader = await readLiveLinks(site.parent, progress);
    const { former, created } = run;
    const ids = [...former.children.keys(), ...former.parents.keys(), ...created.keys()];
    const unread = await addRecorded(site, reader, run, ids);
    checkSameEpics(run, reader.live.epics.values(), site);
    return { ...reader, target: rollbackOf(reader.live, run), unread };
  });
  const planAgain = async () => {
    const again = await read();
    return { steps: stepsTo(again.live, again.target) };
  };
  const { live, details, target, unread } = await read();
  const steps = stepsTo(live, target);
  const conflicts = await conflictsOf(steps, live, serviceFacts(site.parent.client, live, details));
  await reportProblems(app, flags, conflicts, { isStrict: false, code: 'rejected', what: 'conflicts' });
  const plan = { live, target, steps, conflicts };
  if (steps.length === 0) await say(app, flags, `nothing to roll back in ${name}`);
  else await agreeTo(site, 'roll back', plan, planAgain);
  if (flags.dryRun) return planReport(plan);
  const report = steps.length === 0 ? { live, results: [], conflicts, isPlan: false, error: null }
    : await changeHierarchy(site, plan, run, 'run again with --rollback to undo the rest');
  if (report.error) return report;
  await (unread.size > 0 ? journal.add({ type: 'end' }) : journal.remove());
  return { ...report, error: remains(target, run, live.epics) };
};

/** The error that lists what a rollback could not undo; null if nothing remains. */
const remains = (
  { kept }: Rollback, { created }: RecordedRun, epics: ReadonlyMap<number, EpicFacts>,
): Problem | null => {
  const left = [...created.values()].filter(({ id }) => epics.has(id));
  const lines = kept.map((line) => `  ${line}`);
  if (left.length > 0) {
    lines.push('delete the new epics in the web interface:',
      ...left.map(({ url, iid, title }) => `  ${url ?? `&${iid}`} "${plainLine(title)}"`));
  }
  if (lines.length === 0) return null;
  const what = left.length === 0 ? 'some changes remain'
    : `${counted(left.length, 'new epic remains', 'new epics remain')} without a parent`;
  return new Problem('failure', `rolled back, but ${what}`, lines.join('\n'));
};
