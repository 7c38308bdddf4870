import type { PositionInput } from '../../../contract/shapes/position.js';
import { plainLine } from '../../../text/plain.js';
import { type Marker, withMarker, withoutMarkers } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { runSteps } from '../../changes/run.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { repeatStep } from '../../service/connection/batch.js';
import type { Target } from '../../service/targets/target.js';
import { setResolved } from '../../service/targets/threads.js';
import { excludedAuthor, type AcceptFlags } from '../filters/acceptance.js';
import { checkAnchored, rejectsPosition } from '../position/unanchored.js';
import { whyOutdated } from '../position/version.js';
import { highestOf, isHigher, versionIn, versionValues, type RunVersion } from '../upsert/plan.js';
import { createComment, createThread } from '../write/new-notes.js';
import {
  findEarlierPosts, summaryFingerprint, summaryKey, type EarlierPosts, type EarlierThread,
} from './earlier.js';
import { reaches, type Level } from './finding.js';
import { findingDigest, printFingerprint } from './fingerprint.js';
import { jobName, type Loaded } from './load.js';
import { isBelow } from './paths.js';
import { checkFilesExist, placeFindings, type Placed, type PostFilter } from './place.js';
import {
  changes, hasFindingText, planPosts, planSummary, type PostStep, type SummaryStep, type WantedFinding,
} from './plan.js';
import type { Posted, PostOutcome } from './result.js';
import { fileInTitle, findingText, summaryText, withName } from './text.js';

interface PostContext {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly target: Target;
  readonly placeOnDiff: (wanted: WantedFinding) => Placed;
  readonly values: RunValues;
  readonly keys: readonly string[];
}

interface RunValues {
  readonly pipeline: RunVersion | null;
  readonly job: string | null;
  /** The job of this run and its command, for the case that the job posts several reports. */
  readonly report: string | null;
  /** The folder whose threads this run resolves; empty for all. */
  readonly folder: string;
}

export interface RunOptions extends GlobalFlags, AcceptFlags {
  readonly filter?: PostFilter;
  readonly level: Level;
  readonly max: number;
  readonly resolve: boolean;
  readonly rawText?: boolean;
}

export interface RunPlan {
  readonly steps: readonly PostStep[];
  readonly summary: readonly SummaryStep[];
  readonly context: PostContext;
  readonly earlier: EarlierPosts;
  /** Set if a newer commit or pipeline exists, so that nothing changes. */
  readonly stale: string | null;
  /** Set if another report of this pipeline was posted with the same key, so that nothing is resolved. */
  readonly shared: string | null;
}

export const planRun = async (
  app: App, flags: RunOptions, target: Target, loaded: Loaded,
): Promise<RunPlan> => {
  const { keys, formerKeys, findings, failure, areFilesUnknown } = loaded;
  const excluded = await excludedAuthor(target, flags);
  const earlier = await findEarlierPosts(target, keys, formerKeys, excluded);
  const threads = earlier.threads.filter((thread) => isInFolder(loaded.scope, thread));
  const values = {
    pipeline: jobPipeline(app), job: jobName(app), report: reportOfJob(app, loaded), folder: loaded.scope,
  };
  const mayResolve = flags.resolve && (loaded.scope === '' || threads.length > 0);
  const shared = mayResolve ? otherReport(values, earlier.markers) : null;
  const options = { ...flags, resolve: flags.resolve && failure === null && shared === null };
  const all = findings.map(({ finding }) => finding);
  const placed = await placeFindings(app, options, target, all, options.filter, loaded);
  if (areFilesUnknown && placed.every(({ skip }) => skip !== null)) {
    await checkFilesExist(app, target, all);
  }
  const wanted = findings.map((one, i) => wantedFinding(one, placed[i]!, options, loaded.linesOf));
  const places = new Map(wanted.map((one, i) => [one, placed[i]!]));
  const placeOnDiff = (one: WantedFinding) => places.get(one)!;
  const context = { app, flags: options, target, keys, values, placeOnDiff };
  const steps = planPosts(wanted, threads, { keys, max: options.max, isComplete: options.resolve });
  const stale = await whyOutdated(app, target) ?? newerPipeline(values.pipeline, earlier);
  if (stale !== null) {
    const skipped = steps.flatMap((step) => staleStep(step, `stale: ${stale}`));
    return { steps: skipped, summary: [], context, earlier: { ...earlier, copies: [] }, stale, shared: null };
  }
  return { steps, summary: summarySteps(steps, options, earlier, loaded.scope), context, earlier, stale, shared };
};

/** A run of the tool in another folder has the same key: the threads of that one are not fixed. */
const isInFolder = (folder: string, { file, text }: EarlierThread): boolean => {
  const place = file ?? fileInTitle(text);
  return folder === '' || place === null || isBelow(folder, place);
};

const jobPipeline = ({ env }: App): RunVersion | null => {
  const iid = env['CI_PIPELINE_IID'] ?? '';
  return /^[1-9]\d{0,14}$/.test(iid) ? { value: iid, project: env['CI_PROJECT_ID'] ?? '' } : null;
};

