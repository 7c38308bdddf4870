import type { Severity } from '../../../conformance/check.js';
import { deleteLeftNotes, type LeftNotes } from '../../../conformance/threads.js';
import { areasChecked, checkedFacts, type Examination, type FactResult } from '../../../conformance/run.js';
import { behavior, shapeFacts } from '../../../contract/behavior/behavior.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import type { Imitation } from '../../../contract/imitation.js';
import { counted, nearestName } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { progressOn, say } from '../../terminal/io/messages.js';
import { askToReplace, writeNamed } from '../../terminal/io/named-files.js';
import { yamlText } from '../../terminal/output/yaml.js';
import { DryRun } from '../connection/dry-run.js';
import type { Target } from '../targets/target.js';
import {
  checkComparison, compareFact, type ComparisonFlags, inOrderOfHarm, otherExamination,
} from './comparison.js';
import { type ExaminationInput, examinationOf, type RecordedExamination, namedTargets } from './examination.js';
import { checkedIn } from './probe.js';
import {
  conformanceOf, conformanceSummary, printerFor, reaching, type ReportFlags, type ResultPrinter,
} from './report.js';

export interface ConformanceInput extends ExaminationInput, ReportFlags, ComparisonFlags {
  readonly fact?: readonly string[];
  readonly failLevel: Severity;
}

/**
 * Compares what a service does with the facts, or with what another one does. @throws Problem with exit code 8 if a
 * difference reaches the level
 */
export const runConformance = async (app: App, input: ConformanceInput): Promise<void> => {
  const isChosen = chosenBy(input);
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
    activity.undone = 'the notes of the checks were deleted again; system notes and mails remain';
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
