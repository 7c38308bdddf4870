import { counted } from '../../text/messages.js';
import { agree, checkSameSteps, followChanges, nothingChanged, onService, plannedOutcomes } from '../changes/run.js';
import { firstLines, reportProblems } from '../changes/report.js';
import { Problem } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import { say, showingProgress } from '../terminal/io/messages.js';
import { sayMasked, secretsIn } from '../terminal/io/secrets.js';
import { changedEpics, type LinkStep, type LinkTarget, lineToTop, planSteps } from './plan.js';
import { conflictsOf, serviceFacts, type Conflict } from './conflicts.js';
import type { EpicDocument } from './document.js';
import {
  addRecorded, checkSameEpics, checkSameTop, linksEntry, type RecordedRun, type RunHead, type RunSite, settleOpenWrite,
} from './journal.js';
import { type EpicFacts, type Live, nameIn, readLiveLinks } from './live.js';
import { planLines, stepRecords } from './plan-output.js';
import { differences, makeSteps, newRun, targetWithIds, withIds, type RunEvent, type StepResult } from './run.js';
import { locate, documentTargetOf } from './target.js';

export interface RunReport {
  readonly live: Live;
  readonly results: readonly StepResult[];
  readonly conflicts: readonly Conflict[];
  readonly isPlan: boolean;
  readonly error: Error | null;
}

interface HierarchyPlan {
  readonly live: Live;
  readonly target: LinkTarget;
  readonly steps: readonly LinkStep[];
  readonly conflicts: readonly Conflict[];
}

/** @param earlier the unfinished run that this one continues */
export const applyDocument = async (
  site: RunSite, document: EpicDocument, head: RunHead, earlier: RecordedRun | null,
): Promise<RunReport> => {
  const { app, flags, name, journal } = site;
  const plan = () => planDocument(site, document, head, earlier);
  const planned = await plan();
  if (earlier) checkSameEpics(earlier, planned.live.epics.values(), site);
  if (planned.target.isMasked) await sayMasked(app, flags, document.file);
  await reportPlan(site, planned, head);
  if (planned.steps.length === 0) {
    await say(app, flags, `${nothingChanged(flags)}: ${name} is as ${document.file} describes it`);
    if (earlier && !flags.dryRun) await journal.add({ type: 'end' });
    return { live: planned.live, results: [], conflicts: [], isPlan: false, error: null };
  }
  await agreeTo(site, 'apply', planned, plan);
  if (flags.dryRun) return planReport(planned);
  if (!earlier) await journal.begin(head);
  const report = await changeHierarchy(site, planned, earlier,
    'run again with --resume to continue, or with --rollback to undo the changes');
  if (!report.error) await journal.add({ type: 'end' });
  return report;
};

/** Uses epics that a stopped rollback removed. @throws ApiError if one cannot be read: it would be created twice */
const planDocument = async (
  site: RunSite, document: EpicDocument, head: RunHead, earlier: RecordedRun | null,
) =>
  showingProgress(site.app, site.flags, async (progress) => {
    const reader = await readLiveLinks(site.parent, progress);
    const { live } = reader;
    const unread = earlier ? await addRecorded(site, reader, earlier, earlier.created.keys()) : [];
    for (const [, error] of unread) if (error.status === 403) throw error;
    const { prune, allowOddTitles } = head;
    const target = documentTargetOf(document, live, await locate(reader, document), {
      prune, allowOddTitles, namesOptions: site.app.agent === undefined, createdBelow: earlier?.createdBelow,
      mask: secretsIn(site.app, []).mask,
    });
    const steps = stepsTo(live, target);
    const conflicts = await conflictsOf(steps, live, serviceFacts(site.parent.client, live, reader.details));
    const findings = [...target.findings, ...conflicts.map((one) => target.placed(one.epic, one))];
    return { live, target, steps, conflicts, findings: findings.toSorted((a, b) => a.line - b.line) };
  });

/** @throws Problem with `--strict`: conflicts have the code of a rejection by the service */
const reportPlan = (
  { app, flags }: RunSite, { findings, conflicts }: Awaited<ReturnType<typeof planDocument>>,
  { strict: isStrict, file }: RunHead,
): Promise<void> => reportProblems(app, flags, findings,
  { isStrict, code: conflicts.length > 0 ? 'rejected' : 'usage', what: `problems in ${plainLine(file)}` });