/** A job that is retried has another id, and may name its files otherwise. */
const reportOfJob = ({ env }: App, { call }: Loaded): string | null => {
  const id = env['CI_JOB_ID'] ?? '';
  return /^\d{1,15}$/.test(id) ? `${id}.${call}` : null;
};

/** To this run, the findings of another report with its key look fixed. */
const otherReport = (values: RunValues, markers: readonly Marker[]): string | null => {
  for (const marker of markers) {
    const mayLookFixed = isOfPipeline(marker, values) && haveFilesInCommon(marker.folder ?? '', values.folder);
    const poster = mayLookFixed ? otherPoster(marker, values) : null;
    if (poster !== null) return plainLine(`${poster} has posted another report with the key ${marker.key}`);
  }
  return null;
};

const isOfPipeline = (marker: Marker, { pipeline }: RunValues): boolean => {
  const version = versionIn(marker);
  return version !== null && version.value === pipeline?.value && version.project === pipeline.project;
};

const haveFilesInCommon = (one: string, other: string): boolean =>
  one === other || one === '' || other === '' || isBelow(one, other) || isBelow(other, one);

const otherPoster = (marker: Marker, { job, report }: RunValues): string | null => {
  if (job !== null && marker.job !== undefined && marker.job !== job) return `the job ${marker.job} of this pipeline`;
  if (report === null || marker.report === undefined || marker.report === report) return null;
  return marker.report.split('.')[0] === report.split('.')[0] ? 'this job' : null;
};

const newestPipeline = (markers: readonly Marker[], { project }: RunVersion): RunVersion | null =>
  highestOf(null, markers.map(versionIn).filter((version) => version?.project === project));

const newerPipeline = (pipeline: RunVersion | null, { markers }: EarlierPosts): string | null => {
  const newest = pipeline === null ? null : newestPipeline(markers, pipeline);
  return isHigher(newest, pipeline) ? `pipeline ${newest!.value}, which is newer, has posted already` : null;
};

/** The findings stay in the plan, because the run is judged by its own report. */
const staleStep = (step: PostStep, reason: string): PostStep[] => {
  if (step.action === 'skip') return [step];
  if (step.action === 'resolve' || step.wanted === null) return [];
  return step.action === 'leave' ? [step] : [{ action: 'skip', wanted: step.wanted, reason }];
};

/** Without a service, every finding is new. */
export const planWithoutService = ({ keys, findings }: Loaded, options: RunOptions): PostStep[] =>
  planPosts(findings.map((one) => wantedFinding(one, { skip: null }, options)), [],
    { keys, max: options.max, isComplete: true });

const wantedFinding = (
  { key, finding, fingerprint }: Loaded['findings'][number], { position, skip, guess, lineText: shown }: Placed,
  { level, rawText: isRaw = false }: RunOptions, linesOf: Loaded['linesOf'] = () => null,
): WantedFinding => {
  // A guess may end up without its position, so its text names the place.
  const line = position?.position_type === 'text' && guess === undefined ? finding.line : null;
  const last = line === null ? undefined : finding.suggestion?.to;
  const read = last === undefined ? undefined : linesOf(finding.file)?.[last - 1];
  const lineText = read !== undefined && read === shown?.(last!) ? read : null;
  return {
    key, finding, fingerprint, text: withoutMarkers(findingText(withName(finding, key), { isRaw, line, lineText })),
    skip: reaches(finding.level, level) ? skip : `below --level ${level}`,
  };
};

/** A partial report does not show which findings of the comment are fixed, so the comment stays. */
const summarySteps = (
  steps: readonly PostStep[], { rawText = false, resolve }: RunOptions, { summaries }: EarlierPosts, folder: string,
): SummaryStep[] => {
  const rest = steps.flatMap((step) => step.action === 'summarize' ? [step.wanted.finding] : []);
  if (rest.length === 0 && !resolve) return [];
  return planSummary(rest.length === 0 ? null : withoutMarkers(summaryText(rest, rawText)), summaries, folder);
};

/** More requests at once would only wait for the rate limit of the service. */
const concurrency = 4;

export const makePosts = async (context: PostContext, steps: readonly PostStep[]): Promise<readonly PostOutcome[]> => {
  const { app, flags } = context;
  const made = await runSteps(app, flags, changes(steps), {
    make: (step) => makeStep(context, step), atOnce: () => concurrency,
    progress: (number, count) => `posting ${number} of ${count} …`,
  });
  const outcomes = new Map(made.map((outcome) => [outcome.step, outcome]));
  return steps.map((step): PostOutcome => {
    const outcome = outcomes.get(step) ?? { step, status: 'done' };
    const reason = outcome.result?.skip;
    return step.action !== 'create' || reason === undefined ? outcome
      : { ...outcome, step: { action: 'skip', wanted: step.wanted, reason } };
  });
};

