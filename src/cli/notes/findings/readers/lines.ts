import { truncated } from '../../../../text/messages.js';
import { withoutSequences } from '../../../../text/plain.js';
import { usage } from '../../../command-line/failure.js';
import {
  findingOf, knownLevel, lastLine, numberIn, ReportError, reportOf, uncounted, type Finding, type Level, type Report,
  type RunFailure,
} from '../finding.js';
import { isHour, isPath, mayBeFinding } from '../line-names.js';
import type { Preset } from './presets.js';
import {
  banner, lineBreak, saysEnd, saysExit, saysFailure, saysNothing, scriptEnd, scriptName, stopsIn,
  withoutLevels,
} from './run-lines.js';

type Reader = (source: string) => Report;

type LinePattern = (line: string) => Groups | null;
type Groups = Readonly<Record<string, string | undefined>>;

interface LineFormat {
  readonly tool: string | null;
  readonly findingIn: LinePattern;
  readonly levelIn: (groups: Groups) => Level | null;
  readonly moreIn: LinePattern;
  /** @param isBelow whether there is a finding above */
  readonly isChatter: (line: string, isBelow: boolean) => boolean;
  /** The groups count findings, and `repeated` those that are not printed. */
  readonly totalIn: LinePattern;
  readonly hasTotal: boolean;
  /** Whether a line that points to a column may be below a finding and a line of source. */
  readonly hasSource: boolean;
  /** Of a line that was not read. */
  readonly mayBeFinding: (line: string) => boolean;
  readonly expected: string;
  readonly hint: string;
  readonly levelHint: string;
}

/** @throws ReportError for an unknown level, and if there is no finding but a line of another kind */
const readLines = (source: string, format: LineFormat): Report => {
  const lines = withoutBanners(source.split(lineBreak).map(withoutSequences), format);
  const { findings, unread, totals, failed, isCut } = sorted(lines, format);
  const tools = format.tool === null ? [] : [format.tool];
  if (lines.every((line) => line.trim() === '')) return { tools, findings: [], isEmpty: true };
  const textAt = (i: number) => shown(lines[i]!);
  const failureAt = (i: number, what = ''): RunFailure => ({ place: `line ${i + 1}`, message: what + textAt(i) });
  const unplaced = unread.filter((i) => /^(?:error|warning)\b/i.test(lines[i]!)).length;
  const known = new Set(failed);
  const doubtful = unread.filter((i) => !known.has(i) && format.mayBeFinding(lines[i]!));
  const report = reportOf(tools, findings, [
    ...failed.map((i) => failureAt(i)),
    ...doubtful.map((i) => failureAt(i, 'a finding may be in this line, which was not read: ')),
    ...isCut ? [failureAt(lines.length - 1, 'the last line has no end: ')] : [],
    ...missing(findings, totals, unplaced),
    ...stopsIn(lines).map((i) => ({ ...failureAt(i), isByFindings: true })),
    ...format.hasTotal && findings.length > 0 && totals.length === 0
      ? [{ place: 'the end', message: 'the count of findings that the tool prints is missing' }] : [],
  ]);
  const [first] = findings.length > 0 ? unread
    : [...unread, ...totals.map(({ index }) => index)].sort((a, b) => a - b);
  if (first === undefined) return report;
  if (findings.length > 0) {
    const unreadLines = unread.map((i) => lines[i]!);
    return { ...report, unread: { count: unread.length, line: first + 1, text: textAt(first), lines: unreadLines } };
  }
  throw new ReportError(`line ${first + 1}`, `expected ${format.expected}, got ${JSON.stringify(textAt(first))}`,
    format.hint);
};

/** Tools count errors and warnings, those without a place too, and no notes. */
const missing = (findings: readonly Finding[], totals: readonly Total[], unplaced: number): RunFailure[] => {
  const [last, reported] = [totals.at(-1), findings.filter(({ level }) => level !== 'note').length];
  const count = Math.max(0, totals.reduce((sum, one) => sum + one.count, 0) - unplaced);
  return last ? uncounted(`line ${last.index + 1}`, 'problem', [count], reported) : [];
};

/** npm, pnpm, yarn and bun print banners above the output of a script. A file can have such a name, too. */
const withoutBanners = (lines: readonly string[], { findingIn }: LineFormat): string[] => lines.map((line, i) => {
  const isStart = scriptName.test(line) && lines[i + 1]?.startsWith('> ');
  const isCommand = line.startsWith('> ') && scriptName.test(lines[i - 1] ?? '');
  return (isStart || isCommand || banner.test(line)) && findingIn(line) === null ? '' : line;
});

