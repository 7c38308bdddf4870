import { groupedBy } from '../../../../text/groups.js';
import {
  findingOf, numberIn, reportOf, uncounted, type Finding, type Guess, type Report, type RunFailure,
} from '../finding.js';
import { isFatalTest, isInsteadOfTests } from '../fatal.js';
import { failureMessage } from './failure-message.js';
import { longestPath, placesIn } from './trace-places.js';
import { reasonIn, rootNamed, type Element } from './xml.js';

/** The format does not name the tool. @throws ReportError */
export const readJunit = (source: string): Report => {
  const root = rootNamed(source, 'testsuites', 'testsuite');
  const known = [...everySuite(root).flatMap(unrunTests), ...missingFailures(root)];
  const failures = known.length > 0 || countsOthers(root) ? known : missingTests(root);
  const isEmpty = everyTest(root).length === 0 && failures.length === 0
    && (isNone(root) || isOfRunner(root) || everySuite(root).some(isNoneRun));
  const tests = testsBelow(root, []);
  const findings = tests.flatMap(({ test, suites }) => faultsOf(test).map((one) => findingOfTest(test, one, suites)));
  const runs = [...tests.flatMap(runsOf), ...everySuite(root).flatMap(unrunClass)];
  return { ...reportOf([], findings, failures), tests: runs, ...isEmpty && { isEmpty } };
};

const isNone = ({ attributes }: Element): boolean => attributes['tests']?.trim() === '0';

/** Linters without a finding write such roots and suites too, but not how long, when or where they ran. */
const isOfRunner = ({ isSelfClosed, attributes }: Element): boolean => isSelfClosed || attributes['time'] !== undefined;
const isNoneRun = (suite: Element): boolean =>
  isNone(suite) && ['timestamp', 'hostname', 'assertions'].some((name) => suite.attributes[name] !== undefined);

/** Some tools write a prefix, or other cases of letters. */
const isTest = ({ name }: Element): boolean => /^(?:[^:]+:)?testcase$/i.test(name);
const isFault = ({ name }: Element): boolean => /^(?:[^:]+:)?(?:failure|error)$/i.test(name);
const isError = ({ name }: Element): boolean => /^(?:[^:]+:)?error$/i.test(name);
/** Surefire writes one for each repetition that failed, beside the failure; `flakyFailure` is of one that passed. */
const isRerun = ({ name }: Element): boolean => /^(?:[^:]+:)?rerun(?:failure|error)$/i.test(name);
const isRepeated = ({ name }: Element): boolean => /^(?:[^:]+:)?(?:rerun|flaky)(?:failure|error)$/i.test(name);

const suitesIn = ({ children }: Element): Element[] => children.filter((child) => !isTest(child) && !isFault(child));

interface PlacedTest { readonly test: Element; readonly suites: readonly Element[] }

const testsBelow = (suite: Element, outer: readonly Element[]): PlacedTest[] => {
  const suites = [suite, ...outer];
  return suite.children.flatMap((child) => isTest(child) ? testsIn(child).map((test) => ({ test, suites }))
    : isFault(child) ? [] : testsBelow(child, suites));
};

const runsOf = ({ test, suites }: PlacedTest): [rule: string, hasRun: boolean][] => {
  const rule = ruleOfTest(test, suites);
  if (faultsOf(test).length > 0) return [[rule, true], [`${rule}[]`, false]];
  return [[rule, !isSkipped(test) && !/^(?:notrun|disabled|skipped)$/i.test(test.attributes['status'] ?? '')]];
};

/** PHPUnit leaves out the tests of a class that was skipped, or failed, before the first one. */
const unrunClass = ({ attributes, children }: Element): [rule: string, hasRun: boolean][] => {
  const { name = '', file, tests, assertions } = attributes;
  const isUnrun = file !== undefined && tests === '0' && assertions === '0' && children.length === 0;
  return isUnrun ? [[`${name.replaceAll('\\', '.')} > *`, false]] : [];
};

/** A test can have steps, which are tests too. */
const testsIn = (test: Element): Element[] => [test, ...test.children.filter(isTest).flatMap(testsIn)];

const faultsOf = (test: Element): readonly Element[] => {
  const faults = test.children.filter(isFault);
  if (faults.length > 0) return faults;
  return saysFailed(test) ? [test] : test.children.filter(isRerun).slice(0, 1);
};

const saysFailed = ({ attributes: { status = '', result = '' } }: Element): boolean => [status, result].some((word) =>
  /^(?:fail(?:ed|ure)?|error(?:ed)?|broken|crashed|aborted|interrupted|timed? ?out)$/i.test(word.trim()));

