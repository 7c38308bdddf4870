import { counted, truncated } from '../../../text/messages.js';
import { plainLine, withoutControls } from '../../../text/plain.js';
import { type Problem, unusableReport, usage } from '../../command-line/failure.js';
import { withFatal } from './fatal.js';
import { ReportError, type Finding, type Report, type RunFailure } from './finding.js';
import { presetNames, presets, type PresetName } from './readers/presets.js';

type Reader = (source: string) => Report;

const readers = {
  sarif: async (): Promise<Reader> => (await import('./readers/sarif.js')).readSarif,
  codequality: async (): Promise<Reader> => (await import('./readers/json.js')).readCodeQuality,
  checkstyle: async (): Promise<Reader> => (await import('./readers/xml.js')).readCheckstyle,
  junit: async (): Promise<Reader> => (await import('./readers/junit.js')).readJunit,
  rdjson: async (): Promise<Reader> => (await import('./readers/json.js')).readRdjson,
  rdjsonl: async (): Promise<Reader> => (await import('./readers/json.js')).readRdjsonLines,
  eslint: async (): Promise<Reader> => (await import('./readers/json.js')).readEslint,
  lines: async (): Promise<Reader> => (await import('./readers/lines.js')).readCompilerLines,
  diff: async (): Promise<Reader> => (await import('./readers/diff.js')).readDiff,
};

export type Format = keyof typeof readers | PresetName;

export const reportFormats: readonly Format[] = [...Object.keys(readers) as (keyof typeof readers)[], ...presetNames];

/** Whether a finding is one line of text, with its path in front. */
export const isOfLines = (format: Format): boolean => format === 'lines' || isPreset(format);

const isPreset = (format: Format): format is PresetName => Object.hasOwn(presets, format);

export interface ReadOptions {
  readonly format: Format;
  readonly pattern?: string | undefined;
  readonly allowEmpty?: boolean | undefined;
}

export interface Source {
  readonly name: string;
  readonly text: string;
  /** Of standard input: whether the command line names it. */
  readonly pipe?: 'named' | 'unnamed';
}

/** @throws Problem that names the file and the place in it, also for a failed run without results */
export const readReports = async (sources: readonly Source[], options: ReadOptions) => {
  const read = await readerFor(options);
  const reports: Report[] = [];
  for (const source of sources) {
    const report = source.text.trim() === '' ? null : readUsable(source, options.format, read);
    reports.push(report === null || report.isEmpty ? emptyReport(source, options, report) : report);
  }
  const failures = reports.flatMap(({ failures: all = [] }, i) => all.map((one) =>
    ({ text: failureText(sources[i]!.name, one), isByFindings: one.isByFindings ?? false })));
  const own = failures.filter(({ isByFindings }) => !isByFindings);
  const reasons = (own.length > 0 ? own : failures).map(({ text }) => text);
  const unrun = unrunIn(reports);
  return {
    ...reasons.length > 0 && { failure: firstReasons(reasons), isFailedByFindings: own.length === 0 },
    tools: [...new Set(reports.flatMap(({ tools }) => tools))],
    ...unrun.length > 0 && { unrun },
    findings: withoutRepetitions(reports.flatMap(({ findings }) => findings.map(plainFinding))),
    unread: reports.flatMap(({ unread }, i) => unread ? [{ ...unread, name: sources[i]!.name }] : []),
  };
};

/** A test that one of the reports skips may have run in another. */
const unrunIn = (reports: readonly Report[]): string[] => {
  const tests = new Map<string, boolean>();
  for (const [rule, hasRun] of reports.flatMap((report) => report.tests ?? [])) {
    tests.set(rule, hasRun || tests.get(rule) === true);
  }
  return [...tests].flatMap(([rule, hasRun]) => hasRun ? [] : withoutControls(rule));
};

const readerFor = async ({ format, pattern }: ReadOptions): Promise<Reader> => {
  if (pattern !== undefined) {
    if (format !== 'lines') throw usage(`--pattern cannot be used with --from ${format}`, 'use --from lines');
    return (await import('./readers/lines.js')).patternReader(pattern);
  }
  return isPreset(format) ? (await import('./readers/lines.js')).presetReader(presets[format]) : readers[format]();
};

const emptyReport = (
  { name, pipe }: Source, { allowEmpty, format }: ReadOptions, report: Report | null,
): Report => {
  const preset = isPreset(format) ? presets[format] : null;
  if (allowEmpty) return report ?? { tools: preset === null ? [] : [preset.tool], findings: [] };
  if (format === 'eslint' || (format === 'junit' && report !== null)) throw nothingRead(name, format, report);
  const tool = preset?.tool ?? 'the tool';
  const allow = (subject: string) => `if ${subject} prints nothing when it finds nothing, pass --allow-empty`;
  if (report !== null || pipe === undefined) {
    throw unusableReport(`${name} is empty`, `check that ${tool} ran; ${allow('it')}`);
  }
  const piped = preset === null ? 'the report of the tool' : `the output of \`${preset.command}\``;
  const [what, how] = pipe === 'named' ? ['', ''] : ['no report file is named, and ', 'name the file, or '];
  throw unusableReport(`${what}${name} is empty`,
    `${how}pipe ${piped} after \`set -o pipefail\`\n${allow(tool)}`);
};