const shown = (line: string): string => truncated(line, 200);

interface Total { readonly index: number; readonly count: number }

const sorted = (lines: readonly string[], format: LineFormat) => {
  const findings: Finding[] = [];
  const unread: number[] = [];
  const totals: Total[] = [];
  const ended = new Set<number>();
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    const groups = format.findingIn(line);
    if (groups) findings.push(findingFrom(groups, i, format, line));
    else if (saysExit(line)) {
      totals.push({ index: i, count: 0 });
      if (saysEnd(line)) ended.add(i);
    } else if (format.hasSource && pointer.test(line)) {
      if (unread.at(-1) === i - 1) unread.pop();
    } else if (!format.isChatter(line, findings.length > 0) && !scriptEnd.test(line)) {
      const total = format.totalIn(line);
      const more = total || findings.length === 0 ? null : format.moreIn(line);
      if (total) totals.push({ index: i, count: countIn(total) });
      else if (more) findings.push(continued(findings.pop()!, more));
      else unread.push(i);
    }
  });
  const texts = withoutLevels(lines);
  const mayFail = new Set(unread.filter((i) => !pointer.test(texts[i + 1] ?? '')));
  const failed = texts.flatMap((line, i) => ended.has(i) || saysFailure(line, mayFail.has(i)) ? i : []);
  return { findings, unread, totals, failed, isCut: failed.length === 0 && isLineCut(lines, format, unread) };
};

const pointer = /^[\s|~]*\^[\s~^]*$/;

/** A tool ends its last line: the text of a finding without an end may go on. */
const isLineCut = (lines: readonly string[], format: LineFormat, unread: readonly number[]): boolean => {
  const line = lines.at(-1)!;
  if (line.trim() === '' || pointer.test(line)) return false;
  if (unread.includes(lines.length - 1) || format.findingIn(line) !== null) return true;
  return /^\s/.test(line) && format.moreIn(line) === null;
};

const countIn = ({ repeated = '0', ...counts }: Groups): number =>
  Object.values(counts).reduce((sum, count) => sum + Number(count ?? 0), 0) - Number(repeated);

const findingFrom = (groups: Groups, index: number, format: LineFormat, text: string): Finding => {
  const level = format.levelIn(groups);
  if (level === null) {
    const word = JSON.stringify(shown(groups['level'] ?? groups['severity'] ?? ''));
    throw new ReportError(`line ${index + 1}`, `unknown level ${word}`, format.levelHint);
  }
  const file = groups['path'] ?? groups['file'] ?? '';
  const [line, column] = [numberIn(groups['line']), numberIn(groups['column'] ?? groups['col'])];
  return findingOf({
    file, line, column,
    ...file.includes(' ') && { guesses: guessesFor(file).map((one) => ({ file: one, line, column })) },
    endLine: lastLine(line, numberIn(groups['endline'])), level, tool: format.tool,
    rule: groups['rule'] ?? groups['code'] ?? null, message: (groups['message'] ?? '').trim() || 'no message',
    ...isFatalLine(groups, text) && { isFatal: true },
  });
};

const isFatalLine = ({ level, severity }: Groups, text: string): boolean =>
  /^fatal error$/i.test(level ?? severity ?? '') || placeless.test(text);

/** The words before a path look like a part of it: `Checking src/a.ts`. */
const guessesFor = (file: string): string[] => [file, file.slice(file.lastIndexOf(' ') + 1)];

const continued = (finding: Finding, { message = '', rule }: Groups): Finding =>
  ({ ...finding, message: `${finding.message}\n${message}`, rule: rule ?? finding.rule });

const place = new RegExp([
  '^\\[?(?<path>(?:file:|[A-Za-z]:(?=[\\\\/]))?[^\\s:][^:]*?)',
  '(?<position>:\\d+(?::\\d+(?:-\\d+|:\\d+:\\d+)?)?|(?: |: )?\\(\\d+(?:, ?\\d+){0,3}\\)|:\\[\\d+(?:,\\d+)?\\]',
  '|:\\(\\d+,\\d+\\)-\\(\\d+,\\d+\\)|\\[\\d+, ?\\d+\\](?=:))(?:\\] -> \\[[^\\]]+:\\d+)*',
  '(?:\\]:? | ?: {1,2}|:\\t| - |(?<=\\d\\]) |(?<=:\\d{1,9}:\\d{1,9}) |:(?=\\S)',
  '| (?=[A-Z]{2,9}\\d+ (?:error|warning|info|style): ))(?<rest>\\S.*)$',
].join(''), 'si');

