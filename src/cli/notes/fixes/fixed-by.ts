import { isDeepStrictEqual } from 'node:util';
import type { CommitDetails } from '../../../contract/lookups/shapes.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import { type FileEdits, patchId } from '../../../diff/fixes.js';
import { firstWords, plainCode, plainLine } from '../../../text/plain.js';
import { digest, isAsWritten, type Marker, readMarker, withEditedText, withMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { failureOfSeveral } from '../../changes/report.js';
import { Problem, usage } from '../../command-line/failure.js';
import { shaOf, type Target } from '../../service/targets/target.js';
import type { PlanLine } from '../../terminal/io/messages.js';
import { isSha } from '../position/known-diff.js';
import { positionText } from '../position/position.js';
import { jobCommits } from '../position/version.js';
import type { Proof } from '../proofs/names.js';
import { type Findings, findingsOf } from '../proofs/proof.js';
import { threadName } from '../thread-id.js';
import { shownText } from '../views/note.js';
import { createReply } from '../write/new-notes.js';

export interface FixFlags {
  readonly fixedBy?: string;
  readonly force?: boolean;
}

export interface Fix {
  readonly thread: Discussion;
  readonly text: string;
  readonly marker: Marker;
}

/** The replies that name the commit. @throws Problem unless it is verified for each thread, or `--force` is given */
export const fixesBy = async (
  app: App, { fixedBy, force }: FixFlags, target: Target, threads: readonly Discussion[],
): Promise<Fix[]> => {
  const findings = findingsOf(app, target);
  const sha = await commitFrom(app, target, findings, fixedBy!);
  const checked = [];
  for (const thread of threads) checked.push({ thread, proof: await findings.proofBy(thread, sha) });
  const failed = checked.filter(({ proof }) => proof !== 'verified').map(({ thread, proof }) => ({
    name: `thread ${thread.id}`, error: new Error(reasonFor(proof, thread, target)),
  }));
  if (failed.length > 0 && !force) throw notVerified(sha, failed, checked.some(({ proof }) => proof === 'gone'));
  return Promise.all(checked.map(async ({ thread, proof }) =>
    // A marker of a fix that was not verified makes no claim.
    proof === 'verified' ? verifiedFix(findings, thread, sha)
      : { thread, text: `Fixed in ${sha.slice(0, 7)}, which was not verified.`, marker: { unverified: sha } }));
};

const notVerified = (sha: string, failed: Parameters<typeof failureOfSeveral>[2], isUnknown: boolean): Problem => {
  const hint = `${isUnknown ? 'push the commit first' : 'name the commit that changes the commented lines'}, or pass `
    + '--force to resolve without a proof';
  const what = `cannot verify that ${sha.slice(0, 7)} fixed`;
  const [{ name, error }] = failed as [typeof failed[0], ...typeof failed];
  return failed.length === 1 ? new Problem('rejected', `${what} ${name}: ${error.message}`, hint)
    : failureOfSeveral('rejected', `${what} ${failed.length} threads`, failed, hint);
};

const reasonFor = (proof: Proof | null, { notes: [first] }: Discussion, { name }: Target): string => {
  switch (proof) {
    case 'gone': return `it is not among the commits of ${name}`;
    case 'reverted': return 'the commented lines are again as they were before it';
    case null: return `the commits of ${name}, or what they change, cannot be read`;
    default: return !first?.position ? 'it changes nothing'
      : `it does not change the commented ${first.position.position_type === 'text' ? 'lines' : 'file'}`;
  }
};

/** HEAD is the commit of the job, else of the work tree, else of the merge request. @throws Problem */
const commitFrom = async (app: App, target: Target, { history }: Findings, text: string): Promise<string> => {
  const commits = await history.commits() ?? [];
  if (text === 'HEAD') {
    const head = jobCommits(app, target)?.head ?? await app.git.sha('HEAD') ?? commits[0]?.id;
    if (head !== undefined && isSha(head)) return head;
    throw usage(`cannot determine the head of ${target.name}`, 'pass the SHA of the commit');
  }
  const prefix = text.toLowerCase();
  const listed = /^[0-9a-f]{4,}$/.test(prefix) ? commits.filter(({ id }) => id.startsWith(prefix)) : [];
  const sha = listed.length === 1 ? listed[0]!.id : await shaOf(app, text);
  if (isSha(sha)) return sha;
  throw new Problem('rejected', `cannot verify a fix: ${target.name} has ${listed.length === 0 ? 'no commit'
    : 'several commits'} ${JSON.stringify(text)}`, 'pass the full SHA of a commit that is pushed');
};

/** For a commit that is verified. @param marker is added to that of the proof */
const verifiedFix = async (
  { subjectOf, effectOf }: Findings, thread: Discussion, sha: string, marker: Marker = {},
): Promise<Fix> => {
  const { edits, change, texts } = (await effectOf(await subjectOf(thread), sha))!;
  const position = thread.notes[0]?.position;
  return {
    thread, text: `Fixed in ${sha.slice(0, 7)}.`, marker: {
      ...marker, fix: sha, patch: patchId(change.files), ...position && { file: edits[0]!.file.new_path },
      ...texts.length > 0 && { lines: digest(texts.join('\n')) },
    },
  };
};

/** Once for each thread and user: a later call changes the reply, and keeps what people wrote into it. */
export const replyFixed = async (target: Target, { thread, text, marker }: Fix): Promise<void> => {
  const key = `fixed:${thread.id}`;
  const { note, existing } = await createReply(target, thread.id, { body: text }, { key, marker });
  const wanted = { key, ...marker };
  const { text: before, marker: named } = readMarker(note.body);
  const isEdited = isAsWritten(note.body) === false;
  if (!existing || (isDeepStrictEqual(named, wanted) && (isEdited || before.trim() === text))) return;
  const renewed = withMarker(text, wanted);
  const body = isEdited ? withEditedText(renewed, `${text}\n\n${before}`) : renewed;
  const { client, path } = target;
  await client.discussions.merge_request.modifyNote(
    { ...path, discussion_id: thread.id, note_id: note.id, body });
};

/**
 * The threads whose commented lines a later commit of the merge request changed, without those that only moved;
 * `unread` are the threads for which this is unknown.
 */
export const changedThreads = async (app: App, target: Target, threads: readonly Discussion[]) => {
  const findings = findingsOf(app, target);
  const commits = await findings.history.commits();
  const changed: { readonly fix: Fix; readonly lines: readonly PlanLine[] }[] = [];
  const unread: Discussion[] = [];
  for (const thread of threads) {
    const change = commits ? await lastChange(findings, thread, commits) : null;
    if (change === null) unread.push(thread);
    if (!change) continue;
    const fix = await verifiedFix(findings, thread, change.sha, { changed: 'yes' });
    changed.push({ fix, lines: linesOfChange(app, thread, change) });
  }
  return { changed, unread };
};

interface Change { readonly sha: string; readonly edits: readonly FileEdits[] }

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

/** What the thread is about, and its lines before and after the change. */
const linesOfChange = (app: App, thread: Discussion, { sha, edits }: Change): PlanLine[] => {
  const { id, notes: [first] } = thread;
  const all = edits.flatMap((file) => file.edits);
  const part = (sign: '-' | '+', tone: 'removed' | 'added'): PlanLine[] => {
    const texts = all.flatMap((edit) => edit[tone]);
    const more = texts.length > mostLines ? [{ text: `    and ${texts.length - mostLines} more`, tone: null }] : [];
    return [...texts.slice(0, mostLines).map(({ text }) => ({ text: `  ${sign} ${plainCode(text)}`, tone })), ...more];
  };
  const title = `${threadName(app, id)} on ${positionText(first?.position)}, changed in ${sha.slice(0, 7)}: `
    + firstWords(shownText(first?.body));
  return [{ text: plainLine(title), tone: null }, ...part('-', 'removed'), ...part('+', 'added')];
};
