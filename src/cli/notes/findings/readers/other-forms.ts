/** A form of reports that is easily passed under the name of another. */
interface Form {
  /** Null if none reads it. */
  readonly format: string | null;
  /** The start of a report. */
  readonly sample: RegExp;
  readonly hint: string;
}

const eslintHint = 'run ESLint with --format json and pass --from eslint: the report is its';

const forms: readonly Form[] = [
  { format: 'sarif', sample: /^\s*\{[^]*"runs"\s*:/, hint: 'pass --from sarif: the report is SARIF' },
  { format: 'rdjson', sample: /^\s*\{[^]*"diagnostics"\s*:/, hint: 'pass --from rdjson: the report has diagnostics' },
  { format: 'eslint', sample: /^\s*\[\s*\{\s*"filePath"\s*:/, hint: "pass --from eslint: the report is ESLint's JSON" },
  {
    format: 'codequality', sample: /^\s*\[[^]*"check_name"\s*:/,
    hint: 'pass --from codequality: the report has check names',
  },
  {
    format: 'checkstyle', sample: /^\s*(?:<\?xml[^>]*>\s*)?<checkstyle[\s>]/,
    hint: 'pass --from checkstyle: the report is Checkstyle XML',
  },
  {
    format: 'junit', sample: /^\s*(?:<\?xml[^>]*>\s*)?<testsuites?[\s>]/,
    hint: 'pass --from junit: the report is JUnit XML',
  },
  { format: 'diff', sample: /^diff --git /m, hint: 'pass --from diff: the report is a diff' },
  { format: null, sample: /: line \d+, col \d+, (?:Error|Warning) - /, hint: `${eslintHint} compact form` },
  {
    format: null, sample: /\(\d+,\d+\): (?:error|warning) (?:[\w/@-]+ )?: /,
    hint: `${eslintHint} form for Visual Studio`,
  },
  {
    format: null, sample: /: line \d+, col \d+, (?:error|warning) - /,
    hint: 'run stylelint with --formatter unix and pass --from stylelint: the report is its compact form',
  },
  {
    format: null, sample: /^ +\d+:\d+ +[✖⚠✘×‼] /m,
    hint: 'run stylelint with --formatter unix and pass --from stylelint: the report is its form for terminals',
  },
  {
    format: null, sample: /^ +\d+:\d+ +(?:error|warning) .* \([\w-]+\)$/m,
    hint: 'run yamllint with -f parsable and pass --from yamllint: the report is its form for terminals',
  },
  {
    format: 'eslint-unix', sample: /:\d+:\d+: .* \[(?:Error|Warning)(?:\/.+)?\]$/m,
    hint: 'pass --from eslint-unix: the report has lines of the form that unix formatters print',
  },
  { format: null, sample: /^ +\d+:\d+ +(?:error|warning) /m, hint: `${eslintHint} form for terminals` },
  {
    format: null, sample: /^>> Issue: \[/m,
    hint: 'run Bandit with -f custom and pass --from bandit: the report is its form for terminals',
  },
];

/** The hint about the form that a report seems to have, unless that is the format that was expected; else null. */
export const otherForm = (text: string, expected: string): string | null => {
  const start = text.slice(0, startLength);
  const form = forms.find(({ sample }) => sample.test(start));
  return form === undefined || form.format === expected ? null : form.hint;
};

/** In characters. */
const startLength = 4_000;
