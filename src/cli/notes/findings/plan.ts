import { isChanged, sortCopies } from '../../../client/exactly-once/copies.js';
import { isStoredAs, type Marker } from '../../../wire/note-text.js';
import { idBeside } from '../upsert/plan.js';
import type { EarlierThread, Summary } from './earlier.js';
import { reaches, levels, type Finding, type Level } from './finding.js';
import {
  findingDigest, hasSameNeighbors, pairUp, printFingerprint, withoutNumbers, type Fingerprint,
} from './fingerprint.js';
import { isBelow } from './paths.js';
import type { Placed } from './place.js';
import { jobsIn, type Poster } from './poster.js';
import { findingTitle, withName } from './text.js';
import { belowTitle, fileInTitle, partsOfText, withoutRuleLink } from './title.js';

export interface WantedFinding extends Pick<Placed, 'position' | 'guess'> {
  /** A thread is compared with the findings of its own key only. */
  readonly key: string;
  readonly finding: Finding;
  readonly fingerprint: Fingerprint;
  readonly text: string;
  /** The text of a thread without the position, which the service may reject. */
  readonly generalText?: string;
  /** Why there is no new thread; null if the finding passes all filters. */
  readonly skip: string | null;
}

export type PostStep =
  | { readonly action: 'create' | 'summarize'; readonly wanted: WantedFinding; readonly beside?: number }
  | { readonly action: 'skip'; readonly wanted: WantedFinding; readonly reason: string }
  | { readonly action: 'keep' | 'update' | 'reopen'; readonly wanted: WantedFinding; readonly thread: EarlierThread }
  | { readonly action: 'resolve'; readonly thread: EarlierThread }
  | LeaveStep;

export interface LeaveStep {
  readonly action: 'leave';
  readonly wanted: WantedFinding | null;
  readonly thread: EarlierThread;
  readonly reason: string;
  /** Other jobs that found it: whether it is fixed for them too, this report does not say. */
  readonly jobs?: readonly string[];
}

export interface PlanOptions {
  readonly keys: readonly string[];
  readonly max: number;
  readonly isComplete: boolean;
  /** The name of this job; null outside of CI, where all threads of a key may be resolved. */
  readonly job: string | null;
  /** The rules of tests that did not run, as titles show them. */
  readonly unrun?: ReadonlySet<string>;
  /** Only threads of this folder are resolved; of all folders if it is empty. */
  readonly folder?: string;
}

/**
 * What a person answered or changed keeps its text, and what a person resolved stays resolved, if that counts. Each
 * other resolved thread is reopened if its finding returns.
 */
export const planPosts = (
  wanted: readonly WantedFinding[], threads: readonly EarlierThread[], options: PlanOptions,
): PostStep[] => {
  const pairs = options.keys.map((key) =>
    pairsOf(wanted.filter((one) => one.key === key), threads.filter((one) => one.key === key)));
  const known = pairs.flatMap(({ paired }) => paired).map(([one, thread]) => stepForBoth(one, thread, options));
  const fixed = pairs.flatMap(({ missing }) => missing).flatMap((thread) => stepForFixed(thread, options));
  const hidden = known.filter((step) =>
    step.action === 'skip' || (step.action === 'leave' && step.thread.state === 'resolved'));
  const fresh = pairs.flatMap((one) => one.fresh);
  return [...known, ...stepsForNew(fresh, threads, options.max - known.length + hidden.length), ...fixed];
};

