import type { Finding, Report, RunFailure } from './finding.js';
import { printedPlace } from './title.js';

/**
 * Posts what says that the tool could not read a file, as an error wherever it is, and fails the run: other findings in
 * that file are missing.
 */
export const withFatal = (report: Report): Report => {
  const findings = report.findings.filter((one) => !isWrongCall(one)).map((finding): Finding => isFatal(finding)
    ? { ...finding, isFatal: true, isAnywhere: true, level: 'error' } : finding);
  const failures = [
    ...report.findings.filter(isWrongCall).map(({ tool, message }) =>
      ({ place: null, message: `${tool ?? 'the tool'} did not run to its end: ${message}` })),
    ...findings.filter((one) => one.isFatal).map(fatalFailure), ...report.failures ?? [],
  ];
  return failures.length === 0 ? report : { ...report, findings, failures };
};

/** Options and configurations of tsc. */
const isWrongCall = ({ file, rule }: Finding): boolean => file === '' && /^TS[56]\d{3}$/.test(rule ?? '');

const isOfConfiguration = ({ file, rule }: Finding): boolean =>
  /\.jsonc?$/.test(file) && /^TS\d+$/.test(rule ?? '');

const fatalFailure = (finding: Finding): RunFailure => ({
  place: printedPlace(finding.file === '' ? finding.guesses?.[0] ?? finding : finding) || null,
  message: `${finding.tool ?? 'the tool'} did not check the whole file: ${finding.message}`,
});

/** The rule of a test is its name, so the reader of tests decides itself. */
const isFatal = (finding: Finding): boolean => {
  const { isFatal: known, isAnywhere, tool, rule, message } = finding;
  if (known !== undefined || isOfPhpstan(finding)) return known ?? true;
  if (isAnywhere) return false;
  if (ofTools.get((tool ?? '').toLowerCase())?.(finding) || isOfJavac(finding)) return true;
  if (rule && rule !== 'null') return anyRule.test(rule) || isOfConfiguration(finding);
  return messages.test(message) || anyRule.test(/ \(([\w/-]+)\)$/.exec(message)?.[1] ?? '');
};

/** The rules by which linters report it. */
const anyRule = new RegExp(`^(?:${[
  // flake8, pycodestyle, Ruff, Pylint and cfn-lint
  'E90[12]', 'E999', 'invalid-syntax', 'syntax-error', 'E000[01]', 'F00\\d\\d', 'E0013',
  'astroid-error', '(?:config-)?parse-error', 'bad-plugin-value',
  // mypy and yamllint, Biome, golangci-lint, staticcheck, clang-tidy
  'syntax', 'parse', 'typecheck', 'compile', 'clang-diagnostic-error',
  // RuboCop, stylelint, ShellCheck, hadolint
  'Lint/Syntax', 'CssSyntaxError', 'SC10(?:7[0-3]|8[89])', 'DL1000',
  // PHP_CodeSniffer, PHPStan, Phan, Psalm
  'Internal\\.(?:Tokenizer\\.)?Exception', 'phpstan\\.(?:parse|internal)', 'PhanSyntaxError', 'ParseError',
  // Cppcheck calls them critical errors
  'syntaxError', 'internalAstError', 'internalError', 'cppcheckError', 'instantiationError', 'unknownMacro',
  'preprocessorErrorDirective',
  // JSHint, ansible-lint and html-validate; the scanner and parser of TypeScript; MSBuild
  'E04[123]', '(?:syntax-check|load-failure)\\[.*\\]', 'parser-error',
  'TS1(?:00[2357]|01[012]|034|06[89]|084|109|110|12[14-9]|13\\d|14[024-6]|16[01]|17[789]|18[015]|19[89]|209|260)',
  'TS1(?:35[12379]|38[125-9]|390|43[3-9]|44[012]|47[278]|48[7-9]|490)', 'TS2(?:657|754|809|819)', 'TS618[89]',
  'TS80(?:0[2-9]|1[0-7]|3[78])', 'TS170(?:02|0[678]|1[45]|21)', 'TS180(?:09|16|26|29|30)', 'MSB[14]\\d{3}',
].join('|')})$`);

