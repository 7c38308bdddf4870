import { Type } from '@sinclair/typebox';
import { ConnectionError } from '../../../client/errors.js';
import type { Dialect } from '../../../contract/endpoint.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import { behavior } from '../../../contract/behavior/behavior.js';
import type { Tier } from '../../../contract/versions.js';
import type { Effect, Probe, Severity } from '../../../conformance/check.js';
import {
  areaChecked, checkedFacts, checkFact, type CheckedArea, type Examination, type FactResult,
} from '../../../conformance/run.js';
import { nearestName } from '../../../text/nearest.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { openRaw } from '../connection/session.js';
import type { Target } from '../targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { progressOn } from '../../terminal/io/progress.js';
import { painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { withCleanUp } from './clean-up.js';
import { instanceDialect, instanceVersion } from './instance.js';
import { groupPath, namedObjects, projectPath, withFoundObjects } from './objects.js';
import { callOver } from './probe.js';
import { conformanceOf, conformanceSummary, junitText, reaching, resultText } from './report.js';
import { targetsOf } from './targets.js';

export interface ConformanceInput extends GlobalFlags {
  readonly refs: readonly string[];
  readonly area?: CheckedArea;
  readonly fact?: readonly string[];
  readonly write?: boolean;
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly dialect?: Dialect;
  readonly failLevel: Severity;
  readonly report?: 'junit' | 'json';
}

/** Compares what a service does with the facts. @throws Problem with exit code 8 if a difference reaches the level */
export const runConformance = async (app: App, input: ConformanceInput): Promise<void> => {
  const isChosen = chosenBy(input);
  checkInput(input);
  const print = await printerFor(app, input);
  const targets = await targetsOf(app, input, input.refs);
  const examination = await prepared(app, input, targets, isChosen);
  if (input.write) await announce(app, input, targets);
  const results = await withCleanUp(app, input, examination,
    () => checkedAll(app, input, examination, print.one));
  await print.all(results);
  const differing = reaching(results, input.failLevel);
  const summary = conformanceSummary(conformanceOf(results));
  if (differing.length > 0) throw new Problem('pending', summary, 'each difference names the source of its fact');
  if (!results.some(({ result }) => result !== 'skip')) throw noneChecked(results);
  await say(app, input, summary);
};

const checkedAll = async (
  app: App, input: ConformanceInput, examination: Examination, print: ResultPrinter['one'],
): Promise<readonly FactResult[]> => {
  const results: FactResult[] = [];
  const progress = progressOn(app, input);
  const facts = checkedFacts(examination);
  for (const [at, fact] of facts.entries()) {
    app.signal.throwIfAborted();
    await progress.show(`${at + 1} of ${facts.length}: ${fact.id} …`);
    const result = await checkedIn(fact, examination, results);
    results.push(result);
    await progress.done();
    await print(result);
  }
  return results;
};

const noneChecked = ([first]: readonly FactResult[]): Problem =>
  new Problem('failure', 'no fact could be checked', first ? `${first.id}: ${first.reason!}` : 'choose other facts');

/** @throws Problem for an unknown fact */
const chosenBy = ({ area, fact: ids }: ConformanceInput): ((fact: Fact) => boolean) => {
  const known = behavior.map(({ id }) => id);
  for (const id of ids ?? []) {
    if (known.includes(id)) continue;
    const nearest = nearestName(id, known);
    throw usage(`unknown fact ${id}`, nearest === null ? 'docs/behavior.md lists them' : `did you mean ${nearest}?`);
  }
  return (fact) => (ids === undefined || ids.includes(fact.id)) && (area === undefined || areaChecked(fact) === area);
};

const checkInput = ({ write, area, refs }: ConformanceInput): void => {
  if (write && refs.length === 0 && area !== 'appearance') {
    throw usage('--write needs an object to write to', 'name one: colloquy conformance mr/12 --write');
  }
};

const prepared = async (
  app: App, input: ConformanceInput, targets: readonly Target[], isChosen: Examination['isChosen'],
): Promise<Examination> => {
  const base = targets[0]?.base;
  const { transport: own, anonymous, settings: { project, group } } =
    await openRaw(app, input, { needsContainer: true, ...base !== undefined && base !== '' && { base } });
  const call = callOver({ own, anonymous: await anonymous() }, app.signal);
  const named = namedObjects(targets);
  const objects = await withFoundObjects(call, {
    ...named, project: named.project ?? (project === null ? null : projectPath(project)),
    group: named.group ?? (group === null ? null : groupPath(group)),
  });
  const dialect = input.dialect ?? await instanceDialect(call, objects);
  const version = input.serviceVersion ?? await instanceVersion(call);
  const probe: Probe = { dialect, objects, call };
  return { probe, writable: named, effects: effectsOf(input), version, tier: input.tier ?? null, isChosen };
};

const effectsOf = ({ write, area }: ConformanceInput): ReadonlySet<Effect> => {
  if (!write) return new Set(['none']);
  return new Set(['none', area === 'appearance' ? 'appearance' : 'notes']);
};

const announce = (app: App, input: ConformanceInput, targets: readonly Target[]): Promise<void> => {
  const places = targets.map(({ name }) => name).join(', ');
  return say(app, input, input.area === 'appearance' ? 'writes the appearance with the values that it has'
    : `writes notes on ${places}, and deletes them again; system notes and mails about them remain`);
};

/** A response that cannot be read fails its fact; a service that is gone ends the run. */
const checkedIn = async (
  fact: Fact, examination: Examination, earlier: readonly FactResult[],
): Promise<FactResult> => {
  try {
    return await checkFact(fact, examination);
  } catch (error) {
    const isGone = earlier.length === 0 || earlier.slice(-2).every(({ reason }) => reason === unreadable);
    if (!(error instanceof ConnectionError) || isGone) throw error;
    const { message, request } = error;
    return {
      id: fact.id, result: 'fail', severity: 'error', request, expected: 'a response', actual: message,
      source: fact.source, reason: unreadable,
    };
  }
};

const unreadable = 'the response cannot be read';

interface ResultPrinter {
  readonly one: (result: FactResult) => Promise<void>;
  readonly all: (results: readonly FactResult[]) => Promise<void>;
}

const nothing = async () => undefined;

/** Text as the results come; JSON and JUnit as a whole. @throws Problem for an unavailable format */
const printerFor = async (app: App, input: ConformanceInput): Promise<ResultPrinter> => {
  const { out } = app;
  if (input.report === 'junit') return { one: nothing, all: (results) => out.write(junitText(conformanceOf(results))) };
  const isText = chosenFormat(input) === null && input.report === undefined;
  if (!isText) {
    const flags = input.report === 'json' ? { ...input, output: 'json' as const } : input;
    const print = fieldPrinter(app, flags, ConformanceShape);
    return { one: nothing, all: (results) => print(conformanceOf(results)) };
  }
  const paint = await painter(out.colors);
  return { one: (result) => out.write(resultText(result, paint)), all: nothing };
};

const text = Type.Union([Type.String(), Type.Null()]);

const ConformanceShape = Type.Object({
  passed: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer(),
  facts: Type.Array(Type.Object({
    id: Type.String(), result: Type.String(), severity: text, request: text, expected: text, actual: text,
    source: Type.String(), reason: text,
  })),
});
