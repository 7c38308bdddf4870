import { diffLines } from '../../../diff/lines.js';
import { changeOn } from '../../../diff/patch.js';
import type { Run } from '../../../diff/write.js';
import { groupedBy } from '../../../text/groups.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { oncePer } from '../../service/connection/batch.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { versionFor } from '../position/version.js';
import { type Suggested, suggestionName } from './suggested.js';

export interface HeadFile {
  /** Only the lines that the diff shows may be known. */
  readonly text: string | null;
  /** Every known line has its line end. */
  readonly lines: ReadonlyMap<number, string>;
}

export interface HeadFiles {
  readonly head_sha: string;
  readonly name: string;
  readonly of: (path: string) => Promise<HeadFile | null>;
}

/** A text of the service without the lines that the diff shows is of another commit, so only these lines count. */
export const headFiles = async (app: App, target: Target): Promise<HeadFiles> => {
  const version = await versionFor(app, {}, target);
  const { head_sha } = version.shas;
  let diffs: ReturnType<typeof version.files> | undefined;
  const of = oncePer(async (path: string): Promise<HeadFile | null> => {
    const inGit = fileText(await app.git.tracked.at(head_sha, path));
    if (inGit !== null) return wholeFile(inGit);
    const diff = changeOn((await (diffs ??= version.files()))?.files ?? [], 'new', path);
    const shown = diff === undefined ? new Map<number, string>() : shownLines(diff.diff);
    const text = await textOnService(target, path, head_sha);
    if (text !== null && hasLines(linesWithEnds(text), shown)) return wholeFile(text);
    return shown.size === 0 ? null : { text: null, lines: shown };
  });
  return { head_sha, name: target.name, of };
};

const textOnService = async ({ client, path: { id } }: Target, file_path: string, ref: string) => {
  const file = await nullIfFailed(client.lookups.file({ id, file_path, ref }));
  return fileText(file?.encoding === 'base64' ? Buffer.from(file.content, 'base64') : null);
};

export const fileText = (bytes: Uint8Array | null): string | null => {
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

const wholeFile = (text: string): HeadFile =>
  ({ text, lines: new Map(linesWithEnds(text).map((line, at) => [at + 1, line])) });

const shownLines = (diff: string): Map<number, string> => {
  const lines = diffLines(diff).filter(({ kind }) => kind !== 'removed');
  const hasNoEnd = /\n[+ ][^\n]*\n\\[^\n]*\n?$/.test(diff);
  return new Map(lines.map(({ newLine, text }, at) =>
    [newLine, hasNoEnd && at === lines.length - 1 ? text : `${text}\n`]));
};

/** Ignores the kind of line ends. */
export const hasLines = (lines: readonly string[], wanted: ReadonlyMap<number, string>): boolean =>
  [...wanted].every(([number, line]) => lines[number - 1]?.replace(lineEnd, '') === line.replace(lineEnd, ''));

const lineEnd = /\r?\n$/;

/** @param after replaces the text of a run of known lines, which starts at a line */
export const knownRuns = ({ lines }: HeadFile, after: (text: string, line: number) => string): Run[] => {
  const runs: { line: number; before: string }[] = [];
  let next: number | null = null;
  for (const [number, line] of lines) {
    if (number === next) runs.at(-1)!.before += line;
    else runs.push({ line: number, before: line });
    next = number + 1;
  }
  return runs.map((run) => ({ ...run, after: after(run.before, run.line) }));
};

type Edit = Pick<Suggested, 'from_line' | 'to_line' | 'text'>;

export const linesWithEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Keeps the kind of line ends. @param edits that do not overlap */
export const withEdits = (text: string, edits: readonly Edit[]): string => {
  const lines = linesWithEnds(text);
  for (const { from_line, to_line, text: replacement } of [...edits].sort((a, b) => b.from_line - a.from_line)) {
    const end = lines[from_line - 1]?.endsWith('\r\n') ? '\r\n' : '\n';
    const wanted = linesWithEnds(replacement).map((line) => line.replace(/\r?\n$/, end));
    lines.splice(from_line - 1, to_line - from_line + 1, ...wanted);
  }
  return lines.join('');
};

/** @throws Problem if two replace the same line */
export const byFile = (suggestions: readonly Suggested[]): ReadonlyMap<string, readonly Suggested[]> => {
  const files = groupedBy(suggestions, ({ path }) => path);
  for (const ofFile of files.values()) {
    ofFile.sort((a, b) => a.from_line - b.from_line);
    ofFile.forEach((one, at) => { checkApart(ofFile[at - 1], one); });
  }
  return files;
};

const checkApart = (before: Suggested | undefined, one: Suggested): void => {
  if (before === undefined || before.to_line < one.from_line) return;
  throw usage(`two suggestions replace the same line: ${suggestionName(before)} and ${suggestionName(one)}`,
    before.thread === one.thread ? 'apply one of them by hand' : 'name the threads of those to use');
};
