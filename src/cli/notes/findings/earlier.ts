import { answerTo, isByPerson, isChanged, sortAllCopies } from '../../../client/exactly-once/copies.js';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { identityOf } from '../../../client/exactly-once/requests.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { Marker } from '../../../wire/note-text.js';
import type { Target } from '../../service/targets/target.js';
import { excludedAs, resolverOf } from '../filters/acceptance.js';
import { threadState } from '../views/note.js';
import { earlierNotes } from '../write/own-notes.js';
import { levels, type Level } from './finding.js';
import { parseFingerprint, type Fingerprint } from './fingerprint.js';
import { jobsIn } from './poster.js';
import { levelInTitle, lineInTitle } from './title.js';

export interface EarlierThread {
  readonly id: string;
  readonly note: number;
  readonly key: string;
  readonly fingerprint: Fingerprint;
  readonly marker: Marker;
  /** A digest of rule and message; markers of versions up to 0.1.0 have none. */
  readonly finding: string | null;
  readonly level: Level | null;
  readonly text: string;
  readonly state: 'open' | 'resolved' | 'not resolvable';
  /** Null if the user of the token resolved it, or nobody. */
  readonly resolvedBy: string | null;
  /** Whether a person resolved it whose resolving counts. */
  readonly isAccepted: boolean;
  readonly answeredBy: string | null;
  readonly isChanged: boolean;
  readonly file: string | null;
  readonly line: number | null;
  /** Whether it has the default key of earlier versions. */
  readonly isFormer: boolean;
  /** The jobs that found it, if its marker or that of a copy names them. */
  readonly jobs: readonly string[];
}

export interface Summary extends MarkedNote {
  readonly answeredBy: string | null;
}

export type EarlierPosts = Awaited<ReturnType<typeof findEarlierPosts>>;
export type OtherPost = ReturnType<typeof otherPost>;

export const summaryFingerprint = 'summary';

/** The comment belongs to all reports of the run together. */
export const summaryKey = (keys: readonly string[]): string => keys.toSorted().join(',');

/** The keys that earlier versions used, by the key of today. */
export type FormerKeys = ReadonlyMap<string, string>;

/**
 * Finds the threads whose first note is by the user of the token and has a marker with one of the keys. Threads with a
 * former key get the new one; a marker with such a key and a job is of a newer version.
 * @param excluded id of the user whose resolving does not count; that of an unknown user does not count then either
 */
export const findEarlierPosts = async (
  target: Target, keys: readonly string[], formerKeys: FormerKeys = new Map(), excluded: number | null = null,
) => {
  const { owner, notes, foreign } = await earlierNotes(target, 'threads');
  const newKeys = new Map([...formerKeys].map(([key, former]) => [former, key]));
  const formerSummaryKey = summaryKey(keys.map((key) => formerKeys.get(key) ?? key));
  const isFormer = ({ key = '', job }: Marker) =>
    job === undefined && formerKeys.size > 0 && (newKeys.has(key) || key === formerSummaryKey);
  const isCurrent = ({ key = '' }: Marker) => keys.includes(key) || key === summaryKey(keys);
  const isCovered = (marker: Marker) => isCurrent(marker) || isFormer(marker);
  const isFirst = ({ note, discussion }: MarkedNote) => note === discussion.notes[0];
  const covered = notes.filter((one) => isFirst(one) && isCovered(one.marker)).map((post): Summary =>
    ({ ...post, answeredBy: answerTo(post, (note) => isByPerson(note, owner))?.author.username ?? null }));
  const isFinding = ({ marker: { fp = '' } }: MarkedNote) => parseFingerprint(fp) !== null;
  const posts = covered.filter(isFinding);
  const otherPosts = (all: readonly MarkedNote[]) =>
    all.filter((one) => isFirst(one) && isFinding(one)).map((one) => otherPost(one, excluded));
  const sorted = sortAllCopies(posts, ({ marker }) => identityOf(marker));
  const copies = [...sorted.values()].flatMap(({ surplus }) => surplus)
    .filter(({ discussion }) => threadState(discussion) !== 'resolved');
  const jobsOf = (post: Summary): string[] => {
    const { surplus } = sorted.get(identityOf(post.marker))!;
    return [...new Set([post, ...surplus].flatMap(({ marker }) => jobsIn(marker)))];
  };
  const summariesOf = (wanted: string): readonly Summary[] | null => {
    const found = covered.filter(({ marker: { fp, key } }) => fp === summaryFingerprint && key === wanted);
    return found.length > 0 ? found : null;
  };
  return {
    copies,
    threads: posts.filter((post) => !copies.includes(post)).map((post): EarlierThread => {
      const { key = '' } = post.marker;
      const isOld = isFormer(post.marker);
      const own = { key: isOld ? newKeys.get(key) ?? key : key, isFormer: isOld, jobs: jobsOf(post) };
      return { ...earlierThread(post, owner, excluded), ...own };
    }),
    summaries: summariesOf(summaryKey(keys)) ?? summariesOf(formerSummaryKey) ?? [],
    markers: covered.map(({ marker }) => marker).filter(({ fp }) => fp !== undefined),
    /** Those with other keys. */
    others: otherPosts(notes.filter(({ marker }) => !isCovered(marker))),
    /** Those with one of the keys that other users wrote. */
    foreign: otherPosts(foreign.filter(({ marker }) => isCovered(marker))),
  };
};

const otherPost = ({ note, discussion, marker }: MarkedNote, excluded: number | null) => ({
  id: discussion.id, note: note.id, author: note.author.username, marker, isOpen: threadState(discussion) === 'open',
  isAccepted: resolverParts(discussion, note.author.id, excluded).isAccepted,
});

const earlierThread = (
  post: Summary, owner: number, excluded: number | null,
): Omit<EarlierThread, 'key' | 'isFormer' | 'jobs'> => {
  const { discussion, note, marker, text, answeredBy } = post;
  const fingerprint = parseFingerprint(marker['fp']!)!;
  const state = threadState(discussion);
  const { position } = note;
  const line = position?.position_type === 'text' ? position.new_line ?? null : lineInTitle(text);
  return {
    id: discussion.id, note: note.id, fingerprint, marker, text, answeredBy,
    ...findingParts(post), ...resolverParts(discussion, owner, excluded),
    isChanged: isChanged(post), state: state === '' ? 'not resolvable' : state,
    file: position?.new_path ?? null, line,
  };
};

/** Versions up to 0.1.0 stored neither in the marker, so there the level is that of the text as it was posted. */
const findingParts = (post: Summary): Pick<EarlierThread, 'finding' | 'level'> => {
  const { marker, text } = post;
  const level = levels.find((one) => one === marker['level']) ?? null;
  if (marker['finding'] !== undefined) return { finding: marker['finding'], level };
  return { finding: null, level: isChanged(post) ? null : levelInTitle(text) };
};

/** A service that does not name the user may mean a person. */
const resolverParts = (
  discussion: Discussion, owner: number, excluded: number | null,
): Pick<EarlierThread, 'resolvedBy' | 'isAccepted'> => {
  const resolver = resolverOf(discussion);
  if (threadState(discussion) !== 'resolved' || resolver?.id === owner) return { resolvedBy: null, isAccepted: false };
  const reason = excluded === null ? null : excludedAs(discussion, excluded);
  return { resolvedBy: reason ?? resolver?.username ?? 'somebody', isAccepted: reason === null };
};
