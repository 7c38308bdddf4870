import { join, posix, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { App } from '../../app.js';
import { Problem, unusableReport, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { counted, firstOf } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { Mask } from '../../../wire/secrets/known.js';
import { secretsIn } from '../../terminal/io/secrets.js';
import type { FormerKeys } from './earlier.js';
import type { Finding } from './finding.js';
import { findFiles } from './find-files.js';
import { identify, shortHash, type Identified } from './fingerprint.js';
import { isUnreadPath, mayNameWrongly } from './line-names.js';
import { isAbsolute, isBelow, isInside, pathBelow } from './paths.js';
import { jobName } from './poster.js';
import { isOfLines, readReports, type ReadOptions, type Source } from './read.js';

export interface LoadOptions extends ReadOptions, Pick<GlobalFlags, 'quiet'> {
  readonly files: readonly string[];
  readonly key?: string | undefined;
  readonly root?: string | undefined;
  readonly prefix?: string | undefined;
  readonly strip?: string | undefined;
}

export interface Loaded {
  readonly keys: readonly string[];
  readonly formerKeys: FormerKeys;
  readonly findings: readonly (Identified & { readonly key: string })[];
  /** Those of a file as they were for the tool, as far as it exists here. */
  readonly linesOf: (file: string) => readonly string[] | null;
  readonly failure: string | null;
  readonly unrun: readonly string[];
  readonly isFailedByFindings: boolean;
  /** Whether the report may be about a file of this name, without a way to say so. */
  readonly mayNameWrongly: (path: string) => boolean;
  /** The folder that the tool ran in, as `--prefix` or `--root` says; empty for the repository. */
  readonly scope: string;
  /** No file of a finding exists here, and there is no work tree, so only the service knows them. */
  readonly areFilesUnknown: boolean;
  /** A digest of the files and options that the command line names. */
  readonly call: string;
}

/** @throws Problem for a report that cannot be used, and if there is no key */
export const loadReports = async (app: App, options: LoadOptions): Promise<Loaded> => {
  const { key, format } = options;
  const [given, files] = options.files.length === 0 ? ['unnamed' as const, ['-']] : ['named' as const, options.files];
  const sources: Source[] = [];
  for (const file of files) sources.push(await readReport(app, file, given));
  const report = await readReports(sources, options);
  if (given === 'unnamed' && sources[0]!.text.trim() === '') {
    // A job may have left out the name of the file.
    await say(app, options, 'no report file is named and standard input is empty: taken for a report without findings');
  }
  const { mask } = secretsIn(app, []);
  for (const { name, count, line, text } of report.unread) {
    const first = `the first is line ${line}: ${mask(text)}`;
    await say(app, options, plainLine(`${name}: ${counted(count, 'unread line')}, ${first}`));
  }
  for (const text of unknownLevels(report.findings)) await say(app, options, plainLine(mask(text)));
  const masked = report.findings.map((finding) => maskedFinding(finding, mask));
  if (masked.some((finding, i) => !isDeepStrictEqual(finding, report.findings[i]))) {
    await say(app, options, 'masked the values of secret variables in the report');
  }
  if (key === undefined && (report.tools.length === 0 || report.findings.some(({ tool }) => tool === null))) {
    throw usage(`the ${format} report does not name its tool`,
      'pass --key NAME, by which later runs find the threads');
  }
  const job = jobName(app);
  const toolKey = (tool: string) => job === null ? tool : `${job}/${tool}`;
  const { findings, linesOf, problem, scope } = await repositoryFiles(app, options, masked);
  return {
    keys: key === undefined ? report.tools.map(toolKey) : [key],
    formerKeys: new Map(key === undefined && job !== null ? report.tools.map((tool) => [toolKey(tool), tool]) : []),
    findings: identify(findings, ({ file }, line) => linesOf(file)?.[line - 1])
      .map((identified) => ({ ...identified, key: key ?? toolKey(identified.finding.tool!) })),
    linesOf, failure: report.failure === undefined ? null : mask(report.failure),
    unrun: maskedRules(report.unrun, mask), isFailedByFindings: report.isFailedByFindings === true,
    areFilesUnknown: problem !== null, scope, call: callDigest({ ...options, files }),
    mayNameWrongly: wrongNames(options, sources, report.unread.flatMap(({ lines = [] }) => lines), scope),
  };
};

const maskedRules = (rules: readonly string[] = [], mask: Mask): string[] => rules.map(mask);

const wrongNames = (
  { format, pattern }: LoadOptions, sources: readonly Source[], unread: readonly string[], scope: string,
): Loaded['mayNameWrongly'] => {
  const hasPreset = format !== 'lines' || pattern !== undefined;
  const isUnread = (path: string) => isUnreadPath(unread, path)
    || (scope !== '' && isBelow(scope, path) && isUnreadPath(unread, path.slice(scope.length + 1)));
  return (path) => isOfLines(format)
    && (mayNameWrongly(sources.map(({ text }) => text), path, hasPreset) || (!hasPreset && isUnread(path)));
};

const callDigest = ({ files, format, key, root, prefix, strip, pattern }: LoadOptions): string =>
  shortHash(...files, format, ...[key, root, prefix, strip, pattern].map((value) => value ?? null));

const readReport = async (app: App, file: string, pipe: NonNullable<Source['pipe']>): Promise<Source> => {
  const text = await readText(app, file).catch((error: unknown) => {
    throw error instanceof Problem && error.hint !== null ? unusableReport(error.message, error.hint) : error;
  });
  return file === '-' ? { name: 'standard input', text, pipe } : { name: file, text };
};

const unknownLevels = (findings: readonly Finding[]): string[] => {
  const words = [...new Set(findings.flatMap(({ unknownLevel }) => unknownLevel ?? []))];
  const shown = words.map((word) => JSON.stringify(word.slice(0, 40)));
  if (words.length < 2) return shown.map((word) => `unknown level ${word} counts as error`);
  return [`unknown levels ${firstOf(shown, 3)} count as errors`];
};

/** Paths stay, because they decide where a finding is. */
const maskedFinding = (finding: Finding, mask: Mask): Finding => {
  const { message, rule, ruleUrl, details, suggestion, ...rest } = finding;
  return {
    ...rest, message: mask(message), rule: rule === null ? null : mask(rule),
    ...ruleUrl !== undefined && mask(ruleUrl) === ruleUrl && { ruleUrl },
    ...details !== undefined && { details: mask(details) },
    // A suggestion with a mask would commit the mask.
    ...suggestion && mask(suggestion.text) === suggestion.text && { suggestion },
  };
};

/** @throws Problem if the reported files are in a work tree below: from here their paths are no paths of it */
const checkWorkTree = async ({ files }: App, root: string, findings: readonly Finding[]): Promise<void> => {
  const folders = new Set(findings.flatMap(({ file }) => isInside(file) ? foldersAbove(file) : []));
  for (const folder of folders) {
    if (await files.kindOf(join(root, folder, '.git')) === null) continue;
    throw usage(plainLine(`the reported files are in another git work tree, ${join(root, folder)}`),
      plainLine(`run the command there, or pass --root ${folder}`));
  }
};

const foldersAbove = (file: string): string[] =>
  file.split('/').slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join('/'));

/** A root in the work tree is the folder that relative paths are below, as with a prefix. */
const pathsOf = async (
  app: App, { root, prefix = '' }: LoadOptions, workTree: string | null,
): Promise<{ readonly root: string; readonly prefix: string }> => {
  if (root === undefined) return { root: resolve((app.env['CI_PROJECT_DIR'] || workTree) ?? ''), prefix };
  const folder = workTree === null ? '' : pathBelow(workTree, resolve(root));
  const isInTree = isInside(folder) && await app.files.kindOf(join(resolve(root), '.git')) === null;
  if (!isInTree) return { root: resolve(root), prefix };
  return { root: workTree!, prefix: isAbsolute(prefix) ? prefix : posix.join(folder, prefix) };
};

/** @throws Problem if no reported file exists, and none of them can exist elsewhere: the paths are wrong */
const repositoryFiles = async (app: App, options: LoadOptions, findings: readonly Finding[]) => {
  const workTree = await app.git.top();
  const { root, prefix } = await pathsOf(app, options, workTree);
  const hasTree = options.root !== undefined || workTree !== null;
  const found = await findFiles(app, { root, prefix, strip: options.strip ?? '', hasTree }, findings);
  for (const message of found.messages) await say(app, options, plainLine(message));
  if (found.problem !== null) {
    if (!found.mayExist) throw found.problem;
    await say(app, options, plainLine(found.problem.message));
  }
  if (workTree === null) await checkWorkTree(app, root, found.findings);
  const folder = pathBelow(root, prefix);
  if (!isInside(folder)) return { ...found, scope: '' };
  const isMissing = hasTree && found.problem === null && await app.files.kindOf(join(root, folder)) === null;
  const missing = `there is no folder ${folder} in ${root}: check --prefix or --root`;
  if (isMissing) await say(app, options, plainLine(missing));
  const named = new Set(found.findings.map(({ file }) => file).filter((file) => file !== ''));
  const outside = [...named].filter((file) => !isBelow(folder, file)).length;
  const are = counted(outside, 'reported file is', 'reported files are');
  const stay = plainLine(`${are} not below ${folder}; other threads outside of it stay open`);
  if (outside > 0) await say(app, options, stay);
  return { ...found, scope: folder };
};
