import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { shellWord } from '../../../text/quoting.js';
import { shortIds } from '../thread-id.js';
import type { EarlierPosts } from './earlier.js';
import { findingDigest } from './fingerprint.js';
import type { LeaveStep, PostStep, WantedFinding } from './plan.js';
import { isOfPipeline, pipelinesIn, type Poster } from './poster.js';

/** Another key with threads about findings of this run, since the job or the tool may have been renamed. */
export interface OtherKey {
  readonly key: string;
  /** The findings with open threads. */
  readonly open: number;
  /** The others that a person has accepted. */
  readonly accepted: number;
  /** Whether this run continues earlier threads, so that those of the other key are surplus. */
  readonly isSurplus: boolean;
}

type Other = EarlierPosts['others'][number];

/**
 * For a key without threads, one that has them open or accepted; for a key with threads, one with newer open ones. Keys
 * of jobs of one pipeline are no renames.
 */
export const otherKeyIn = (
  steps: readonly PostStep[], { threads, others, markers }: EarlierPosts, poster: Poster,
): OtherKey | null => {
  const known = new Set(threads.map(({ key }) => key));
  const newest = Math.max(...threads.map(({ note }) => note));
  const pipelines = new Set(markers.flatMap(pipelinesIn));
  const wanted = steps.flatMap((step) => 'wanted' in step && step.action !== 'skip' ? step.wanted ?? [] : []);
  const [fresh, continued] = [wanted.filter(({ key }) => !known.has(key)), wanted.filter(({ key }) => known.has(key))];
  const keys = [...new Set(others.map(({ marker }) => marker['key'] ?? ''))].flatMap((key): OtherKey[] => {
    const ofKey = others.filter(({ marker }) => marker['key'] === key);
    if (ofKey.some(({ marker }) => isOfPipeline(marker, poster))) return [];
    const isLater = ofKey.some(({ note }) => note > newest)
      && !ofKey.some(({ marker }) => pipelinesIn(marker).some((one) => pipelines.has(one)));
    return [
      { key, ...countsIn(fresh, ofKey), isSurplus: false },
      ...isLater ? [{ key, open: countsIn(continued, ofKey).open, accepted: 0, isSurplus: true }] : [],
    ];
  });
  const total = ({ open, accepted }: OtherKey) => open + accepted;
  return keys.filter((one) => total(one) > 0).toSorted((a, b) => total(b) - total(a))[0] ?? null;
};

const countsIn = (wanted: readonly WantedFinding[], others: readonly Other[]) => {
  const namesOf = (some: readonly Other[]) => new Set(some.map(({ marker: { fp = '', finding = '' } }) =>
    `${fp.split('.')[0]} ${finding}`));
  const open = namesOf(others.filter(({ isOpen }) => isOpen));
  const accepted = namesOf(others.filter(({ isAccepted }) => isAccepted));
  const names = wanted.map(({ fingerprint: { line }, finding }) => `${line} ${findingDigest(finding)}`);
  return {
    open: names.filter((name) => open.has(name)).length,
    accepted: names.filter((name) => !open.has(name) && accepted.has(name)).length,
  };
};

/** @param name that of the merge request, as commands take it */
export const linesOfOtherKey = (other: OtherKey | null, name: string): string[] => {
  if (other === null) return [];
  const { open, accepted, isSurplus } = other;
  const key = shellWord(other.key);
  const flag = `--key ${key}`;
  const command = `\`colloquy notes post ${name} ${flag} --from lines --allow-empty /dev/null\``;
  const threads = `open threads with the key ${key}`;
  if (isSurplus) {
    return [`${counted(open, 'finding also has', 'findings also have')} ${threads}: `
      + `after a rename, resolve them: ${command}`];
  }
  if (open === 0) {
    return [`${counted(accepted, 'finding was', 'findings were')} accepted under the key ${key}: `
      + `after a rename, pass ${flag} to keep that`];
  }
  const start = `${counted(open, 'finding has', 'findings have')} ${threads}`;
  if (accepted === 0) return [`${start}: after a rename, pass ${flag}, or resolve them: ${command}`];
  return [`${start}, and ${counted(accepted, 'was', 'were')} accepted: after a rename, pass ${flag} to keep that, `
    + `or resolve the open ones: ${command}`];
};

/** A renamed job cannot be told from one that has not run yet. */
export const linesOfOtherJobs = (steps: readonly PostStep[], name: string): string[] => {
  const left = steps.filter((step) => step.action === 'leave' && step.jobs !== undefined) as LeaveStep[];
  if (left.length === 0) return [];
  const [keys, jobs] = [left.map(({ thread }) => thread.key), left.flatMap((step) => step.jobs ?? [])]
    .map((all) => [...new Set(all)].join(', '));
  const [stay, them] = left.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  const ids = [...shortIds(left.map(({ thread }) => thread.id)).values()].map(shellWord).join(' ');
  const count = counted(left.length, 'thread');
  return [plainLine(`${count} ${stay} open: posted by another job with the key ${keys}: ${jobs}; `
    + `if that job was renamed, resolve ${them}: \`colloquy discussions resolve ${name} ${ids}\``)];
};
