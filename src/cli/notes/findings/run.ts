import type { Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { type Marker, readMarker, withMarker, withoutMarkers } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { runSteps } from '../../changes/run.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { repeatStep } from '../../service/connection/batch.js';
import type { Target } from '../../service/targets/target.js';
import { setResolved } from '../../service/targets/threads.js';
import { excludedAuthor, type AcceptFlags } from '../filters/acceptance.js';
import { checkAnchored, rejectsPosition } from '../position/unanchored.js';
import { whyOutdated } from '../position/version.js';
import { isHigher, type RunVersion } from '../upsert/plan.js';
import { createComment, createThread } from '../write/new-notes.js';
import {
  findEarlierPosts, summaryFingerprint, summaryKey, type EarlierPosts, type EarlierThread,
} from './earlier.js';
import { reaches, type Finding, type Level } from './finding.js';
import { findingDigest, identify, printFingerprint, type Identified } from './fingerprint.js';
import type { Loaded } from './load.js';
import { otherKeysIn } from './other-threads.js';
import { checkFilesExist, placeFindings, type Placed, type PostFilter } from './place.js';
import {
  changes, fileOf, isOfFolder, isUpToDate, leftToOthers, planPosts, planSummary, textFor, type PostStep,
  type SummaryStep, type WantedFinding,
} from './plan.js';
import {
  isOfReport, jobsIn, jobValues, newestPipeline, otherReport, posterOf, posterValues, withPoster,
  type Poster,
} from './poster.js';
import type { Posted, PostOutcome } from './result.js';
import { findingText, shownRule, summaryText, withName, type LineText } from './text.js';

interface PostContext {
  readonly app: App;
  readonly flags: GlobalFlags;
  readonly target: Target;
  readonly keys: readonly string[];
  readonly poster: Poster;
  /** The threads whose markers get the values of this run, one for each key without a new or updated one. */
  readonly holders: readonly EarlierThread[];
}

export interface RunOptions extends GlobalFlags, AcceptFlags {
  readonly filter?: PostFilter;
  readonly level: Level;
  readonly max: number;
  readonly resolve: boolean;
  readonly rawText?: boolean;
}

export type RunPlan = Awaited<ReturnType<typeof planRun>>;

/**
 * Nothing changes if a newer commit or pipeline exists, which `stale` names, and nothing is resolved if another report
 * of this pipeline was posted with the same key, which `shared` names.
 */
export const planRun = async (app: App, flags: RunOptions, target: Target, loaded: Loaded) => {
  const { keys, formerKeys, findings, failure, areFilesUnknown, linesOf, scope } = loaded;
  const excluded = await excludedAuthor(target, flags);
  const earlier = await findEarlierPosts(target, keys, formerKeys, excluded);
  const own = earlier.threads.filter((thread) => isOfFolder(scope, thread));
  const poster = posterOf(app, loaded.call, scope);
  const mayResolve = flags.resolve && (scope === '' || own.length > 0);
  const shared = mayResolve ? otherReport(poster, earlier.markers) : null;
  const options = { ...flags, resolve: flags.resolve && failure === null && shared === null };
  const all = findings.map(({ finding }) => finding);
  const placed = await placeFindings(app, options, target, all, options.filter, loaded);
  if (areFilesUnknown && placed.every(({ skip }) => skip !== null)) {
    await checkFilesExist(app, target, all);
  }
  const identified = identifyByDiff(all, placed, linesOf);
  const wanted = findings.map(({ key }, i) => wantedFinding({ key, ...identified[i]! }, placed[i]!, options, linesOf));
  const reported = new Set(all.map(({ file }) => file));
  const threads = earlier.threads.filter((one) => isOfFolder(scope, one) || reported.has(fileOf(one) ?? ''));
  const steps = planPosts(wanted, threads, {
    keys, max: options.max, isComplete: options.resolve, job: poster.name, unrun: new Set(loaded.unrun.map(shownRule)),
    folder: scope,
  });
  const stale = await whyOutdated(app, target) ?? newerPipeline(poster.pipeline, earlier);
  const context = { app, flags: options, target, keys, poster, holders: [] };
  if (stale !== null) {
    const skipped = steps.flatMap((step) => staleStep(step, `stale: ${stale}`));
    const nothing = { summary: [], shared: null, otherKeys: [] };
    return { ...nothing, steps: skipped, context, earlier: { ...earlier, copies: [], foreign: [] }, stale };
  }
  return {
    steps, summary: summarySteps(steps, options, earlier, scope),
    context: { ...context, holders: holdersOf(context, steps, own) }, earlier, stale, shared,
    otherKeys: otherKeysIn(steps, earlier, poster),
  };
};

/** The findings are in the order of `identify` already. */
const identifyByDiff = (
  all: readonly Finding[], placed: readonly Placed[], linesOf: Loaded['linesOf'],
): Identified[] => {
  const inDiff = new Map(all.map((finding, i) => [finding, placed[i]!.lineText]));
  return identify(all, (finding, line) => {
    const lines = linesOf(finding.file);
    return lines === null ? inDiff.get(finding)?.(line) : lines[line - 1];
  });
};

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
    { keys, max: options.max, isComplete: true, job: null });

