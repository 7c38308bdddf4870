import { Argument, InvalidArgumentError, Option } from 'commander';
import type { App } from '../../app.js';
import { onService, plannedOutcomes, sayPlanned } from '../../changes/run.js';
import { codeOfSeveral, errorReason, failureOfSeveral, firstLines, type Failed } from '../../changes/report.js';
import { isFinal } from '../../service/connection/batch.js';
import { type Code, failureOf, messageAlone, Problem, unusableReport, usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { count } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import { counted, nearestName } from '../../../text/messages.js';
import { firstWords, plainLine } from '../../../text/plain.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { hasRefFlag, isRef, numberHint, refAndWords, type RefFlags } from '../../command-line/ref.js';
import { acceptByOption } from '../../notes/filters/acceptance.js';
import { levels, reaches, type Finding, type Level } from '../../notes/findings/finding.js';
import { loadReports, type Loaded } from '../../notes/findings/load.js';
import { linesOfOtherThreads } from '../../notes/findings/other-threads.js';
import { postFilters } from '../../notes/findings/place.js';
import {
  changes, countedFindings, knownSummary, notInPartialReport, type PostStep,
} from '../../notes/findings/plan.js';
import {
  makePosts, makeSummary, planRun, planWithoutService, recordRun, type RunOptions, type RunPlan,
} from '../../notes/findings/run.js';
import { formatHint, reportFormats, type Format } from '../../notes/findings/read.js';
import {
  countsOf, postProblem, resultFields, postResultOf, resultPrinter, type PostOutcome, type PostResult,
} from '../../notes/findings/result.js';
import { printedPlace } from '../../notes/findings/title.js';
import { toolHint } from '../../notes/findings/tools.js';
import { notePage } from '../../notes/views/note.js';
import { recoveryByKey } from '../../notes/write/new-notes.js';
import { openNamedTarget } from '../../service/targets/target.js';

interface Input extends RunOptions, RefFlags {
  readonly files: readonly string[];
  readonly from?: Format;
  readonly key?: string;
  readonly failLevel?: Level;
  readonly root?: string;
  readonly prefix?: string;
  readonly strip?: string;
  readonly pattern?: string;
  readonly allowEmpty?: boolean;
  readonly allowFailedRun?: boolean;
  readonly reporter: 'service' | 'terminal';
}

const defaultMax = 30;

export const notesPostCommand = (app: App) =>
  withRef(defineCommand('post', 'Post the findings of linters and tests as threads, and resolve the fixed ones', [
    '# Post findings on the lines of the diff, and fail if one is an error\n'
      + 'notes post --from sarif --fail-level error --accept-by others a.sarif',
    '# Post the errors of a tool that ran in web, and prints nothing if it finds none\n'
      + 'notes post mr/12 --from tsc --allow-empty --prefix web tsc.txt',
  ], resultFields))
    .addArgument(new Argument('[report...]', 'report files, - for standard input'))
    .addOption(new Option('--from <format>', 'format, for each tool in `colloquy help reports`')
      .choices(reportFormats).argParser(formatNamed))
    .option('--key <name>', 'name of the threads (default: CI job and tool)')
    .addOption(new Option('--filter <lines>',
      'findings on added lines, in the diff, its files, or all (default: added)').choices(postFilters))
    .addOption(new Option('--level <level>', 'minimum severity to post').choices(levels).default('note'))
    .addOption(new Option('--fail-level <level>', 'minimum severity for exit 8').choices(levels))
    .addOption(acceptByOption())
    .addOption(new Option('--max <n>', 'maximum number of threads; one comment lists the rest')
      .argParser(count('--max')).default(defaultMax))
    .option('--no-resolve', 'for partial reports: resolve nothing')
    .option('--prefix <folder>', 'folder the tool ran in; also limits resolving')
    .option('--strip <prefix>', 'start of paths of another machine, such as /app, to remove')
    .option('--root <path>', 'folder that paths become relative to (default: $CI_PROJECT_DIR, else the git work tree)')
    .option('--pattern <regex>', 'regular expression for --from lines, with the groups path, line and message')
    .option('--raw-text', 'keep quick actions, mentions and references in the text')
    .option('--allow-empty', 'accept an empty report as one without findings')
    .option('--allow-failed-run',
      'do not exit with 2 for the report of a failed run that has results; it still resolves nothing')
    .addOption(new Option('--reporter <name>', 'post to the service, or print the findings on any line without it')
      .choices(['service', 'terminal']).default('service'))
    .action(handler<Omit<Input, 'files'>>((flags, ...all: (string | undefined)[]) => {
      const { ref, words } = refAndWords(flags, all);
      return notesPost(app, { ...flags, ref, files: words });
    }));

const formatNamed = (name: string, before?: Format): Format => {
  const format = reportFormats.find((one) => one === name);
  if (format === undefined) throw new InvalidArgumentError(toolHint(name) ?? formatsHint(name));
  if (before === undefined || before === format) return format;
  throw usage('--from has two values', 'use one command for each format');
};

const formatsHint = (name: string): string => {
  const near = nearestName(name, reportFormats);
  return near === null ? 'choose a format that the tool can write: `colloquy help reports` lists them'
    : `did you mean ${near}? \`colloquy help reports\` lists all formats`;
};

/** @throws Problem if one does not exist, and if there is neither one nor a pipe */
const checkReportFiles = async (app: App, input: Input): Promise<void> => {
  const { files } = input;
  for (const file of files) {
    if (file === '-' || await app.files.kindOf(file) !== null) continue;
    await readText(app, file).catch((error: unknown) => {
      throw error instanceof Problem ? missingReport(input, file, error) : error;
    });
  }
  if (files.length === 0 && app.stdin.isTerminal) {
    throw usage('no report given', 'name the files, or pipe a report into the command');
  }
};

const missingReport = ({ ref, files, ...flags }: Input, file: string, { message }: Problem): Problem => {
  const mayBeRef = ref === undefined && !hasRefFlag(flags);
  const number = mayBeRef && file === files[0] ? numberHint(file) : null;
  if (number !== null) return usage(message, `${number}; a number alone is a report here`);
  if (mayBeRef && isRef(file)) return usage(message, `name ${file} before the reports`);
  return unusableReport(message, 'check the path, and whether the tool failed before it wrote the file');
};

/** @throws Problem that names the format of the first report, as far as it is recognized */
const formatOf = async (app: App, { from, files }: Input): Promise<Format> => {
  if (from !== undefined) return from;
  const file = files[0] ?? (app.stdin.isTerminal ? null : '-');
  const text = file === null ? '' : await readText(app, file).catch(() => '');
  throw usage('required option "--from <format>" not specified',
    formatHint(text) ?? 'pass the format of the report: `colloquy help reports` has it for each tool');
};

/** @throws Problem for a gate that findings do not reach, since they are left out */
const checkLevels = ({ level, failLevel }: Input): void => {
  if (failLevel === undefined || reaches(failLevel, level)) return;
  throw usage(`--fail-level ${failLevel} has no effect with --level ${level}, which leaves such findings out`,
    `pass --level ${failLevel}, or --fail-level ${level}`);
};

const notesPost = async (app: App, input: Input): Promise<void> => {
  checkLevels(input);
  const print = resultPrinter(app, input);
  const format = await formatOf(app, input);
  const key = input.key ?? (input.reporter === 'terminal' ? format : undefined);
  await checkReportFiles(app, input);
  const loaded = await loadReports(app, { ...input, format, key });
  if (input.reporter === 'terminal') return printFindings(app, input, loaded, print);
  const plan = await openNamedTarget(app, input, input.ref)
    .then((target) => planRun(app, input, target, loaded))
    .catch(async (error: unknown) => {
      await printUnposted(app, input, loaded, failureOf(error)?.code);
      throw error;
    });
  const { target } = plan.context;
  app.activity.recovery = recoveryByKey;
  const { outcomes, others, summary } = input.dryRun
    ? { outcomes: plannedOutcomes(plan.steps), others: [], summary: null } : await makeChanges(plan);
  const result = postResultOf(outcomes);
  const where = input.dryRun ? `${target.name}${onService(app, input)}: plan` : target.name;
  const page = notePage(summary ?? knownSummary(plan.earlier.summaries, plan.context.poster.folder)?.note.id, target);
  await say(app, input, `${where}: ${whatHappened(plan, result, page, input)}`);
  await print(result);
  const steps = outcomes.map(({ step }) => step);
  for (const line of linesOfOtherThreads({ ...plan, steps }, target.name)) await say(app, input, line);
  for (const change of otherChanges(plan)) await sayPlanned(app, input, change);
  checkFailures(app, outcomes, others);
  await sayLeftOpen(app, input, loaded, steps);
  const failing = failingFindings(steps, input);
  await checkRun(app, input, loaded, failing);
  if (plan.shared !== null) throw usage(`nothing is resolved: ${plan.shared}`, sharedHint);
  const count = changes(plan.steps).length + otherChanges(plan).length;
  if (input.dryRun && count > 0) {
    const gate = failing.length === 0 ? '' : `, and the run would fail: ${failingText(failing, input)}`;
    throw new Problem('pending', `${counted(count, 'change')} to make${gate}`,
      'run the command without --dry-run to make them');
  }
  checkFailing(failing, input, firstLines(failing.map(shortLine)));
};

const whatHappened = (
  { stale }: RunPlan, result: PostResult, summary: string | null, { failLevel }: Input,
): string => {
  if (stale !== null) return `nothing changed: ${stale}`;
  const { summarized } = result;
  const uncounted = summarized === 0 || failLevel !== undefined ? ''
    : `; discussions check does not count ${summarized === 1 ? 'this' : 'these'}: use --fail-level`;
  return countsOf(result, summary) + uncounted;
};

/** So that the log has them if the service is down. */
const printUnposted = async (app: App, input: Input, loaded: Loaded, code: Code | undefined): Promise<void> => {
  const format = chosenFormat(input) ?? 'table';
  if (code === undefined || !mayPassLater(code) || format !== 'table' || app.signal.aborted) return;
  const result = postResultOf(plannedOutcomes(planWithoutService(loaded, input)));
  await resultPrinter(app, { ...input, reporter: 'terminal' })({ ...result, skipped: [] });
  const shown = result.summarized === 0 ? '' : `, the most severe ${result.created.length} above`;
  await say(app, input, `${counted(result.created.length + result.summarized, 'finding')} on any line${shown}`);
};

const sharedHint = 'pass all reports of a tool to one command, or each report with a --prefix or a --key of its own';

/** Changes that are about no single finding, worded to follow "would". */
const otherChanges = ({ context: { target: { name } }, summary, earlier }: RunPlan): string[] => [
  ...summary.map((step) => step.action === 'create' ? `add a comment to ${name} that lists the other findings`
    : `${step.action} note ${step.summary.note.id} of ${name}, which lists other findings`),
  ...earlier.copies.map(({ note }) => `delete note ${note.id} of ${name}, which is a copy`),
];

/** @returns also the new comment with the findings that have no threads */
const makeChanges = async ({ context, steps, summary, earlier }: RunPlan) => {
  const others: Failed[] = [];
  const collecting = (name: string) => (error: Error) => {
    others.push({ name, error });
    return null;
  };
  await recordRun(context, steps).catch(collecting('the number of the pipeline'));
  const outcomes = await makePosts(context, steps);
  const created = await makeSummary(context, summary).catch(collecting('the summary'));
  await context.target.client.removeNotes(context.target, earlier.copies).catch(collecting('copies of threads'));
  return { outcomes, others, summary: created };
};

/** @throws Problem if a post failed, without the places if all failed for one reason */
const checkFailures = (app: App, outcomes: readonly PostOutcome[], others: readonly Failed[]): void => {
  const tried = outcomes.filter(({ step }) => changes([step]).length > 0);
  const failed = tried.flatMap((outcome) => {
    const error = postProblem(outcome);
    return error ? [{ name: stepName(outcome.step), error }] : [];
  });
  const all = [...failed, ...others];
  const [first] = all;
  if (!first) return;
  const what = `${all.length} of ${tried.length + others.length} changes failed`;
  const reasons = new Set(all.map(({ error }) => errorReason(error)));
  const shared = failureOf(first.error, app.activity.sources);
  const isSingle = all.length === 1;
  if (isSingle && failed.length === tried.length && isFinal(first.error)) throw first.error;
  if (isSingle || failed.length < tried.length || reasons.size > 1 || shared === null) {
    const code = codeOfSeveral(all);
    throw failureOfSeveral(code, what, all, mayPassLater(code) ? recoveryByKey : null);
  }
  // The hint about one request after a 5xx is to look first whether it was stored.
  const own = (shared.status ?? 0) >= 500 ? [] : [shared.hint].filter((hint) => hint !== null);
  throw new Problem(shared.code, `${what}: ${messageAlone(shared)}`,
    mayPassLater(shared.code) ? [...own, recoveryByKey].join('\n') : shared);
};

const mayPassLater = (code: Code): boolean => code === 'unavailable' || code === 'rate_limited';

const stepName = (step: PostStep): string => {
  const thread = 'thread' in step ? step.thread : null;
  const { file, line } = 'wanted' in step && step.wanted ? step.wanted.finding : thread ?? { file: '', line: null };
  const place = file ? plainLine(printedPlace({ file, line }))
    : thread ? `thread ${thread.id}` : 'a finding without a file';
  return step.action === 'create' ? place : `${step.action} ${place}`;
};

const sayLeftOpen = async (app: App, input: Input, { failure }: Loaded, steps: readonly PostStep[]): Promise<void> => {
  const left = steps.filter((step) => step.action === 'leave' && step.reason === notInPartialReport).length;
  if (failure === null || left === 0) return;
  const [stay, its] = left === 1 ? ['stays', 'its finding'] : ['stay', 'their findings'];
  await say(app, input, `${counted(left, 'thread')} ${stay} open, because the report may lack ${its}`);
};

/** @throws Problem if a tool did not do all of its work, unless that is allowed or the gate fails for the reason */
const checkRun = async (
  app: App, input: Input, { failure, isFailedByFindings, findings }: Loaded, failing: readonly Finding[],
): Promise<void> => {
  if (failure === null) return;
  if (input.allowFailedRun !== true && !(isFailedByFindings && failing.length > 0)) {
    const unread = findings.find(({ finding }) => finding.isFatal && finding.file !== '')?.finding;
    const file = unread ? `fix ${plainLine(printedPlace(unread))}, or let the tool leave out the file; else ` : '';
    throw unusableReport(failure, `${file}fix the run of the tool, or pass --allow-failed-run`);
  }
  await say(app, input, failure);
};

const failingFindings = (steps: readonly PostStep[], { failLevel }: Input): Finding[] =>
  failLevel === undefined ? [] : countedFindings(steps, failLevel);

/** @param lines that show the findings, unless they are printed already */
const checkFailing = (failing: readonly Finding[], input: Input, lines: readonly string[] = []): void => {
  if (failing.length === 0) return;
  throw new Problem('pending', failingText(failing, input), [...lines, acceptHint(input, failing)].join('\n'));
};

const acceptHint = ({ acceptBy, reporter }: Input, { length }: readonly Finding[]): string => {
  const isSingle = length === 1;
  const fix = isSingle ? 'fix it, or' : 'fix them, or';
  if (reporter === 'terminal') return `${fix} let the tool ignore ${isSingle ? 'it' : 'those that you accept'}`;
  const [who, they] = acceptBy === 'others' ? ['let somebody else than the author ', 'they'] : ['', 'you'];
  const threads = isSingle ? 'its thread to accept it' : `the threads of those that ${they} accept`;
  return `${fix} ${who}resolve ${threads}`;
};

const failingText = (failing: readonly Finding[], { failLevel }: Input): string => {
  const text = `${counted(failing.length, 'finding is', 'findings are')} of level ${failLevel}`;
  const counts = levels.map((level) => [failing.filter((one) => one.level === level).length, level] as const)
    .flatMap(([count, level]) => count === 0 ? [] : [counted(count, level)]);
  return failLevel === 'error' ? text : `${text} or more severe: ${counts.join(', ')}`;
};

const printFindings = async (
  app: App, input: Input, loaded: Loaded, print: (result: PostResult) => Promise<void>,
): Promise<void> => {
  if (input.filter !== undefined && input.filter !== 'all') {
    throw usage(`--filter ${input.filter} and --reporter terminal cannot be combined`,
      'remove one of them: the diff comes from the service, which --dry-run reads without posting');
  }
  const steps = planWithoutService(loaded, { ...input, max: Infinity });
  const result = postResultOf(plannedOutcomes(steps));
  if (chosenFormat(input) === null) await app.out.write(linesOf(steps));
  else await print(result);
  const onAny = input.filter === undefined ? ' on any line, as with --filter all' : '';
  const skipped = result.skipped.length === 0 ? '' : `, skipped ${result.skipped.length}`;
  await say(app, input, `${counted(result.created.length + result.summarized, 'finding')}${onAny}${skipped}`);
  const failing = failingFindings(steps, input);
  await checkRun(app, input, loaded, failing);
  checkFailing(failing, input);
};

const linesOf = (steps: readonly PostStep[]): string => steps.flatMap((step) => {
  if (step.action !== 'create' && step.action !== 'summarize') return [];
  return [`${findingLine(step.wanted.finding)}\n`];
}).join('');

const shortLine = (finding: Finding): string => {
  const words = firstWords(finding.message);
  const isWhole = words === plainLine(finding.message);
  return findingLine({ ...finding, message: isWhole ? words : `${words}…` });
};

const findingLine = ({ level, message, rule, column, ...finding }: Finding): string => {
  const place = finding.file === '' ? '' : `${printedPlace(finding)}${column === null ? '' : `:${column}`}: `;
  return plainLine(`${place}${level}: ${message}${rule === null ? '' : ` [${rule}]`}`);
};
