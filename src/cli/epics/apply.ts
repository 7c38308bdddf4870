import { counted } from '../../text/messages.js';
import { agree, checkSameSteps, nothingChanged, onService, plannedOutcomes } from '../changes/run.js';
import { firstLines, type PlanProblem, reportProblems } from '../changes/report.js';
import { Problem } from '../command-line/failure.js';
import { plainLine } from '../../text/plain.js';
import { say, showingProgress } from '../terminal/io/messages.js';
import { changedEpics, type LinkStep, type LinkTarget, planSteps } from './plan.js';
import { conflictsOf, serviceFacts, type Conflict } from './conflicts.js';
import type { EpicDocument } from './document.js';
import { linksEntry, type RecordedRun, type RunHead, type RunSite } from './journal.js';
import { readLiveLinks, type EpicFacts, type Live } from './live.js';
import { planLines, stepRecords } from './plan-output.js';
import { addRecorded, checkSameEpics } from './recorded.js';
import { differences, makeSteps, newRun, targetWithIds, withIds, type StepResult } from './run.js';
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

interface PlannedDocument extends HierarchyPlan {
  readonly findings: readonly PlanProblem[];
}

/** @param earlier the unfinished run that this one continues */
export const applyDocument = async (
  site: RunSite, document: EpicDocument, head: RunHead, earlier: RecordedRun | null,
): Promise<RunReport> => {
  const { app, flags, name, journal } = site;
  const plan = async () => planDocument(site, document, head, earlier);
  const planned = await plan();
  if (earlier) checkSameEpics(earlier, planned.live.epics.values(), site);
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
): Promise<PlannedDocument> =>
  showingProgress(site.app, site.flags, async (progress) => {
    const reader = await readLiveLinks(site.parent, progress);
    const { live } = reader;
    const unread = earlier ? await addRecorded(site, reader, earlier, earlier.created.keys()) : [];
    for (const [, error] of unread) if (error.status === 403) throw error;
    const { prune, allowOddTitles } = head;
    const target = documentTargetOf(document, live, await locate(reader, document),
      { prune, allowOddTitles, namesOptions: site.app.agent === undefined, createdBelow: earlier?.createdBelow });
    const steps = stepsTo(live, target);
    const conflicts = await conflictsOf(steps, live, serviceFacts(site.parent.client, live, reader.details));
    const findings = [...target.findings, ...conflicts.map((one) => target.placed(one.epic, one))];
    return { live, target, steps, conflicts, findings: findings.toSorted((a, b) => a.line - b.line) };
  });

/** @throws Problem with `--strict`: conflicts have the code of a rejection by the service */
const reportPlan = (
  { app, flags }: RunSite, { findings, conflicts }: PlannedDocument, { strict: isStrict, file }: RunHead,
): Promise<void> => reportProblems(app, flags, findings,
  { isStrict, code: conflicts.length > 0 ? 'rejected' : 'usage', what: `problems in ${plainLine(file)}` });

/** An epic whose parent cannot be addressed cannot be removed from it. */
export const stepsTo = (live: Live, target: LinkTarget) => planSteps(live.forest, target, (epic) => {
  const parent = live.forest.parents.get(epic);
  return typeof parent === 'number' && (parent === live.root || live.epics.has(parent));
});

/** @param plan finds changes that other users made during the question */
export const agreeTo = async (
  { app, flags, name }: RunSite, action: 'apply' | 'roll back', { live, target, steps, conflicts }: HierarchyPlan,
  plan: () => Promise<Pick<HierarchyPlan, 'steps'>>,
): Promise<void> => agree(app, flags, {
  lines: planLines(live, target, steps, `${name}${onService(app, flags)}`),
  action: `${action} ${counted(changedEpics(steps), 'change')} ${action === 'apply' ? 'to' : 'of'} ${name}`,
  changes: stepRecords(live, plannedOutcomes(steps), conflicts),
  recheck: async () => checkSameSteps(steps, (await plan()).steps, 'the hierarchy'),
});

export const planReport = ({ live, steps, conflicts }: HierarchyPlan): RunReport =>
  ({ live, results: plannedOutcomes(steps), conflicts, isPlan: true, error: null });

export const changeHierarchy = async (
  site: RunSite, plan: HierarchyPlan, earlier: RecordedRun | null, recovery: string,
): Promise<RunReport> => {
  const { app, journal } = site;
  const { live, target, steps, conflicts } = plan;
  const run = newRun(site, live, earlier?.unmade);
  await journal.add(linksEntry(live.forest, live.epics, steps, earlier));
  app.activity.recovery = recovery;
  const outcomes = await makeSteps(run, steps);
  const failure = outcomes.find(({ error }) => error)?.error ?? run.doubled;
  const error = failure ?? await checkResult(site, targetWithIds(target, run.ids), live.epics)
    .then(() => null, (problem: Error) => problem);
  app.signal.throwIfAborted();
  return { live, results: outcomes.map((outcome) => withIds(outcome, run.ids)), conflicts, isPlan: false, error };
};

/** @param known the epics before the run, even outside the hierarchy @throws Problem if the links differ */
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