const wantedFinding = (
  { key, finding, fingerprint }: Loaded['findings'][number], placed: Placed,
  { level, rawText: isRaw = false }: RunOptions, linesOf: Loaded['linesOf'] = () => null,
): WantedFinding => {
  const { position, skip, guess, isLeftOut = false } = placed;
  // A guess may end up without its position, so its text names the place.
  const line = position?.position_type === 'text' && guess === undefined ? placed.line ?? finding.line : null;
  const lineText = linesInBoth(finding, placed, linesOf);
  const textAt = (place: number | null) =>
    withoutMarkers(findingText(withName(finding, key), { isRaw, line: place, lineText }));
  return {
    key, finding, fingerprint, position, ...guess && { guess },
    text: textAt(line), ...isLeftOut && { generalText: textAt(null) },
    skip: reaches(finding.level, level) ? skip : `below --level ${level}`,
  };
};

const linesInBoth = (
  { file }: Finding, { lineText = () => undefined }: Placed, linesOf: Loaded['linesOf'],
): LineText => (line) => {
  const lines = linesOf(file);
  if (lines === null) return undefined;
  const [here, there] = [lines[line - 1], lineText(line)].map((text) => text?.replace(/\r$/, ''));
  return here !== undefined && here === there ? lines[line - 1] : null;
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
    return { ...outcome, step: outcome.result?.instead ?? step };
  });
};

const setState = ({ app, target }: PostContext, { id }: EarlierThread, resolved: boolean) =>
  repeatStep(app, () => setResolved(target, id, resolved));

const makeStep = async (context: PostContext, step: PostStep): Promise<Posted> => {
  if (step.action === 'create') return postFinding(context, step.wanted, step.beside);
  if (step.action === 'resolve') return resolveFixed(context, step.thread);
  if (step.action === 'reopen') {
    const { thread, wanted } = step;
    await setState(context, thread, false);
    const isKept = thread.answeredBy !== null || thread.isChanged || isUpToDate(thread, wanted, context.poster);
    if (!isKept) await updateThread(context, wanted, thread);
  }
  if (step.action === 'update') await updateThread(context, step.wanted, step.thread);
  return {};
};

/** Another job may have found it after this one had read the threads. */
const resolveFixed = async (context: PostContext, thread: EarlierThread): Promise<Posted> => {
  const { poster, holders } = context;
  const { text, marker } = readMarker((await setState(context, thread, true)).notes[0]?.body ?? '');
  const instead = leftToOthers(thread, jobsIn(marker ?? {}), poster.name);
  if (instead !== null) await setState(context, thread, false);
  else if (holders.includes(thread)) await storeRun(context, { ...thread, text, marker: marker ?? thread.marker });
  return instead === null ? {} : { instead };
};

/** The client returns an existing note with the same identity, unless the marker has an id. */
const postFinding = async (context: PostContext, wanted: WantedFinding, beside?: number): Promise<Posted> => {
  const { app, flags, target } = context;
  const { guess } = wanted;
  const marker = { ...findingMarker(context, wanted), ...(beside !== undefined && { id: String(beside) }) };
  const send = async (position: PositionInput | undefined, body = wanted.text): Promise<Posted> => {
    const { thread, note } = await createThread(target, { body, position }, { marker });
    const created = { discussion_id: thread.id, note_id: note.id };
    await addJob(context, thread.id, note);
    try {
      await checkAnchored(app, flags, target, thread, position);
      return { created };
    } catch (error) {
      return { created, problem: error as Error };
    }
  };
  try {
    return await send(wanted.position);
  } catch (error) {
    if (!rejectsPosition(error) || (guess ?? wanted.generalText) === undefined) throw error;
    if (guess === undefined || guess.skip === null) return send(undefined, wanted.generalText);
    return { instead: { action: 'skip', wanted, reason: guess.skip } };
  }
};

