import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../src/cli/notes/findings/read.js';
import { readText } from '../../../support/reports.js';
import { everyRow } from '../../../support/rows.js';

const at = { line: 9, column: 1 };
const eslint = (message: object) => JSON.stringify([{ filePath: 'a.x', messages: [{ severity: 2, ...at, ...message }] }]);
const sarif = (name: string, ruleId: string | undefined, text: string, level = 'error') => JSON.stringify({ runs: [{
  tool: { driver: { name } },
  results: [{ ruleId, level, message: { text }, locations: [{ physicalLocation: { artifactLocation: { uri: 'a.x' }, region: { startLine: 9 } } }] }],
}] });
const codequality = (check_name: string | undefined, description: string, path = 'a.x') =>
  JSON.stringify([{ check_name, description, severity: 'minor', location: { path, lines: { begin: path === '' ? 0 : 9 } } }]);
const rdjson = (name: string, value: string | undefined, message: string) => JSON.stringify({ source: { name }, diagnostics: [
  { message, ...value !== undefined && { code: { value } }, location: { path: 'a.x', range: { start: at } } }] });
const checkstyle = (source: string, message: string, severity = 'error') =>
  `<checkstyle><file name="a.x"><error line="9" severity="${severity}" message="${message}" source="${source}"/></file></checkstyle>`;
const junit = (name: string, message: string, { kind = 'failure', classname = '' } = {}) =>
  `<testsuites><testsuite name="a.x" file="a.x"><testcase name="${name}" classname="${classname}" line="9">`
  + `<${kind} message="${message}"/></testcase></testsuite></testsuites>`;

const phpstan = (name: string, message: string) =>
  `<testsuite failures="1" name="phpstan" tests="1"><testcase name="${name}"><failure type="ERROR" message="${message}"/></testcase></testsuite>`;

type Row = readonly [name: string, format: Format, report: string, message?: string];

