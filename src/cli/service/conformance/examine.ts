import { Type } from '@sinclair/typebox';
import { ConnectionError } from '../../../client/errors.js';
import type { Dialect } from '../../../contract/endpoint.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import { behavior } from '../../../contract/behavior/behavior.js';
import type { Tier } from '../../../contract/versions.js';
import type { Effect, Objects, Probe, Severity } from '../../../conformance/check.js';
import { checkedFacts, checkFact, type Examination, type FactResult } from '../../../conformance/run.js';
import { nearestName } from '../../../text/nearest.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { callingFor, connectionSettings, serviceOf } from '../connection/session.js';
import { tokenFor } from '../settings/credential.js';
import { withRemotes } from '../settings/remotes.js';
import { settingsOf } from '../settings/settings.js';
import { destinationOf, reached, type Target } from '../targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { progressOn } from '../../terminal/io/progress.js';
import { painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { instanceDialect, instanceVersion } from './instance.js';
import { groupPath, namedObjects, projectPath, withFoundObjects } from './objects.js';
import { callOver, type Transports } from './probe.js';
import { conformanceOf, junitText, reaching, resultText, conformanceSummary } from './report.js';

export interface ConformanceInput extends GlobalFlags {
  readonly refs: readonly string[];
  readonly area?: ConformanceArea;
  readonly fact?: readonly string[];
  readonly write?: boolean;
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly dialect?: Dialect;
  readonly failLevel: Severity;
  readonly report?: 'junit' | 'json';
}

type ConformanceArea = 'discussions' | 'appearance' | 'epics';

/** Compares what a service does with the facts. @throws Problem with exit code 8 if a difference reaches the level */
export const runConformance = async (app: App, input: ConformanceInput): Promise<void> => {
  const isChosen = chosenBy(input);
  const print = await printerFor(app, input);
  const targets = await targetsOf(app, input);
  const examination = await prepared(app, input, targets, isChosen);
  if (input.write) await announce(app, input, targets);
  const results: FactResult[] = [];
  const progress = progressOn(app, input);
  const facts = checkedFacts(examination);
  for (const [at, fact] of facts.entries()) {
    app.signal.throwIfAborted();
    await progress.show(`${at + 1} of ${facts.length}: ${fact.id} …`);
    const result = await checkedIn(fact, examination, results);
    results.push(result);
    await progress.done();
    await print.one(result);
  }
  await print.all(results);
  const differing = reaching(results, input.failLevel);
  const summary = conformanceSummary(conformanceOf(results));
  if (differing.length > 0) throw new Problem('pending', summary, 'each difference names the source of its fact');
  if (!results.some(({ result }) => result !== 'skip')) throw noneChecked(results);
  await say(app, input, summary);
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
  return (fact) => (ids === undefined || ids.includes(fact.id)) && (area === undefined || areaOf(fact) === area);
};

/** What all have in common is checked on discussions. */
const areaOf = ({ area }: Fact): ConformanceArea => area === 'appearance' || area === 'epics' ? area : 'discussions';

const targetsOf = async (app: App, input: ConformanceInput): Promise<readonly Target[]> => {
  const targets: Target[] = [];
  for (const word of input.refs) targets.push(await reached(app, input, await destinationOf(app, input, word)));
  return targets;
};

const prepared = async (
  app: App, input: ConformanceInput, targets: readonly Target[], isChosen: Examination['isChosen'],
): Promise<Examination> => {
  const { transports, containers } = await opened(app, input, targets[0]?.base);
  const call = callOver(transports, app.signal);
  const named = namedObjects(targets);
  const objects = await withFoundObjects(call, {
    ...named, project: named.project ?? containers.project, group: named.group ?? containers.group,
  });
  const dialect = input.dialect ?? await instanceDialect(call, objects);
  const version = input.serviceVersion ?? await instanceVersion(call);
  const probe: Probe = { dialect, objects, call };
  return { probe, writable: named, effects: effectsOf(input), version, tier: input.tier ?? null, isChosen };
};

const effectsOf = ({ write, area }: ConformanceInput): ReadonlySet<Effect> => new Set<Effect>([
  'none', ...write ? ['notes' as const] : [], ...write && area === 'appearance' ? ['appearance' as const] : [],
]);

interface Opened { readonly transports: Transports; readonly containers: Pick<Objects, 'project' | 'group'> }

const opened = async (app: App, flags: GlobalFlags, base: string | undefined): Promise<Opened> => {
  const calling = callingFor(app, flags);
  const given = await withRemotes(app, await settingsOf(app, flags));
  const containers = {
    project: given.project === null ? null : projectPath(given.project),
    group: given.group === null ? null : groupPath(given.group),
  };
  if (flags.sandbox) {
    const { rawSandbox } = await import('../connection/sandbox.js');
    const { transport } = await rawSandbox(app, flags, calling);
    const { transport: anonymous } = await rawSandbox(app, flags, calling, null);
    return { transports: { own: transport, anonymous }, containers };
  }
  const { url, settings } = await serviceOf(app, given, base === '' ? undefined : base);
  const token = await tokenFor(app, settings, url);
  const connection = { ...calling, url, ...await connectionSettings(app, settings) };
  return {
    transports: {
      own: await app.reach({ ...connection, token }), anonymous: await app.reach({ ...connection, token: null }),
    },
    containers,
  };
};

const announce = (app: App, input: ConformanceInput, targets: readonly Target[]): Promise<void> => {
  if (targets.length === 0 && input.area !== 'appearance') {
    throw usage('--write needs an object to write to', 'name one: colloquy conformance mr/12 --write');
  }
  const places = targets.map(({ name }) => name).join(', ');
  return say(app, input, targets.length === 0 ? 'changes the appearance to what it is'
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
