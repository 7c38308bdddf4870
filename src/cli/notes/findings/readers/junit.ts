import {
  findingOf, reportOf, uncounted, type Finding, type Guess, type Report, type RunFailure,
} from '../finding.js';
import { longestPath, placesIn } from './trace.js';
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

interface Outcome { readonly tests: number; readonly reported: number; readonly failures: readonly RunFailure[] }

/** The faults of suites, and the suites that count more failed tests than they have. */
const outcomeOf = (suite: Element): Outcome => {
  const inner = suitesIn(suite).map(outcomeOf);
  const own = suite.children.filter(isTest);
  const tests = inner.reduce((sum, one) => sum + one.tests, own.length);
  const reported = inner.reduce((sum, one) => sum + one.reported, own.flatMap(faultsOf).length);
  const place = `line ${suite.line}`;
  const faults = suite.children.filter(isFault)
    .map((fault) => ({ place: `line ${fault.line}`, message: reasonIn(fault) }));
  const failures = [...faults, ...inner.flatMap((one) => one.failures)];
  if (failures.length > 0) return { tests, reported, failures };
  const missing = uncounted(place, 'failed test', countsIn(suite, tests, reported), reported);
  if (missing.length > 0 || !saysFailed(suite)) return { tests, reported, failures: missing };
  return { tests, reported, failures: uncounted(place, 'failed test', [1], reported) };
};

/** Web Test Runner counts a failed test as a failure and as an error; then all tests that it counts are there. */
const countsIn = ({ attributes }: Element, tests: number, reported: number): readonly unknown[] => {
  const { failures, errors } = attributes;
  const isTwice = failures === errors && Number(failures) === reported && Number(attributes['tests']) === tests;
  return isTwice ? [failures] : [failures, errors];
};

const findingOfTest = (test: Element, failure: Element, suites: readonly Element[]): Finding => {
  const { name = 'test' } = test.attributes;
  const details = failure.text.trim();
  const message = failure.attributes['message'] ?? details.split('\n')[0] ?? '';
  return findingOf({
    ...placeOf(test, failure, suites), level: 'error', rule: ruleOf(test, suites), isAnywhere: true,
    message: message.trim() || `${name} failed`, ...(details !== '' && { details }),
  });
};

/** Tests of several classes can have the same name. A file has a place of its own, and a line moves. */
const ruleOf = ({ attributes: { name = 'test', classname = '' } }: Element, suites: readonly Element[]): string => {
  const title = [classname, ...suites.map(({ attributes }) => attributes['name'])].find((one) => one) ?? '';
  if (title === '' || name.includes(title) || isFile(title, suites)) return name;
  return isFile(name, []) ? title : `${title} > ${name}`;
};

/** With a line or without, or the file of a suite without its extension. */
const isFile = (title: string, suites: readonly Element[]): boolean =>
  isPath(title.replace(/(?::\d{1,9}){1,2}$/, '')) || /^[\w-]{1,99}\.[a-z]{1,4}$/.test(title)
  || (title.includes('/') && suites.some(({ attributes: { name = '' } }) =>
    isPath(name) && name.startsWith(`${title}.`)));

/**
 * JUnit has no standard for it: tools write attributes of the failure, of the test or of its suite, a stack trace, or
 * the path of the file as the name of the suite.
 */
const placeOf = (
  test: Element, failure: Element, suites: readonly Element[],
): Pick<Finding, 'file' | 'line' | 'column' | 'guesses'> => {
  const named = [failure, test, ...suites].find(({ attributes }) => attributes['file']);
  const titles = [test.attributes['classname'], ...suites.map(({ attributes }) => attributes['name'])]
    .filter((title) => title !== undefined && title.length < longestPath) as string[];
  const file = named?.attributes['file'] ?? titles.find(isPath) ?? '';
  const own = { file, line: lineOf(test, failure, suites), column: numberIn(failure.attributes['column']) };
  const traced = textsOf(test, failure).flatMap((text) => placesIn(text, titles));
  const guesses: readonly Guess[] = file === '' ? traced : [
    ...named === failure && own.line !== null ? [own] : [],
    ...traced.filter((place) => isSameFile(place.file, file)).map(({ line, column }) => ({ file, line, column })),
    ...lineIn(failure.text || (failure.attributes['message'] ?? ''), file),
    ...own.line === null ? [] : [own], ...traced, ...named ? [] : [own],
  ];
  return { ...named ? own : { file: '', line: null, column: null }, ...guesses.length > 0 && { guesses } };
};

/** Also that of system-out, where some tools write the place of an assertion. */
const textsOf = (
  { attributes: { name = '', classname = '' }, children }: Element, failure: Element,
): readonly string[] => [
  failure.text, failure.attributes['message'] ?? '', name, classname,
  ...children.filter((child) => child.name === 'system-out' || child.name === 'system-err').map(({ text }) => text),
];

/** The lines of pytest count from 0; unlike others for Python, it names the file of a test only. */
const lineOf = (test: Element, failure: Element, suites: readonly Element[]): number | null => {
  const { file = '', line } = test.attributes;
  const isOfPytest = file.endsWith('.py') && suites.every(({ attributes }) => !attributes['file']);
  if (failure.attributes['file'] || line === undefined) return numberIn(failure.attributes['line']);
  return isOfPytest && /^\d{1,8}$/.test(line) ? Number(line) + 1 : numberIn(line);
};

const isSameFile = (path: string, file: string): boolean => {
  const [one, other] = [path, file].map((each) => each.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
  return `/${one}`.endsWith(`/${other}`);
};

/** `line 12, col 5, Error - no`, in the file that the test is named after. */
const lineIn = (text: string, file: string): Guess[] => {
  const [, line, column] = lineAlone.exec(text.slice(0, longestPath)) ?? [];
  return line === undefined ? [] : [{ file, line: numberIn(line), column: numberIn(column) }];
};

const lineAlone = /^\s{0,99}line:?\s(\d{1,9})(?:, col(?:umn)? (\d{1,9}))?/im;

/** A Java class and a package of Go, such as `gopkg.in/yaml.v3`, have dots too. */
const isPath = (text: string | undefined): boolean => text !== undefined && text.length < longestPath
  && !/\.v\d+$/.test(text) && /^[^\s:]*[^\s:/]\.[A-Za-z]\w{0,6}$/.test(text)
  && (text.includes('/') || /\.(test|spec|cy)\.\w+$/.test(text));
