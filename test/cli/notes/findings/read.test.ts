import { describe, expect, it } from 'vitest';
import { readReports, reportFormats, type Format } from '../../../../src/cli/notes/findings/read.js';
import { readText, reportFixture } from '../../../support/reports.js';
import { everyRow } from '../../../support/rows.js';

describe('a report that cannot be used', () => {
  it.each<[Format, string, string, string]>([
    ['sarif', '{"runs": []}', 'report: runs: expected at least one run, got an empty list', 'check that report is a report in the format sarif'],
    ['eslint', '{}', 'report: expected a list, got an object', 'check that report is a report in the format eslint'],
    ['codequality', '[{"description": "x"}]', 'report: [0].location: expected an object, got nothing',
      'check that report is a report in the format codequality'],
    ['rdjson', '{"diagnostics": "none"}', 'report: diagnostics: expected a list, got the text "none"', 'check that report is a report in the format rdjson'],
    ['rdjsonl', '{"message": "x"}', 'report: line 1.location: expected an object, got nothing', 'check that report is a report in the format rdjsonl'],
    ['checkstyle', '<testsuites/>', 'report: line 1: expected <checkstyle>, got <testsuites>', 'check that report is a report in the format checkstyle'],
    ['junit', '<a/>', 'report: line 1: expected <testsuites> or <testsuite>, got <a>', 'check that report is a report in the format junit'],
    ['lines', 'Segmentation fault\n', 'report: line 1: expected lines of the form path:line[:column]: message, got "Segmentation fault"',
      'describe the lines with --pattern, or name the tool or format with --from'],
    ['diff', 'no diff\n', 'report: line 1: expected a unified diff, found no file', 'make it with `git diff`'],
  ])('is rejected with its name, the place and a hint: %s %s', async (format, text, message, hint) => {
    await expect(readText(format, text)).rejects.toMatchObject({ name: 'Problem', code: 'report', message, hint });
  });

  it('failed if it has a zero byte, where a tool wrote on after its file was emptied', async () => {
    expect(await readText('lines', 'a.js:1: no\n\0\0\0b.js:2: no\n')).toMatchObject({ findings: [{ file: 'a.js' }, {}],
      failure: 'report: line 2: a zero byte, where text may be missing' });
    await expect(readText('lines', '\0\0', { allowEmpty: true })).rejects.toMatchObject({ code: 'report' });
  });

  it('is named among several', async () => {
    const sources = [{ name: 'good.json', text: eslint({}) }, { name: 'bad.json', text: '{' }];
    await expect(readReports(sources, { format: 'eslint', allowEmpty: false })).rejects.toThrow('bad.json: line 1, column ');
  });

  it('cannot send control characters to a terminal', async () => {
    await expect(readText('checkstyle', '<\u009b31m/>')).rejects.toThrow(/^[^\u0080-\u009f]*$/);
    await expect(readText('rdjson', '{"diagnostics": "\u001b[31m\u009b"}')).rejects.toThrow(/^[^\p{Cc}]*$/u);
  });

  it.each(reportFormats)('is rejected if it is empty, unless --allow-empty is given: %s', async (format) => {
    await expect(readText(format, ' \n')).rejects.toMatchObject({ code: 'report', message: 'report is empty' });
    expect(await readText(format, '', { allowEmpty: true })).toMatchObject({ findings: [], unread: [] });
  });

  it('is not advised to be allowed empty if its tool names each file that it reads', async () => {
    await expect(readText('eslint', '')).rejects.toMatchObject({ hint: 'ESLint read no file: check its patterns and configuration' });
  });

  it('is empty if its tool names no file and no test that it read', () => everyRow<readonly [Format, string, readonly string[]]>([
    ['eslint', '[]', ['eslint']], ['junit', '<testsuites tests="0"/>', []], ['junit', '<testsuite tests="0"><properties/></testsuite>', []],
    ['junit', '<testsuites name="all" tests="0"><testsuite tests="0"/></testsuites>', []],
    ['junit', '<testsuites/>', []], ['junit', '<testsuites time="0">\n</testsuites>', []],
    ['junit', '<testsuites><testsuite name="ATest" file="ATest.php" tests="0" assertions="0"/></testsuites>', []],
    ['junit', '<testsuites name="pytest tests"><testsuite name="pytest" errors="0" tests="0" timestamp="2026-01-01T10:00:00" hostname="h"/></testsuites>', []],
  ], ([, text]) => text, async ([format, text, tools]) => {
    const [listed, what] = format === 'eslint' ? ['files', 'ESLint read no file'] : ['tests', 'no test ran'];
    await expect(readText(format, text)).rejects
      .toMatchObject({ code: 'report', message: `report lists no ${listed}`, hint: `${what}: check its patterns and configuration` });
    expect(await readText(format, text, { allowEmpty: true })).toMatchObject({ tools, findings: [] });
  }));

  it('is not empty if a clean run of a linter writes it so', () => everyRow<readonly [Format, string]>([
    ['checkstyle', '<checkstyle/>'], ['junit', '<testsuites></testsuites>'], ['junit', '<testsuites><testsuite tests="0"/></testsuites>'],
    ['junit', '<testsuite tests="0"><testcase name="phpstan"/></testsuite>'], ['codequality', '[]'], ['eslint', eslint({})],
  ], ([, text]) => text, async ([format, text]) => { expect(await readText(format, text)).toMatchObject({ findings: [] }); }));
});