/** Each says of line 9 of a.x that the tool could not read the file. */
const unread: readonly Row[] = [
  ['ESLint', 'eslint', eslint({ fatal: true, ruleId: null, message: 'Parsing error: x' }), 'Parsing error: x'],
  ['ESLint', 'eslint-unix', 'a.x:9:1: Parsing error: x [Error]\n\n1 problem\n', 'Parsing error: x'],
  ['ESLint', 'lines', 'a.x:9:1: Parsing error: x [Error]\n', 'Parsing error: x'],
  ['ESLint', 'checkstyle', checkstyle('', 'Parsing error: x'), 'Parsing error: x'],
  ['ESLint', 'codequality', codequality('', 'Parsing error: x'), 'Parsing error: x'],
  ['ESLint', 'junit', junit('org.eslint.unknown', 'Parsing error: x', { kind: 'error' }), 'Parsing error: x'],
  ['standard', 'standard', '  a.x:9:1: Parsing error: x (null)\n', 'Parsing error: x'],
  ['Oxlint', 'oxlint', 'a.x:9:1: Expected `}` [Error]\n\n1 problem\n', 'Expected `}`'],
  ['Oxlint', 'junit', junit('', 'Expected `}`', { kind: 'error' }).replace('<testsuites', '<testsuites name="Oxlint"')],
  ['JSHint', 'jshint', 'a.x:9:1: Unrecoverable syntax error. (90% scanned).\n\n1 error\n'],
  ['JSHint', 'checkstyle', checkstyle('jshint.E041', 'Unrecoverable syntax error.')],
  ['JSHint', 'checkstyle', checkstyle('jshint.E043', 'Too many errors.')],
  ['stylelint', 'stylelint', 'a.x:9:1: Unclosed block (CssSyntaxError) [error]\n', 'Unclosed block'],
  ['stylelint', 'checkstyle', checkstyle('stylelint.rules.CssSyntaxError', 'Unclosed block')],
  ['stylelint', 'junit', junit('CssSyntaxError', 'Unclosed block')],
  ['Biome', 'rdjson', rdjson('Biome', 'parse', 'expected `}`')], ['Biome', 'codequality', codequality('parse', 'expected `}`')],
  ['Biome', 'junit', junit('org.biome.parse', 'expected `}`')],
  ['flake8', 'flake8', 'a.x:9:1: E999 SyntaxError: invalid syntax\n', 'SyntaxError: invalid syntax'],
  ['flake8', 'flake8', 'a.x:9:1: E902 FileNotFoundError: x\n'], ['flake8', 'lines', 'a.x:9:1: E999 SyntaxError: invalid syntax\n'],
  ['flake8', 'codequality', codequality('E999', 'SyntaxError')], ['pycodestyle', 'lines', 'a.x:9:1: E901 SyntaxError: x\n'],
  ['Pylint', 'pylint', 'a.x:9:1: E0001: invalid syntax (syntax-error)\n'], ['Pylint', 'pylint', 'a.x:9:0: F0001: No module named a.x (fatal)\n'],
  ['Pylint', 'pylint', 'a.x:9: [F0002(astroid-error), ] error while building\n'], ['Pylint', 'lines', 'a.x:9:1: F0010: error while parsing (parse-error)\n'],
  ['Pylint', 'pylint', "a.x:9:0: F0011: error while parsing the configuration: '/a.x'\n\t[line  3]: '[x\\n' (config-parse-error)\n"],
  ['Pylint', 'pylint', 'a.x:9:0: F0011: error while parsing the configuration: no (config-parse-error)\n'],
  ['Pylint', 'pylint', "a.x:9:0: E0013: Plugin 'x' is impossible to load (bad-plugin-value)\n"],
  ['Pylint', 'codequality', codequality('E0001', 'invalid syntax')], ['cfn-lint', 'sarif', sarif('cfn-lint', 'E0000', 'Template needs an object')],
  ['Ruff', 'lines', 'a.x:9:1: invalid-syntax: Expected an expression\n'], ['Ruff', 'lines', 'a.x:9:1: SyntaxError: Expected an expression\n'],
  ['Ruff', 'sarif', sarif('ruff', 'invalid-syntax', 'Expected an expression')], ['Ruff', 'sarif', sarif('ruff', undefined, 'SyntaxError: x')],
  ['Ruff', 'rdjson', rdjson('ruff', undefined, 'SyntaxError: x')], ['Ruff', 'codequality', codequality('syntax-error', 'x')],
  ['Ruff', 'junit', junit('org.ruff.invalid-syntax', 'Expected an expression')],
  ['mypy', 'mypy', 'a.x:9: error: invalid syntax  [syntax]\n'], ['yamllint', 'yamllint', 'a.x:9:1: [error] syntax error: x (syntax)\n'],
  ['RuboCop', 'rubocop', 'a.x:9:1: F: Lint/Syntax: unexpected token\n'], ['RuboCop', 'junit', junit('Lint/Syntax', 'unexpected token')],
  ['ShellCheck', 'shellcheck-gcc', 'a.x:9:1: error: Unexpected. Fix and try again. [SC1072]\n'],
  ...['1070', '1088', '1089'].flatMap((code): Row[] => [
    ['ShellCheck', 'shellcheck-gcc', `a.x:9:1: error: Parsing stopped here. [SC${code}]\n`],
    ['ShellCheck', 'checkstyle', checkstyle(`ShellCheck.SC${code}`, 'Parsing stopped here.')],
  ]),
  ['ShellCheck', 'checkstyle', checkstyle('ShellCheck.SC1073', 'Couldn&apos;t parse this if expression.')],
  ['ShellCheck', 'sarif', sarif('ShellCheck', 'SC1071', 'ShellCheck only supports sh/bash/dash/ksh')],
  ['hadolint', 'codequality', codequality('DL1000', 'unexpected end of input')],
  ['Checkstyle', 'checkstyle', checkstyle('com.puppycrawl.tools.checkstyle.TreeWalker', 'IllegalStateException')],
  ['Checkstyle', 'checkstyle', checkstyle('com.puppycrawl.tools.checkstyle.Checker', 'Got an exception')],
  ['Checkstyle', 'sarif', sarif('Checkstyle', 'parse.exception', 'x')], ['Psalm', 'checkstyle', checkstyle('ParseError', 'x')],
  ['PHP_CodeSniffer', 'checkstyle', checkstyle('Internal.Tokenizer.Exception', 'minified', 'warning')],
  ['PHP_CodeSniffer', 'phpcs', 'a.x:9:1: error - An error occurred during processing; checking has been aborted. The error message was: x\n'],
  ['PHP_CodeSniffer', 'junit', junit('Internal.Exception at a.x (9:1)', 'x')],
  ['PHPStan', 'checkstyle', checkstyle('phpstan.parse', 'Syntax error')], ['PHPStan', 'checkstyle', checkstyle('phpstan.internal', 'Internal error')],
  ['PHPStan', 'codequality', codequality(undefined, 'Syntax error, unexpected EOF on line 9')],
  ['PHPStan', 'codequality', codequality(undefined, 'Internal error: no')], ['PHPStan', 'lines', 'a.x:9:Syntax error, unexpected EOF on line 9\n'],
  ['Phan', 'checkstyle', checkstyle('PhanSyntaxError', 'x')], ['ktlint', 'checkstyle', checkstyle('', 'Not a valid Kotlin file (9:1 expecting x)')],
  ['golangci-lint', 'checkstyle', checkstyle('typecheck', 'undefined: x')], ['golangci-lint', 'sarif', sarif('golangci-lint', 'typecheck', 'undefined: x')],
  ['mypy', 'mypy', 'a.x:9: error: INTERNAL ERROR -- Please try again\n'], ['Go', 'lines', 'a.x:9:1: too many errors\n'],
  ['Go', 'go-vet', 'a.x:9:1: no required module provides package x; to add it:\n'], ['Go', 'go-vet', 'a.x:9:1: cannot find package "x" in any of:\n'],
  ['Go', 'go-vet', 'go: finding module for package x\na.x:9:1: cannot find module providing package x: no\n'],
  ['MSBuild', 'lines', 'a.x(9,1): error MSB4018: The "X" task failed unexpectedly.\n'],
  ['golangci-lint', 'lines', 'a.x:9:1: undefined: x (typecheck)\n'], ['golangci-lint', 'junit', junit('typecheck', 'undefined: x', { classname: 'a.go:9:1' })],
  ['staticcheck', 'lines', 'a.x:9:1: undeclared name: x (compile)\n'], ['ansible-lint', 'codequality', codequality('syntax-check[specific]', 'x')],
  ['ansible-lint', 'sarif', sarif('ansible-lint', 'load-failure[not-found]', 'x')], ['ansible-lint', 'sarif', sarif('ansible-lint', 'parser-error', 'x')],
  ['GCC', 'gcc', 'a.x:9:1: fatal error: x.h: No such file\n'], ['GCC', 'lines', 'a.x:9:1: fatal error: x.h: No such file\n'],
  ['MSVC', 'lines', 'a.x(9) : fatal error C1083: x.h\n'], ['clang-tidy', 'gcc', 'a.x:9:1: error: unknown type [clang-diagnostic-error]\n'],
  ['Cppcheck', 'cppcheck', 'a.x:9:1: error: syntax error [syntaxError]\n'], ['Cppcheck', 'sarif', sarif('Cppcheck', 'preprocessorErrorDirective', '#error x')],
  ['Clippy', 'clippy', 'a.x:9:1: error[E0308]: mismatched types\n'], ['luacheck', 'luacheck', '    a.x:9:1: (E011) expected identifier\n'],
  ['tsc', 'tsc', 'a.x(9,1): error TS1109: Expression expected.\n'], ['tsc', 'lines', 'a.x(9,1): error TS1005: \';\' expected.\n'],
  ...['1007', '1131', '1136', '1146', '1359', '1381', '1440', '1490', '2657', '2809', '6188', '8010', '17002', '17014', '18026'].map((code) =>
    ['tsc', 'tsc', `a.x(9,1): error TS${code}: no\n`] as const),
  ['javac', 'javac', 'a.x:9: error: reached end of file while parsing\n1 error\n'], ['javac', 'javac', "a.x:9: error: ';' expected\n1 error\n"],
];

