import { allEdits, type FileEdits } from '../../../../diff/fixes.js';
import { isDone, parseHunkHeader, passLine, type Hunk } from '../../../../diff/lines.js';
import { cutFile, patchParts, patchProblem, type FileChange } from '../../../../diff/patch.js';
import { findingOf, ReportError, reportOf, type Finding, type Report, type RunFailure } from '../finding.js';
import { saysFailure } from './run-lines.js';

/**
 * Each block of changed lines is a suggestion. Changes that no line shows fail the run, as do messages of git.
 * @throws ReportError without a file, for a hunk that is cut, for a merge, and if no line shows a change
 */
export const readDiff = (source: string): Report => {
  const text = source.replaceAll('\r\n', '\n');
  const others = linesOutside(text);
  checkUnmerged(others);
  // Modes and names of files without a prefix are in no other header that has a path.
  const files = patchParts(text).filter(({ change: { old_path }, header }) =>
    old_path !== '' || header.startsWith('diff --git '));
  const failed = others.filter(isFailure);
  if (files.length > 0) checkWhole(source, others);
  const unplaced = others.filter(({ text: what }) => isUnplaced(what));
  const unshown = [
    ...files.flatMap(changesWithoutLines), ...unplaced.map(({ index, text: what }) => unshownAt(lineName(index), what)),
  ];
  const findings = files.flatMap(({ change }) => suggestionsIn(change));
  if (failed.length === 0 && findings.length === 0) checkLines(files.length, unshown[0]);
  const failures = [
    ...failed.map(({ index, text: message }) => ({ place: lineName(index), message })), ...lineWithoutEnd(text),
  ];
  const rest = others.filter((line) => !isFailure(line) && !isUnplaced(line.text));
  return { ...reportOf([], findings, [...failures, ...unshown]), ...unreadIn(rest) };
};

/** git ends each line, so files behind the last one may be missing. */
const lineWithoutEnd = (text: string): RunFailure[] => {
  const lines = text.split('\n');
  const last = lines.at(-1)!.slice(0, 200);
  return last === '' ? [] : [{ place: lineName(lines.length - 1), message: `the last line has no end: ${last}` }];
};

const checkLines = (fileCount: number, first: RunFailure | undefined): void => {
  if (first) {
    throw new ReportError(first.place, first.message, 'leave the file out of the diff, as in `git diff -- . ":!FILE"`');
  }
  if (fileCount > 0) return;
  throw new ReportError('line 1', 'expected a unified diff, found no file', 'make it with `git diff`');
};

const unreadIn = (lines: readonly OtherLine[]): Pick<Report, 'unread'> => {
  const [first] = lines;
  if (!first) return {};
  return { unread: { count: lines.length, line: first.index + 1, text: first.text.slice(0, 200) } };
};

const again = 'make it again with `git diff`';

const lineName = (index: number): string => `line ${index + 1}`;

interface OtherLine { readonly index: number; readonly text: string; readonly isOfHunk: boolean }

/** What is in no hunk and no header of a file, and what cannot be in its hunk. */
const linesOutside = (patch: string): OtherLine[] => {
  let hunk: Hunk | null = null;
  let isBinary = false;
  return patch.split('\n').flatMap((text, index) => {
    if (hunk && !isDone(hunk)) {
      if (text[0] !== '\\') passLine(hunk, text[0]);
      return /^(?:[ +\\-]|$)/.test(text) ? [] : [{ index, text, isOfHunk: true }];
    }
    const isBehind = hunk !== null && lineOfHunk.test(text);
    const next = parseHunkHeader(text);
    hunk = isBehind ? hunk : next;
    isBinary = text === 'GIT binary patch' || (isBinary && !text.startsWith('diff '));
    const isKnown = next || header.test(text) || (isBinary && binaryLine.test(text));
    return isKnown ? [] : [{ index, text, isOfHunk: isBehind || text.startsWith('@@') }];
  });
};

/** Not of a header, nor the end of a patch in a mail. */
const lineOfHunk = /^[+-](?![+-]{2} |- ?$)/;

