import * as Type from '@sinclair/typebox';
import { Argument } from 'commander';
import { noteables } from '../../../contract/conventions.js';
import { nullable } from '../../../contract/shapes/scalars.js';
import { lineNumbers, type DiffLine } from '../../../diff/lines.js';
import { kindsWithDiff, parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/ref.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames, type View } from '../../terminal/output/view.js';
import { fileIn, outsideDiff } from '../../notes/position/anchor.js';
import { jobLines, type Numbers } from '../../notes/position/job-lines.js';
import { typedFile, withDiffFlags } from '../../notes/position/position.js';
import { knownDiff, type DiffFile, type DiffFlags, type KnownDiff } from '../../notes/position/known-diff.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import { lineTones } from '../../notes/views/code.js';

/** The numbers are those that `--line` takes. */
const DiffLineRecord = Type.Object({
  path: Type.String(), old_line: nullable(Type.Integer()), new_line: nullable(Type.Integer()),
  kind: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('context')]), text: Type.String(),
});
type DiffLineRecord = Type.Static<typeof DiffLineRecord>;

const lineOfFileView: View<DiffLineRecord> = {
  columns: [
    { name: 'old', cell: ({ old_line }) => String(old_line ?? '') },
    { name: 'new', cell: ({ new_line }) => String(new_line ?? '') },
    { name: 'kind', cell: ({ kind }) => kind, tone: ({ kind }) => lineTones[kind] },
    { name: 'text', isCode: true, cell: ({ text }) => text, tone: ({ kind }) => lineTones[kind], minWidth: 20 },
  ],
  id: ({ old_line, new_line }) => new_line === null ? `old:${old_line}` : String(new_line),
  shape: DiffLineRecord,
  emptyText: 'no lines that take comments',
};

const fileLineView: View<DiffLineRecord> = {
  ...lineOfFileView,
  columns: [{ name: 'path', cell: ({ path }) => path, minWidth: 12, keep: 'end' }, ...lineOfFileView.columns],
  id: (line) => `${line.path}:${lineOfFileView.id(line)}`,
};

export const discussionsLinesCommand = (app: App) =>
  withListFlags(withDiffFlags(withRef(defineCommand('lines', 'List the lines of a diff that take comments', [
    'discussions lines mr/12 src/a.ts',
    'discussions lines mr/12 --json=path,new_line,text',
    '# Print the numbers of the added lines\n'
      + "discussions lines mr/12 src/a.ts -q '.[] | select(.kind == \"added\") | .new_line'",
  ], selectableNames(fileLineView)), kindsWithDiff)))
    .addArgument(new Argument('[file]', 'path of a changed file; all of them by default'))
    .action(handler<RefFlags & DiffFlags>((flags, ref?: string, file?: string) =>
      discussionsLines(app, { ...flags, ...parseRefArguments(flags, ref, file) })));

const discussionsLines = async (app: App, input: ListFlags & RefFlags & DiffFlags & RefArguments): Promise<void> => {
  const print = listPrinter(app, input, input.childId === undefined ? fileLineView : lineOfFileView);
  const target = await openNamedTarget(app, input, input.ref);
  if (!noteables[target.kind].hasDiff) throw usage(`${target.name} has no diff`, 'name a merge request or a commit');
  const diff = await knownDiff(app, input, target);
  const { numbersOf } = jobLines(app, input, target, diff.shas);
  const { files, isWhole } = input.childId === undefined ? await allLines(diff, target)
    : { files: [await fileLines(app, diff, target, input.childId)], isWhole: true };
  const records: DiffLineRecord[][] = [];
  for (const { file, lines } of files) records.push(recordsOf(file, lines, await numbersOf(file)));
  await print(wholeList(records.flat()), target.web);
  if (!isWhole) throw unread(`of ${target.name} as a whole`);
};

interface FileLines {
  readonly file: DiffFile;
  readonly lines: readonly DiffLine[];
}

const recordsOf = (
  { new_path: path }: DiffFile, lines: readonly DiffLine[], { inFiles }: Numbers,
): DiffLineRecord[] => lines.flatMap((line) => {
  const { old_line = null, new_line: inHead } = lineNumbers(line);
  const new_line = inHead === undefined ? null : inFiles(inHead);
  return old_line === null && new_line === null ? [] : [{ path, old_line, new_line, kind: line.kind, text: line.text }];
});

const allLines = async ({ files, isCut }: KnownDiff, { name }: Target) => {
  if (!files) throw unread(`of ${name}`);
  const all = await Promise.all(files.map(async (file) => ({ file, lines: await file.lines() })));
  const known = all.filter((one): one is FileLines => one.lines !== null);
  return { files: known, isWhole: !isCut && known.length === all.length };
};

const fileLines = async (
  app: App, { files, isCut }: KnownDiff, target: Target, text: string,
): Promise<FileLines> => {
  const typed = await typedFile(app, text);
  const file = files && fileIn(files, typed, 'new', target.name);
  if (files && !file && !isCut) throw outsideDiff(files, typed.file, target.name).problem;
  const lines = await file?.lines() ?? null;
  if (!file || lines === null) throw unread(`of ${typed.file}`);
  return { file, lines };
};

const unread = (what: string): Problem =>
  new Problem('failure', `cannot read the diff ${what}: the service does not show it, and git has no copy`,
    'fetch the commits of the diff with git, or pass the patch with --diff');