describe('colors and control characters of a terminal', () => {
  const colored = '\u001b[01m\u001b[Kno\u001b[0m: \u001b]8;;http://x\u0007link\u001b]8;;\u0007\u0000 \u009b31mred\u0008\tend';
  const inJson = JSON.stringify(colored);

  it.each<[Format, string]>([
    ['sarif', `{"runs": [{"tool": {"driver": {"name": "T"}}, "results": [{"message": {"text": ${inJson}}}]}]}`],
    ['eslint', `[{"filePath": "a.js", "messages": [{"message": ${inJson}, "ruleId": ${inJson}}]}]`],
    ['codequality', `[{"location": {"path": "a.js"}, "description": ${inJson}}]`],
    ['rdjsonl', `{"location": {"path": "a.js"}, "message": ${inJson}}`],
    ['checkstyle', `<checkstyle><file name="a"><error message="${colored.replace('\t', '&#9;')}"/></file></checkstyle>`],
    ['junit', `<testsuite><testcase name="a"><failure message="${colored.replaceAll('\u001b', '&#27;').replace('\t', '&#9;')}">`
      + `${colored}</failure></testcase></testsuite>`],
    ['lines', `\u001b[01m\u001b[Ka.js:1:2:\u001b[m\u001b[K ${colored}`],
    ['gcc', `\u001b[01m\u001b[Ka.js:1:2:\u001b[m\u001b[K \u001b[01;35m\u001b[Kwarning: \u001b[m\u001b[K${colored}`],
  ])('are no part of a finding: %s', async (format, text) => {
    const { findings: [finding] } = await readText(format, text);
    expect(finding).toMatchObject({ message: 'no: link red\tend' });
    expect([finding!.details ?? finding!.message, finding!.rule ?? 'no: link red\tend']).toEqual([
      'no: link red\tend', format === 'junit' ? 'a' : 'no: link red\tend']);
  });
});

