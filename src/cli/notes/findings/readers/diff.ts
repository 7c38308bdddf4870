import { diffLines, type DiffLine } from '../../../../diff/lines.js';
import { cutFile, parsePatch, patchProblem, type FileChange } from '../../../../diff/patch.js';
import { findingOf, ReportError, type Finding, type Report } from '../finding.js';

/** Each block of changed lines is a suggestion. @throws ReportError without a file, and for a hunk that is cut */
export const readDiff = (source: string): Report => {
  const files = parsePatch(source.replaceAll('\r\n', '\n')).filter(({ old_path }) => old_path !== '');
  if (files.length === 0) {
    throw new ReportError('line 1', 'expected a unified diff, found no file', 'make it with `git diff`');
  }
  const problem = patchProblem(source);
  if (problem !== null) throw new ReportError(null, `the report ${problem}`, 'make it again with `git diff`');
  const cut = cutFile(source);
  if (cut !== null) {
    throw new ReportError(null, `the report ends before the change of ${JSON.stringify(cut)}`,
      'make it again with `git diff`');
  }
  return { tools: [], findings: files.flatMap(suggestionsIn) };
};

const suggestionsIn = (file: FileChange): Finding[] => {
  if (file.new_file) return [];
  return changedBlocks(diffLines(file.diff)).map((block) => blockSuggestion(file.old_path, block));
};

interface Block { readonly changed: readonly DiffLine[]; readonly before?: DiffLine; readonly after?: DiffLine }

interface DraftBlock extends Block { readonly changed: DiffLine[]; after?: DiffLine }

const changedBlocks = (lines: readonly DiffLine[]): Block[] => {
  const blocks: DraftBlock[] = [];
  let open: DraftBlock | null = null;
  let previous: DiffLine | undefined;
  for (const line of lines) {
    const isNext = previous !== undefined && follows(previous, line);
    if (open && (line.kind === 'context' || !isNext)) {
      if (line.kind === 'context' && isNext) open.after = line;
      open = null;
    }
    if (line.kind !== 'context') {
      if (!open) {
        open = { changed: [], ...(previous?.kind === 'context' && isNext && { before: previous }) };
        blocks.push(open);
      }
      open.changed.push(line);
    }
    previous = line;
  }
  return blocks;
};

const follows = (one: DiffLine, next: DiffLine): boolean =>
  next.oldLine === one.oldLine + (one.kind === 'added' ? 0 : 1)
  && next.newLine === one.newLine + (one.kind === 'removed' ? 0 : 1);

/** A suggestion replaces lines, so lines that are only inserted are suggested together with an unchanged neighbor. */
const blockSuggestion = (file: string, { changed, before, after }: Block): Finding => {
  const removed = changed.filter(({ kind }) => kind === 'removed');
  const added = changed.filter(({ kind }) => kind === 'added').map(({ text }) => text);
  const neighbor = before ?? after;
  if (removed.length === 0 && !neighbor) {
    return findingOf({ file, message: 'lines are missing in this file', details: added.join('\n') });
  }
  const from = removed[0]?.oldLine ?? neighbor!.oldLine;
  const to = removed.at(-1)?.oldLine ?? neighbor!.oldLine;
  const text = removed.length > 0 ? added
    : before ? [before.text, ...added] : [...added, after!.text];
  return findingOf({
    file, line: from, endLine: to > from ? to : null, message: 'a tool would change this',
    suggestion: { from, to, text: text.join('\n') },
  });
};
