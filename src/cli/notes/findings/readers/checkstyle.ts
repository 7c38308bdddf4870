import { findingOf, levelFrom, reportOf, type Finding, type Level, type Report, type RunFailure } from '../finding.js';
import { attribute, numberIn, reasonIn, rootNamed, type Element } from './xml.js';

/** Many tools write it, and it does not name them. @throws ReportError */
export const readCheckstyle = (source: string): Report => {
  const root = rootNamed(source, 'checkstyle');
  const files = root.children.filter(({ name }) => name === 'file');
  const problems = [
    ...root.children.filter(({ name }) => name === 'error' || name === 'exception'),
    ...files.flatMap(({ children }) => children.filter(({ name }) => name === 'exception')),
  ];
  return reportOf([], files.flatMap(errorsOfFile), problems.map(checkstyleFailure));
};

const errorsOfFile = (file: Element): Finding[] => {
  const path = attribute(file, 'name');
  return file.children.filter(({ name }) => name === 'error').map((error) => {
    const { line, column, severity, source, message } = error.attributes;
    const rule = source ? ruleIn(source) : null;
    return findingOf({
      file: path, line: numberIn(line), column: numberIn(column), ...levelFrom(severity, checkstyleLevels, 'error'),
      rule, message: message ?? rule ?? attribute(error, 'message'),
    });
  });
};

const checkstyleLevels = new Map<unknown, Level>(
  [['ignore', 'note'], ['info', 'note'], ['warning', 'warning'], ['error', 'error']]);

/** The tool could not check a file, or could not run. */
const checkstyleFailure = (element: Element): RunFailure => ({ place: `line ${element.line}`, message: reasonIn(element) });

/**
 * Without the package of a Java class, and the name of a tool: `eslint.rules.no-var` → `no-var`,
 * `com.puppycrawl.tools.checkstyle.checks.LineLengthCheck` → `LineLengthCheck`. The names of other tools have dots too:
 * `PSR1.Files.SideEffects`, `argument.type`.
 */
const ruleIn = (source: string): string => source.replace(prefix, '');

const prefix = new RegExp([
  '^(?:(?:com|org|net|io|edu)\\.(?:\\w+\\.)+', '(?:\\w+\\.)?rules\\.',
  '(?:failure\\.tslint|tslint|jshint|detekt|ShellCheck)\\.)(?=[\\w@])',
].join('|'));
