import type { DiffVersion } from '../../../contract/lookups/shapes.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { TextPosition } from '../../../contract/shapes/position.js';
import { allEdits, areBack, editsOfLines, type FileEdits, makesSameEdits, patchId } from '../../../diff/fixes.js';
import { lineCode, oldLineNumber } from '../../../diff/lines.js';
import { changesIn } from '../../../diff/patch.js';
import { type Marker, readMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import { isSha, isUnreadable } from '../position/known-diff.js';
import { rangeLine } from '../position/position.js';
import { pathsOf } from '../position/version-change.js';
import { type ListedFile, type Shas, shasOfVersion, versionAt, versionDiffs } from '../position/version.js';
import { type CommitChange, type History, historyOf } from './history.js';
import type { Proof } from './names.js';

/** What a reply says about the fix of its thread. Everybody can write one, so that nothing of it is trusted. */
interface Claim { readonly fix: string; readonly patch: string | undefined }

/** The last ones: a thread with many claims must not cost many requests. */
const mostClaims = 5;

const claimsIn = ({ notes }: Discussion): Claim[] => notes.flatMap(({ system, body }) => {
  const { fix, patch }: Marker = (system ? null : readMarker(String(body)).marker) ?? {};
  return fix !== undefined && isSha(fix) ? [{ fix, patch }] : [];
}).slice(-mostClaims);

/** The lines that a thread is about, in the version in which their numbers count. */
interface Place { readonly version: Shas; readonly path: string; readonly numbers: readonly number[] }

interface Lines extends Place {
  /** Whether the merge request removed them, so that they count in the base. */
  readonly areOld: boolean;
  readonly wereAdded: boolean;
}

type Subject = { readonly about: 'everything' } | { readonly about: 'file'; readonly paths: readonly string[] }
  | { readonly about: 'lines'; readonly lines: Lines };

interface FixEffect {
  readonly edits: readonly FileEdits[];
  readonly change: CommitChange;
  /** Those of the commented lines that the commit changes, and their texts before; empty for a file. */
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}

export type Findings = ReturnType<typeof findingsOf>;

/** Reads what is needed, each once. Requests depend on the number of commits, not on that of threads. */
export const findingsOf = (app: App, target: Target) => {
  const history = historyOf(app, target);
  const subjectIn = (thread: Discussion) => subjectOf(target, history, thread);
  return {
    history, subjectOf: subjectIn,
    effectOf: (subject: Subject, sha: string) => effectOf(history, subject, sha),
    /** What the proof of the thread would be, if a reply named this commit. */
    proofBy: async (thread: Discussion, sha: string): Promise<Proof | null> => await history.has(sha) === false ? 'gone'
      : proofOfClaim({ target, history, subject: await subjectIn(thread) }, { fix: sha, patch: undefined }),
    /** Null if nobody knows, because something could not be read. */
    proofOf: async (thread: Discussion): Promise<Proof | null> => {
      const claims = claimsIn(thread);
      if (claims.length === 0) return 'none';
      const subject = await subjectIn(thread);
      const found: (Proof | null)[] = [];
      for (const claim of claims) found.push(await proofOfClaim({ target, history, subject }, claim));
      const firstOf = (...proofs: readonly Proof[]) => proofs.find((one) => found.includes(one));
      return firstOf('verified', 'renewed')
        ?? (found.includes(null) ? null : firstOf('reverted', 'gone') ?? 'none');
    },
  };
};

const subjectOf = async (target: Target, history: History, { notes: [first] }: Discussion): Promise<Subject> => {
  const position = first?.position;
  if (!position) return { about: 'everything' };
  const { old_path, new_path, base_sha, start_sha, head_sha } = position;
  const paths = [old_path, new_path].filter((path) => typeof path === 'string');
  if (position.position_type !== 'text' || !base_sha || !head_sha) return { about: 'file', paths };
  const areOld = typeof position.new_line !== 'number';
  const line = areOld ? position.old_line : position.new_line;
  const path = areOld ? old_path ?? new_path : new_path ?? old_path;
  if (typeof line !== 'number' || typeof path !== 'string') return { about: 'file', paths };
  const version = { base_sha, start_sha: start_sha ?? base_sha, head_sha };
  const place = { version, path, numbers: [line] };
  const range = areOld ? null : await rangeOf(target, history, place, position, first.created_at);
  const wereAdded = typeof position.old_line !== 'number';
  return { about: 'lines', lines: { ...range ?? place, areOld, wereAdded } };
};

/** A push moves the last line, but not the range, which is of a version from which its end leads to this line. */
const rangeOf = async (
  target: Target, { fileAt }: History, { version: { head_sha }, path, numbers: [line] }: Place,
  { line_range }: TextPosition, created_at: string,
): Promise<Place | null> => {
  const [from, to] = [line_range?.start, line_range?.end].map((end) => rangeLine(end)?.newLine);
  if (typeof from !== 'number' || typeof to !== 'number' || from >= to || to - from > mostLines) return null;
  const isThen = (version: DiffVersion) => Date.parse(version.created_at) <= Date.parse(created_at);
  for (const one of (await versionDiffs(target).all()).filter(isThen).slice(0, mostVersions)) {
    const version = shasOfVersion(one);
    const former = await pathIn(target, one, path, line_range!.end!.line_code);
    const file = await fileAt(version, former, head_sha);
    if (file?.path !== path || file.line(to) !== line) continue;
    return { version, path: former, numbers: Array.from({ length: to - from + 1 }, (_, i) => from + i) };
  }
  return null;
};

const pathIn = async (
  target: Target, version: DiffVersion, path: string, code: string | null | undefined,
): Promise<string> => {
  const fileOf = (lineInFile: string) => lineInFile.split('_')[0];
  const isNamed = (one: string) => fileOf(lineCode(one, { oldLine: 0, newLine: 0 })) === fileOf(code!);
  if (!code || isNamed(path)) return path;
  const { files = [] } = await versionDiffs(target).filesOf(version) ?? {};
  return files.find(({ new_path }) => isNamed(new_path))?.new_path ?? path;
};

const mostVersions = 5;
const mostLines = 1_000;

const noEffect = { edits: [], numbers: [], texts: [] };

/** Without edits if the commit does not change the subject. Null if nobody knows. */
const effectOf = async (history: History, subject: Subject, sha: string): Promise<FixEffect | null> => {
  const change = await history.changeOf(sha);
  if (!change) return null;
  if (subject.about === 'lines') return effectOnLines(history, subject.lines, sha, change);
  const edits = allEdits(change.files);
  const ofFile = subject.about === 'file' ? edits.filter(({ file }) =>
    subject.paths.includes(file.old_path) || subject.paths.includes(file.new_path)) : edits;
  return { ...noEffect, edits: ofFile, change };
};

const effectOnLines = async (
  history: History, { version, path, numbers, areOld }: Lines, sha: string, change: CommitChange,
): Promise<FixEffect | null> => {
  // What was there before the comment is not its fix.
  if (await history.isBehind(sha, version.head_sha)) return { ...noEffect, change };
  if (areOld) return effectOnOldLines(history, { version, path, numbers }, sha, change);
  const before = await history.fileAt(version, path, change.parent);
  if (before === undefined) return null;
  if (change.unknown.has(before.path)) return null;
  const at = new Map(numbers.flatMap((number) => {
    const line = before.line(number);
    return typeof line === 'number' ? [[line, number] as const] : [];
  }));
  const edits = editsOfLines(change.files, before.path, [...at.keys()]);
  return edits ? {
    change, edits: [edits], numbers: edits.changed.map(({ oldLine }) => at.get(oldLine)!),
    texts: edits.changed.map(({ text }) => text),
  } : { ...noEffect, change };
};

/** A removed line is changed when a commit brings it back. */
const effectOnOldLines = async (
  { fileAt }: History, { version, path, numbers }: Place, sha: string, change: CommitChange,
): Promise<FixEffect | null> => {
  const base = { ...version, head_sha: version.base_sha };
  const [before, after] = await Promise.all([fileAt(base, path, change.parent), fileAt(base, path, sha)]);
  if (before === undefined || after === undefined) return null;
  const changed = numbers.filter((number) =>
    typeof before.line(number) !== 'number' && typeof after.line(number) === 'number');
  if (changed.length === 0 && numbers.some((number) => after.line(number) === undefined)) return null;
  const edits = allEdits(change.files).filter(({ file }) => file.new_path === after.path);
  return { ...noEffect, change, ...changed.length > 0 && { edits, numbers: changed } };
};

interface Case { readonly target: Target; readonly history: History; readonly subject: Subject }

const proofOfClaim = async (one: Case, claim: Claim): Promise<Proof | null> => {
  const { history, subject } = one;
  const isThereNow = await history.has(claim.fix);
  if (isThereNow === null) return null;
  const effect = await effectOf(history, subject, claim.fix);
  if (isThereNow && !effect) return null;
  if (effect?.edits.length === 0) return 'none';
  const found = isThereNow ? { proof: 'verified' as const, effect: effect! } : await renewedBy(one, claim, effect);
  if (found === null || found === 'gone') return found;
  const isBack = await isReverted(one, found.effect);
  return isBack === null ? null : isBack ? 'reverted' : found.proof;
};

const mostCommits = 500;

/** The commit that makes the same edits as one that is gone. @param effect null if that one cannot be read */
const renewedBy = async (
  { history, subject }: Case, { patch }: Claim, effect: FixEffect | null,
): Promise<{ readonly proof: 'renewed'; readonly effect: FixEffect } | 'gone' | null> => {
  const commits = await history.commits();
  if (!commits || commits.length > mostCommits) return null;
  let isCertain = true;
  for (const { id } of commits) {
    const change = await history.changeOf(id);
    if (!change) {
      isCertain = false;
    } else if (effect) {
      const paths = await newPaths(history, subject);
      const wereAdded = subject.about === 'lines' && subject.lines.wereAdded;
      if (makesSameEdits(change.files, effect.edits, paths, wereAdded)) return { proof: 'renewed', effect };
      isCertain &&= !effect.edits.some(({ file }) => change.unknown.has(file.new_path));
    } else if (patchId(change.files) === patch) {
      const own = await effectOf(history, subject, id);
      if (own && own.edits.length > 0) return { proof: 'renewed', effect: own };
      isCertain &&= own !== null;
    }
  }
  return isCertain ? 'gone' : null;
};

const newPaths = async ({ commits, fileAt }: History, subject: Subject): Promise<readonly string[]> => {
  const head = (await commits())?.[0]?.id;
  if (subject.about !== 'lines' || head === undefined) return [];
  const { version, path } = subject.lines;
  const file = await fileAt(version, path, head);
  return file ? [file.path] : [];
};

/** Whether the head has the commented lines as they were. Null if nobody knows. */
const isReverted = async (
  { target, history, subject }: Case, effect: FixEffect,
): Promise<boolean | null> => {
  const head = (await history.commits())?.[0]?.id;
  if (subject.about !== 'lines' || head === undefined) return false;
  const { version, path, areOld } = subject.lines;
  const from = areOld ? { ...version, head_sha: version.base_sha } : version;
  const file = await history.fileAt(from, path, head);
  const lines = effect.numbers.map((number) => file?.line(number));
  if (!lines.includes(undefined)) return lines.every((line) => (line === null) === areOld);
  return areOld ? null : isShownAsBefore(target, head, file?.path ?? path, subject.lines, effect);
};

/** For a service alone, after the base has changed. @param now the path of the file at the head */
const isShownAsBefore = async (
  target: Target, head: string, now: string, { version, path, ...lines }: Lines, { numbers, texts }: FixEffect,
): Promise<boolean | null> => {
  const isSingle = lines.numbers.length === 1;
  const all = await versionDiffs(target).all();
  const shown = await filesOf(target, all.find(({ head_commit_sha }) => head_commit_sha === head), now);
  const former = isSingle ? [] : await filesOf(target, versionAt(all, version), path);
  if (!shown || !former) return null;
  const change = changesIn(former).to(path)?.lines ?? [];
  return areBack(shown, now, numbers.map((number, i) => ({
    text: texts[i]!, wasAdded: isSingle ? lines.wereAdded : oldLineNumber(change, number) === null,
  })));
};

/** The diff of a version. Null if it does not show the lines of the file. */
const filesOf = async (
  target: Target, version: DiffVersion | undefined, path: string,
): Promise<readonly ListedFile[] | null> => {
  const { files, isCut } = (version && await versionDiffs(target).filesOf(version)) ?? { files: [], isCut: true };
  return isCut || pathsOf(files.filter(isUnreadable)).has(path) ? null : files;
};