const nothingRead = (name: string, format: 'eslint' | 'junit', report: Report | null): Problem => {
  const [listed, reason] = format === 'eslint' ? ['files', 'ESLint read no file'] : ['tests', 'no test ran'];
  return unusableReport(`${name} ${report === null ? 'is empty' : `lists no ${listed}`}`,
    `${reason}: check its patterns and configuration`);
};

/** @throws Problem whose hint names the format that the report seems to have */
const readUsable = ({ name, text }: Source, format: Format, read: Reader): Report => {
  try {
    const report = withZeroByte(text, withFatal(read(text)));
    const { findings, failures = [] } = report;
    if (findings.length > 0 || failures.length === 0) return report;
    throw unusableReport(firstReasons(failures.map((failure) => failureText(name, failure))),
      'fix the run of the tool: the report of a failed run without results is not posted');
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const { place, message, hint } = error;
    throw unusableReport(placedText(name, { place, message }),
      formatHint(text, format) ?? hint ?? `check that ${name} is a report in the format ${format}`);
  }
};

/** A file that was emptied while a tool wrote it begins with these, in place of the text before. */
const withZeroByte = (text: string, report: Report): Report => {
  const at = text.indexOf('\0');
  if (at < 0) return report;
  const place = `line ${text.slice(0, at).split('\n').length}`;
  const failure = { place, message: 'a zero byte, where text may be missing' };
  return { ...report, failures: [...report.failures ?? [], failure] };
};

const placedText = (name: string, { place, message }: RunFailure): string =>
  `${name}${place === null ? '' : `: ${plainLine(place)}`}: ${plainLine(message)}`;

const longestFailure = 400;

const failureText = (name: string, failure: RunFailure): string => truncated(placedText(name, failure), longestFailure);

const firstReasons = (failures: readonly string[]): string => {
  const [shown, more] = [failures.slice(0, 3), failures.slice(3)];
  return shown.join('; ') + (more.length > 0 ? ` (and ${counted(more.length, 'more reason')})` : '');
};

/** Tools print colors into reports too. */
const plainFinding = (finding: Finding): Finding => {
  const { message, rule, details } = finding;
  return {
    ...finding, message: withoutControls(message), rule: rule === null ? null : withoutControls(rule),
    ...details !== undefined && { details: withoutControls(details) },
  };
};

const withoutRepetitions = (findings: readonly Finding[]): Finding[] =>
  [...new Map(findings.map((finding) => [JSON.stringify({ ...finding, ruleUrl: undefined }), finding])).values()];

/** How tools write forms that are read, if the report is of one that is not. */
const runs = {
  eslint: 'run ESLint with --format json-with-metadata and ', stylelint: 'run stylelint with --formatter unix and ',
  yamllint: 'run yamllint with -f parsable and ', bandit: 'run Bandit with -f custom and ',
};

const forms: readonly (readonly [sample: RegExp, format: Format, what: string, run?: string])[] = [
  [/^\s*\{[^]*"runs"\s*:/, 'sarif', 'is SARIF'],
  [/^\s*\{[^]*"diagnostics"\s*:/, 'rdjson', 'has diagnostics'],
  [/^\s*(?:\{\s*"results"\s*:\s*)?\[\s*\{\s*"filePath"\s*:/, 'eslint', "is ESLint's JSON"],
  [/^\s*\[[^]*"check_name"\s*:/, 'codequality', 'has check names'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<checkstyle[\s>]/, 'checkstyle', 'is Checkstyle XML'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<testsuites?[\s>]/, 'junit', 'is JUnit XML'],
  [/^diff --git /m, 'diff', 'is a diff'],
  [/: line \d+, col \d+, (?:Error|Warning) - /, 'eslint', 'is its compact form', runs.eslint],
  [/\(\d+,\d+\): (?:error|warning) (?:[\w/@-]+ )?: /, 'eslint', 'is its form for Visual Studio', runs.eslint],
  [/: line \d+, col \d+, (?:error|warning) - /, 'stylelint', 'is its compact form', runs.stylelint],
  [/^ +\d+:\d+ +[✖⚠✘×‼] /m, 'stylelint', 'is its form for terminals', runs.stylelint],
  [/^ +\d+:\d+ +(?:error|warning) .* \([\w-]+\)$/m, 'yamllint', 'is its form for terminals', runs.yamllint],
  [/:\d+:\d+: .* \[(?:Error|Warning)(?:\/.+)?\]$/m, 'eslint-unix',
    'has lines of the form that unix formatters print'],
  [/^ +\d+:\d+ +(?:error|warning) /m, 'eslint', 'is its form for terminals', runs.eslint],
  [/^>> Issue: \[/m, 'bandit', 'is its form for terminals', runs.bandit],
];

/** Null if the report is of no known form, or of the expected one. */
export const formatHint = (text: string, expected?: Format): string | null => {
  const start = text.slice(0, startLength);
  const [, format, what, run] = forms.find(([sample]) => sample.test(start)) ?? [];
  if (format === undefined || (format === expected && run === undefined)) return null;
  return `${run ?? ''}pass --from ${format}: the report ${what}`;
};

const startLength = 4_000;