const pairsOf = (wanted: readonly WantedFinding[], threads: readonly EarlierThread[]) => {
  const inOrder = threads.toSorted((a, b) =>
    Number(a.isFormer) - Number(b.isFormer) || Number(a.isChanged) - Number(b.isChanged)
    || Number(a.state === 'resolved') - Number(b.state === 'resolved')
    || a.fingerprint.count - b.fingerprint.count || a.note - b.note);
  const indexes = withAnswered(wanted, inOrder, pairUp(
    wanted.map(({ fingerprint, finding: { line } }) => ({ fingerprint, line })),
    inOrder.map(({ fingerprint, line, state }) => ({ fingerprint, line, isClosed: state === 'resolved' })),
    (one, thread) => mayHave(wanted[one]!, inOrder[thread]!)));
  const used = new Set(indexes);
  return {
    paired: wanted.flatMap((one, i) => indexes[i] === null ? [] : [[one, inOrder[indexes[i]!]!] as const]),
    fresh: wanted.filter((_, i) => indexes[i] === null),
    // Threads with the former key that were not adopted then are those of another job.
    missing: inOrder.filter(({ isFormer }, i) => !used.has(i) && !(isFormer && threads.some((one) => !one.isFormer))),
  };
};

/** A resolved thread is reopened with another text, unless a person answered, changed or accepted it. */
const mayHave = (wanted: WantedFinding, thread: EarlierThread): boolean => {
  const { answeredBy, isAccepted, isChanged, level, state } = thread;
  if (state !== 'resolved' || (!isAccepted && answeredBy === null && !isChanged)) return true;
  const isCovered = level === null ? !isAccepted : reaches(level, wanted.finding.level);
  return isCovered && isSameFinding(wanted, thread);
};

/** Numbers in messages may differ; the rule is part of the fingerprint of the line. Earlier digests are shorter. */
const isSameFinding = ({ finding, fingerprint, text }: WantedFinding, thread: EarlierThread): boolean =>
  thread.finding !== null ? thread.finding.length >= 12 && findingDigest(finding).startsWith(thread.finding)
    : thread.fingerprint.message === fingerprint.message
      || withoutNumbers(belowTitle(text)) === withoutNumbers(belowTitle(thread.text));

/** The line of a finding may change while a person discusses it. */
const withAnswered = (
  wanted: readonly WantedFinding[], threads: readonly EarlierThread[], indexes: readonly (number | null)[],
): (number | null)[] => {
  const used = new Set(indexes);
  const free = new Set([...threads.keys()].filter((i) =>
    !used.has(i) && threads[i]!.answeredBy !== null && threads[i]!.state !== 'resolved'));
  return indexes.map((index, i) => {
    if (index !== null || free.size === 0) return index;
    const found = [...free].find((one) => isSamePlace(wanted[i]!, threads[one]!));
    if (found === undefined) return null;
    free.delete(found);
    return found;
  });
};

const isSamePlace = ({ key, finding, fingerprint }: WantedFinding, thread: EarlierThread): boolean => {
  const [title] = withoutRuleLink(thread.text).split('\n');
  if (finding.rule === null && fingerprint.message !== thread.fingerprint.message) return false;
  const hasTitle = (hasPlace: boolean) =>
    [withName(finding, key), finding].some((one) => title === findingTitle(one, hasPlace));
  if (hasTitle(true)) return true;
  return hasTitle(false) && thread.file === finding.file
    && (thread.line === finding.line || hasSameNeighbors(fingerprint, thread.fingerprint));
};

export const textFor = ({ text, generalText = text }: WantedFinding, { file }: EarlierThread): string =>
  file === null ? generalText : text;

/** Titles of earlier versions have no key and no link. A change of these alone would rewrite all threads. */
const hasFindingText = (thread: EarlierThread, one: WantedFinding): boolean => {
  const { key, finding } = one;
  const [wanted, stored] = [withoutRuleLink(textFor(one, thread)), withoutRuleLink(thread.text)];
  if (isStoredAs(wanted, stored)) return true;
  const hasPlace = wanted.startsWith(`${findingTitle(withName(finding, key), true)}\n`);
  return isStoredAs(findingTitle(finding, hasPlace) + belowTitle(wanted), stored);
};

export const fileOf = ({ file, text }: EarlierThread): string | null => file ?? fileInTitle(text);

