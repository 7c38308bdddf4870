import {
  findingOf, lastLine, numberIn, reportOf, ReportError, uncounted, type Finding, type Level, type Report,
  type RunFailure, type Unread,
} from '../finding.js';
import { withoutSequences } from '../../../../text/plain.js';

/** Named groups; null if the line does not match. */
export type LinePattern = (line: string) => Groups | null;
export type Groups = Readonly<Record<string, string | undefined>>;

/** How the lines of a report are read. */
export interface LineFormat {
  readonly tool: string | null;
  readonly findingIn: LinePattern;
  /** Null for an unknown level. */
  readonly levelIn: (groups: Groups) => Level | null;
  /** Continues the message of the finding above. */
  readonly moreIn: LinePattern;
  readonly isChatter: (line: string) => boolean;
  /** Says that there are findings. The groups are numbers of them, and `repeated` those that are not printed. */
  readonly totalIn: LinePattern;
  /** The line above a pointer is source. */
  readonly isPointer: (line: string) => boolean;
  readonly expected: string;
  /** What to do if there are no such lines. */
  readonly hint: string;
  readonly levelHint: string;
}

/**
 * @throws ReportError for an unknown level, and if there is no finding but a line that does not say that the tool found
 * nothing
 */
export const readLines = (source: string, format: LineFormat): Report => {
  const lines = withoutBanners(source.split(/\r?\n/).map(withoutSequences));
  const { findings, unread, totals, failed } = sorted(lines, format);
  const strange = findings.length > 0 ? unread
    : [...unread, ...totals.map(({ index }) => index)].toSorted((a, b) => a - b);
  const tools = format.tool === null ? [] : [format.tool];
  if (lines.every((line) => line.trim() === '')) return { tools, findings: [], isEmpty: true };
  const [first] = strange;
  const unplaced = unread.filter((i) => /^(?:error|warning)\b/i.test(lines[i]!)).length;
  const failures = [
    ...failed.map((i) => ({ place: `line ${i + 1}`, message: shown(lines[i]!) })),
    ...missing(findings, totals, unplaced),
  ];
  const report = reportOf(tools, findings, failures);
  if (first === undefined) return report;
  if (findings.length > 0) return { ...report, unread: unreadOf(strange.length, first, lines) };
  throw new ReportError(`line ${first + 1}`, `expected ${format.expected}, got ${JSON.stringify(shown(lines[first]!))}`,
    format.hint);
};

/** Tools count errors and warnings, those without a place too, and no notes. */
const missing = (findings: readonly Finding[], totals: readonly Total[], unplaced: number): RunFailure[] => {
  const [last, reported] = [totals.at(-1), findings.filter(({ level }) => level !== 'note').length];
  const count = totals.reduce((sum, one) => sum + one.count, 0) - unplaced;
  return last ? uncounted(`line ${last.index + 1}`, 'problem', [count], reported) : [];
};

/** The program that printed the lines crashed or stopped. */
const failure = new RegExp([
  '^Traceback \\(most recent call last\\):', '^panic: ', '^(?:PHP )?fatal(?: error)?: ', '^Segmentation fault',
  '^Killed$', '^Aborted', '^Exception in thread ', "^thread '.*' panicked at ", '^Critical error: ',
  '^Oops! Something went wrong', '\\(errors prevented further checking\\)$', '^compilation terminated',
  '^only showing the first \\d+ ', '^vet: ',
].join('|'), 'i');

/** Lines without what npm, pnpm, yarn and bun print above the output of a script. */
const withoutBanners = (lines: readonly string[]): string[] => lines.map((line, i) => {
  const isStart = script.test(line) && lines[i + 1]?.startsWith('> ');
  const isCommand = line.startsWith('> ') && script.test(lines[i - 1] ?? '');
  return isStart || isCommand || banner.test(line) ? '' : line;
});

/** `> shop@1.0.0 lint`, and the command on the next line. */
const script = /^> (?:@?[^\s@]+@\S+ )?[\w:.@/-]+(?: (?:\/|[A-Za-z]:\\).*)?$/;

const banner = new RegExp([
  '^yarn run v\\d', '^\\$ \\S', '^npm (?:notice|warn)\\b', '^warning package\\.json: No license', '^➤ YN0000: · Yarn ',
  '^info Visit https://yarnpkg\\.com/',
].join('|'), 'i');

/** The same programs print it if the command of the script succeeded. */
const scriptEnd = /^(?:✨ {1,2})?Done in [\d.]+m?s\.?$|^➤ YN0000: (?:· )?Done\b/;

/** They print it if the command failed, as linters do that found something. */
const failedScript = new RegExp([
  '^\\s*\\[?(?:ELIFECYCLE|ERR_PNPM_\\w+)\\b', '^npm (?:ERR!|error)(?: |$)', '^error: script "',
  '^➤ YN0000: (?:· )?Failed\\b',
  '^(?:error:? ){0,2}command failed\\b', '^exit status [1-9]\\d*\\s*$',
].join('|'), 'i');

const unreadOf = (count: number, first: number, lines: readonly string[]): Unread =>
  ({ count, line: first + 1, text: shown(lines[first]!) });

const shown = (line: string): string => line.length > 200 ? `${line.slice(0, 199)}…` : line;

interface Sorted {
  readonly findings: readonly Finding[];
  /** From 0. */
  readonly unread: readonly number[];
  readonly totals: readonly Total[];
  readonly failed: readonly number[];
}

interface Total { readonly index: number; readonly count: number }

const sorted = (lines: readonly string[], format: LineFormat): Sorted => {
  const findings: Finding[] = [];
  const unread: number[] = [];
  const totals: Total[] = [];
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    if (failedScript.test(line)) {
      totals.push({ index: i, count: 0 });
      return;
    }
    if (format.isPointer(line)) {
      if (unread.at(-1) === i - 1) unread.pop();
      return;
    }
    if (format.isChatter(line) || scriptEnd.test(line)) return;
    const groups = format.findingIn(line);
    const total = groups ? null : format.totalIn(line);
    if (groups) findings.push(findingFrom(groups, i, format));
    else if (total) totals.push({ index: i, count: countIn(total) });
    else {
      const more = findings.length > 0 ? format.moreIn(line) : null;
      if (more) findings.push(continued(findings.pop()!, more));
      else unread.push(i);
    }
  });
  const failed = [...lines.keys()].filter((i) => failure.test(lines[i]!));
  return { findings, unread, totals, failed };
};

const countIn = ({ repeated = '0', ...counts }: Groups): number =>
  Object.values(counts).reduce((sum, count) => sum + Number(count ?? 0), 0) - Number(repeated);

const findingFrom = (groups: Groups, index: number, format: LineFormat): Finding => {
  const level = format.levelIn(groups);
  if (level === null) {
    const word = JSON.stringify(shown(groups['level'] ?? groups['severity'] ?? ''));
    throw new ReportError(`line ${index + 1}`, `unknown level ${word}`, format.levelHint);
  }
  const line = numberIn(groups['line']);
  return findingOf({
    file: groups['path'] ?? groups['file'] ?? '', line, column: numberIn(groups['column'] ?? groups['col']),
    endLine: lastLine(line, numberIn(groups['endline'])), level, tool: format.tool,
    rule: groups['rule'] ?? groups['code'] ?? null, message: (groups['message'] ?? '').trim() || 'no message',
  });
};

const continued = (finding: Finding, { message = '', rule }: Groups): Finding =>
  ({ ...finding, message: `${finding.message}\n${message}`, rule: rule ?? finding.rule });