const header = new RegExp([
  '^(?:\\s*$|diff (?!--cc |--combined )|index |--- |\\+\\+\\+ |-- ?$|\\\\ |(?:old|new|new file|deleted file) mode \\d',
  '|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |GIT binary patch$)',
].join(''));

const binaryLine = /^(?:(?:literal|delta) \d+|[A-Za-z](?:[^\s:]{5})+)$/;

/** git compares a file with several others in these: `@@@` hunks have no lines of one file before the change. */
const merged = /^(?:\* Unmerged path|diff --(?:cc|combined)) (?<file>.*)$/;

const checkUnmerged = (lines: readonly OtherLine[]): void => {
  const line = lines.find(({ text }) => merged.test(text));
  if (line === undefined) return;
  throw new ReportError(lineName(line.index), `${merged.exec(line.text)!.groups!['file']!} is in a merge`,
    `resolve its conflicts, and ${again}`);
};

const checkWhole = (source: string, lines: readonly OtherLine[]): void => {
  const problem = patchProblem(source);
  if (problem !== null) throw new ReportError(null, `the report ${problem}`, again);
  const cut = cutFile(source);
  if (cut !== null) throw new ReportError(null, `the report ends before the change of ${JSON.stringify(cut)}`, again);
  const broken = lines.find(({ isOfHunk }) => isOfHunk);
  if (broken === undefined) return;
  throw new ReportError(lineName(broken.index), `${JSON.stringify(broken.text.slice(0, 200))} fits no hunk`, again);
};

/** The messages of commits are indented. */
const isFailure = ({ text }: OtherLine): boolean => !/^\s/.test(text) && saysFailure(text, true);

/** `diff -r`, Subversion and `git diff --submodule` print these without a header of the file. */
const isUnplaced = (line: string): boolean =>
  /^(?:Binary files .* differ$|Only in |Submodule |Property changes on: )/.test(line);

const unshownAt = (place: string, what: string): RunFailure =>
  ({ place, message: `${what}, which no finding on a line can show` });

const changesWithoutLines = ({ change, header: text }: ReturnType<typeof patchParts>[number]): RunFailure[] => {
  if (change.diff !== '' && !change.new_file) return [];
  if (text.split('\n').some(isUnplaced)) return [];
  return [unshownAt(change.old_path || text.split('\n', 1)[0]!, changeIn(change, text))];
};

const changeIn = (change: FileChange, text: string): string => {
  const { new_path, a_mode, b_mode, new_file, deleted_file } = change;
  if (/^GIT binary patch$/m.test(text)) return 'a binary file';
  if (new_file || deleted_file) return new_file ? 'a new file' : 'a deleted file';
  const name = /^(rename|copy) to /m.exec(text)?.[1];
  if (name !== undefined) return `${name === 'copy' ? 'copied' : 'renamed'} to ${new_path}`;
  return a_mode === b_mode ? 'a change without lines' : `mode ${a_mode} changed to ${b_mode}`;
};

const suggestionsIn = (file: FileChange): Finding[] => {
  if (file.new_file) return [];
  return allEdits([file]).flatMap(({ edits }) => edits).map((edit) => suggestionOf(file.old_path, edit));
};

/** A suggestion replaces lines, so lines that are only inserted are suggested together with an unchanged neighbor. */
const suggestionOf = (file: string, { removed, added, before, after }: FileEdits['edits'][number]): Finding => {
  const inserted = added.map(({ text }) => text);
  const line = (removed[0] ?? added[0]!).oldLine;
  const suggest = (from: number, to: number, lines: readonly string[]): Finding => findingOf({
    file, line: from, endLine: to > from ? to : null, message: 'a tool would change this',
    suggestion: { from, to, text: lines.map((text) => `${text}\n`).join('') },
  });
  if (removed.length > 0) return suggest(line, removed.at(-1)!.oldLine, inserted);
  if (before !== null) return suggest(before.oldLine, before.oldLine, [before.text, ...inserted]);
  if (after !== null) return suggest(after.oldLine, after.oldLine, [...inserted, after.text]);
  const place = { file, line: Math.max(1, line - 1) };
  return findingOf({ ...place, message: 'lines are missing here', details: inserted.join('\n') });
};