/** An epic whose parent cannot be addressed cannot be removed from it. */
const stepsTo = (live: Live, target: LinkTarget) => planSteps(live.forest, target, (epic) => {
  const parent = live.forest.parents.get(epic);
  return typeof parent === 'number' && (parent === live.root || live.epics.has(parent));
});

/** @param plan finds changes that other users made during the question */
const agreeTo = async (
  { app, flags, name }: RunSite, action: 'apply' | 'roll back', { live, target, steps, conflicts }: HierarchyPlan,
  plan: () => Promise<Pick<HierarchyPlan, 'steps'>>,
): Promise<void> => agree(app, flags, {
  lines: planLines(live, target, steps, `${name}${onService(app, flags)}`),
  action: `${action} ${counted(changedEpics(steps), 'change')} ${action === 'apply' ? 'to' : 'of'} ${name}`,
  changes: stepRecords(live, plannedOutcomes(steps), conflicts),
  recheck: async () => checkSameSteps(steps, (await plan()).steps, 'the hierarchy'),
});

const planReport = ({ live, steps, conflicts }: HierarchyPlan): RunReport =>
  ({ live, results: plannedOutcomes(steps), conflicts, isPlan: true, error: null });

const changeHierarchy = async (
  site: RunSite, plan: HierarchyPlan, earlier: RecordedRun | null, recovery: string,
): Promise<RunReport> => {
  const { app, flags, journal } = site;
  const { live, steps, conflicts } = plan;
  const run = newRun(site, live, earlier?.unmade);
  await journal.add(linksEntry(live.forest, live.epics, steps, earlier));
  app.activity.recovery = recovery;
  const { outcomes, error } = await followChanges(app, flags, steps, changesTo(run, plan), journal);
  return { live, results: outcomes.map((outcome) => withIds(outcome, run.ids)), conflicts, isPlan: false, error };
};

/** @throws Problem if the hierarchy differs from the plan afterwards, or the error of the step that fails */
async function* changesTo(
  run: ReturnType<typeof newRun>, { live, target, steps }: HierarchyPlan,
): AsyncGenerator<RunEvent, void, void> {
  yield* makeSteps(run, steps);
  await checkResult(run, targetWithIds(target, run.ids), live.epics);
}

/** @param known the epics before the run, even outside the hierarchy */
const checkResult = async (
  site: RunSite, target: LinkTarget, known: ReadonlyMap<number, EpicFacts>,
): Promise<void> => {
  const { live } = await showingProgress(site.app, site.flags, async (progress) => {
    const reader = await readLiveLinks(site.parent, progress);
    for (const parent of target.children.keys()) {
      const facts = known.get(parent);
      if (facts) await reader.addChildren(facts);
    }
    return reader;
  });
  const lines = differences({ ...live, epics: new Map([...known, ...live.epics]) }, target);
  if (lines.length === 0) return;
  const hint = 'run again with --resume or --rollback: another user may have changed it';
  throw new Problem('failure', `the changes were made, but ${site.name} differs from the plan`,
    [...firstLines(lines), hint].join('\n'));
};

interface Rollback extends LinkTarget {
  readonly kept: readonly string[];
  readonly isPartial: boolean;
}

/**
 * The links before a run, where they are still as it left them; what other users changed stays. Created epics lose
 * their parents. @param live with all epics and parents that the run changed
 */
export const rollbackOf = (live: Live, run: RecordedRun): Rollback => {
  const { former, left } = run;
  const { forest } = live;
  const { returning, kept, isPartial } = returningOf(live, run);
  const children = new Map<number, readonly number[]>();
  for (const [parent, order] of former.children) {
    const list = restoredChildren(parent, order, { left, returning }, forest.children.get(parent));
    if (list.isOtherOrder) {
      kept.push(`the order of the children of ${nameIn(live, parent)} stays: another user changed it`);
    }
    if (forest.children.has(parent)) children.set(parent, list.children);
  }
  for (const [epic, parent] of returning) {
    if (parent === null || children.get(parent)?.includes(epic)) continue;
    // Its former place is unknown: the run could not read the children of that parent.
    children.set(parent, [epic, ...children.get(parent) ?? forest.children.get(parent)!]);
  }
  const removed = [...returning].filter(([, parent]) => parent === null).map(([epic]) => epic);
  return { children, removed, created: new Map(), kept, isPartial };
};