/** The thread may be that of another job that found the same at the same time. */
const addJob = async (context: PostContext, thread: string, { id, body }: Note): Promise<void> => {
  const { text, marker } = readMarker(body);
  if (marker === null) return;
  const values = { ...marker, ...jobValues(context.poster, marker['key'] ?? '', jobsIn(marker)) };
  if (values['by'] !== marker['by']) await editNote(context, thread, id, text, values);
};

const findingMarker = (
  { poster }: PostContext, { key, fingerprint, finding }: WantedFinding, found: readonly string[] = [],
): Marker => ({
  key, fp: printFingerprint(fingerprint), finding: findingDigest(finding), level: finding.level,
  ...posterValues(poster), ...jobValues(poster, key, found),
});

const updateThread = async (context: PostContext, wanted: WantedFinding, thread: EarlierThread): Promise<void> => {
  const { id } = thread.marker;
  const marker = { ...findingMarker(context, wanted, thread.jobs), ...(id !== undefined && { id }) };
  const note = await editNote(context, thread.id, thread.note, textFor(wanted, thread), marker);
  // A person who resolved it before the edit accepted the former text.
  if (note.resolved) await setState(context, thread, false);
};

const editNote = (
  { app, target: { client, kind, path } }: PostContext, thread: string, note: number, text: string, marker: Marker,
) => repeatStep(app, () => client.discussions[kind].modifyNote({
  ...path, discussion_id: thread, note_id: note, body: withMarker(withoutMarkers(text), marker),
}));

export const holdersOf = (
  { poster, keys }: PostContext, steps: readonly PostStep[], threads: readonly EarlierThread[],
): EarlierThread[] => {
  const posted = new Set(steps.flatMap((step) =>
    step.action === 'update' || (step.action === 'create' && !step.wanted.guess) ? step.wanted.key : []));
  return keys.filter((key) => !posted.has(key)).flatMap((key) => {
    const ofKey = threads.filter((thread) => thread.key === key);
    const isRecorded = ofKey.some(({ marker }) => isOfReport(marker, poster));
    const inOrder = ofKey.filter((one) => mayHold(one, poster)).toSorted((a, b) => a.note - b.note);
    return isRecorded ? [] : inOrder.slice(0, 1);
  });
};

const mayHold = (
  { answeredBy, isChanged, isFormer, resolvedBy, jobs }: EarlierThread, { name }: Poster,
): boolean => answeredBy === null && !isChanged && !isFormer && resolvedBy === null
  && (name === null || jobs.length === 0 || jobs.includes(name));

/**
 * An older pipeline that ends later, and another report of this one, find this run in a marker of each key. A thread to
 * resolve gets it after that, since another job may find it and change its marker.
 */
export const recordRun = async (context: PostContext, steps: readonly PostStep[]): Promise<void> => {
  const fixed = new Set(steps.flatMap((step) => step.action === 'resolve' ? step.thread : []));
  for (const holder of context.holders) if (!fixed.has(holder)) await storeRun(context, holder);
};

const storeRun = (context: PostContext, { id, note, text, marker }: EarlierThread): Promise<unknown> =>
  editNote(context, id, note, text, withPoster(marker, context.poster));

/** Copies are deleted only after the comment has its text. @returns the id of a new comment */
export const makeSummary = async (context: PostContext, steps: readonly SummaryStep[]): Promise<number | null> => {
  let created: number | null = null;
  const { target, keys } = context;
  const values = { key: summaryKey(keys), fp: summaryFingerprint, ...posterValues(context.poster) };
  for (const step of steps) {
    if (step.action === 'update') {
      const { discussion, note, marker: { id } } = step.summary;
      await editNote(context, discussion.id, note.id, step.text, id === undefined ? values : { ...values, id });
    } else if (step.action === 'delete') await target.client.removeNotes(target, [step.summary]);
    else {
      const marker = { ...values, ...step.marker };
      created = (await createComment(target, { body: step.text }, { marker })).note.id;
    }
  }
  return created;
};