const sarif = (...runs: object[]) => JSON.stringify({ runs: runs.map((run) => ({ tool: { driver: { name: 'lint' } }, ...run })) });
const result = { message: { text: 'no' } };
const notes = (...list: object[]) => ({ executionSuccessful: true, toolExecutionNotifications: list });
const eslint = (counts: object, ...messages: object[]) => JSON.stringify([{ filePath: 'a.js', messages, ...counts }]);
const no = { ruleId: 'r', message: 'no', line: 1 };
const failing = '<testcase name="adds"><failure message="no"/></testcase>';
/** Surefire repeats a test that fails. */
const repeated = (counts: string) => `<testsuite ${counts} errors="0"><testcase name="adds"><failure message="no"/><rerunFailure/><rerunError/></testcase>
  <testcase name="pays"><flakyFailure/><flakyError/></testcase></testsuite>`;

/** Reports whose own words or counts say more than their findings: with the reason, and with the number of findings. */
const ofFailedRuns: readonly (readonly [name: string, Format, report: string, reason: string, findings: number])[] = [
  ['a count of failures without tests', 'junit', '<testsuite failures="3"/>', 'line 1: 3 failed tests counted, 0 reported', 0],
  ['a count of errors of all suites', 'junit', '<testsuites errors="1"><testsuite errors="0"/></testsuites>', 'line 1: 1 failed test counted, 0 reported', 0],
  ['a count of a nested suite', 'junit', `<testsuites>\n<testsuite>\n<testsuite failures="2">${failing}</testsuite></testsuite></testsuites>`,
    'line 3: 2 failed tests counted, 1 reported', 1],
  ['a count that is no number', 'junit', `<testsuite failures="many">${failing}</testsuite>`, 'line 1: many failed tests counted, 1 reported', 1],
  ['failures and errors that are not the same tests', 'junit', `<testsuite tests="2" failures="1" errors="1">${failing}</testsuite>`,
    'line 1: 2 failed tests counted, 1 reported', 1],
  ['tests that are not there', 'junit', '<testsuite name="a" tests="5"/>', 'line 1: 5 tests counted, 0 reported', 0],
  ['more tests than there are', 'junit', `<testsuite name="a" tests="5" failures="1">${failing}</testsuite>`, 'line 1: 5 tests counted, 1 reported', 1],
  ['tests of an inner suite', 'junit', `<testsuites>\n<testsuite tests="1">${failing}</testsuite>\n<testsuite tests="2"/></testsuites>`,
    'line 3: 2 tests counted, 0 reported', 1],
  ['tests of all suites', 'junit', `<testsuites tests="3"><testsuite>${failing}</testsuite><testsuite/></testsuites>`,
    'line 1: 3 tests counted, 1 reported', 1],
  ['tests that were not skipped', 'junit', `<testsuite tests="4" skipped="1">${failing}<testcase name="b"><skipped/></testcase></testsuite>`,
    'line 1: 4 tests counted, 2 reported', 1],
  ['tests of which some were repeated', 'junit', repeated('tests="7" failures="5"'), 'line 1: 7 tests counted, 6 reported', 1],
  ['failures of which some were repeated', 'junit', repeated('tests="6" failures="6"'), 'line 1: 6 failed tests counted, 5 reported', 1],
  ['failures of tests, not of each run', 'junit', repeated('tests="3" failures="2"'), 'line 1: 2 failed tests counted, 1 reported', 1],
  ['an error of a suite', 'junit', '<testsuite errors="1"><error message="cannot import app"/></testsuite>', 'line 1: cannot import app', 0],

  ['a failure of an inner suite', 'junit',
    `<testsuites><testsuite><testsuite><failure>\n  setup broke\n at x</failure></testsuite>${failing}</testsuite></testsuites>`,
    'line 1: setup broke', 1],
  ['a suite that failed', 'junit', '<testsuite name="api" status="failed"><testcase name="a"/></testsuite>', 'line 1: 1 failed test counted, 0 reported', 0],
  ['an exception', 'checkstyle', '<checkstyle><file name="A.java"><exception>\nCheckstyleException: parsing\n at x</exception></file></checkstyle>',
    'line 1: CheckstyleException: parsing', 0],
  ['an exception outside of files', 'checkstyle', '<checkstyle><exception/><file name="a"><error message="no"/></file></checkstyle>',
    'line 1: <exception> without a text', 1],
  ['an error outside of files', 'checkstyle', '<checkstyle><error message="no config"/></checkstyle>', 'line 1: no config', 0],
  ['errors without messages', 'eslint', eslint({ errorCount: 2, warningCount: 0 }), '[0].errorCount: 2 errors counted, 0 reported', 0],
  ['fewer errors than counted', 'eslint', eslint({ errorCount: 1 }, { ...no, severity: 1 }), '[0].errorCount: 1 error counted, 0 reported', 1],
  ['fatal errors without messages', 'eslint', eslint({ fatalErrorCount: 1 }), '[0].fatalErrorCount: 1 error counted, 0 reported', 0],
  ['warnings without messages', 'eslint', eslint({ errorCount: 0, warningCount: '3' }), '[0].warningCount: 3 problems counted, 0 reported', 0],
  ['no results', 'sarif', sarif({}), 'runs[0].results: expected a list of results, got nothing', 0],
  ['null as results', 'sarif', sarif({ results: [result] }, { results: null }), 'runs[1].results: expected a list of results, got null', 1],
  ['results in another file', 'sarif', sarif({ results: [], externalPropertyFileReferences: { results: [{ location: { uri: 'more.sarif' } }] } }),
    'runs[0].externalPropertyFileReferences.results: more.sarif is not read', 0],
  ['results beside the runs', 'sarif', JSON.stringify({ ...JSON.parse(sarif({ results: [] })), inlineExternalProperties: [{ results: [result] }] }),
    'inlineExternalProperties[0].results: external results are not read', 0],
  ['the end of the tool in another file', 'sarif', sarif({ results: [result], externalPropertyFileReferences: { invocations: [{ guid: 'x' }] } }),
    'runs[0].externalPropertyFileReferences.invocations: an external file is not read', 1],
  ['an error of the tool', 'sarif', sarif({ results: [], invocations: [notes({ level: 'warning' }, { level: 'error', message: { text: 'out of memory' } })] }),
    'runs[0].invocations[0].toolExecutionNotifications[1]: out of memory', 0],
  ['an error with another word', 'sarif', sarif({ results: [result], invocations: [notes({ level: 'Fatal' })] }),
    'runs[0].invocations[0].toolExecutionNotifications[0]: an error without a message', 1],

  ['an error of the configuration', 'sarif',
    sarif({ results: [result], invocations: [{ toolConfigurationNotifications: [{ level: 'error', message: { text: 'no rule' } }] }] }),
    'runs[0].invocations[0].toolConfigurationNotifications[0]: no rule', 1],
  ['a run that failed', 'sarif', sarif({ results: [result], invocations: [{ executionSuccessful: false, exitCodeDescription: 'killed' }] }),
    'runs[0].invocations[0].executionSuccessful: expected true, got false: the tool failed: killed', 1],
  ['a run that failed in other words', 'sarif', sarif({ results: [], invocations: [{ executionSuccessful: 'false' }] }),
    'runs[0].invocations[0].executionSuccessful: expected true, got "false": the tool failed', 0],
  ['a tool that ended by a signal', 'sarif', sarif({ results: [], invocations: [{ exitSignalName: 'SIGKILL' }] }),
    'runs[0].invocations[0].executionSuccessful: expected true, got nothing: the tool failed: SIGKILL', 0],
  ['a tool that ended by the number of a signal', 'sarif',
    sarif({ results: [result], invocations: [{ executionSuccessful: true, exitSignalNumber: 11 }] }),
    'runs[0].invocations[0].executionSuccessful: the tool failed: signal 11', 1],
  ['a conversion that failed', 'sarif', sarif({ results: [], conversion: { tool: {}, invocation: { executionSuccessful: false } } }),
    'runs[0].conversion.invocation.executionSuccessful: expected true, got false: the tool failed', 0],
  ['a crash', 'lines', 'a.py:1: error: no\nTraceback (most recent call last):\n', 'line 2: Traceback (most recent call last):', 1],
  ['a crash of Go', 'go-vet', './a.go:1:1: no\npanic: runtime error\n', 'line 2: panic: runtime error', 1],
  ['a larger total', 'lines', 'a.py:1: error: no\nFound 2 errors in 1 file\n', 'line 2: 2 problems counted, 1 reported', 1],
  ['a larger total of tsc', 'tsc', 'a.ts(1,2): error TS1: no\n\nFound 3 errors in 2 files.\n', 'line 3: 3 problems counted, 1 reported', 1],
  ['a larger total of stylelint', 'stylelint', 'a.css:1:1: no (r) [error]\n\n4 problems (3 errors, 1 warning)\n', 'line 3: 4 problems counted, 1 reported', 1],
  ['a larger total of pyright', 'pyright', '  a.py:1:2 - error: no\n1 error, 2 warnings, 3 informations\n', 'line 2: 3 problems counted, 1 reported', 1],
  ['a larger total of clang', 'gcc', 'a.c:1:2: error: no\na.c:1:3: note: see\n1 warning and 2 errors generated.\n',
    'line 3: 3 problems counted, 1 reported', 2],
  ['a larger total of cargo', 'clippy', 'a.rs:1:2: warning: no\nwarning: `a` (lib) generated 3 warnings (1 duplicate)\n',
    'line 2: 2 problems counted, 1 reported', 1],
  ['a crate that others may need', 'clippy', 'a.rs:1:2: error: no\nerror: could not compile `a` (lib) due to 1 previous error\n',
    'line 2: error: could not compile `a` (lib) due to 1 previous error', 1],
  ['a larger total of cpplint', 'cpplint', 'a.cc:1:  no  [b/c] [5]\nCategory \'b\' errors found: 2\nTotal errors found: 2\n',
    'line 3: 2 problems counted, 1 reported', 1],
  ['a larger total of luacheck', 'luacheck', 'a.lua:1:2: (W1) no\nTotal: 1 warning / 1 error in 1 file\n', 'line 2: 2 problems counted, 1 reported', 1],
  ['totals of two runs', 'javac', 'a.java:1: error: no\n1 error\na.java:1: warning: no\n2 warnings\n', 'line 4: 3 problems counted, 2 reported', 2],
  ['a check that stopped', 'mypy', 'a.py:1: error: no\nFound 1 error in 1 file (errors prevented further checking)\n',
    'line 2: Found 1 error in 1 file (errors prevented further checking)', 1],
  ['a compiler that stopped', 'gcc', 'a.c:1:2: fatal error: no\ncompilation terminated.\n',
    'a.c:1: gcc did not check the whole file: no; report: line 2: compilation terminated.', 1],
  ['a list that is cut', 'javac', 'a.java:1: error: no\n1 error\nonly showing the first 1 errors, of 9 total; use -Xmaxerrs\n',
    'line 3: only showing the first 1 errors, of 9 total; use -Xmaxerrs', 1],
  ['a package that does not compile', 'go-vet', 'vet: ./a.go:1:2: undefined: x\n', 'line 1: vet: ./a.go:1:2: undefined: x', 1],
];

