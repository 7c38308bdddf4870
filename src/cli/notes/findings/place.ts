import type { PositionInput } from '../../../contract/shapes/position.js';
import { noteables } from '../../../contract/conventions.js';
import { ApiError } from '../../../client/errors.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { nullIf } from '../../service/connection/unsupported.js';
import { say } from '../../terminal/io/messages.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { knownDiff, type KnownDiff } from '../position/known-diff.js';
import { versionFor } from '../position/version.js';
import { anchorPlaces, type Anchored } from '../position/anchor.js';
import { jobLines } from '../position/job-lines.js';
import type { Target } from '../../service/targets/target.js';
import type { Finding, OtherPlace } from './finding.js';
import type { Loaded } from './load.js';
import { isAbsolute, isInside } from './paths.js';

/** Which findings get threads: those on added lines, on lines of the diff, in changed files, or all. */
export const postFilters = ['added', 'diff', 'file', 'all'] as const;
export type PostFilter = (typeof postFilters)[number];

export interface Placed {
  readonly position?: PositionInput | undefined;
  /** Of the position, in the file of the finding, if it is not the first line of the finding. */
  readonly line?: number;
  /** Line of the file of the finding, as far as it is in the diff. */
  readonly lineText?: (line: number) => string | undefined;
  /** Why the finding gets no note; null if it gets one. */
  readonly skip: string | null;
  /** The service may reject the position, although its line is in the diff. */
  readonly isLeftOut?: boolean;
  /** Whether it passes the filter only if the report means another place. */
  readonly isElsewhere?: boolean;
  /** Only the service knows whether the position is on the diff. */
  readonly guess?: {
    /** Why there is no thread if the service rejects the position; null for a thread without one. */
    readonly skip: string | null;
  };
}

/**
 * @throws Problem for a filter on a noteable without a diff, if the commits of the diff are not known, and for a
 * changed file that the report may name wrongly
 */
export const placeFindings = async (
  app: App, flags: GlobalFlags, target: Target, reported: readonly Finding[], filter: PostFilter | undefined,
  { mayNameWrongly = () => false, linesOf = () => null }: Partial<Pick<Loaded, 'mayNameWrongly' | 'linesOf'>> = {},
): Promise<readonly Placed[]> => {
  if (!noteables[target.kind].hasDiff) {
    if (filter === undefined || filter === 'all') return reported.map(() => ({ skip: null }));
    throw usage(`${target.name} has no diff`, 'use --filter all, or choose a merge request or commit');
  }
  if (reported.length === 0) return [];
  const needsNoDiff = filter === 'all' || reported.every(({ isAnywhere = false }) => isAnywhere);
  const diff = await nullIf(knownDiff(app, {}, target), (error) => needsNoDiff && error instanceof Problem);
  const wrongly = diff?.files?.map(({ new_path }) => new_path).find(mayNameWrongly);
  if (wrongly !== undefined) {
    throw usage(`the report may be about ${JSON.stringify(wrongly)}, a name that its lines cannot hold`,
      'let the tool write another format, such as sarif, or rename the file');
  }
  const findings = await Promise.all(reported.map((one) => withPathEnds(app, one, diff)));
  const anchored = diff === null ? findings.map(() => noAnchors)
    : await anchorFindings(app, flags, target, findings, diff);
  const placed = findings.map((finding, i) => ({
    ...placeFinding(finding, anchored[i]!, filter ?? 'added'), ...lineTexts(finding, anchored[i]!.own),
  }));
  const posted = findings.map((finding, i) => ({ ...placed[i]!, ...anchored[i]!, finding }))
    .filter(({ skip }) => skip === null);
  for (const text of doubtsAbout(posted, target, linesOf)) await say(app, flags, text);
  return placed;
};

/** Without a work tree, an absolute path may be that of each changed file that it ends with. */
const withPathEnds = async ({ files }: App, finding: Finding, diff: KnownDiff | null): Promise<Finding> => {
  const { file, line, otherPlaces = [] } = finding;
  if (!isAbsolute(file) || await files.kindOf(file) !== null) return finding;
  const ends = (diff?.files ?? []).filter(({ new_path }) => file.endsWith(`/${new_path}`));
  return { ...finding, otherPlaces: [...otherPlaces, ...ends.map(({ new_path }) => ({ file: new_path, line }))] };
};