const unrunTests = (suite: Element): RunFailure[] => {
  const tests = suite.children.filter(isTest);
  const groups = new Set(tests.filter(isSkipped).flatMap(({ attributes: { name = '' } }) => groupsIn(name)));
  const ran = groupedBy(tests.filter((test) => !isSkipped(test)), ({ attributes: { classname = '' } }) => classname);
  const { name: title = '' } = suite.attributes;
  return tests.flatMap((test) => {
    const { name = '', classname = '' } = test.attributes;
    const [isAlone, hasSkipped] = [ran.get(classname)?.length === 1, groups.has(name)];
    const fault = [...faultsOf(test), ...test.children.filter((one) => one.name === 'warning')].find((one) => {
      const [kind, message] = [isError(one) ? 'error' : 'failure', one.attributes['message'] ?? ''];
      return isInsteadOfTests({ name, classname, kind, message, text: one.text, suite: title, isAlone, hasSkipped });
    }) ?? skipOfCtest(test);
    if (!fault && !isInterrupted(test)) return [];
    const names = [...new Set([classname || title, name])].filter((one) => one !== '').join(' > ');
    const reason = fault ? failureMessage(name, fault) || reasonIn(fault) : 'a test has no name';
    return [{ place: `line ${(fault ?? test).line}`, message: `tests did not run: ${names}: ${reason}` }];
  });
};

const groupsIn = (name: string): string[] => {
  const parts = name.split(' > ', mostParts);
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join(' > '));
};

const mostParts = 20;

const isSkipped = ({ children }: Element): boolean => children.some(({ name }) => name.endsWith('skipped'));

/** CTest skips a test without its program or fixture as it skips one that asked for it with `SKIP_RETURN_CODE=77`. */
const skipOfCtest = ({ attributes: { status, result }, children }: Element): Element | undefined =>
  status !== 'notrun' || result !== undefined ? undefined : children.find(({ name, attributes: { message = '' } }) =>
    name === 'skipped' && message !== '' && !/^(?:SKIP_|Disabled)/.test(message));

/** pytest writes this for a test that it had begun when it was interrupted. */
const isInterrupted = (test: Element): boolean =>
  ['name', 'classname'].every((name) => test.attributes[name] === undefined) && faultsOf(test).length === 0;

/** Failures of the suites themselves, and tests that they count as failed and do not list. */
const missingFailures = (suite: Element): RunFailure[] => {
  const failures = [
    ...suite.children.filter(isFault).map((fault) => ({ place: `line ${fault.line}`, message: reasonIn(fault) })),
    ...suitesIn(suite).flatMap(missingFailures),
  ];
  if (failures.length > 0) return failures;
  const tests = everyTest(suite);
  const reported = new Set([...tests.flatMap(faultsOf), ...repeatedRuns(suite, tests)]).size;
  const unlisted = (counts: readonly unknown[]) => uncounted(`line ${suite.line}`, 'failed test', counts, reported);
  const missing = unlisted(countsIn(suite, tests.length, reported));
  return missing.length > 0 || !saysFailed(suite) ? missing : unlisted([1]);
};

/** Older versions of Surefire count each run of a test, newer ones each test. */
const repeatedRuns = (suite: Element, tests: readonly Element[]): readonly Element[] => {
  const runs = tests.flatMap(({ children }) => children.filter(isRepeated));
  return Number(suite.attributes['tests']) >= tests.length + runs.length ? runs : [];
};

/** Tools count skipped tests that they leave out, and pytest counts a test twice whose teardown fails. */
const missingTests = (suite: Element): RunFailure[] => {
  const failures = suitesIn(suite).flatMap(missingTests);
  const tests = everyTest(suite);
  const runs = tests.length + repeatedRuns(suite, tests).length;
  const isShort = (reported: number) =>
    uncounted(`line ${suite.line}`, 'test', [suite.attributes['tests']], reported);
  const erroneous = tests.filter(({ children }) => children.some(({ name }) => name.endsWith('error')));
  const skips = ['skipped', 'disabled', 'ignored']
    .reduce((sum, name) => sum + (Number(suite.attributes[name]) || 0), 0);
  const unlisted = Math.max(0, skips - tests.filter(isSkipped).length) + erroneous.length;
  return failures.length > 0 || isShort(runs + unlisted).length === 0 ? failures : isShort(runs);
};

const everySuite = (suite: Element): Element[] => [suite, ...suitesIn(suite).flatMap(everySuite)];

const everyTest = (suite: Element): Element[] =>
  everySuite(suite).flatMap(({ children }) => children).filter(isTest).flatMap(testsIn);

/**
 * pytest counts parts of tests, the reporter for Mocha also tests that it leaves out, and Trivy checks that passed.
 * Catch2 and doctest count assertions: their tests were run, without a result.
 */
const countsOthers = (root: Element): boolean => everySuite(root).some((suite) => {
  const { name = '', hostname } = suite.attributes;
  const isRun = ({ attributes: { status, result } }: Element) => status === 'run' && result === undefined;
  const tests = suite.children.filter(isTest);
  return /^(?:pytest|Mocha Tests|trivy)$/.test(name) || hostname === 'tbd' || (tests.length > 0 && tests.every(isRun));
});

/** Web Test Runner counts a failed test as a failure and as an error; then all tests that it counts are there. */
const countsIn = ({ attributes }: Element, tests: number, reported: number): readonly unknown[] => {
  const { failures, errors } = attributes;
  const isTwice = failures === errors && Number(failures) === reported && Number(attributes['tests']) === tests;
  return isTwice ? [failures] : [failures, errors];
};

