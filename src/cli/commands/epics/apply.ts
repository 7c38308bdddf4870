import { Argument, Option } from 'commander';
import { counted } from '../../../text/messages.js';
import { shellWord } from '../../../text/quoting.js';
import type { App } from '../../app.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { serviceOf } from '../../service/connection/client.js';
import { Problem, usage } from '../../command-line/failure.js';
import { changedEpics, type LinkStep } from '../../epics/plan.js';
import type { RunReport } from '../../epics/apply.js';
import { type DocumentFormat, documentFormats, type EpicDocument, readEpicDocument } from '../../epics/document.js';
import type { RecordedRun, RunHead, RunJournal, RunSite } from '../../epics/journal.js';
import { type StepRecord, stepRecords, stepView } from '../../epics/plan-output.js';
import { defineCommand, epicArgument, handler } from '../../command-line/command.js';
import { isUrl, parseRef } from '../../command-line/ref.js';
import { dryRunOption, type FormatName, type GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { formatNamed, formatOf } from '../../terminal/output/format.js';
import { isBrief } from '../../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { clockText } from '../../notes/views/note.js';
import { settingsOf } from '../../service/settings/settings.js';
import { parentOf, type Parent } from '../../service/targets/epic.js';

interface Flags extends GlobalFlags {
  readonly prune?: boolean;
  readonly resume?: boolean;
  readonly rollback?: boolean;
  readonly format?: DocumentFormat;
  readonly allowOddTitles?: boolean;
  readonly strict?: boolean;
}

export const epicsApplyCommand = (app: App) =>
  defineCommand('apply', 'Bring the epics below an epic into the hierarchy that a file describes', [
    "epics apply '&1' plan.yaml -g acme",
    "epics apply '&1' plan.txt -g acme --prune --dry-run",
    "epics apply '&1' -g acme --rollback",
  ], selectableNames(stepView))
    .addArgument(epicArgument())
    .addArgument(new Argument('[file]', 'YAML, JSON, an outline (one epic a line, indented), or the output of '
      + '`epics tree` (yaml, markdown, csv, tsv); - for standard input'))
    .addOption(new Option('--format <format>', 'format of the file; default: recognized').choices([...documentFormats]))
    .option('--allow-odd-titles', 'also create epics with titles that look like references, checkboxes or links, '
      + 'are numbers, contain tabs, or differ from a sibling only in case')
    .option('--prune', 'remove children that the file does not name from their parents')
    .option('--strict', 'treat warnings as errors: titles that differ, and what the service may reject')
    .addOption(dryRunOption('print the plan instead of making changes; exit code 8 if there are any'))
    .option('--resume', 'continue the last run, which did not finish')
    .option('--rollback', 'restore the parents and the order before the last run')
    .action(handler<Flags>((flags, epic: string, file?: string) => epicsApply(app, flags, epic, file)));

const epicsApply = async (app: App, flags: Flags, epic: string, file: string | undefined): Promise<void> => {
  checkFlags(flags, epic, file);
  const print = listPrinter(app, flags, stepView);
  const text = file === undefined ? null : await readText(app, file);
  const name = file === '-' ? 'standard input' : file;
  const document = text === null || flags.resume ? null : await readEpicDocument(text, name!, flags.format);
  const parent = await parentOf(app, flags, epic);
  const site = { app, flags, parent, name: await parent.titled(), journal: await runJournal(app, flags, parent) };
  const work = async () => {
    const run = await site.journal.read();
    const report = await reportOn(run);
    if (!isBrief(app, flags)) await print(wholeList(printedRecords(report, formatOf(flags, app.out))));
    await finish(site, report);
  };
  const reportOn = (run: RecordedRun | null) => {
    if (flags.rollback) return rollBackRun(site, run);
    if (flags.resume) return resumeRun(site, run, text);
    return startRun(site, run, document!, {
      file: document!.file, text: text!, prune: flags.prune ?? false, format: flags.format,
      allowOddTitles: flags.allowOddTitles ?? false, strict: flags.strict ?? false,
    });
  };
  await (flags.dryRun ? work() : site.journal.locked(work));
};

/** Programs get a record for each request, people a row for each change: the place of an epic alone can fail. */
const printedRecords = ({ live, results, conflicts }: RunReport, format: FormatName): readonly StepRecord[] => {
  const records = stepRecords(live, results, conflicts);
  if (formatNamed(format).valueText) return records;
  return records.filter(({ status }, at) => mainStep(results[at]!.step, results)?.status !== status);
};

const checkFlags = ({ resume, rollback, ...flags }: Flags, epic: string, file: string | undefined): void => {
  if (resume && rollback) throw usage('--resume and --rollback cannot be combined', 'use only one of them');
  const option = resume ? '--resume' : '--rollback';
  const recorded = recordedOption(flags);
  if ((resume || rollback) && recorded) {
    throw usage(`${recorded} and ${option} cannot be combined`,
      `remove ${recorded}: the run is recorded with its options`);
  }
  if (rollback && file !== undefined) throw usage('--rollback takes no file', 'remove the file');
  if (resume || rollback || file !== undefined) return;
  if (parseRef(epic) || isUrl(epic) || epic.startsWith('id:')) {
    throw usage('no file given', 'name a file, or - for standard input');
  }
  throw usage('no parent epic given', `name it before the file: colloquy epics apply '&1' ${shellWord(epic)}`);
};

const recordedOption = ({ prune, format, allowOddTitles, strict }: Flags) =>
  [prune && '--prune', format && '--format', allowOddTitles && '--allow-odd-titles', strict && '--strict']
    .find(Boolean);

/** Runs on one epic share a journal, however it is named. The demo service keeps nothing, so it has no journal. */
const runJournal = async (app: App, flags: Flags, { client, path, base }: Parent): Promise<RunJournal> => {
  if (flags.sandbox) return (await import('../../changes/journal.js')).noJournal;
  const { openRunJournal } = await import('../../epics/journal.js');
  const url = base ?? (await serviceOf(app, await settingsOf(app, flags))).url.href;
  const epic = await nullIfUnsupported(client.lookups.epic(path));
  return openRunJournal(app, [url, epic ? `id:${epic.id}` : `${path.id}&${path.iid}`]);
};

const startRun = async (
  site: RunSite, run: RecordedRun | null, document: EpicDocument,
  given: Omit<RunHead, 'version' | 'at' | 'command' | 'top'>,
): Promise<RunReport> => {
  const { app, flags } = site;
  if (run && !run.isFinished) {
    const begun = clockText(run.head.at, app.err);
    const message = `a run of \`epics apply\` on ${site.name} has not finished (${run.head.file}, ${begun})`;
    if (!flags.dryRun) throw usage(message, 'run again with --resume to continue it, or with --rollback to undo it');
    await say(app, flags, `warning: ${message}`);
  }
  const { applyDocument } = await import('../../epics/apply.js');
  const { factsOf, runCommand } = await import('../../epics/journal.js');
  const top = await site.parent.epic();
  const at = app.now().toISOString();
  const head = { version: 1 as const, command: runCommand, ...given, at, top: top && factsOf(top) } as const;
  return applyDocument(site, document, head, null);
};

const resumeRun = async (site: RunSite, run: RecordedRun | null, text: string | null): Promise<RunReport> => {
  if (!run || run.isFinished) {
    throw usage(`there is no unfinished run of \`epics apply\` on ${site.name}`, 'run it without --resume');
  }
  if (text !== null && text !== run.head.text) {
    throw usage(`the unfinished run was started with another file: ${run.head.file}`,
      'omit the file to continue with that one, or undo the run with --rollback');
  }
  const { applyDocument } = await import('../../epics/apply.js');
  const { checkSameTop, settleOpenWrite } = await import('../../epics/journal.js');
  await checkSameTop(run, site);
  const { head } = run;
  const document = await readEpicDocument(head.text, head.file, head.format);
  return applyDocument(site, document, head, await settleOpenWrite(site, run));
};

const rollBackRun = async (site: RunSite, run: RecordedRun | null): Promise<RunReport> => {
  if (!run) {
    throw usage(`there is no recorded run of \`epics apply\` on ${site.name}`, 'check the epic and the service');
  }
  return (await import('../../epics/apply.js')).rollBack(site, run);
};

/** Says what was done. @throws the error of the run, or Problem after a dry run with changes */
const finish = async ({ app, flags, name }: RunSite, { results, isPlan, error }: RunReport): Promise<void> => {
  const changes = changedEpics(results.map(({ step }) => step));
  if (isPlan) {
    if (results.length === 0) return;
    throw new Problem('pending', `${counted(changes, 'change')} to make`,
      'run the command without --dry-run to make them');
  }
  const open = results.filter(({ status }) => status !== 'done').map(({ step }) => step);
  const done = changes - changedEpics(open.filter((step) => mainStep(step, results) === undefined));
  if (open.length > 0) {
    const left = done === changes ? ', but not their order' : '';
    await say(app, flags, `made ${done} of ${counted(changes, 'change')} to ${name}${left}; `
      + 'run again with --resume to continue, or with --rollback to undo them');
  } else if (done > 0) await say(app, flags, `made ${counted(done, 'change')} to ${name}`);
  if (error) throw error;
};

/** The step that creates or moves an epic, for the step that gives it its place among its siblings. */
const mainStep = (step: LinkStep, results: RunReport['results']): RunReport['results'][number] | undefined =>
  step.action !== 'reorder' ? undefined
    : results.find((one) => one.step.epic === step.epic && one.step.action !== 'reorder');