/**
 * A run of the tool in another folder has the same key: the threads of that one are not fixed. One on a file outside of
 * the folder, such as a common header, is of the run that found it last.
 */
export const isOfFolder = (folder: string, thread: EarlierThread): boolean => {
  const file = fileOf(thread);
  if (folder === '' || file === null) return true;
  const { folder: finder = '' } = thread.marker;
  return finder === '' || isBelow(finder, file) ? isBelow(folder, file) : finder === folder;
};

const changedByHand = 'changed by hand';

export const notInPartialReport = 'not in a partial report';

const stepForBoth = (wanted: WantedFinding, thread: EarlierThread, { job, folder = '' }: PlanOptions): PostStep => {
  const { answeredBy, isAccepted, isChanged, resolvedBy, state } = thread;
  const leave = (reason: string): LeaveStep => ({ action: 'leave', wanted, thread, reason });
  if (isAccepted) return leave(`resolved by ${resolvedBy}`);
  if (state === 'resolved') {
    const { skip } = wanted;
    return skip === null ? { action: 'reopen', wanted, thread } : { action: 'skip', wanted, reason: skip };
  }
  if (answeredBy !== null) return leave(`answered by ${answeredBy}`);
  if (isChanged) return leave(changedByHand);
  if (wanted.skip !== null) return { action: 'keep', wanted, thread };
  return { action: isUpToDate(thread, wanted, { name: job, folder }) ? 'keep' : 'update', wanted, thread };
};

/** Whether an update would change neither the text of the thread nor who found it. */
export const isUpToDate = (
  thread: EarlierThread, wanted: WantedFinding, { name, folder }: Pick<Poster, 'name' | 'folder'>,
): boolean => !thread.isFormer && isOfFolder(folder, thread) && namesJob(thread, name)
  && hasFindingText(thread, wanted);

/** Whether the marker has all jobs that found it, so that none of them resolves it alone. */
const namesJob = ({ jobs, marker }: EarlierThread, job: string | null): boolean => {
  const named = jobsIn(marker);
  return job === null || jobs.length === 0 || [...jobs, job].every((one) => named.includes(one));
};

const stepForFixed = (
  thread: EarlierThread, { isComplete, job, unrun, folder = '' }: PlanOptions,
): PostStep[] => {
  const leave = (reason: string): PostStep[] => [{ action: 'leave', wanted: null, thread, reason }];
  if (thread.state === 'resolved' || !isOfFolder(folder, thread)) return [];
  if (!isComplete) return leave(notInPartialReport);
  if (thread.answeredBy !== null) return leave(`answered by ${thread.answeredBy}`);
  if (thread.isChanged) return leave(changedByHand);
  if (thread.state === 'not resolvable') return leave('fixed, but the thread cannot be resolved');
  if (unrun !== undefined && isUnrun(thread, unrun)) return leave('the test did not run');
  return [leftToOthers(thread, thread.jobs, job) ?? { action: 'resolve', thread }];
};

const isUnrun = (thread: EarlierThread, unrun: ReadonlySet<string>): boolean => {
  const { rule } = partsOfText(thread.text, thread);
  return rule !== null
    && [rule, rule.replace(/\[[^[\]]*\]$/, '[]'), rule.replace(/ > .*/s, ' > *')].some((one) => unrun.has(one));
};

export const leftToOthers = (
  thread: EarlierThread, found: readonly string[], job: string | null,
): LeaveStep | null => {
  const jobs = job === null ? [] : found.filter((one) => one !== job);
  const reason = `posted by another job: ${jobs.join(', ')}`;
  return jobs.length === 0 ? null : { action: 'leave', wanted: null, thread, reason, jobs };
};

