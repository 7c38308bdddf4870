import type { CommitDetails } from '../../../contract/lookups/shapes.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { FileEdits } from '../../../diff/fixes.js';
import { firstWords, plainCode, plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import type { PlanLine } from '../../terminal/io/messages.js';
import { positionText } from '../position/position.js';
import { type Findings, findingsOf } from '../proofs/proof.js';
import { threadName } from '../thread-id.js';
import { shownText } from '../views/note.js';
import { type Fix, verifiedFix } from './fixed-by.js';

interface ChangedThread {
  readonly fix: Fix;
  /** What the thread is about, and its lines before and after the change. */
  readonly lines: readonly PlanLine[];
}

interface ChangedThreads {
  readonly changed: readonly ChangedThread[];
  /** Threads of which nobody knows whether their lines have changed. */
  readonly unread: readonly Discussion[];
}

/** The threads whose commented lines a later commit of the merge request changed: lines that only moved have not. */
export const changedThreads = async (
  app: App, target: Target, threads: readonly Discussion[],
): Promise<ChangedThreads> => {
  const findings = findingsOf(app, target);
  const commits = await findings.history.commits();
  const [changed, unread]: [ChangedThread[], Discussion[]] = [[], []];
  for (const thread of threads) {
    const change = commits ? await lastChange(findings, thread, commits) : null;
    if (change === null) unread.push(thread);
    if (!change) continue;
    const fix = await verifiedFix(findings, thread, change.sha, { changed: 'yes' });
    changed.push({ fix, lines: linesOfChange(app, thread, change) });
  }
  return { changed, unread };
};

interface Change {
  readonly sha: string;
  readonly edits: readonly FileEdits[];
}

/** Undefined if the lines are as they were. Null if nobody knows. */
const lastChange = async (
  { subjectOf, effectOf, proofBy }: Findings, thread: Discussion, commits: readonly CommitDetails[],
): Promise<Change | null | undefined> => {
  const subject = await subjectOf(thread);
  if (subject.about !== 'lines') return undefined;
  let isKnown = true;
  for (const { id: sha } of commits) {
    const effect = await effectOf(subject, sha);
    isKnown &&= effect !== null;
    if (!effect || effect.edits.length === 0) continue;
    const proof = await proofBy(thread, sha);
    if (proof === 'verified') return { sha, edits: effect.edits };
    isKnown &&= proof !== null;
  }
  return isKnown ? undefined : null;
};

const mostLines = 10;

const linesOfChange = (app: App, thread: Discussion, { sha, edits }: Change): PlanLine[] => {
  const { id, notes: [first] } = thread;
  const all = edits.flatMap((file) => file.edits);
  const part = (sign: '-' | '+', texts: readonly { readonly text: string }[]): PlanLine[] => [
    ...texts.slice(0, mostLines).map(({ text }) => ({ text: `  ${sign} ${plainCode(text)}`, tone: tones[sign] })),
    ...texts.length > mostLines ? [{ text: `    and ${texts.length - mostLines} more`, tone: null }] : [],
  ];
  const title = `${threadName(app, id)} on ${positionText(first?.position)}, changed in ${sha.slice(0, 7)}: `
    + firstWords(shownText(first?.body));
  return [
    { text: plainLine(title), tone: null },
    ...part('-', all.flatMap(({ removed }) => removed)), ...part('+', all.flatMap(({ added }) => added)),
  ];
};

const tones = { '-': 'removed', '+': 'added' } as const;
