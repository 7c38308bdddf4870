import type { Fact } from '../../../contract/behavior/fact.js';
import { factOf, type FactId } from '../../../contract/behavior/behavior.js';
import { counted } from '../../../text/messages.js';
import { markupValue } from '../../../text/quoting.js';
import { plainLine } from '../../../text/plain.js';
import type { Severity } from '../../../conformance/check.js';
import type { FactResult } from '../../../conformance/run.js';
import type { Paint } from '../../terminal/io/style.js';

/** The results of a run as JSON. */
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

/** The failed facts of a severity or a higher one. */
export const reaching = (facts: readonly FactResult[], least: Severity): FactResult[] =>
  facts.filter(({ severity }) => severity !== null && severities.indexOf(severity) >= severities.indexOf(least));

const sources: Readonly<Record<Fact['source'], string>> = {
  documented: 'the documentation of the API says so', observed: 'observed of the service',
  chosen: 'a choice of this program',
};

/** One line for a fact; a failure has its request, what was expected and what came, and where the fact is from. */
export const resultText = (one: FactResult, paint: Paint): string => {
  const { id, result, severity, reason } = one;
  const { text, source } = factOf(id as FactId);
  const tone = result === 'pass' ? 'done' : result === 'fail' ? 'removed' : 'faint';
  const line = `${paint(tone, result.padEnd(4))}  ${id.padEnd(30)}`;
  if (result === 'pass') return `${line}  ${text}\n`;
  if (result === 'skip') return `${line}  ${plainLine(reason ?? '')}\n`;
  return [
    `${line}  ${text}`,
    `      ${severity!}: ${plainLine(one.request ?? '')}`,
    `      expected ${plainLine(one.expected ?? '')}`,
    `      got ${plainLine(one.actual ?? '')}`,
    `      ${sources[source]}`, '',
  ].join('\n');
};

export const conformanceSummary = ({ passed, failed, skipped }: Conformance): string =>
  `${counted(passed, 'fact')} passed, ${failed} failed, ${skipped} skipped`;

/** As JUnit, one test case for each fact. */
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
