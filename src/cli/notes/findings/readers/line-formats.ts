import { usage } from '../../../command-line/failure.js';
import { knownLevel, type Level } from '../finding.js';
import type { Groups, LineFormat, LinePattern } from './lines.js';
import type { Preset } from './presets.js';

/** A path, perhaps of Windows, then the line and column in one of two forms, then the rest. */
const place = new RegExp([
  '^(?:vet: |\\[(?<before>error|warn(?:ing)?|info)\\] )?\\[?',
  '(?<path>(?:[A-Za-z]:[\\\\/])?[^\\s:][^:]*?)',
  '(?::(?<line>\\d+)(?::(?<column>\\d+))?(?::(?<endline>\\d+):\\d+)?| ?\\((?<tsLine>\\d+)(?:,(?<tsColumn>\\d+))?\\))',
  '(?:\\] | ?: {1,2}| - |:(?=\\S))(?<rest>\\S.*)$',
].join(''), 'si');

/** `path:line[:column]: [level:] message [rule]` of gcc, shellcheck, mypy and go vet, and similar forms. */
const compilerLine: LinePattern = (text) => {
  const found = place.exec(text)?.groups;
  if (!found || !isPath(found['path']!)) return null;
  const start = startOf(found['rest']!);
  const end = endOf(found['rest']!.slice(start.length));
  return {
    path: found['path'], line: found['line'] ?? found['tsLine'], column: found['column'] ?? found['tsColumn'],
    endline: found['endline'], level: start.level ?? end.level ?? found['before'],
    rule: start.rule ?? end.rule, message: end.message,
  };
};

/** A time, a host or the words before a number is no path, but a name such as `Makefile` is. */
const isPath = (text: string): boolean => {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  if (isHour(text) || /^[a-z]+:$/i.test(text) || !isClosed(text)) return false;
  if (name !== text) return /[A-Za-z]/.test(text);
  if (/^\S*\.[A-Za-z][\w+-]{0,15}$/.test(name)) return !host.test(name);
  return /\.[A-Za-z]\w{0,6}$/.test(name) ? !/ (?:to|on|from|at) /.test(text)
    : /^(?:\w*file|BUILD|WORKSPACE|LICENSE|README|configure)$/i.test(name);
};

/** Of a time, whose minute looks like a line: `2026-05-01T10`. */
const isHour = (path: string): boolean => /(?:^|[\s[]|\dT)\d\d?$/.test(path);

const host = /(?:^localhost|\.(?:com|org|net|io|local|internal|localhost|example|lan|corp|svc|cloud))$/i;

/** `at f (src/a.js` is a frame. */
const isClosed = (text: string): boolean => text.split('(').length <= text.split(')').length;

type Part = Readonly<Partial<Record<'level' | 'rule', string | undefined>>>;

/**
 * ESLint for Visual Studio puts a space before the colon, the letter of a code of pylint is the level, and RuboCop
 * prints the letter alone.
 */
const starts = [
  /^(?<level>fatal error|error|warning|note|info|style)(?: (?<rule>[A-Z]+\d+)|(?: (?<spaced>[\w/@-]+))? )?: /i,
  /^(?<level>error|warning) (?<rule>[A-Z]{2,9}): /,
  /^(?<level>error|warning)\[(?<rule>[\w-]+)\]: /i, /^(?<level>fatal|error|warning|info) - /i,
  /^(?:HTML )?(?:parser|namespace|validity|I\/O) (?<level>error|warning) : /,
  /^\[(?<level>error|warn(?:ing)?|info)\] /i,
  /^(?<rule>(?<level>[CRWEFI])\d{4}): /, /^(?<level>[CRWEFI]): /,
];

const startOf = (text: string): Part & { readonly length: number } => {
  const found = starts.map((start) => start.exec(text)).find((one) => one !== null);
  const { level, rule, spaced } = found?.groups ?? {};
  return { level, rule: rule ?? spaced, length: found?.[0].length ?? 0 };
};

/** The brackets can have a level too: `[error]`, `[Error/no-var]`. */
const endOf = (text: string): Part & { readonly message: string } => {
  const { name, message } = ruleAt(text) ?? { message: text };
  const [, level, rule] = /^(error|warning|info)(?:\/(.+))?$/i.exec(name ?? '') ?? [];
  return level === undefined ? { rule: name, message } : { level, rule, message };
};

/** In brackets at the end, with a letter; an expression would search from each space of a long message. */
const ruleAt = (text: string): { readonly name: string; readonly message: string } | null => {
  const open = text.lastIndexOf('[');
  const message = text.slice(0, Math.max(open, 0)).trimEnd();
  const [, name] = /^(?=[^\]]*[A-Za-z])([\w=+./@-]+)\]$/.exec(text.slice(open + 1)) ?? [];
  return name === undefined || message.length === open ? null : { name, message };
};