/** Each ends the work of javac before it checks types. */
const javacSyntax = [
  "'else' without 'if'", "'try' without 'catch', 'finally' or resource declarations", 'not a statement', 'orphaned case',
  'invalid method declaration; return type required', "illegal character: '#'", 'malformed floating-point literal', 'unclosed string literal',
  'variable declaration not allowed here', 'empty character literal', 'integer number too large', 'array dimension missing',
  'class, interface, enum, or record expected', 'illegal escape character', 'illegal text block open delimiter sequence, missing line terminator',
  'hexadecimal numbers must contain at least one hexadecimal digit', "as of release 9, '_' is a keyword, and may not be used as an identifier",
  'repeated modifier', 'varargs parameter must be the last parameter', "'var' is not allowed in a compound declaration",
  'field declaration must be static', 'unmappable character (0xFF) for encoding UTF-8', 'records are not supported in -source 11',
  'patterns in switch statements are a preview feature and are disabled by default.',
];

/** They look alike, but the tool has read the file. */
const read: readonly Row[] = [
  ['a rule of vue', 'eslint', eslint({ ruleId: 'vue/no-parsing-error', message: 'Parsing error: x' })],
  ['an unused directive', 'eslint', eslint({ ruleId: null, message: 'Unused eslint-disable directive' })],
  ['a message without a rule', 'eslint-unix', 'a.x:9:1: Unused eslint-disable directive [Error]\n\n1 problem\n'],
  ['words of an unknown tool', 'lines', 'a.x:9:1: error: cannot parse this, syntax error\n'], ['a word of a rule', 'lines', 'a.x:9:1: parse this first\n'],
  ['a rule in the text', 'lines', 'a.x:9:1: error: use E999 here [r]\n'], ['an error of gcc', 'gcc', 'a.x:9:1: error: no [-Werror=parse]\n'],
  ['a class of another tool', 'checkstyle', checkstyle('Checker', 'x')],
  ['a code of another tool', 'checkstyle', checkstyle('E011', 'x')], ['a rule named fatal', 'checkstyle', checkstyle('fatal', 'x')],
  ['actionlint', 'sarif', sarif('actionlint', 'syntax-check', 'unexpected key')], ['a longer rule', 'codequality', codequality('my-parse', 'x')],
  ...['1141', '1192', '1200', '1259', '1308', '1361', '1499', '2322', '2427', '5097', '6133', '8020', '17000', '18007'].map((code) =>
    ['a semantic error', 'tsc', `a.x(9,1): error TS${code}: no\n`] as const),
  ...[
    'cannot find symbol', 'illegal combination of modifiers: abstract and final', 'missing return statement', 'unexpected type',
    'abstract methods cannot have a body', 'yield outside of switch expression', 'modifier default not allowed here',
  ].map((message) => ['an error of javac', 'javac', `a.x:9: error: ${message}\n1 error\n`] as const),
  ['a warning', 'javac', 'a.x:9: warning: not a statement\n1 warning\n'], ['another language', 'lines', 'a.x:9: error: not a statement\n'],
  ['a method that was not checked', 'pylint', 'a.x:9:0: F0202: no\n'],
  ['a character that was read', 'shellcheck-gcc', 'a.x:9:1: error: no [SC1087]\n'],
  ['pyflakes', 'flake8', 'a.x:9:1: F401 unused\n'], ['a lint of rustc', 'clippy', 'a.x:9:1: warning[E0133]: no\n'],
  ['an unused directive', 'oxlint', 'a.x:9:1: Unused eslint-disable directive [Error]\n\n1 problem\n'], ['a level', 'lines', 'a.x:9:1: fatal: no\n'],
  ['a tool with the name of a property', 'sarif', sarif('constructor', 'r', 'no')],
  ['mixed line endings', 'checkstyle', checkstyle('Internal.LineEndings.Mixed', 'x')],
  ['a test without a name', 'junit', junit('', 'x', { kind: 'error' })],
  ['a failing test', 'junit', junit('typecheck', 'SyntaxError: x')], ['a test named parse', 'junit', junit('parse', 'Parsing error: x')],
  ['a message of ESLint in JUnit', 'junit', junit('org.eslint.unknown', 'Unused eslint-disable directive')],
];