const quoted = /^"((?:[A-Za-z]:)?[^":]+)", line (\d+)(?=:)/;

/** `path:line[:column]: [level:] message [rule]` of gcc, shellcheck, mypy and go vet, and similar forms. */
const compilerLine: LinePattern = (text) => {
  const before = prefix.exec(text)!;
  const found = place.exec(text.slice(before[0].length).replace(quoted, '$1:$2'))?.groups;
  if (!found || !isPath(found['path']!)) return placeless.exec(text)?.groups ?? null;
  const { path, position = '', rest = '' } = found;
  const [line, column, endline] = position.replace(/-\d+$/, '').match(/\d+/g) ?? [];
  const start = lineStart(rest);
  const { message, ...end } = lineEnd(rest.slice(start.length));
  const { word, bracket = '' } = before.groups!;
  const level = start.level ?? end.level ?? knownLevel(word ?? bracket) ?? undefined;
  return { path, line, column, endline, level, rule: start.rule ?? end.rule, message };
};

/** tsc prints such errors if it cannot read its configuration or a file that this names. */
const placeless = /^(?<level>error) (?<rule>TS\d+): (?<message>.*)$/;

/** MSBuild prints the number of a project, or indents a line as Ant does, and log lines begin with a level. */
const prefix = new RegExp([
  '^(?:C/C\\+\\+: |\\s{0,99}(?:\\d{1,4}>|(?=\\[\\w{1,20}\\] )',
  '|(?=\\S{1,500}\\(\\d{1,9}(?:,\\d{1,9}){0,3}\\): (?:error|warning) [A-Z]{1,9}\\d+: )))?',
  '(?:vet: |\\[(?<bracket>\\w{1,20})\\] ',
  '|(?<word>fatal|error|warn(?:ing)?|info|note|[ewi](?=:)):? (?=\\S+?(?: |: )?[:([]\\d))?',
].join(''), 'i');

type Part = Readonly<Partial<Record<'level' | 'rule', string | undefined>>>;

/** ESLint for Visual Studio puts a space before the colon; pylint and RuboCop print the letter of a level. */
const starts = [
  new RegExp([
    '^(?<level>fatal(?: error)?|critical|error|warn(?:ing)?|note|info|style)',
    '(?: (?<rule>[A-Z]+\\d+)|(?: (?<spaced>[\\w/@-]+))? )?: ',
  ].join(''), 'i'),
  /^(?<level>error|warning) (?<rule>[A-Z]{2,9}): /,
  /^(?<level>(?:fatal )?error|warning),? (?<rule>#\d+(?:-D)?|(?<=, )\w+|\(\w+:\d+\)):(?: |$)/i,
  /^(?<level>error|warning)\[(?<rule>[\w-]+)\]: /i, /^(?<level>fatal|error|warning|info) - /i,
  /^(?:HTML )?(?:parser|namespace|validity|I\/O) (?<level>error|warning) : /,
  /^(?=(?:element \S+: )?(?:[\w-]+ ){1,3}(?<level>error|warning) : )/,
  /^(?=(?:PHP )?(?:parse|syntax|compile|fatal|type) (?<level>error)\b)/i, /^(?=[A-Z]\w{1,40}(?<level>Error): )/,
  /^[[(<](?<level>error|warn(?:ing)?|info|style|performance|portability)[\])>] /i,
  /^(?<rule>[A-Z]{2,9}\d+) (?<level>error|warning|info|style): /,
  /^(?<rule>(?<level>[CRWEFI])\d{4}): /, /^(?<level>[CRWEFI]): /, /^\[(?<level>[CRWEFI])\] /,
  /^\((?<level>SEVERE|ERROR|WARNING|INFO)\/\d\) /,
];

const lineStart = (text: string): Part & { readonly length: number } => {
  const found = starts.map((start) => start.exec(text)).find((one) => one !== null);
  const { level, rule, spaced } = found?.groups ?? {};
  return { level, rule: rule ?? spaced, length: found?.[0].length ?? 0 };
};

/** The brackets can have a level too: `[error]`, `[Error/no-var]`. */
const lineEnd = (text: string): Part & { readonly message: string } => {
  const { name, message } = ruleAt(text) ?? { message: text };
  const [, level, rule] = /^(error|warning|info)(?:\/(.+))?$/i.exec(name ?? '') ?? [];
  if (level !== undefined) return { level, rule, message };
  return { rule: name !== undefined && project.test(name) ? undefined : name, message };
};

const project = /\.\w*proj(?:::.*)?$/s;

/** Looks from the end: an expression would search from each space of a long message. */
const ruleAt = (text: string): { readonly name: string; readonly message: string } | null => {
  const open = text.lastIndexOf('[');
  const message = text.slice(0, Math.max(open, 0)).trimEnd();
  const name = text.slice(open + 1, -1);
  const isName = /^(?=[^\]]*[A-Za-z])[\w=+./@-]+$/.test(name) || (project.test(name) && !name.includes(']'));
  return text.endsWith(']') && isName && message.length !== open ? { name, message } : null;
};