describe('the report of a failed run', () => {
  it('is rejected with the reason if it has no results', () => everyRow(
    ofFailedRuns.filter(([, , , , findings]) => findings === 0), ([name]) => name, async ([, format, text, reason]) => {
      await expect(readText(format, text)).rejects.toMatchObject({
        code: 'report', message: `report: ${reason}`, hint: 'fix the run of the tool: the report of a failed run without results is not posted' });
    }));

  it('is read with the reason if it has results', () => everyRow(
    ofFailedRuns.filter(([, , , , findings]) => findings > 0), ([name]) => name, async ([, format, text, reason, count]) => {
      const { findings, failure } = await readText(format, text);
      expect([findings.length, failure]).toEqual([count, `report: ${reason}`]);
    }));

  it('says how many reasons there are, and the first three in full unless they are long', async () => {
    const failed = sarif({ results: [result], invocations: [notes(
      { level: 'error', message: { text: `no\u001b[2J ${'x'.repeat(999)}` } }, { level: 'error' })] });
    const sources = [failed, sarif({ results: [result] }), failed].map((text, i) => ({ name: `${i}.sarif`, text }));
    const { failure } = await readReports(sources, { format: 'sarif', allowEmpty: false });
    const first = String.raw`0\.sarif: runs\[0\]\.invocations\[0\]\.toolExecutionNotifications\[0\]: no\\u001b\[2J x{200,400}…`;
    expect(failure).toMatch(new RegExp(`^${first}; 0\\.sarif: .*; 2\\.sarif: .* \\(and 1 more reason\\)$`));
  });

  it('is not one that says as much as it has', () => everyRow<readonly [Format, string]>([
    ['junit', `<testsuite tests="2" failures="1" errors="1"><testcase name="a"/>${failing}</testsuite>`],
    ['junit', `<testsuites failures="1" errors="1"><testsuite failures="1" errors="1" status="failed">${failing}
      <testcase><error/></testcase></testsuite></testsuites>`],
    ['junit', '<testsuites failures=""><testsuite failures="1"><testcase><failure/><error/></testcase></testsuite></testsuites>'],
    ['junit', `<testsuites tests="3" skipped="1"><testsuite tests="2" skipped="1">${failing}</testsuite>${failing}</testsuites>`],
    ['junit', `<testsuites><testsuite name="pytest" tests="7">${failing}</testsuite></testsuites>`],
    ['junit', `<testsuites name="Mocha Tests" tests="7"><testsuite name="a" tests="7">${failing}</testsuite></testsuites>`],
    ['junit', '<testsuites name="trivy"><testsuite tests="7" failures="0"/></testsuites>'],
    ['junit', `<testsuites><testsuite tests="7" hostname="tbd">${failing}</testsuite></testsuites>`],
    ['junit', '<testsuites><testsuite tests="7"><testcase name="a" status="run"/></testsuite></testsuites>'],
    ['junit', repeated('tests="6" failures="5"')], ['junit', repeated('tests="2" failures="1"')],
    ['checkstyle', '<checkstyle><file name="a"/></checkstyle>'],
    ['eslint', eslint({ errorCount: 1, fatalErrorCount: 1, warningCount: 1 }, { ...no, severity: 2 }, { ...no, severity: 1 })],
    ['eslint', eslint({ errorCount: 0, warningCount: 0 })],
    ['sarif', sarif({ results: [], invocations: [{ executionSuccessful: true, exitCode: 1, toolExecutionNotifications: [{ level: 'note' }, {}] }] })],
    ['sarif', sarif({ results: [], externalPropertyFileReferences: { artifacts: [{}], results: [] } })],
    ['javac', 'warning: [options] system modules path not set\na.java:1: error: no\n1 error\n1 warning\n'],
    ['mypy', 'a.py:1: error: no\na.py:1: note: see\nFound 1 error in 1 file (checked 1 source file)\n'],
  ], ([, text]) => text, async ([format, text]) => {
    expect((await readText(format, text)).failure).toBeUndefined();
  }));
});