/** About findings that are posted although they may not pass the filter. */
const doubtsAbout = (
  posted: readonly (Placed & AnchoredFinding & { readonly finding: Finding })[], { name }: Target,
  linesOf: Loaded['linesOf'],
): string[] => {
  const hidden = posted.filter(({ own }) => isHidden(own));
  const elsewhere = posted.filter(({ isElsewhere = false }) => isElsewhere);
  const beyond = elsewhere.flatMap(({ finding }) => lineAfterEnd(finding, linesOf) ?? []);
  const doubtAbout = (count: number, doubt = '', what = ''): string[] => count === 0 ? []
    : [`${doubt} ${counted(count, 'finding')}${what} `
      + `${count === 1 ? 'counts, and gets a thread' : 'count, and get threads'} without a line`];
  return [
    ...doubtAbout(hidden.length, `the service does not show the whole diff of ${name}:`, ' in what it leaves out'),
    ...doubtAbout(beyond.length, beyond[0]),
    ...doubtAbout(elsewhere.length - beyond.length, `the report does not say which file or line of ${name} it means:`),
  ];
};

/**
 * For findings that are all left out, and whose files do not exist here. @throws Problem if the first files do not
 * exist in the newest commit either: then the paths are wrong, and a green run would have checked nothing
 */
export const checkFilesExist = async (app: App, target: Target, findings: readonly Finding[]): Promise<void> => {
  const all = [...new Set(findings.map(({ file }) => file).filter(isInside))];
  const files = all.slice(0, mostChecked);
  const { client, path: { id }, name } = target;
  const { shas: { head_sha } } = await versionFor(app, {}, target);
  const isThere = (file_path: string) =>
    client.lookups.file({ id, file_path, ref: head_sha }).then(() => true, isUnknown);
  if ((await Promise.all(files.map(isThere))).some(Boolean)) return;
  const which = all.length > files.length ? `first ${files.length} reported files` : 'reported files';
  throw usage(plainLine(`none of the ${which} exists in ${name}: ${files.join(', ')}`),
    'pass --prefix DIR if the tool ran in a folder of the repository, or --strip PREFIX');
};

/** Each takes a request. */
const mostChecked = 10;

/** Not for a file that is missing, but if the service has no such route. */
const isUnknown = (error: unknown): boolean => {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
  return isUnknownRoute(error.status, error.body);
};

/** The service does not show the lines of the file, so the finding may be on an added one. */
const isHidden = (anchored: Anchored | null): boolean =>
  anchored !== null && anchored.state !== 'verified' && anchored.isHidden;

const lineAfterEnd = ({ file, line }: Finding, linesOf: Loaded['linesOf']): string | null => {
  const lines = linesOf(file);
  const count = lines === null ? Infinity : lines.length - (lines.at(-1) === '' ? 1 : 0);
  return line === null || line <= count ? null : plainLine(
    `${file} has ${counted(count, 'line')}, but the report names line ${line}: was it written for another commit?`);
};

interface AnchoredFinding {
  /** Null outside of the repository. */
  readonly own: Anchored | null;
  readonly others: readonly Anchored[];
  /** The lines below its first one, up to its last: a list for each finding would take much memory. */
  readonly below: () => readonly { readonly line: number; readonly anchored: Anchored }[];
}

const noAnchors: AnchoredFinding = { own: null, others: [], below: () => [] };

/** Of a longer range, only whether its file is changed counts. */
const mostLines = 1_000;

const isLong = ({ line, endLine }: Finding): boolean => line !== null && endLine !== null && endLine - line > mostLines;

const linesBelow = (finding: Finding): number[] => {
  const { line, endLine } = finding;
  if (line === null || endLine === null || isLong(finding)) return [];
  return Array.from({ length: endLine - line }, (_, i) => line + 1 + i);
};

/** A finding without a line is placed on the first one, to know whether its file is in the diff. */
const anchorFindings = async (
  app: App, flags: GlobalFlags, target: Target, findings: readonly Finding[], diff: KnownDiff,
): Promise<readonly AnchoredFinding[]> => {
  const changed = new Set(diff.files?.map(({ new_path }) => new_path));
  const job = jobLines(app, flags, target, diff.shas, true);
  const renamed = new Map<string, string>();
  for (const { file } of findings) {
    const path = isInside(file) && !changed.has(file) ? await job.pathInHead(file) : file;
    if (path !== file && changed.has(path)) renamed.set(file, path);
  }
  const inHead = (file: string) => renamed.get(file) ?? file;
  const below = findings.map((finding) => changed.has(inHead(finding.file)) ? linesBelow(finding) : []);
  const keyOf = ({ file, line }: OtherPlace) => `${line ?? 1} ${file}`;
  const places = new Map<string, OtherPlace>();
  for (const [i, { file, line, otherPlaces = [] }] of findings.entries()) {
    if (isInside(file)) places.set(keyOf({ file, line }), { file, line });
    for (const place of otherPlaces) places.set(keyOf(place), place);
    for (const one of below[i]!) places.set(keyOf({ file, line: one }), { file, line: one });
  }
  const found = await anchorPlaces(app, flags, target, [...places.values()].map(({ file, line }) =>
    ({ file: inHead(file), readAs: file, span: { side: 'new', from: line ?? 1, to: line ?? 1 } })),
  diff, job);
  const anchored = new Map([...places.keys()].map((key, i) => [key, found[i]!]));
  const at = (place: OtherPlace) => anchored.get(keyOf(place))!;
  return findings.map((finding, i) => ({
    own: isInside(finding.file) ? at(finding) : null, others: (finding.otherPlaces ?? []).map(at),
    below: () => below[i]!.map((line) => ({ line, anchored: at({ file: finding.file, line }) })),
  }));
};

