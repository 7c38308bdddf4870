import { Argument, type Command } from 'commander';
import { noteables } from '../../../contract/noteables.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import { defineCommand, handler, refArgument, withRefFlags } from '../../command-line/flags/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags/list.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { fileIn, outsideDiff } from '../../notes/position/anchor.js';
import { withDiffFlags } from '../../notes/position/flags.js';
import { typedFile } from '../../notes/position/typed-file.js';
import { knownDiff, type DiffFlags } from '../../notes/position/known-diff.js';
import { parseRefArguments, type RefArguments, type RefFlags } from '../../command-line/refs/ref.js';
import { targetOf, type Target } from '../../service/targets/target.js';
import { diffLineRecord, diffLineView, type DiffLineRecord } from '../../notes/views/diff.js';

interface Input extends ListFlags, RefFlags, DiffFlags, RefArguments {}

export const discussionsLinesCommand = (app: App): Command =>
  withListFlags(withDiffFlags(withRefFlags(defineCommand('lines', 'list the lines of a file that take comments', [
    'discussions lines mr/12 src/a.ts',
    "discussions lines mr/12 src/a.ts -q '.[] | select(.kind == \"added\") | .new_line'",
  ], selectableNames(diffLineView)))))
    .addArgument(refArgument())
    .addArgument(new Argument('[file]', 'path of a changed file'))
    .action(handler<RefFlags & DiffFlags>((flags, ref?: string, file?: string) =>
      discussionsLines(app, { ...flags, ...parseRefArguments(flags, ref, file) })));

const discussionsLines = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, diffLineView);
  if (input.childId === undefined) throw usage('no file given', 'name it after the merge request or commit');
  const target = await targetOf(app, input, input.ref);
  await print(wholeList(await linesOf(app, input, target, input.childId)), target.web);
};

const linesOf = async (app: App, input: Input, target: Target, text: string): Promise<DiffLineRecord[]> => {
  if (!noteables[target.kind].hasDiff) throw usage(`${target.name} has no diff`, 'name a merge request or a commit');
  const { files } = await knownDiff(app, input, target);
  const typed = await typedFile(app, text);
  const file = files && fileIn(files, typed, 'new', target.name);
  if (files && !file) throw outsideDiff(files, typed.file, target.name).problem;
  const lines = await file?.lines() ?? null;
  if (lines === null) {
    const path = typed.file;
    throw new Problem('failure', `cannot read the diff of ${path}: the service does not show it, and git has no copy`,
      'fetch the commits of the diff with git, or pass the patch with --diff');
  }
  return lines.map(diffLineRecord);
};