const never = () => false;
const noGroups = () => null;

const strictLevel = (missing: Level) => ({ level, severity }: Groups): Level | null => {
  const word = level ?? severity ?? '';
  return word === '' ? missing : knownLevel(word);
};

/** Free text: an unknown level is a part of the message. */
export const compilerLines: LineFormat = {
  tool: null, findingIn: compilerLine, levelIn: strictLevel('warning'), moreIn: noGroups,
  // By mypy and tsc.
  isChatter: (line) => /^(Success: no issues found|Found 0 errors)/.test(line),
  totalIn: (line) => /^Found (?<errors>\d+) errors?/.exec(line)?.groups ?? null, isPointer: never,
  expected: 'lines of the form path:line[:column]: message',
  hint: 'describe the lines with --pattern, or name the tool or format with --from', levelHint: '',
};

/** RE2 runs in linear time. @throws Problem for an invalid expression, and if a needed group is missing */
export const customFormat = async (expression: string): Promise<LineFormat> => {
  const { RE2JSException } = await import('re2js');
  try {
    const { names, match } = await compiled(expression);
    checkGroups(names);
    return {
      ...compilerLines, findingIn: match, totalIn: noGroups,
      expected: 'lines that match --pattern', hint: 'change --pattern, or check that the tool ran',
      levelHint: 'let the group match error, warning or note, or one of the letters E, F, W, C, R and I',
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`--pattern: ${error.message}`, 'use RE2 syntax, which has no look-around');
  }
};

const compiled = async (expression: string) => {
  const { RE2JS } = await import('re2js');
  const regex = RE2JS.compile(expression);
  const names = Object.keys(regex.namedGroups());
  const match: LinePattern = (line) => {
    const matcher = regex.matcher(line);
    return matcher.find() ? Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined])) : null;
  };
  return { names, match };
};

export const presetFormat = async (preset: Preset): Promise<LineFormat> => {
  const { tool, command, findings, level = 'warning', more, chatter = [], totals = [], hasSource = false } = preset;
  const firstOf = async (expressions: readonly string[]): Promise<LinePattern> => {
    const patterns = await Promise.all(expressions.map(compiled));
    return (line) => {
      for (const { match } of patterns) {
        const groups = match(line);
        if (groups && !isHour(groups['path'] ?? '')) return groups;
      }
      return null;
    };
  };
  const oneOf = async (expressions: readonly string[]) => {
    if (expressions.length === 0) return never;
    const { match } = await compiled(expressions.map((one) => `(?:${one})`).join('|'));
    return (line: string) => match(line) !== null;
  };
  const hint = `check that the report is the output of \`${command}\``;
  return {
    tool, levelIn: strictLevel(level), moreIn: more === undefined ? noGroups : (await compiled(more)).match,
    findingIn: await firstOf(findings), isChatter: await oneOf(chatter), totalIn: await firstOf(totals),
    isPointer: hasSource ? (line) => /^[\s|~]*\^[\s~^]*$/.test(line) : never,
    expected: `a finding of ${tool}`, hint, levelHint: hint,
  };
};

const groupNames = ['path', 'file', 'line', 'endline', 'column', 'col', 'level', 'severity', 'rule', 'code', 'message'];

const patternHint = 'name the groups, as in (?P<path>[^:]+):(?P<line>\\d+): (?P<message>.*)';

const checkGroups = (names: readonly string[]): void => {
  const unknown = names.find((name) => !groupNames.includes(name));
  const known = `use these groups: ${groupNames.join(', ')}`;
  if (unknown !== undefined) throw usage(`--pattern: unknown group ${unknown}`, known);
  if (!names.includes('path') && !names.includes('file')) throw usage('--pattern has no group path', patternHint);
  if (!names.includes('message')) throw usage('--pattern has no group message', patternHint);
};
