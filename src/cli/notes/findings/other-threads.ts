import { groupedBy } from '../../../text/groups.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { shellWord } from '../../../text/quoting.js';
import type { Marker } from '../../../wire/note-text.js';
import { shortIds } from '../thread-id.js';
import { isHigher } from '../upsert/plan.js';
import type { EarlierPosts, EarlierThread, OtherPost } from './earlier.js';
import { findingIn } from './finding.js';
import { findingDigest } from './fingerprint.js';
import { acceptedElsewhere, newlyPosted, type LeaveStep, type PostStep, type WantedFinding } from './plan.js';
import { isOfPipeline, jobsIn, newestPipeline, pipelinesIn, type Poster } from './poster.js';
import { printedPlace } from './title.js';

/** Another key with open or accepted threads, since the job or the tool may have been renamed. */
interface OtherKey {
  readonly key: string;
  /** The findings of this run with open threads; if they are surplus, all open threads. */
  readonly open: number;
  readonly accepted: number;
  /** Whether this run continues earlier threads, so that those of the other key are surplus. */
  readonly isSurplus: boolean;
}

/**
 * For a key without threads, those that have the same findings; for a key with threads, those that did not run in its
 * pipelines, if they have the same findings, or it may have replaced them. Keys of jobs of one pipeline are no renames.
 * The newest comes first.
 */
export const otherKeysIn = (
  steps: readonly PostStep[], { threads, others, markers }: EarlierPosts, poster: Poster,
): OtherKey[] => {
  const known = new Set(threads.map(({ key }) => key));
  const newest = Math.max(...threads.map(({ note }) => note));
  const before = markers.filter((marker) => !isOfPipeline(marker, poster));
  const pipelines = new Set(before.flatMap(pipelinesIn));
  const wanted = steps.flatMap((step) => 'wanted' in step && step.action !== 'skip' ? step.wanted ?? [] : []);
  const [fresh, continued] = [wanted.filter(({ key }) => !known.has(key)), wanted.filter(({ key }) => known.has(key))];
  const newestFirst = others.toSorted((a, b) => b.note - a.note);
  const keys = [...groupedBy(newestFirst, ({ marker }) => marker['key'] ?? '')].flatMap(([key, ofKey]): OtherKey[] => {
    if (ofKey.some(({ marker }) => isOfPipeline(marker, poster))) return [];
    const isApart = before.length > 0
      && !ofKey.some(({ marker }) => pipelinesIn(marker).some((one) => pipelines.has(one)));
    const isLater = ofKey.some(({ note }) => note > newest);
    const isGone = isOlder(ofKey.map(({ marker }) => marker), before, poster);
    const isSurplus = isApart && ((countsIn(continued, ofKey).open > 0 && (isLater || isGone))
      || (isGone && pipelines.size > 0 && isReplaced(key, ofKey, threads, poster)));
    return [
      { key, ...countsIn(fresh, ofKey), isSurplus: false },
      ...isSurplus ? [{ key, open: ofKey.filter(({ isOpen }) => isOpen).length, accepted: 0, isSurplus }] : [],
    ];
  });
  return keys.filter(({ open, accepted }) => open + accepted > 0);
};

/** Workflows have pipelines of their own, whose order is known in GitLab CI only: elsewhere their names have to do. */
const isOlder = (markers: readonly Marker[], before: readonly Marker[], { pipeline, name }: Poster): boolean => {
  if (pipeline !== null) return !isHigher(newestPipeline(markers, pipeline), newestPipeline(before, pipeline));
  const workflowOf = (job: string) => job.slice(0, job.lastIndexOf('/'));
  return name === null || markers.flatMap(jobsIn).every((job) => workflowOf(job) === workflowOf(name));
};

/** A renamed job starts all of its threads after those of the old key, with the same tool and folder. */
const isReplaced = (
  key: string, ofKey: readonly OtherPost[], threads: readonly EarlierThread[], { folder }: Poster,
): boolean => {
  const ofTool = threads.filter((one) => toolIn(one.key) === toolIn(key));
  const oldest = Math.min(...ofTool.map(({ note }) => note));
  return ofTool.length > 0 && ofKey.every(({ note, marker }) => note < oldest && (marker['folder'] ?? '') === folder);
};

/** Default keys end with it. */
const toolIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

const countsIn = (wanted: readonly WantedFinding[], others: readonly OtherPost[]) => {
  const namesOf = (some: readonly OtherPost[]) => new Set(some.map(({ marker }) => findingIn(marker)));
  const open = namesOf(others.filter(({ isOpen }) => isOpen));
  const accepted = namesOf(others.filter(({ isAccepted }) => isAccepted));
  const names = wanted.map(({ fingerprint: { line: fp }, finding }) =>
    findingIn({ fp, finding: findingDigest(finding) }));
  return {
    open: names.filter((name) => open.has(name)).length,
    accepted: names.filter((name) => !open.has(name) && accepted.has(name)).length,
  };
};

