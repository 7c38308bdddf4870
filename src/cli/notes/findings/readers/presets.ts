import type { Level } from '../finding.js';

/** The output of a tool as data: RE2 expressions, each for one line without colors. */
export interface Preset {
  readonly tool: string;
  readonly command: string;
  /** The groups are those of `--pattern`. */
  readonly findings: readonly string[];
  readonly level?: Level;
  /** Continues the message of the finding above, with the groups `message` and `rule`. */
  readonly more?: string;
  readonly chatter?: readonly string[];
  /** Looks like a finding and is none. Other chatter that is one counts: a file can have any name. */
  readonly noFinding?: string;
  /**
   * It is an error if none was read. The groups count errors and warnings, and `repeated` those that are not printed.
   */
  readonly totals?: readonly string[];
  /** Whether it prints one whenever it has findings, so that a report without it is cut. */
  readonly hasTotal?: boolean;
  /** Whether it prints indented source below a finding, and below that a line that points to a column. */
  readonly hasSource?: boolean;
}

const path = '(?P<path>(?:[A-Za-z]:[\\\\/])?[^\\s:][^:]*)';
const line = `${path}:(?P<line>\\d+)`;
const place = `${line}(?::(?P<column>\\d+))?`;
const word = '(?P<level>[A-Za-z][A-Za-z ]*)';

const gccFinding = `^${place}(?::(?:\\{[\\d:-]+\\})+)?: ${word}: (?P<message>.*?)(?: \\[(?P<rule>[^\\[\\]]+)\\])?$`;
const problems = '^(?<count>\\d+) problems?(?: \\(|$)';
const unixFinding = `^${place}: (?P<message>.*) \\[${word}(?:/(?P<rule>.+))?\\]$`;

