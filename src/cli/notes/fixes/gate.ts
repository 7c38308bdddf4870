import type { CommitDetails } from '../../../contract/lookups/shapes.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { Target } from '../../service/targets/target.js';
import { readMergeRequest } from '../../service/targets/threads.js';
import { excludedAs, excludedAuthor } from '../filters/acceptance.js';
import { threadState } from '../views/note.js';
import type { Proof } from '../proofs/names.js';
import { findingsOf } from '../proofs/proof.js';

export interface ProofFlags {
  readonly proven?: boolean;
  readonly requireProof?: boolean;
}

export interface Unproven {
  /** The ids of resolved threads whose proofs do not hold, or that have none and need one. */
  readonly pending: ReadonlySet<string>;
  readonly proofs: ReadonlyMap<string, Proof>;
}

/** @throws Problem if a proof cannot be checked: what is not read is not green */
export type UnprovenTest = (threads: readonly Discussion[]) => Promise<Unproven>;

/** Null without the flags. Each call reads the commits again. @throws Problem */
export const unprovenTest = async (
  app: App, target: Target, { proven, requireProof }: ProofFlags,
): Promise<UnprovenTest | null> => {
  if (!proven && !requireProof) return null;
  if (target.kind !== 'merge_request') throw usage(`--proven cannot be used on ${target.name}`, 'name a merge request');
  const author = requireProof ? await excludedAuthor(target, { acceptBy: 'others' }) : null;
  const read = async (threads: readonly Discussion[], isAgain = false): Promise<Unproven> => {
    const { proofOf, history } = findingsOf(app, { ...target });
    const [pending, proofs, unread] = [new Set<string>(), new Map<string, Proof>(), [] as string[]];
    for (const thread of threads) {
      if (threadState(thread) !== 'resolved') continue;
      const proof = await proofOf(thread);
      const needsProof = author !== null && isOwnDecision(thread, author);
      if (proof === null) unread.push(thread.id);
      else if (proof === 'gone' || proof === 'reverted' || (proof === 'none' && needsProof)) pending.add(thread.id);
      if (proof !== null) proofs.set(thread.id, proof);
    }
    if (unread.length > 0) throw cannotCheck(unread, target);
    const isProven = [...proofs.values()].some((proof) => proof !== 'none');
    if (!isProven || await areOfHead(target, await history.commits())) return { pending, proofs };
    if (!isAgain) return read(threads, true);
    throw new Problem('unavailable', `the commits of ${target.name} do not match its head`, 'run the command again');
  };
  return read;
};

const areOfHead = async (target: Target, commits: readonly CommitDetails[] | null): Promise<boolean> => {
  const [head, sha] = [commits?.[0]?.id, (await readMergeRequest(target))?.sha];
  return head === undefined || typeof sha !== 'string' || head === sha;
};

/** An unknown user may be the author. */
const isOwnDecision = (thread: Discussion, author: number): boolean =>
  thread.notes[0]?.author.id !== author && excludedAs(thread, author) !== null;

const cannotCheck = (ids: readonly string[], { name }: Target): Problem => new Problem('unavailable',
  `cannot check the fix of ${counted(ids.length, 'thread')} of ${name}: commits, or what they change, cannot be read`,
  `run it in a clone that has the commits, or resolve the threads again with --fixed-by: ${ids.slice(0, 5).join(' ')}`);

/** ` fix gone:` */
export const proofMark = (proof: Proof = 'none'): string => proof === 'none' ? ' no proof:' : ` fix ${proof}:`;

const reasons = [
  ['gone', 'whose fix is gone'], ['reverted', 'whose fix was reverted'],
  ['none', 'resolved by the author of the merge request without a proof'],
] as const;

export const unprovenSummary = (proofs: readonly Proof[], name: string): string[] =>
  reasons.flatMap(([one, reason]) => {
    const { length } = proofs.filter((proof) => proof === one);
    return length === 0 ? [] : [`${counted(length, 'thread')} of ${name} ${reason}`];
  });
