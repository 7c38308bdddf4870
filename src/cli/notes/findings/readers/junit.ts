import { findingOf, type Finding, type Report } from '../finding.js';
import { numberIn, rootNamed, type Element } from './xml.js';

/** Failures and errors; the format does not name the tool. @throws ReportError */
export const readJunit = (source: string): Report => ({
  tools: [], findings: findingsIn(rootNamed(source, 'testsuites', 'testsuite'), []),
});

/** @param outer the suites around an element, the innermost first */
const findingsIn = (element: Element, outer: readonly Element[]): Finding[] =>
  element.children.flatMap((child) => {
    if (child.name === 'testsuite') return findingsIn(child, [element, ...outer]);
    if (child.name !== 'testcase') return [];
    return child.children.filter(({ name }) => name === 'failure' || name === 'error')
      .map((failure) => findingOfTest(child, failure, [element, ...outer]));
  });

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