export const presets = {
  'gcc': {
    tool: 'gcc', command: 'gcc -Wall -c src/*.c 2>&1', findings: [gccFinding], hasSource: true,
    chatter: [
      '^\\s', '^In file included from ', '^[^:]+: (?:In|At) .*:$',
      '^[^:]+:\\d+(?::\\d+)?: +(?:(?:recursively )?required|in .* expansion of) ',
    ],
    totals: [
      '^cc1[a-z]*: (?:all|some) warnings being treated as errors$',
      '^(?<count>\\d+) (?:warning|error)s?(?: and (?<errors>\\d+) errors?)? generated\\.$',
      '^Suppressed (?<repeated>\\d+) warnings? \\(',
    ],
  },
  'javac': {
    tool: 'javac', command: 'javac -Xlint:all -d classes src/*.java 2>&1', hasSource: true,
    findings: [
      `^${line}: ${word}: (?:\\[(?P<rule>[\\w-]+)\\] )?(?P<message>.*)$`,
      '^(?P<level>warning): \\[(?P<rule>options)\\] (?P<message>.*)$',
    ],
    chatter: ['^\\s', '^Note: '], totals: ['^(?<count>\\d+) (?:error|warning)s?$'], hasTotal: true,
  },
  'tsc': {
    tool: 'tsc', command: 'npx tsc --noEmit --pretty false 2>&1',
    findings: [
      `^(?P<path>\\S.*?)\\((?P<line>\\d+),(?P<column>\\d+)\\): ${word} (?P<rule>TS\\d+): (?P<message>.*)$`,
      `^${place} - ${word} (?P<rule>TS\\d+): (?P<message>.*)$`, '^(?P<level>error) (?P<rule>TS\\d+): (?P<message>.*)$',
    ],
    more: '^\\s+(?P<message>\\S.*)$',
    chatter: ['^\\s*\\d+ ', '^\\s+~+\\s*$', '^\\s+\\S+:\\d+:\\d+$', '^Found 0 errors'],
    totals: ['^Found (?<errors>\\d+) errors?'],
  },
  'mypy': {
    tool: 'mypy', command: 'mypy src',
    findings: [`^${place}(?::(?P<endline>\\d+):\\d+)?: ${word}: (?P<message>.*?)(?:  \\[(?P<rule>[\\w-]+)\\])?$`],
    chatter: ['^Success: no issues found', '^[^:]+: note: (?:In .*|At top level):$'],
    totals: ['^Found (?<errors>\\d+) errors? in '],
  },
  'pyright': {
    tool: 'pyright', command: 'npx pyright src',
    findings: [`^\\s+${place} - ${word}: (?P<message>.*?)(?: \\((?P<rule>report\\w+)\\))?$`],
    more: '^[\\s\\x{a0}]+(?P<message>\\S.*?)(?: \\((?P<rule>report\\w+)\\))?$',
    chatter: ['^\\S+\\.pyi?$', '^0 errors, 0 warnings, 0 ', '^No (?:configuration|pyproject\\.toml) file found'],
    totals: ['^(?<errors>\\d+) errors?, (?<warnings>\\d+) warnings?, '], hasTotal: true,
  },
  'pylint': {
    tool: 'pylint', command: 'pylint src',
    findings: [
      `^${place}: (?P<code>(?P<level>[A-Z])\\d+): (?P<message>.*?)(?: \\((?P<rule>[\\w-]+)\\))?$`,
      `^${line}: \\[(?P<code>(?P<level>[A-Z])\\d+)(?:\\((?P<rule>[\\w-]+)\\))?[^\\]]*\\] (?P<message>.*)$`,
    ],
    chatter: [
      '^\\*+ Module ', '^-+$', '^No config file found, using default', '^Your code has been rated at 10\\.00/10',
    ],
    totals: ['^Your code has been rated at '],
  },
  'flake8': {
    tool: 'flake8', command: 'flake8 src',
    findings: [
      `^${place}: (?P<rule>(?P<level>[EFWCRI])\\d+) (?P<message>.*)$`,
      `^${place}: (?P<rule>[A-Z]+\\d+) (?P<message>.*)$`,
    ],
    chatter: ['^0$'], totals: ['^(?<count>[1-9]\\d*)$'],
  },
  'bandit': {
    tool: 'bandit', command: 'bandit -r -f custom src',
    findings: [`^${line}: (?P<rule>[A-Z]\\d+)\\[bandit\\]: ${word}: (?P<message>.*)$`],
    chatter: ['^\\[\\w+\\]\\s+INFO\\s', '^Working\\.\\.\\. '],
  },
  'vulture': {
    tool: 'vulture', command: 'vulture src', findings: [`^${line}: (?P<message>.* \\(\\d+% confidence.*\\))$`],
  },
  'codespell': {
    tool: 'codespell', command: 'codespell docs', findings: [`^${line}: (?P<message>.* ==> .*)$`],
  },
  'yamllint': {
    tool: 'yamllint', command: 'yamllint -f parsable .',
    findings: [`^${place}: \\[${word}\\] (?P<message>.*?)(?: \\((?P<rule>[\\w-]+)\\))?$`],
  },
  'markdownlint': {
    tool: 'markdownlint', command: "npx markdownlint-cli2 '**/*.md' 2>&1",
    findings: [
      `^${place} (?:${word} )?(?P<rule>[A-Z]+\\d+)(?:/\\S+)? (?P<message>.*)$`,
      `^${place} (?P<level>error|warning) (?P<rule>[\\w.-]+)(?:/\\S+)? (?P<message>.*)$`,
    ],
    chatter: ['^markdownlint-cli2 v', '^Finding: ', '^Found:', '^Linting: ', '^Summary: 0 error'],
    totals: ['^Summary: (?<errors>\\d+) error'],
  },
  'stylelint': {
    tool: 'stylelint', command: "npx stylelint --formatter unix '**/*.css' 2>&1",
    findings: [`^${place}: (?P<message>.*?)(?: \\((?P<rule>[\\w/@-]+)\\))? \\[${word}\\]$`],
    totals: [problems],
  },
  'eslint-unix': {
    tool: 'eslint', command: 'npx eslint --format unix .', findings: [unixFinding], totals: [problems], hasTotal: true,
  },
  'oxlint': {
    tool: 'oxlint', command: 'npx oxlint --format unix', findings: [unixFinding], totals: [problems],
  },
  'htmlhint': {
    tool: 'htmlhint', command: 'npx htmlhint --format unix', findings: [unixFinding], totals: [problems],
  },
  'jshint': {
    tool: 'jshint', command: 'npx jshint --reporter=unix src', findings: [`^${place}: (?P<message>.*)$`],
    totals: ['^(?<errors>\\d+) errors?$'],
  },
  'standard': {
    tool: 'standard', command: 'npx standard 2>&1', level: 'error',
    findings: [`^\\s+${place}: (?P<message>.*?)(?: \\((?P<rule>[\\w/@-]+)\\)(?: \\(${word}\\))?)?$`],
    chatter: ['^standard: '],
  },
  'go-vet': {
    tool: 'go-vet', command: 'go vet ./... 2>&1', findings: [`^(?:vet: )?${place}: (?P<message>.*)$`],
    chatter: ['^# ', '^go: downloading '], totals: ['^exit status \\d+$'],
  },
  'shellcheck-gcc': {
    tool: 'shellcheck', command: 'shellcheck --format gcc *.sh',
    findings: [`^${place}: ${word}: (?P<message>.*?)(?: \\[(?P<rule>SC\\d+)\\])?$`],
  },
  'cppcheck': {
    tool: 'cppcheck', command: 'cppcheck --enable=all src 2>&1', findings: [gccFinding], hasSource: true,
    chatter: ['^\\s', '^Checking .*\\.\\.\\.$', '^\\d+/\\d+ files checked '], noFinding: '^nofile:0:0: information: ',
  },
  'cpplint': {
    tool: 'cpplint', command: 'cpplint src/*.cc 2>&1',
    findings: [`^${line}: {1,2}(?P<message>.*?) {1,2}\\[(?P<rule>[^\\]]+)\\] \\[\\d\\]$`],
    chatter: ['^Done processing ', '^Total errors found: 0$'],
    totals: ['^Total errors found: (?<errors>\\d+)', "^Category '.*' errors found"],
  },
  'clippy': {
    tool: 'clippy', command: 'cargo clippy --message-format short 2>&1',
    findings: [`^${place}: ${word}(?:\\[(?P<rule>\\w+)\\])?: (?P<message>.*)$`],
    chatter: ['^\\s+[A-Z][a-z]+ '],
    totals: [
      '^warning: .* generated (?<warnings>\\d+) warnings?(?: \\((?<repeated>\\d+) duplicates?\\))?',
      '^error: could not compile ', '^warning: build failed',
    ],
  },
  'rubocop': {
    tool: 'rubocop', command: 'rubocop --format emacs',
    findings: [`^${place}: (?P<level>[A-Z]): (?:\\[[^\\]]*\\] )?(?P<rule>[\\w/]+): (?P<message>.*)$`],
  },
  'phpcs': {
    tool: 'phpcs', command: 'phpcs --report=emacs src',
    findings: [`^${place}: ${word} - (?P<message>.*?)(?: \\((?P<rule>\\w+(?:\\.\\w+)+)\\))?$`],
  },
  'luacheck': {
    tool: 'luacheck', command: 'luacheck --formatter plain --codes .',
    findings: [
      `^\\s*${place}(?:-\\d+)?: \\((?P<rule>(?P<level>[A-Z])\\d+)\\) (?P<message>.*)$`,
      `^\\s*${place}(?:-\\d+)?: (?P<message>.*)$`,
    ],
    chatter: ['^Checking .* OK$', '^Total: 0 warnings / 0 errors '],
    totals: ['^Checking ', '^Total: (?<warnings>\\d+) warnings? / (?<errors>\\d+) errors?'],
  },
  'perlcritic': {
    tool: 'perlcritic', command: 'perlcritic --verbose 1 lib', findings: [`^${place}:(?P<message>.+)$`],
    chatter: [' source OK$'],
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as PresetName[];