const never = () => false;
const noGroups = () => null;

const strictLevel = (missing: Level) => ({ level, severity }: Groups): Level | null => {
  const word = level ?? severity ?? '';
  return word === '' ? missing : knownLevel(word);
};

/** As tsc, mypy and Ruff count, and formatters for unix. */
const count = /^(?:Found (?<errors>\d+) errors?(?: \((?<repeated>\d+) fixed)?|(?<problems>\d+) problems?(?: \(|$))/;

const compilerLines: LineFormat = {
  tool: null, findingIn: compilerLine, levelIn: strictLevel('warning'), moreIn: noGroups,
  isChatter: saysNothing, totalIn: (line) => count.exec(line)?.groups ?? null, hasTotal: false, hasSource: false,
  mayBeFinding, expected: 'lines of the form path:line[:column]: message',
  hint: 'describe the lines with --pattern, or name the tool or format with --from', levelHint: '',
};

export const readCompilerLines: Reader = (source) => readLines(source, compilerLines);

/** RE2 runs in linear time. @throws Problem for an invalid expression, and if a needed group is missing */
export const patternReader = async (expression: string): Promise<Reader> => {
  const { RE2JSException } = await import('re2js');
  try {
    const { names, match } = await compilePattern(expression);
    checkGroups(names);
    const format: LineFormat = {
      ...compilerLines, findingIn: match, totalIn: noGroups, mayBeFinding: never,
      expected: 'lines that match --pattern', hint: 'change --pattern, or check that the tool ran',
      levelHint: 'let the group match error, warning or note, or one of the letters E, F, W, C, R and I',
    };
    return (source) => readLines(source, format);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`--pattern: ${error.message}`, 'use RE2 syntax, which has no look-around');
  }
};

const compilePattern = async (expression: string) => {
  const { RE2JS } = await import('re2js');
  const regex = RE2JS.compile(expression);
  const names = Object.keys(regex.namedGroups());
  const match: LinePattern = (line) => {
    const matcher = regex.matcher(line);
    return matcher.find() ? Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? undefined])) : null;
  };
  return { names, match };
};

export const presetReader = async (preset: Preset): Promise<Reader> => {
  const { tool, command, findings, level = 'warning', more, chatter = [], noFinding, totals = [] } = preset;
  const { hasSource = false, hasTotal = false } = preset;
  const firstOf = async (expressions: readonly string[]): Promise<LinePattern> => {
    const patterns = await Promise.all(expressions.map(compilePattern));
    return (line) => {
      for (const { match } of patterns) {
        const groups = match(line);
        if (groups && !isHour(groups['path'] ?? '')) return groups;
      }
      return null;
    };
  };
  const matchesAny = async (expressions: readonly string[]) => {
    if (expressions.length === 0) return never;
    const { match } = await compilePattern(expressions.map((one) => `(?:${one})`).join('|'));
    return (line: string) => match(line) !== null;
  };
  const [findingIn, isChatter] = [await firstOf(findings), await matchesAny(chatter)];
  const isNoFinding = await matchesAny(noFinding === undefined ? [] : [noFinding]);
  const isSource = (line: string) => hasSource && /^\s+(?!from )\S/.test(line);
  const hint = `check that the report is the output of \`${command}\``;
  const format: LineFormat = {
    tool, levelIn: strictLevel(level), moreIn: more === undefined ? noGroups : (await compilePattern(more)).match,
    findingIn: (line) => isNoFinding(line) ? null : findingIn(line),
    isChatter: (line, isBelow) => isNoFinding(line) || (isChatter(line) && (isBelow || !isSource(line))),
    totalIn: await firstOf(totals), hasTotal, hasSource, mayBeFinding,
    expected: `a finding of ${tool}`, hint, levelHint: hint,
  };
  return (source) => readLines(source, format);
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
