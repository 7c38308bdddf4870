import {
  findingOf, reportOf, uncounted, type Finding, type Report, type RunFailure,
} from '../finding.js';
import { numberIn, reasonIn, rootNamed, type Element } from './xml.js';

/** Failures and errors; the format does not name the tool. @throws ReportError */
export const readJunit = (source: string): Report => {
  const root = rootNamed(source, 'testsuites', 'testsuite');
  return reportOf([], findingsIn(root, []), outcomeOf(root).failures);
};

const isTest = ({ name }: Element): boolean => name === 'testcase';
const isFault = ({ name }: Element): boolean => name === 'failure' || name === 'error';

/** Suites, whatever their name. */
const suitesIn = ({ children }: Element): Element[] => children.filter((child) => !isTest(child) && !isFault(child));

/** @param outer the suites around an element, the innermost first */
const findingsIn = (suite: Element, outer: readonly Element[]): Finding[] => {
  const suites = [suite, ...outer];
  return suite.children.flatMap((child) => {
    if (isTest(child)) return faultsOf(child).map((fault) => findingOfTest(child, fault, suites));
    return isFault(child) ? [] : findingsIn(child, suites);
  });
};

/** The test itself, if it failed without a reason. */
const faultsOf = (test: Element): readonly Element[] => {
  const faults = test.children.filter(isFault);
  return faults.length === 0 && saysFailed(test) ? [test] : faults;
};

const saysFailed = ({ attributes: { status = '', result = '' } }: Element): boolean => [status, result]
  .some((word) => /^(?:fail(?:ed|ure)?|error(?:ed)?|broken|crashed|aborted|timed? ?out)$/i.test(word.trim()));

interface Outcome { readonly reported: number; readonly failures: readonly RunFailure[] }

/** The faults of suites, and the suites that count more failed tests than they have. */
const outcomeOf = (suite: Element): Outcome => {
  const inner = suitesIn(suite).map(outcomeOf);
  const reported = inner.reduce((sum, one) => sum + one.reported, 0)
    + suite.children.filter(isTest).flatMap(faultsOf).length;
  const place = `line ${suite.line}`;
  const own = suite.children.filter(isFault)
    .map((fault) => ({ place: `line ${fault.line}`, message: reasonIn(fault) }));
  const failures = [...own, ...inner.flatMap((one) => one.failures)];
  if (failures.length > 0) return { reported, failures };
  const counts = [suite.attributes['failures'], suite.attributes['errors']];
  const missing = uncounted(place, 'failed test', counts, reported);
  if (missing.length > 0 || !saysFailed(suite)) return { reported, failures: missing };
  return { reported, failures: uncounted(place, 'failed test', [1], reported) };
};

const findingOfTest = (test: Element, failure: Element, suites: readonly Element[]): Finding => {
  const { name = 'test' } = test.attributes;
  const details = failure.text.trim();
  const message = failure.attributes['message'] ?? details.split('\n')[0] ?? '';
  return findingOf({
    ...placeOf(test, details, suites), level: 'error', rule: name, isAnywhere: true,
    message: message.trim() || `${name} failed`, ...(details !== '' && { details }),
  });
};

/**
 * JUnit has no standard for it: tools write attributes of the test or of its suite, a stack trace, or the path of the
 * file as the name of the suite.
 */
const placeOf = (test: Element, details: string, suites: readonly Element[]): Place => {
  const holders = [test, ...suites];
  const named = holders.find(({ attributes }) => attributes['file'])?.attributes['file'];
  const titles = [test.attributes['classname'], ...suites.map(({ attributes }) => attributes['name'])];
  const file = named ?? titles.find(isPath) ?? '';
  const line = numberIn(test.attributes['line']);
  if (file !== '' && line !== null) return { file, line, column: null };
  const traced = traceIn(details, file);
  return traced ?? { file, line: null, column: null };
};

type Place = Pick<Finding, 'file' | 'line' | 'column'>;

/** A Java class has dots too, but no slash. */
const isPath = (text: string | undefined): boolean => text !== undefined && text.length < longestPath
  && /^[^\s:]*[^\s:/]\.[A-Za-z]\w{0,4}$/.test(text) && (text.includes('/') || /\.(test|spec)\.\w+$/.test(text));

/** As on Linux. */
const longestPath = 4_096;

/** The first `path:line` in the file of the test, or in any file if that is unknown. */
const traceIn = (details: string, file: string): Place | null => {
  let from = 0;
  for (const { 1: line, 2: column, index, 0: { length } } of details.matchAll(lineNumber)) {
    const path = pathBefore(details, from, index);
    from = index + length;
    if (path === null || path.includes('node_modules') || (file !== '' && !`/${path}`.endsWith(`/${file}`))) continue;
    return { file: file === '' ? path : file, line: Number(line), column: numberIn(column) };
  }
  return null;
};

const lineNumber = /:([1-9]\d{0,8})(?::([1-9]\d{0,8}))?/g;

/** An expression that starts with the path would search each letter of it again. */
const pathBefore = (text: string, from: number, end: number): string | null => {
  if (!/\.[A-Za-z]\w{0,4}$/.test(text.slice(Math.max(from, end - 7), end))) return null;
  let start = end;
  while (start > from && /[\w@./\\-]/.test(text[start - 1]!)) start--;
  return text.slice(start, end);
};
