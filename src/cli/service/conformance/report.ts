import * as Type from '@sinclair/typebox';
import type { Severity } from '../../../conformance/check.js';
import type { FactResult } from '../../../conformance/run.js';
import { type FactId, factWithId } from '../../../contract/behavior/behavior.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { markupValue } from '../../../text/quoting.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { type Paint, painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';

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

export interface ReportFlags extends GlobalFlags {
  readonly report?: 'junit' | 'json';
  readonly against?: string;
}

export interface ResultPrinter {
  readonly one: (result: FactResult) => Promise<void>;
  readonly all: (results: readonly FactResult[]) => Promise<void>;
}

const nothing = async () => undefined;

/**
 * Text as the results come, of a comparison the differences at its end; JSON and JUnit as a whole.
 * @throws Problem for an unavailable format
 */
export const printerFor = async (app: App, input: ReportFlags): Promise<ResultPrinter> => {
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

const text = Type.Union([Type.String(), Type.Null()]);

const ConformanceShape = Type.Object({
  passed: Type.Integer(), failed: Type.Integer(), skipped: Type.Integer(),
  facts: Type.Array(Type.Object({
    id: Type.String(), result: Type.String(), severity: text, request: text, expected: text, actual: text,
    source: Type.String(), reason: text,
  })),
});