it('a diff that ends in the headers of a file is cut', () => everyRow([
  'diff --git a/x b/x', 'diff --git a/x b/x\nindex 1..2 100644', 'diff --git a/x b/x\nold mode 100644', 'diff --git a/x b/x\nrename from x',
  '--- a/x', '--- a/x\n+++ b/x', '--- a/x\n+++ b/x\n@@ -1,3', '--- a/x\n+++ b/x\n@@', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9',
], (end) => end, async (end) => {
  const whole = '--- a/w\n+++ b/w\n@@ -1 +1 @@\n-a\n+b\n';
  await expect(readText('diff', `${whole}${end}\n`)).rejects.toMatchObject({ code: 'report', message: 'report: the report ends before the change of "x"' });
}));

it('a diff whose hunk has fewer lines than it says is cut', async () => {
  await expect(readText('diff', '--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n')).rejects.toMatchObject({
    message: 'report: the report is not a valid diff: a hunk of "a" has fewer lines than it says' });
});

describe('a level', () => {
  const codequality = (severity?: unknown) => JSON.stringify([{ description: 'no', severity, location: { path: 'a' } }]);
  const checkstyle = (severity: string) => `<checkstyle><file name="a"><error message="no" severity="${severity}"/></file></checkstyle>`;
  const rdjson = (severity?: string) => JSON.stringify({ diagnostics: [{ message: 'no', severity, location: { path: 'a' } }] });
  const levelsOf = (rows: readonly (readonly [Format, string, string, string?])[]) => everyRow(rows, ([format, text]) => `${format} ${text}`,
    async ([format, text, level, unknownLevel]) => {
      expect((await readText(format, text)).findings).toMatchObject([{ level, ...unknownLevel !== undefined && { unknownLevel } }]);
      if (unknownLevel === undefined) expect((await readText(format, text)).findings[0]).not.toHaveProperty('unknownLevel');
    });

  it('that the format does not have is an error', () => levelsOf([
    ...['CRITICAL', 'high', 'error', 'warning', 'Info', '', 'constructor'].map((word) => ['codequality', codequality(word), 'error', word] as const),
    ['eslint', eslint({}, { ...no, severity: 'error' }), 'error', 'error'], ['eslint', eslint({}, { ...no, severity: 3 }), 'error', '3'],
    ['sarif', sarif({ results: [{ ...result, level: 'critical' }] }), 'error', 'critical'],
    ['checkstyle', checkstyle('catastrophe'), 'error', 'catastrophe'], ['rdjson', rdjson('HIGH'), 'error', 'HIGH'],
  ]));

  it('that is missing is the one of the format', () => levelsOf([
    ['codequality', codequality(), 'warning'], ['codequality', codequality(null), 'warning'], ['eslint', eslint({}, no), 'warning'],
    ['sarif', sarif({ results: [result] }), 'warning'], ['checkstyle', '<checkstyle><file name="a"><error message="no"/></file></checkstyle>', 'error'],
    ['rdjson', rdjson(), 'warning'], ['rdjson', rdjson('UNKNOWN_SEVERITY'), 'warning'],
  ]));

  const scored = (score: unknown, parts: object = {}) => sarif({
    tool: { driver: { name: 'lint', rules: [{ id: 'r', properties: { 'security-severity': score }, ...parts }] } }, results: [{ ...result, ruleId: 'r' }],
  });

  it('that SARIF does not have is that of the security severity', () => levelsOf([
    ['sarif', scored('9.8'), 'error'], ['sarif', scored(7), 'error'], ['sarif', scored('6.9'), 'warning'], ['sarif', scored('4.0'), 'warning'],
    ['sarif', scored('3.9'), 'note'], ['sarif', scored('0.0'), 'note'], ['sarif', scored(''), 'warning'], ['sarif', scored('high'), 'error', 'high'],
    ['sarif', scored('9.8', { defaultConfiguration: { level: 'note' } }), 'note'],
    ['sarif', sarif({ results: [{ ...result, properties: { 'security-severity': '8' } }] }), 'error'],
    ['sarif', sarif({ results: [{ ...result, level: 'note', properties: { 'security-severity': '8' } }] }), 'note'],
  ]));
});