/** The most severe findings get the threads that are left, in the order of the files. */
const stepsForNew = (
  wanted: readonly WantedFinding[], threads: readonly EarlierThread[], left: number,
): PostStep[] => {
  const passing = wanted.filter(({ skip }) => skip === null);
  const chosen = new Set(passing.toSorted((a, b) =>
    levels.indexOf(a.finding.level) - levels.indexOf(b.finding.level)).slice(0, Math.max(0, left)));
  return wanted.map((one): PostStep => {
    if (one.skip !== null) return { action: 'skip', wanted: one, reason: one.skip };
    const name = printFingerprint(one.fingerprint);
    const same = threads.filter(({ marker, fingerprint }) =>
      marker['key'] === one.key && printFingerprint(fingerprint) === name);
    const beside = same.length === 0 ? undefined : Math.max(...same.map(({ note }) => note));
    return { action: chosen.has(one) ? 'create' : 'summarize', wanted: one, ...(beside !== undefined && { beside }) };
  });
};

/** Findings of which this run starts a thread, changes one or writes in its comment. */
export const newlyPosted = (steps: readonly PostStep[]): WantedFinding[] => steps.flatMap((step) =>
  'wanted' in step && !['keep', 'leave', 'skip'].includes(step.action) ? step.wanted ?? [] : []);

/** Those among them like one that a person accepted, which had other lines next to it. */
export const acceptedElsewhere = (
  steps: readonly PostStep[], threads: readonly EarlierThread[],
): { readonly wanted: WantedFinding; readonly thread: EarlierThread }[] => {
  const used = new Set(steps.flatMap((step) => 'thread' in step ? step.thread : []));
  const free = threads.filter((thread) => thread.isAccepted && !used.has(thread));
  return newlyPosted(steps).flatMap((wanted) => {
    const thread = free.find((one) => one.key === wanted.key && one.fingerprint.line === wanted.fingerprint.line
      && mayHave(wanted, one));
    return thread ? [{ wanted, thread }] : [];
  });
};

export const changes = (steps: readonly PostStep[]): PostStep[] =>
  steps.filter(({ action }) => ['create', 'update', 'reopen', 'resolve'].includes(action));

/**
 * Findings that pass the filters count, even in a run that is not of the newest pipeline, except accepted ones.
 * The most severe come first.
 */
export const countedFindings = (steps: readonly PostStep[], level: Level): Finding[] => steps.flatMap((step) =>
  step.action !== 'resolve' && step.wanted !== null && step.wanted.skip === null
  && !(step.action === 'leave' && step.thread.isAccepted) && reaches(step.wanted.finding.level, level)
    ? [step.wanted.finding] : []).toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level));

export type SummaryStep =
  | { readonly action: 'create'; readonly text: string; readonly marker: Marker }
  | { readonly action: 'update'; readonly text: string; readonly summary: Summary }
  | { readonly action: 'delete'; readonly summary: Summary };

/** A run about a folder has a comment of its own, and one about all folders replaces them. */
const unchangedOf = (summaries: readonly Summary[], folder: string): Summary[] => summaries.filter((one) =>
  !isChanged(one) && (folder === '' || (one.marker['folder'] ?? folder) === folder));

/** The comment of the run before this one, unless a person changed it. */
export const knownSummary = (summaries: readonly Summary[], folder: string): Summary | undefined =>
  sortCopies(unchangedOf(summaries, folder)).kept;

/** Plans the comment: one that a person answered or changed stays if there is nothing to list any more. */
export const planSummary = (text: string | null, summaries: readonly Summary[], folder = ''): SummaryStep[] => {
  const { kept: summary, surplus: copies } = sortCopies(unchangedOf(summaries, folder));
  const surplus = copies.map((copy): SummaryStep => ({ action: 'delete', summary: copy }));
  if (text === null) {
    const isDeleted = summary !== undefined && summary.answeredBy === null;
    return isDeleted ? [{ action: 'delete', summary }, ...surplus] : surplus;
  }
  const id = idBeside(summaries);
  if (!summary) return [{ action: 'create', text, marker: id === undefined ? {} : { id } }];
  return isStoredAs(text, summary.text) ? surplus : [{ action: 'update', text, summary }, ...surplus];
};
