import * as Type from '@sinclair/typebox';
import type { FactResult } from '../../../conformance/run.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { painter } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { conformanceOf, junitText, resultText } from './report.js';

export interface ReportFlags extends GlobalFlags { readonly report?: 'junit' | 'json' }

export interface ResultPrinter {
  readonly one: (result: FactResult) => Promise<void>;
  readonly all: (results: readonly FactResult[]) => Promise<void>;
}

const nothing = async () => undefined;

/** Text as the results come; JSON and JUnit as a whole. @throws Problem for an unavailable format */
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
