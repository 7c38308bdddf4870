import { findingOf, lastLine, levelOf, ReportError, type Finding, type Report } from '../finding.js';
import { usage } from '../../../command-line/errors/failure.js';
import { numberIn } from './xml.js';

/** Named groups; null if the line does not match. */
type LinePattern = (line: string) => Readonly<Record<string, string | undefined>> | null;

/** Of compilers and linters. @throws ReportError if no line matches and none says that the tool found nothing */
export const readLines = (source: string, pattern: LinePattern = compilerLine): Report => {
  const lines = source.split(/\r?\n/).map((line) => line.replace(ansiColors, ''));
  const findings = lines.map(pattern).filter((groups) => groups !== null).map(findingFrom);
  if (findings.length === 0 && !lines.some((line) => nothingFound.test(line))) {
    throw new ReportError(null, 'expected lines of the form path:line[:column]: message, found none',
      'describe the lines with --pattern, or name the format with --from');
  }
  return { tools: [], findings };
};

const ansiColors = new RegExp('\\u001b\\[[0-9;]*m', 'g');

/** By mypy and tsc. */
const nothingFound = /^(Success: no issues found|Found 0 errors)/;

const findingFrom = (groups: Readonly<Record<string, string | undefined>>): Finding => {
  const line = numberIn(groups['line']);
  return findingOf({
    file: groups['path'] ?? groups['file'] ?? '', line, column: numberIn(groups['column'] ?? groups['col']),
    endLine: lastLine(line, numberIn(groups['endline'])),
    level: levelOf(groups['level'] ?? groups['severity']),
    rule: groups['rule'] ?? groups['code'] ?? null, message: (groups['message'] ?? '').trim() || 'no message',
  });
};

/** A path, perhaps of Windows, then the line and column in one of two forms, then the rest. */
const place = new RegExp([
  '^(?:vet: )?(?<path>(?:[A-Za-z]:[\\\\/])?[^\\s:()][^:()]*?)',
  '(?::(?<line>\\d+)(?::(?<column>\\d+))?|\\((?<tsLine>\\d+),(?<tsColumn>\\d+)\\))',
  '(?:: | - |:(?=\\S))(?<rest>\\S.*)$',
].join(''), 's');
const levelFirst = /^(?<level>fatal error|error|warning|note|info|style)(?: (?<code>[A-Z]+\d+))?: /i;

/** `path:line[:column]: [level:] message [rule]` of gcc, shellcheck, mypy and go vet, and the two forms of tsc. */
const compilerLine: LinePattern = (text) => {
  const found = place.exec(text)?.groups;
  if (!found || !/[A-Za-z]/.test(found['path']!)) return null;
  const level = levelFirst.exec(found['rest']!);
  const rest = found['rest']!.slice(level?.[0].length ?? 0);
  const rule = ruleAt(rest);
  return {
    path: found['path'], line: found['line'] ?? found['tsLine'], column: found['column'] ?? found['tsColumn'],
    level: level?.groups!['level'], rule: level?.groups!['code'] ?? rule?.name,
    message: rule?.message ?? rest,
  };
};

/** In brackets at the end; an expression would search from each space of a long message. */
const ruleAt = (text: string): { readonly name: string; readonly message: string } | null => {
  const open = text.lastIndexOf('[');
  const message = text.slice(0, Math.max(open, 0)).trimEnd();
  const [, name] = /^([\w=+./@-]+)\]$/.exec(text.slice(open + 1)) ?? [];
  return name === undefined || message.length === open ? null : { name, message };
};

const groupNames = ['path', 'file', 'line', 'endline', 'column', 'col', 'level', 'severity', 'rule', 'code', 'message'];

/** RE2 runs in linear time. @throws Problem for an invalid expression, and if a needed group is missing */
export const customPattern = async (expression: string): Promise<LinePattern> => {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression);
    const names = Object.keys(compiled.namedGroups());
    checkGroups(names);
    return (line) => {
      const matcher = compiled.matcher(line);
      return matcher.find() ? Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined])) : null;
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`--pattern: ${error.message}`, 'use RE2 syntax, which has no look-around');
  }
};

const patternHint = 'name the groups, as in (?P<path>[^:]+):(?P<line>\\d+): (?P<message>.*)';

const checkGroups = (names: readonly string[]): void => {
  const unknown = names.find((name) => !groupNames.includes(name));
  const known = `use these groups: ${groupNames.join(', ')}`;
  if (unknown !== undefined) throw usage(`--pattern: unknown group ${unknown}`, known);
  if (!names.includes('path') && !names.includes('file')) throw usage('--pattern has no group path', patternHint);
  if (!names.includes('message')) throw usage('--pattern has no group message', patternHint);
};