/** What is clear only if the tool is known. Two codes of rustc are those of lints too. */
const ofTools = new Map<string, (finding: Finding) => boolean>([
  ['ruff', ({ rule }) => !rule],
  ['oxlint', ({ rule, level, message }) => !rule && level === 'error' && !message.startsWith('Unused ')],
  ['pylint', ({ rule }) => rule === 'fatal'],
  ['clippy', ({ rule }) => /^E(?!0133|0170)\d{4}$/.test(rule ?? '')],
  ['checkstyle', ({ rule }) => /^(?:parse|general)\.exception$/.test(rule ?? '')],
  ['luacheck', ({ rule }) => rule === 'E011'],
  ['ansible-lint', ({ rule }) => /^(?:syntax-check|load-failure|internal-error)$/.test(rule ?? '')],
  ['jshint', ({ message }) => /^(?:Unrecoverable syntax error|Too many errors)\. \(\d+% scanned\)/.test(message)],
]);

const isOfPhpstan = ({ tool, file, rule, message }: Finding): boolean => {
  const isGeneral = rule === 'phpstan > General error' || (tool === null && file === '' && rule === null);
  return isGeneral ? !message.startsWith('Ignored error pattern ')
    : /^phpstan\b/.test(rule ?? '') && messages.test(message);
};

const isOfJavac = ({ tool, file, level, rule, message }: Finding): boolean =>
  (tool === 'javac' || (tool === null && file.endsWith('.java'))) && level === 'error' && !rule
  && javacSyntax.test(message);

/** javac checks types only if its reader, scanner and parser report nothing. */
const javacSyntax = new RegExp(`^(?:${[
  '(?:.* )?expected', 'reached end of file while parsing', 'not a statement', 'statements not expected .*',
  'unexpected statement .*', "'.*' without '.*", 'orphaned .*', 'unclosed .*', 'empty character literal',
  'malformed floating-point literal', '(?:integer|floating-point) number too (?:large|small).*',
  '(?:hexadecimal|binary) numbers must .*',
  "illegal (?:character|escape|line end|non-ASCII|start of|text block|underscore|unicode|'\\.').*",
  'array dimension missing', 'array creation with both .*', 'cannot create array with .*', 'legacy array notation .*',
  'invalid (?:method declaration|lambda parameter|permits clause|use of a restricted).*', 'extraneous semicolon',
  '.* declarations? not allowed here', '(?:instance )?initializers not allowed .*', "'.*' (?:is )?not allowed .*",
  'as of release \\d.*', "'_' used as an identifier.*", 'repeated modifier', 'varargs .*',
  'wrong receiver parameter name', 'field declaration must be static.*', 'record components .*',
  'enum types must not be local', "expected 'module'", 'enum constant (?:not )?expected here',
  'sealed or non-sealed local classes .*', 'the try-with-resources resource must .*',
  'no annotations are allowed .*', 'module declarations should .*',
  'bad initializer for .*', 'unmappable character .*', '.* not supported in -source .*', '.* disabled by default.*',
].join('|')})$`, 's');

/** ESLint, Ruff, ktlint, linters of PHP, mypy and Go print these without a rule, flake8 with one at the start. */
const messages = new RegExp([
  '^Parsing error: ', '^SyntaxError: ', '^invalid-syntax: ', '^E(?:90[12]|999) ', '^Not a valid Kotlin file \\(',
  '^An error occurred during processing; checking has been aborted', '^INTERNAL ERROR\\b', '^too many errors$',
  '^Syntax error, unexpected ', '^Internal error: ',
  '^cannot find (?:package|module providing package) ', '^no required module provides package ',
  '^could not import ', '^package \\S+ is not in ',
].join('|'));