const makeStep = async (context: PostContext, step: PostStep): Promise<Posted> => {
  const { app, target } = context;
  const set = (thread: EarlierThread, resolved: boolean) =>
    repeatStep(app, () => setResolved(target, thread.id, resolved));
  if (step.action === 'create') return postFinding(context, step.wanted, step.beside);
  if (step.action === 'resolve') await set(step.thread, true);
  if (step.action === 'reopen') {
    const { thread, wanted } = step;
    await set(thread, false);
    const isOther = thread.isFormer || !hasFindingText(thread, wanted);
    if (isOther && thread.answeredBy === null && !thread.isChanged) await updateThread(context, wanted, thread);
  }
  if (step.action === 'update') await updateThread(context, step.wanted, step.thread);
  return {};
};

/** The client returns an existing note with the same identity, unless the marker has an id. */
const postFinding = async (context: PostContext, wanted: WantedFinding, beside?: number): Promise<Posted> => {
  const { app, flags, target } = context;
  const { position: wantedPosition, guess } = context.placeOnDiff(wanted);
  const marker = { ...findingMarker(context, wanted), ...(beside !== undefined && { id: String(beside) }) };
  const send = async (position: PositionInput | undefined): Promise<Posted> => {
    const { thread, note } = await createThread(target, { body: wanted.text, position }, { marker });
    const created = { discussion_id: thread.id, note_id: note.id };
    try {
      await checkAnchored(app, flags, target, thread, position);
      return { created };
    } catch (error) {
      return { created, problem: error as Error };
    }
  };
  try {
    return await send(wantedPosition);
  } catch (error) {
    if (guess === undefined || !rejectsPosition(error)) throw error;
    return guess.skip === null ? send(undefined) : { skip: guess.skip };
  }
};

const findingMarker = (context: PostContext, { key, fingerprint, finding }: WantedFinding): Marker => ({
  key, fp: printFingerprint(fingerprint), finding: findingDigest(finding), level: finding.level, ...runValues(context),
});

const runNames: readonly string[] = ['newer', 'project', 'job', 'report', 'folder'];

const runValues = ({ values: { pipeline, job, report, folder } }: PostContext): Marker => ({
  ...versionValues(pipeline), ...(job !== null && { job }), ...(pipeline !== null && report !== null && { report }),
  ...(folder !== '' && { folder }),
});

const updateThread = async (context: PostContext, wanted: WantedFinding, thread: EarlierThread): Promise<void> => {
  const { id } = thread.marker;
  const marker = { ...findingMarker(context, wanted), ...(id !== undefined && { id }) };
  const note = await editNote(context, thread.id, thread.note, wanted.text, marker);
  // A person who resolved it before the edit accepted the former text.
  if (note.resolved) await repeatStep(context.app, () => setResolved(context.target, thread.id, false));
};

const editNote = (
  { app, target: { client, kind, path } }: PostContext, thread: string, note: number, text: string, marker: Marker,
) => repeatStep(app, () => client.discussions[kind].modifyNote({
  ...path, discussion_id: thread, note_id: note, body: withMarker(withoutMarkers(text), marker),
}));

/** An older pipeline that ends later, and another report of this one, find this run in a marker of each key. */
export const recordRun = async (
  context: PostContext, steps: readonly PostStep[], earlier: readonly EarlierThread[],
): Promise<void> => {
  const { keys, values: { pipeline, folder }, placeOnDiff } = context;
  const values = runValues(context);
  const isPosted = (step: PostStep) =>
    step.action === 'update' || (step.action === 'create' && placeOnDiff(step.wanted).guess === undefined);
  for (const key of pipeline === null ? [] : keys) {
    const threads = earlier.filter((thread) => thread.key === key && isInFolder(folder, thread));
    const isRecorded = threads.some(({ marker }) => runNames.every((name) => marker[name] === values[name]))
      || steps.some((step) => isPosted(step) && 'wanted' in step && step.wanted?.key === key);
    const holder = threads.filter(mayHold).toSorted((a, b) => a.note - b.note)[0];
    if (isRecorded || !holder) continue;
    const others = Object.entries(holder.marker).filter(([name]) => !runNames.includes(name));
    await editNote(context, holder.id, holder.note, holder.text, { ...Object.fromEntries(others), ...values });
  }
};

const mayHold = ({ answeredBy, isChanged, isFormer, resolvedBy }: EarlierThread): boolean =>
  answeredBy === null && !isChanged && !isFormer && resolvedBy === null;

/** Copies are deleted only after the comment has its text. @returns the id of a new comment */
export const makeSummary = async (context: PostContext, steps: readonly SummaryStep[]): Promise<number | null> => {
  let created: number | null = null;
  const { target, keys } = context;
  const values = { key: summaryKey(keys), fp: summaryFingerprint, ...runValues(context) };
  for (const step of steps) {
    if (step.action === 'update') {
      const { discussion, note, marker: { id } } = step.summary;
      await editNote(context, discussion.id, note.id, step.text, id === undefined ? values : { ...values, id });
    } else if (step.action === 'delete') await target.client.removeNotes(target, [step.summary]);
    else {
      const marker = { ...values, ...step.marker };
      created = (await createComment(target, { body: step.text }, { marker }, new Map())).note.id;
    }
  }
  return created;
};
