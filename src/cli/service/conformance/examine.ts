import * as Type from '@sinclair/typebox';
import type { Severity } from '../../../conformance/check.js';
import { deleteLeftNotes, type LeftNotes } from '../../../conformance/threads.js';
import { areasChecked, checkedFacts, type Examination, type FactResult } from '../../../conformance/run.js';
import { behavior, type FactId, factWithId, shapeFacts } from '../../../contract/behavior/behavior.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import type { Imitation } from '../../../contract/imitation.js';
import { nullable } from '../../../contract/shapes/scalars.js';
import { counted, nearestName } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { markupValue } from '../../../text/quoting.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { type GlobalFlags, refuseLimit } from '../../command-line/flags.js';
import { progressOn, say } from '../../terminal/io/messages.js';
import { askToReplace, writeNamed } from '../../terminal/io/named-files.js';
import { type Paint, painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { yamlText } from '../../terminal/output/yaml.js';
import { DryRun } from '../connection/dry-run.js';
import type { Target } from '../targets/target.js';
import {
  checkComparison, compareFact, type ComparisonFlags, inOrderOfHarm, otherExamination,
} from './comparison.js';
import { type ExaminationInput, examinationOf, type RecordedExamination, namedTargets } from './examination.js';
import { checkedIn } from './probe.js';

export interface ConformanceInput extends ExaminationInput, ComparisonFlags {
  readonly report?: 'junit' | 'json';
  readonly fact?: readonly string[];
  readonly failLevel: Severity;
}

/**
 * Compares what a service does with the facts, or with what another one does. @throws Problem with exit code 8 if a
 * difference reaches the level
 */
export const runConformance = async (app: App, input: ConformanceInput): Promise<void> => {
  const isChosen = chosenBy(input);
  refuseLimit(input, 'conformance', 'choose facts with --area or --fact');
  checkInput(input);
  checkComparison(input);
  const print = await printerFor(app, input);
  if (input.save !== undefined) await askToReplace(app, input, input.save, (line) => line.startsWith(savedHead));
  const targets = await namedTargets(app, input, input.refs);
  const parent = parentEpic(input, targets);
  const examination = await examinationOf(app, input, targets, isChosen);
  const { unreachable = {} } = examination.probe;
  if (input.write) await announce(app, input, targets.filter(({ kind }) => !(kind in unreachable)), parent);
  const other = input.against === undefined ? null : await otherExamination(app, input, input.against, examination);
  const results: FactResult[] = [];
  const inOrder = () => other === null ? results : inOrderOfHarm(results);
  const check = (fact: Fact) => other === null ? checkedIn(fact, examination, results)
    : compareFact(fact, examination, other, results);
  const checkEach = () => checkAll(app, input, checkedFacts(examination), results, check, print.one);
  try {
    await withCleanUp(app, input, examination, () =>
      other === null ? checkEach() : withCleanUp(app, input, other, checkEach));
  } catch (error) {
    if (results.length > 0 && !(error instanceof DryRun)) await print.all(inOrder());
    throw error;
  }
  await print.all(inOrder());
  if (input.save !== undefined) await saveImitation(app, input, input.save, examination, results);
  const differing = reaching(results, input.failLevel);
  const summary = conformanceSummary(conformanceOf(results), other !== null);
  if (differing.length > 0) throw new Problem('pending', summary,
    other === null ? 'compare each difference with the source of its fact'
      : 'check first what is accepted here alone');
  if (results.every(({ result }) => result === 'skip')) {
    const [first] = results;
    throw new Problem('failure', 'no fact could be checked',
      first ? `${first.id}: ${first.reason!}` : 'choose other facts');
  }
  await say(app, input, summary);
};

/** Adds each result to the list, which has those until then if the run ends early. */
const checkAll = async (
  app: App, input: ConformanceInput, facts: readonly Fact[], results: FactResult[],
  check: (fact: Fact) => Promise<FactResult>, print: ResultPrinter['one'],
): Promise<readonly FactResult[]> => {
  const progress = progressOn(app, input);
  for (const [at, fact] of facts.entries()) {
    app.signal.throwIfAborted();
    await progress.show(`${at + 1} of ${facts.length}: ${fact.id} …`);
    const result = await check(fact);
    results.push(result);
    await progress.done();
    await print(result);
  }
  return results;
};

const chosenBy = ({ area, fact: ids }: ConformanceInput): ((fact: Fact) => boolean) => {
  const known = [...behavior, ...shapeFacts].map(({ id }) => id);
  for (const id of ids ?? []) {
    if (known.includes(id)) continue;
    const nearest = nearestName(id, known);
    throw usage(`unknown fact ${id}`,
      nearest === null ? 'choose one that docs/behavior.md lists' : `did you mean ${nearest}?`);
  }
  return (fact) => (ids === undefined || ids.includes(fact.id))
    && (area === undefined || areasChecked(fact).includes(area));
};

const checkInput = ({ write, leaveEpics, area, refs }: ConformanceInput): void => {
  if (leaveEpics && !write) throw usage('--leave-epics requires --write', 'pass both, and name an epic');
  if (write && refs.length === 0 && area !== 'appearance') {
    throw usage('--write requires an object to write to', 'name one: colloquy conformance mr/12 --write');
  }
};

const parentEpic = ({ leaveEpics }: ConformanceInput, targets: readonly Target[]): Target | null => {
  if (!leaveEpics) return null;
  const epic = targets.find(({ kind, ref }) => kind === 'epic' && !ref.isGlobal);
  if (epic) return epic;
  throw usage('--leave-epics requires an epic with its number',
    'name one: colloquy conformance epic/1 --write --leave-epics');
};

const announce = async (
  app: App, input: ConformanceInput, targets: readonly Target[], parent: Target | null,
): Promise<void> => {
  const names = targets.map(({ name }) => name).join(', ');
  const remains = 'system notes, mails and the new time of the last update remain';
  const notes = `writes notes on ${names}, and deletes them again; ${remains}`;
  if (input.area === 'appearance') return say(app, input, 'writes the appearance with the values that it has');
  if (targets.length === 0) return;
  return say(app, input, [
    notes, ...parent && targets.includes(parent)
      ? [`creates epics below ${parent.name}, which remain: the API cannot delete them`] : [],
  ].join('\n'));
};

type Results = readonly FactResult[];

/**
 * Deletes the notes of an earlier run first. Checks delete their own notes; what is left after a failure, an interrupt
 * or a create without a response is deleted at the end.
 */
const withCleanUp = async (
  app: App, flags: GlobalFlags, examination: Examination, work: () => Promise<Results>,
): Promise<Results> => {
  const { activity } = app;
  if (examination.effects.size === 1) return work();
  const { deleted } = await cleanUp(app, examination);
  if (deleted > 0) await say(app, flags, `deleted ${counted(deleted, 'note')} that an earlier run left`);
  activity.isCleaningUp = true;
  try {
    const results = await work();
    if (results.some(({ result }) => result === 'fail')) await cleanUp(app, examination);
    return results;
  } catch (error) {
    if (!(error instanceof DryRun)) await cleanAfterFailure(app, flags, examination);
    throw error;
  } finally {
    activity.isCleaningUp = false;
  }
};

/** The failure of the run is reported, not that of its clean-up. */
const cleanAfterFailure = async (app: App, flags: GlobalFlags, examination: Examination): Promise<void> => {
  if (!examination.effects.has('notes')) return;
  await say(app, flags, 'deleting the notes of the checks');
  try {
    const { paths } = await cleanUp(app, examination);
    if (paths.length === 0 && !examination.effects.has('epics')) takeBack(app.activity);
  } catch {
    await say(app, {}, 'notes of the checks may remain: run again with --write to delete them');
  }
};

/** Other requests of the checks are ones that the service rejects. */
const takeBack = (activity: App['activity']): void => {
  if (activity.changes.length > 0) {
    activity.effects.push('the notes of the checks were deleted again; system notes and mails remain');
  }
  activity.changes.length = 0;
};

const cleanUp = async (app: App, { probe, writable, effects }: Examination): Promise<LeftNotes> => {
  if (!effects.has('notes')) return { deleted: 0, paths: [] };
  const left = await deleteLeftNotes(probe, writable);
  const { paths } = left;
  if (paths.length > 0) {
    const named = [...paths.slice(0, mostNamed), ...paths.length > mostNamed ? ['…'] : []].map((path) => `  ${path}`);
    await say(app, {}, [
      `cannot delete ${counted(paths.length, 'note')} of the checks; delete by hand:`, ...named].join('\n'));
  }
  return left;
};

const mostNamed = 10;

const savedHead = '# The instance at ';

/** Writes what was found as a file for `serve --like`. @throws Problem if it cannot be written */
const saveImitation = async (
  app: App, flags: GlobalFlags, path: string, examination: RecordedExamination, results: readonly FactResult[],
): Promise<void> => {
  const { probe: { dialect }, version, tier, address } = examination;
  const imitation: Imitation = {
    dialect, ...version !== null && { service_version: version }, ...tier !== null && { tier },
    ...examination.imitation(results),
  };
  const today = app.now().toISOString().slice(0, 10);
  const text = `${savedHead}${address}, as colloquy conformance found it on ${today}.\n`
    + `# colloquy serve --like imitates it.\n${yamlText(imitation)}`;
  await writeNamed(app, flags, path, () => app.files.write(path, text));
  if (flags.dryRun) return;
  const { not_imitated: others = [] } = imitation;
  const rest = others.length === 0 ? '' : `; ${counted(others.length, 'difference')} cannot be imitated`;
  await say(app, flags, `saved ${path}${rest}`);
};

export interface Conformance {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly facts: readonly FactResult[];
}

export const conformanceOf = (facts: readonly FactResult[]): Conformance => {
  const count = (result: FactResult['result']) => facts.filter((one) => one.result === result).length;
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip'), facts };
};

const severities: readonly Severity[] = ['info', 'warning', 'error'];

export const reaching = (facts: readonly FactResult[], least: Severity): FactResult[] =>
  facts.filter(({ severity }) => severity !== null && severities.indexOf(severity) >= severities.indexOf(least));

const sources: Readonly<Record<Fact['source'], string>> = {
  documented: 'the documentation of the API says so', observed: 'observed of the service',
  chosen: 'a choice of this program',
};

/** One line for a fact; a failure has its request, what was expected and what came, and where the fact is from. */
export const resultText = (one: FactResult, paint: Paint, [wanted, got] = ['expected', 'got']): string => {
  const { id, result, severity, reason } = one;
  const { text, source } = factWithId(id as FactId);
  const tone = result === 'pass' ? 'done' : result === 'fail' ? 'removed' : 'faint';
  const line = `${paint(tone, result.padEnd(4))}  ${id.padEnd(30)}`;
  if (result === 'pass') return `${line}  ${text}\n`;
  if (result === 'skip') return `${line}  ${plainLine(reason ?? '')}\n`;
  return [
    `${line}  ${text}`,
    `      ${severity!}: ${plainLine(one.request ?? '')}`,
    `      ${wanted} ${plainLine(one.expected ?? '')}`,
    `      ${got} ${plainLine(one.actual ?? '')}`,
    `      ${sources[source]}`, '',
  ].join('\n');
};

export const conformanceSummary = ({ passed, failed, skipped }: Conformance, isComparison: boolean): string => {
  const [alike, different] = isComparison ? ['alike', 'different'] : ['passed', 'failed'];
  return `${counted(passed, 'fact')} ${alike}, ${failed} ${different}, ${skipped} skipped`;
};

export const junitText = ({ passed, failed, skipped, facts }: Conformance): string => [
  '<?xml version="1.0" encoding="UTF-8"?>',
  `<testsuites><testsuite name="conformance" tests="${passed + failed + skipped}" failures="${failed}" `
    + `skipped="${skipped}">`,
  ...facts.map(testCase),
  '</testsuite></testsuites>', '',
].join('\n');

const testCase = (one: FactResult): string => {
  const open = `<testcase classname="${one.id.split('.')[0]!}" name="${one.id}"`;
  if (one.result === 'pass') return `${open}/>`;
  if (one.result === 'skip') return `${open}><skipped message="${attribute(one.reason ?? '')}"/></testcase>`;
  const message = `expected ${one.expected ?? ''}, got ${one.actual ?? ''}`;
  return `${open}><failure type="${one.severity!}" message="${attribute(message)}">`
    + `${attribute(`${one.request ?? ''}: ${sources[one.source]}`)}</failure></testcase>`;
};

/** XML has no control characters. */
const attribute = (text: string): string => markupValue(plainLine(text));

interface ResultPrinter {
  readonly one: (result: FactResult) => Promise<void>;
  readonly all: (results: readonly FactResult[]) => Promise<void>;
}

const nothing = async () => undefined;

/**
 * Text as the results come, of a comparison the differences at its end; JSON and JUnit as a whole.
 * @throws Problem for an unavailable format
 */
const printerFor = async (app: App, input: ConformanceInput): Promise<ResultPrinter> => {
  const { out } = app;
  if (input.report === 'junit' && chosenFormat(input) !== null) {
    throw usage('--report junit cannot be combined with an output format', 'remove one of them');
  }
  if (input.report === 'junit') return { one: nothing, all: (results) => out.write(junitText(conformanceOf(results))) };
  const isText = chosenFormat(input) === null && input.report === undefined;
  if (!isText) {
    const flags = input.report === 'json' ? { ...input, output: 'json' as const } : input;
    const print = fieldPrinter(app, flags, ConformanceShape);
    return { one: nothing, all: (results) => print(conformanceOf(results)) };
  }
  const paint = await painter(out.colors);
  if (input.against === undefined) return { one: (result) => out.write(resultText(result, paint)), all: nothing };
  const differences = (results: readonly FactResult[]) => results.filter(({ result }) => result === 'fail')
    .map((one) => resultText(one, paint, ['here', 'there'])).join('');
  return { one: nothing, all: (results) => out.write(differences(results)) };
};

const text = nullable(Type.String());

const ConformanceShape = Type.Object({
  passed: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer(),
  facts: Type.Array(Type.Object({
    id: Type.String(), result: Type.String(), severity: text, request: text, expected: text, actual: text,
    source: Type.String(), reason: text,
  })),
});