describe('a finding that says that the tool could not read the file', () => {
  it('is posted wherever it is, as an error, and the run counts as failed', () => everyRow(
    unread, ([name, format, report]) => `${name}: ${format} ${report}`, async ([, format, text, message]) => {
      const { findings, failure } = await readText(format, text);
      expect(findings).toMatchObject([{ file: 'a.x', line: 9, isAnywhere: true, level: 'error', ...message !== undefined && { message } }]);
      const { tool, message: said } = findings[0]!;
      expect(failure).toBe(`report: a.x:9: ${tool ?? 'the tool'} did not check the whole file: ${said}`);
    }));

  it('is not one that only looks like it', () => everyRow(
    read, ([name, format, report]) => `${name}: ${format} ${report}`, async ([, format, text]) => {
      const { findings, failure } = await readText(format, text);
      expect([findings.length, failure]).toEqual([1, undefined]);
      expect(format === 'junit' || findings[0]!.isAnywhere === undefined).toBe(true);
    }));

  it('is a syntax error of javac, in the forms of Gradle and Maven too', () => everyRow(javacSyntax, (message) => message, async (message) => {
    const reports: readonly (readonly [Format, string])[] = [
      ['javac', `A.java:9: error: ${message}\n1 error\n`], ['lines', `A.java:9: error: ${message}\n1 error\n`],
      ['lines', `[ERROR] A.java:[9,5] ${message}\n`], ['lines', `[ERROR] A.java:[9,5] error: ${message}\n`],
    ];
    for (const [format, text] of reports) {
      const { findings, failure } = await readText(format, text);
      expect(findings).toMatchObject([{ file: 'A.java', line: 9, isAnywhere: true, level: 'error' }]);
      expect(failure).toContain(`did not check the whole file: ${message}`);
    }
  }));

  it('is one about a configuration of tsc, which then checks no types', () => everyRow<readonly [Format, string]>([
    ['tsc', 'tsconfig.json(9,5): error TS5107: Option is deprecated.\n  Visit us.\n'], ['lines', 'web/tsconfig.app.json(9,5): error TS6046: no\n'],
    ['tsc', 'tsconfig.jsonc:9:5 - error TS2688: no\n'],
  ], ([, text]) => text, async ([format, text]) => {
    const { findings, failure } = await readText(format, text);
    expect(findings).toMatchObject([{ line: 9, isAnywhere: true, level: 'error' }]);
    expect(failure).toMatch(/^report: \S*tsconfig\S*:9: .* did not check the whole file: /);
  }));

  it('is one of PHPStan about itself, which has no file, unless a pattern of its configuration matched nothing', async () => {
    const [crash, other] = ['Child process error (exit code 255): while running parallel worker', 'Undefined array key 3 while analysing file a.x'];
    for (const text of [crash, other]) {
      const { findings, failure } = await readText('codequality', codequality(undefined, text, ''));
      expect(findings).toMatchObject([{ file: '', level: 'error', isAnywhere: true }]);
      expect(failure).toBe(`report: the tool did not check the whole file: ${text}`);
      expect((await readText('junit', phpstan('General error', text))).failure).toContain(text);
      expect((await readText('lines', `a.x:9:no\n?:?:${text}\n`)).failure).toContain(text);
    }
    const unmatched = 'Ignored error pattern #x# was not matched in reported errors.';
    expect((await readText('codequality', codequality(undefined, unmatched, ''))).failure).toBeUndefined();
    expect((await readText('codequality', codequality('r', 'no', ''))).failure).toBeUndefined();
    expect((await readText('junit', phpstan('General error', unmatched))).failure).toBeUndefined();
    expect((await readText('junit', phpstan('a.x:9', 'no'))).failure).toBeUndefined();
    expect((await readText('junit', phpstan('a.x:9', 'Syntax error, unexpected EOF'))).failure).toContain('Syntax error, unexpected EOF');
    expect((await readText('lines', `a.x:9:no\n?:?:${unmatched}\n`)).failure).toBeUndefined();
  });

  it('is named with the file that a suite of tests is named after', async () => {
    const text = '<testsuite name="src/a.js"><testcase name="org.eslint.unknown"><error message="Parsing error: x"/></testcase></testsuite>';
    expect((await readText('junit', text)).failure).toBe('report: src/a.js: the tool did not check the whole file: Parsing error: x');
  });

  it('comes before other reasons, and may name no file', async () => {
    const text = 'a.c:1:2: fatal error: no\ncompilation terminated.\n';
    expect((await readText('gcc', text)).failure).toBe('report: a.c:1: gcc did not check the whole file: no; report: line 2: compilation terminated.');
    const nowhere = JSON.stringify({ runs: [{ tool: { driver: { name: 'ruff' } }, results: [{ ruleId: 'E902', message: { text: 'no' } }] }] });
    expect((await readText('sarif', nowhere)).failure).toBe('report: ruff did not check the whole file: no');
  });
});