const returningOf = (live: Live, { former, left, created, epics }: RecordedRun) => {
  const { forest } = live;
  const wanted = new Map<number, number | null>([
    ...former.parents, ...[...created.keys()].map((epic): [number, null] => [epic, null]),
  ]);
  const kept: string[] = [];
  const returning = new Map<number, number | null>();
  let isPartial = false;
  for (const [epic, parent] of wanted) {
    const now = forest.parents.get(epic);
    const isChanged = former.parents.has(epic) && left.some(({ parents }) => parents.get(epic) !== parent);
    if (now === undefined && isChanged) {
      kept.push(`${nameIn({ ...live, epics }, epic)} is missing, or the token cannot read it`);
    }
    if (now === undefined || now === parent) continue;
    if (!left.some(({ parents }) => parents.get(epic) === now)) {
      kept.push(`${nameIn(live, epic)} stays ${placeIn(live, now)}, where another user put it`);
    } else if (parent !== null && !forest.children.has(parent)) {
      isPartial = true;
      kept.push(`${nameIn(live, epic)} stays: its former parent ${nameIn({ ...live, epics }, parent)} is missing, `
        + 'or the token cannot read it');
    } else returning.set(epic, parent);
  }
  for (let epic = inCycle(live, returning); epic !== undefined; epic = inCycle(live, returning)) {
    kept.push(`${nameIn(live, epic)} stays ${placeIn(live, forest.parents.get(epic)!)}: `
      + `moving it back below ${nameIn(live, returning.get(epic)!)} would create a cycle`);
    returning.delete(epic);
  }
  return { returning, kept, isPartial };
};

const inCycle = ({ forest }: Live, returning: ReadonlyMap<number, number | null>): number | undefined => {
  const target = { ...forest, parents: new Map([...forest.parents, ...returning]) };
  return [...returning].find(([epic, parent]) => parent !== null && lineToTop(target, parent).includes(epic))?.[0];
};

const placeIn = (live: Live, parent: number | null): string =>
  parent === null ? 'without a parent' : `below ${nameIn(live, parent)}`;

/** The present order stays if another user changed it. */
const restoredChildren = (
  parent: number, order: readonly number[],
  { left, returning }: Pick<RecordedRun, 'left'> & { readonly returning: ReadonlyMap<number, number | null> },
  now: readonly number[] = [],
): { readonly children: readonly number[]; readonly isOtherOrder: boolean } => {
  const staying = now.filter((epic) => !returning.has(epic));
  const back = order.filter((epic) => returning.get(epic) === parent);
  if (!left.some((one) => isSameOrder(one.children.get(parent) ?? [], now))) {
    return { children: inserted(staying, back, order), isOtherOrder: !isSameOrder(staying, order) };
  }
  const members = new Set([...staying, ...back]);
  return { children: inserted(order.filter((epic) => members.has(epic)), staying, now), isOtherOrder: false };
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
    const formerParents = [...former.parents.values()].filter((parent) => parent !== null);
    const ids = [...former.children.keys(), ...former.parents.keys(), ...formerParents, ...created.keys()];
    const unread = await addRecorded(site, reader, run, ids);
    checkSameEpics(run, reader.live.epics.values(), site);
    const target = rollbackOf(reader.live, run);
    return { ...reader, target, steps: stepsTo(reader.live, target), unread };
  });
  const { live, details, target, steps, unread } = await read();
  const conflicts = await conflictsOf(steps, live, serviceFacts(site.parent.client, live, details));
  await reportProblems(app, flags, conflicts, { isStrict: false, code: 'rejected', what: 'conflicts' });
  const plan = { live, target, steps, conflicts };
  if (steps.length === 0) await say(app, flags, `nothing to roll back in ${name}`);
  else await agreeTo(site, 'roll back', plan, read);
  if (flags.dryRun) return planReport(plan);
  const report = steps.length === 0 ? { live, results: [], conflicts, isPlan: false, error: null }
    : await changeHierarchy(site, plan, run, 'run again with --rollback to undo the rest');
  if (report.error) return report;
  await (unread.size > 0 || target.isPartial ? journal.add({ type: 'end' }) : journal.remove());
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