interface Hinted {
  readonly steps: readonly PostStep[];
  readonly earlier: EarlierPosts;
  readonly otherKeys: readonly OtherKey[];
}

/** About threads that the run does not continue. @param name that of the merge request, as commands take it */
export const linesOfOtherThreads = ({ steps, earlier, otherKeys }: Hinted, name: string): string[] => [
  ...linesOfAccepted(steps, earlier), ...linesOfOtherJobs(steps, name), ...linesOfOtherUsers(steps, earlier, name),
  ...linesOfOtherKeys(otherKeys, name),
].map(plainLine);

const linesOfAccepted = (steps: readonly PostStep[], { threads }: EarlierPosts): string[] => {
  const found = acceptedElsewhere(steps, threads);
  const [first] = found;
  if (first === undefined) return [];
  const ids = idsOf(found.map(({ thread }) => thread));
  const [are, it, those] = found.length === 1
    ? [`${printedPlace(first.wanted.finding)} is`, 'it', `thread ${ids}, which ${first.thread.resolvedBy} accepted`]
    : [`${found.length} findings are`, 'them', `the accepted threads ${ids}`];
  return [`${are} not accepted any more, since both lines next to ${it} are not those of ${those}: `
    + `accept ${it} again if that still holds`];
};

const linesOfOtherKeys = ([newest, ...all]: readonly OtherKey[], name: string): string[] => {
  if (newest === undefined) return [];
  const older = [...new Set(all.map(({ key }) => key))].filter((key) => key !== newest.key).map(shellWord);
  const more = older.length === 0 ? '' : `, and ${counted(older.length, 'older key')}: ${older.join(', ')}`;
  return [lineOfOtherKey(newest, name) + more];
};

const lineOfOtherKey = ({ key, open, accepted, isSurplus }: OtherKey, name: string): string => {
  const word = shellWord(key);
  const resolve = `with the token of the job: \`colloquy notes post ${name} --key ${word} --from lines `
    + '--allow-empty /dev/null`';
  if (isSurplus) {
    const [noun, them] = open === 1 ? ['open thread has', 'it'] : ['open threads have', 'them'];
    return `${open} ${noun} the key ${word}: after a rename, resolve ${them} ${resolve}`;
  }
  if (open === 0) {
    return `${counted(accepted, 'finding was', 'findings were')} accepted under the key ${word}: `
      + `after a rename, pass --key ${word} to keep that`;
  }
  const start = `${counted(open, 'finding has', 'findings have')} open threads with the key ${word}`;
  return accepted === 0 ? `${start}: after a rename, pass --key ${word}, or resolve them ${resolve}`
    : `${start}, and ${counted(accepted, 'was', 'were')} accepted: after a rename, pass --key ${word} to keep that, `
      + `or resolve the open ones ${resolve}`;
};

/** A renamed job cannot be told from one that has not run yet. */
const linesOfOtherJobs = (steps: readonly PostStep[], name: string): string[] => {
  const left = steps.filter((step) => step.action === 'leave' && step.jobs !== undefined) as LeaveStep[];
  if (left.length === 0) return [];
  const [keys, jobs] = [left.map(({ thread }) => thread.key), left.flatMap((step) => step.jobs ?? [])]
    .map((all) => [...new Set(all)].join(', '));
  const stay = left.length === 1 ? 'stays' : 'stay';
  return [`${counted(left.length, 'thread')} ${stay} open: posted by another job with the key ${keys}: ${jobs}; `
    + `if that job was renamed, ${resolving(left.map(({ thread }) => thread), name)}`];
};

/** Users can change only their own notes, and anybody can write such a marker. */
const linesOfOtherUsers = (steps: readonly PostStep[], { foreign }: EarlierPosts, name: string): string[] =>
  [...groupedBy(foreign, ({ author, marker }) => `${marker['key']}\n${author}`).values()].flatMap((threads) => {
    const { author, marker: { key } } = threads[0]!;
    const open = threads.filter(({ isOpen }) => isOpen);
    const { accepted } = countsIn(newlyPosted(steps), threads);
    if (open.length + accepted === 0) return [];
    const counts = [open.length > 0 ? `${open.length} open` : [], accepted > 0 ? `${accepted} accepted` : []].flat();
    const [noun, are, them] = open.length + accepted === 1 ? ['thread', 'is', 'it'] : ['threads', 'are', 'them'];
    const resolve = open.length === 0 ? '' : `, or ${resolving(open, name)}`;
    return [`${counts.join(' and ')} ${noun} with the key ${key} ${are} by ${author}, and this token does not `
      + `continue ${them}: use the token of ${author}${resolve}`];
  });

const resolving = (threads: readonly { readonly id: string }[], name: string): string =>
  `resolve ${threads.length === 1 ? 'it' : 'them'}: \`colloquy discussions resolve ${name} ${idsOf(threads)}\``;

const idsOf = (threads: readonly { readonly id: string }[]): string =>
  [...shortIds(threads.map(({ id }) => id)).values()].map(shellWord).join(' ');