describe('several reports', () => {
  it('count a finding that two of them contain once', async () => {
    const report = reportFixture('eslint.json');
    const { findings } = await readReports([report, report], { format: 'eslint', allowEmpty: false });
    expect(findings).toHaveLength(3);
  });

  it('count a finding once whose rule has an address in one of them', async () => {
    const of = (url?: string) => ({ name: 'report', text: JSON.stringify({ message: 'no', location: { path: 'a' }, code: { value: 'r', url } }) });
    const { findings } = await readReports([of(), of('https://lint.example.com/r')], { format: 'rdjsonl', allowEmpty: false });
    expect(findings).toHaveLength(1);
  });

  it('name each tool once, in the order of the reports', async () => {
    const of = (...tools: string[]) => ({
      name: 'report', text: JSON.stringify({ runs: tools.map((name) => ({ tool: { driver: { name } }, results: [] })) }),
    });
    expect((await readReports([of('b', 'a'), of('a', 'c')], { format: 'sarif', allowEmpty: false })).tools).toEqual(['b', 'a', 'c']);
  });
});

it('a pattern needs --from lines', async () => {
  await expect(readText('sarif', '{}', { pattern: '(?P<path>a)' })).rejects.toThrow('--pattern cannot be used with --from sarif');
});

it('takes no odd form of a failure for success', async () => {
  const xml = (text: string) => `<testsuite tests="1">${text}</testsuite>`;
  const file = (text: string) => `<checkstyle><file name="a.js">${text}</file></checkstyle>`;
  const eslint = (fatal: unknown) => JSON.stringify([{ filePath: 'a.js', messages: [{ severity: 1, fatal, message: 'no', line: 1 }] }]);
  const sarif = (...statuses: readonly string[]) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [
    { level: 'error', message: { text: 'no' }, suppressions: statuses.map((status) => ({ kind: 'inSource', status })) }] }] });
  const rows: readonly (readonly [Format, string])[] = [
    ['junit', '<testsuite tests="3" failures="-1" errors="1"/>'], ['junit', xml('<testcase name="a"><x:failure xmlns:x="u">no</x:failure></testcase>')],
    ['junit', xml('<testcase name="a"><FAILURE>no</FAILURE></testcase>')], ['junit', xml('<TestCase name="a"><Error/></TestCase>')],
    ['junit', xml('<testcase name="a"><testcase name="b"><failure/></testcase></testcase>')],
    ['junit', xml('<testcase name="a"><rerunFailure message="no"/></testcase>')], ['junit', xml('<testcase name="a"><x:rerunError/></testcase>')],
    ['checkstyle', file('<violation line="1" severity="error" message="no"/>')], ['checkstyle', file('<Error line="1" severity="error" message="no"/>')],
    ['checkstyle', '<checkstyle><folder><file name="a.js"><error message="no"/></file></folder></checkstyle>'],
    ['eslint', eslint('true')], ['eslint', eslint(1)], ['sarif', sarif('accepted', 'rejected')], ['sarif', sarif('underReview', 'accepted')],
    ['gcc', 'a.c:1:1: warning: no\ngcc: internal compiler error: Segmentation fault\n'],
    ['gcc', 'a.c:1:1: warning: no\ncollect2: error: ld returned 1 exit status\n'], ['mypy', 'a.py:1: note: no\nmypy: error: no such option\n'],
    ['flake8', 'a.py:1:1: W1 no\nThere was a critical error during execution of Flake8:\n'],
  ];
  await everyRow(rows, ([format, text]) => `${format} ${text}`, async ([format, text]) => {
    const report = await readReports([{ name: 'report', text }], { format, allowEmpty: true }).catch((error: Error) => error);
    const isRed = report instanceof Error || report.failure !== undefined || report.findings.some(({ level }) => level === 'error');
    expect(isRed).toBe(true);
  });
  const { findings } = await readReports([{ name: 'report', text: sarif('accepted', 'accepted') }], { format: 'sarif', allowEmpty: true });
  expect(findings).toEqual([]);
});