const placeFinding = (finding: Finding, anchored: AnchoredFinding, filter: PostFilter): Placed => {
  const placed = filteredPlace(finding, anchored.own, filter);
  // Compilers report so what is wrong with the whole program.
  const isErrorOfRun = finding.file === '' && finding.level === 'error';
  if (placed.skip !== null && (finding.isAnywhere || isErrorOfRun)) return { skip: null };
  const { own } = anchored;
  const below = placed.skip === null ? null : placeBelow(finding, anchored, filter);
  if (below !== null) return below;
  if (placed.skip !== null && (mayBeAdded(finding, anchored) || mayPassElsewhere(finding, anchored, filter))) {
    return { skip: null, isElsewhere: true };
  }
  return own?.state !== 'unverified' || placed.position === undefined ? placed
    : { ...placed, guess: { skip: own.isLeftOut ? null : skipIfRejected(finding, filter) } };
};

const mayBeAdded = (finding: Finding, { own, below }: AnchoredFinding): boolean =>
  own !== null && (((finding.isAnyLine || isLong(finding)) && isFileChanged(own)) || isUnclear(own)
    || below().some(({ anchored }) => isUnclear(anchored)));

const isUnclear = (anchored: Anchored): boolean => anchored.state === 'outside' && anchored.mayBeAdded;

const skipIfRejected = ({ file, line, endLine, isAnywhere }: Finding, filter: PostFilter): string | null =>
  ['all', 'file'].includes(filter) || isAnywhere || endLine !== null ? null
    : `line ${line} of ${file} is not in the diff`;

/** On the first line of the finding that passes the filter. */
const placeBelow = (finding: Finding, { below }: AnchoredFinding, filter: PostFilter): Placed | null => {
  for (const { line, anchored } of below()) {
    if (anchored.state === 'outside') continue;
    const placed = filteredPlace({ ...finding, line }, anchored, filter);
    if (placed.skip === null && placed.position !== undefined) {
      return { ...placed, line, ...lineTexts({ ...finding, line }, anchored) };
    }
  }
  return null;
};

const mayPassElsewhere = (finding: Finding, { others }: AnchoredFinding, filter: PostFilter): boolean =>
  (finding.otherPlaces ?? []).some((place, i) => {
    const isAnyLine = place.line === null && finding.line !== null;
    if (isAnyLine) return isFileChanged(others[i]!);
    return filteredPlace({ ...finding, ...place }, others[i]!, filter).skip === null;
  });

/** A change before the finding, which the diff does not have yet, moves all its lines. */
const lineTexts = (
  { line: given }: Finding, anchored: Anchored | null,
): Pick<Placed, 'lineText' | 'isLeftOut'> => {
  if (anchored?.state !== 'verified' || given === null) return {};
  const { line: { newLine }, lines, isLeftOut } = anchored;
  return { isLeftOut, lineText: (number) =>
    lines.find((one) => one.kind !== 'removed' && one.newLine === newLine + number - given)?.text };
};

const isFileChanged = (anchored: Anchored): boolean => anchored.state !== 'outside' || anchored.onFile !== null;

const filteredPlace = ({ file, line }: Finding, anchored: Anchored | null, filter: PostFilter): Placed => {
  if (filter === 'all' || (filter === 'file' && anchored && isFileChanged(anchored))) {
    return { position: line === null ? undefined : findingPosition(anchored), skip: null };
  }
  if (anchored === null) return { skip: file === '' ? 'names no file' : 'the file is outside of the repository' };
  if (anchored.state === 'outside' && !anchored.isHidden) return { skip: anchored.problem.message };
  if (line === null) return { skip: mayBeNew(anchored) ? null : 'names no line' };
  if (filter === 'added' && anchored.state === 'verified' && anchored.line.kind !== 'added') {
    return { skip: `line ${line} of ${file} is not an added line` };
  }
  return { position: findingPosition(anchored), skip: null };
};

const mayBeNew = (anchored: Anchored): boolean =>
  anchored.state === 'verified' ? anchored.lines.every(({ kind }) => kind === 'added') : anchored.mayBeNew;

const findingPosition = (anchored: Anchored | null): PositionInput | undefined =>
  anchored === null || anchored.state === 'outside' || isHidden(anchored) ? undefined : anchored.position;