type LinterTest = Readonly<Record<'name' | 'classname' | 'kind' | 'tool', string>>;

/** Whether the test is one that a linter made of such a finding. */
export const isFatalTest = ({ name, classname, kind, tool }: LinterTest): boolean =>
  /^(?:org\.(?:biome\.parse|ruff\.(?:invalid-syntax|syntax-error|E902|E999))|CssSyntaxError|Lint\/Syntax)$/.test(name)
  || (name === 'org.eslint.unknown' && kind === 'error')
  || (name === '' && kind === 'error' && tool === 'Oxlint')
  || (name === 'typecheck' && /\.go:\d+(?::\d+)?$/.test(classname))
  || /^Internal\.(?:Tokenizer\.)?Exception at /.test(name);

interface FailedTest extends Omit<LinterTest, 'tool'> {
  readonly message: string;
  readonly text: string;
  readonly suite: string;
  /** Whether no other test of its class was run. */
  readonly isAlone: boolean;
  readonly hasSkipped: boolean;
}

/** Whether it is not a test that failed, but the reason why tests of a file, class or package were not run. */
export const isInsteadOfTests = (
  { name, classname, kind, message, text, suite, isAlone, hasSkipped }: FailedTest,
): boolean =>
  (kind === 'error' && errorsOfRuns.test(message)) || titlesOfRuns.test([suite, classname, name].join('\n'))
  || (isAlone && (name === 'classMethod' || isNamedAfterClass(name, classname, suite)))
  || [name, classname].some(isHook) || hasSkipped || endsProgram(text)
  || (classname === 'test' && message === 'test failed' && /\.[cm]?[jt]s$/.test(name));

/** Suite, class and name: of JUnit, go-junit-report, sbt, Jest, Ant, unittest, gotestsum, PHPUnit and others. */
const titlesOfRuns = new RegExp([
  '\\n(?:initializationError|\\[(?:build|setup) failed\\])$',
  '\\n\\(It is not a test it is a sbt\\.testing\\.SuiteSelector\\)$',
  '\\n(?:Test suite failed to run|junit\\.framework\\.TestSuite(?:\\$1)?)\\n',
  '\\nunittest\\.(?:loader\\._FailedTest|suite\\._ErrorHolder)\\n', '\\n\\.?\\nTestMain$',
  '^[\\w\\\\]+::\\w+\\n\\n(?:Error|Warning)$',
  '\\n(?:setup_file failed|setup_suite\\nsetup_suite)$', '\\n\\[?(?:Synchronized)?BeforeSuite\\]?$',
  '\\nloading \\S+\\.dart$', '\\(setUpAll\\)$',
].join('|'));

/** A program of Go runs all tests of a package, and the one that ends it has no result, or a panic below it. */
const endsProgram = (text: string): boolean => {
  const below = text.slice(Math.max(0, text.lastIndexOf('--- FAIL: ')));
  return (below === text && text.startsWith('=== RUN '))
    || (/^(?:panic|fatal error): /m.test(below) && /^goroutine \d+ \[/m.test(below));
};

/** Those of pytest and go-junit-report. */
const errorsOfRuns = /^(?:collection failure|internal error|Build error|Runtime error|No test result found)$/;

/** Mocha and Cypress skip the rest of the suite, except after `"after all" hook`. */
const isHook = (title: string): boolean => title.length < 4_096 && hook.test(title);

const hook = /(?:^|\s)"(?:before all|before each|after each)" hook(?:(?:: \S+)? (?:for|in) ".*")?$/s;

/** Surefire leaves out the name, older versions repeat the class, and Vitest the file. */
const isNamedAfterClass = (name: string, classname: string, suite: string): boolean =>
  name === '' ? /^[\w$]+(?:\.[\w$]+)+$/.test(classname) : name === classname && name === suite && /[./]/.test(name);