const findingOfTest = (test: Element, failure: Element, suites: readonly Element[]): Finding => {
  const { name = 'test', classname = '' } = test.attributes;
  const { name: tool = '' } = suites.at(-1)?.attributes ?? {};
  const details = failure.text.trim();
  return findingOf({
    ...placeOfTest(test, failure, suites), level: 'error', rule: ruleOfTest(test, suites), isAnywhere: true,
    message: failureMessage(name, failure) || `${name} failed`, ...(details !== '' && { details }),
    ...isFatalTest({ name, classname, kind: failure.name, tool }) && { isFatal: true },
  });
};

/** Tests of several classes can have the same name. A file has a place of its own, and a line moves. */
const ruleOfTest = ({ attributes: { name = 'test', classname = '' } }: Element, suites: readonly Element[]): string => {
  const title = [classname, ...suites.map(({ attributes }) => attributes['name'])].find((one) => one) ?? '';
  if (title === '' || name.includes(title) || isFile(title, suites)) return name;
  return isFile(name, []) ? title : `${title} > ${name}`;
};

const isFile = (title: string, suites: readonly Element[]): boolean =>
  isPath(title.replace(/(?::\d{1,9}){1,2}$/, '')) || isTopFile(title)
  || (title.includes('/') && suites.some(({ attributes: { name = '' } }) =>
    isPath(name) && name.startsWith(`${title}.`)));

/** Tools write the place to the failure, the test or its suite, into a stack trace, or as the name of the suite. */
const placeOfTest = (
  test: Element, failure: Element, suites: readonly Element[],
): Pick<Finding, 'file' | 'line' | 'column' | 'guesses'> => {
  const named = [failure, test, ...suites].find(({ attributes }) => attributes['file']);
  const titles = [test.attributes['classname'], ...suites.map(({ attributes }) => attributes['name'])]
    .filter((title) => title !== undefined && title.length < longestPath) as string[];
  const file = named?.attributes['file'] ?? titles.find(isPath) ?? '';
  const column = numberIn(failure.attributes['column'] ?? test.attributes['column']);
  const own = { file, line: lineOfTest(test, failure, suites), column };
  const traced = textsOfTest(test, failure).flatMap((text) => placesIn(text, titles));
  const topFiles = titles.filter(isTopFile).map((title) => ({ ...own, file: title }));
  const guesses: readonly Guess[] = file === '' ? [...traced, ...topFiles] : [
    ...named === failure && own.line !== null ? [own] : [],
    ...traced.filter((place) => isSameFile(place.file, file)).map(({ line, column }) => ({ file, line, column })),
    ...own.line === null ? lineIn(failure.text || (failure.attributes['message'] ?? ''), file) : [own],
    ...traced, ...named ? [] : [own],
  ];
  return { ...named ? own : { file: '', line: null, column: null }, ...guesses.length > 0 && { guesses } };
};

/** Some tools write the place of an assertion to the output of the test. */
const textsOfTest = (
  { attributes: { name = '', classname = '' }, children }: Element, failure: Element,
): readonly string[] => [
  failure.text, failure.attributes['message'] ?? '', name, classname,
  ...children.filter((child) => child.name === 'system-out' || child.name === 'system-err').map(({ text }) => text),
];

/** The lines of pytest count from 0; unlike others for Python, it names the file of a test only. */
const lineOfTest = (test: Element, failure: Element, suites: readonly Element[]): number | null => {
  const { file = '', line } = test.attributes;
  const isOfPytest = file.endsWith('.py') && suites.every(({ attributes }) => !attributes['file']);
  if (failure.attributes['file'] || line === undefined) return numberIn(failure.attributes['line']);
  return isOfPytest && /^\d{1,8}$/.test(line) ? Number(line) + 1 : numberIn(line);
};

const isSameFile = (path: string, file: string): boolean => {
  const [one, other] = [path, file].map((each) => each.replaceAll('\\', '/').replace(/^(?:\.\/)+/, ''));
  return `/${one}`.endsWith(`/${other}`);
};

/** Finds `line 12, col 5, Error - no`, which is in the file that the test is named after. */
const lineIn = (text: string, file: string): Guess[] => {
  const [, line, column] = lineAlone.exec(text.slice(0, longestPath)) ?? [];
  return line === undefined ? [] : [{ file, line: numberIn(line), column: numberIn(column) }];
};

const lineAlone = /^\s{0,99}(?:on )?line:?\s(\d{1,9})(?:, col(?:umn)? (\d{1,9}))?/im;

/** A Java class and a package of Go, such as `gopkg.in/yaml.v3`, have dots too. */
const isPath = (text: string | undefined): boolean => text !== undefined && text.length < longestPath
  && !/\.v\d+$/.test(text) && /^[^\s:]*[^\s:/]\.[A-Za-z]\w{0,6}$/.test(text)
  && (text.includes('/') || /\.(test|spec|cy)\.\w+$/.test(text));

/** A name of a module can have one dot too. */
const isTopFile = (text: string): boolean =>
  /^[\w-]{1,99}\.(?:[cm]?[jt]sx?|py|rb|go|rs|php|sh|tf|ya?ml|json|toml|md|lock|css|html|sql)$/.test(text);
