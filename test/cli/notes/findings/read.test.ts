import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/cli/notes/findings/finding.js';
import { readReports, type Format, type ReadOptions } from '../../../../src/cli/notes/findings/read.js';

const folder = join(import.meta.dirname, '../../../fixtures/reports');
const fixture = (name: string) => ({ name, text: readFileSync(join(folder, name), 'utf8') });

const read = (format: Format, name: string) => readReports([fixture(name)], { format, allowEmpty: false });
const readText = (format: Format, text: string, options: Partial<ReadOptions> = {}) =>
  readReports([{ name: 'report', text }], { format, allowEmpty: false, ...options });

/** The parts of a finding that most tools know. */
const brief = ({ file, line, column, level, rule }: Finding) => `${file}:${line}:${column} ${level} ${rule}`;
const briefs = async (format: Format, name: string) => (await read(format, name)).findings.map(brief);

const eslintFindings = (file: string) =>
  [`${file}:2:3 error no-var`, `${file}:3:16 warning eqeqeq`, `${file}:4:5 error no-undef`];

describe('reports of real tools', () => {
  it('are read from the JSON of ESLint', async () => {
    expect(await briefs('eslint', 'eslint.json')).toEqual(eslintFindings('/builds/acme/app/src/send.js'));
    expect((await read('eslint', 'eslint.json')).findings[0]).toMatchObject({
      message: 'Unexpected var, use let or const instead.', tool: 'eslint',
      suggestion: { from: 2, to: 2, text: '  let queue = [];' },
    });
  });

  it('are read from SARIF', async () => {
    expect(await briefs('sarif', 'eslint.sarif')).toEqual(eslintFindings('file:///builds/acme/app/src/send.js'));
    expect((await read('sarif', 'eslint.sarif')).tools).toEqual(['ESLint']);
  });

  it('are read from Checkstyle XML', async () => {
    expect(await briefs('checkstyle', 'checkstyle.xml')).toEqual(eslintFindings('/builds/acme/app/src/send.js'));
    expect(await briefs('checkstyle', 'shellcheck.xml')).toEqual([
      'src/deploy.sh:2:1 warning SC2164', 'src/deploy.sh:2:4 note SC2086',
      'src/deploy.sh:3:7 warning SC2115', 'src/deploy.sh:3:7 note SC2086',
    ]);
    expect((await read('checkstyle', 'shellcheck.xml')).findings[2]!.message)
      .toBe('Use "${var:?}" to ensure this never expands to /* .');
  });

  it('are read from a code quality report', async () => {
    expect(await briefs('codequality', 'code-quality.json'))
      .toEqual(eslintFindings('src/send.js').map((one) => one.replace(/:\d+ /, ':null ')));
  });

  it('are read from JUnit XML', async () => {
    const { findings } = await read('junit', 'junit.xml');
    expect(findings).toMatchObject([{
      file: 'src/add.test.ts', line: 4, column: 18, level: 'error', rule: 'adds negative numbers',
      message: 'expected -1 to be 3 // Object.is equality',
      details: expect.stringContaining('src/add.test.ts:4:18') as string,
    }]);
  });

  it('are read from the lines of ShellCheck, gcc, tsc and mypy', async () => {
    expect(await briefs('lines', 'shellcheck.txt')).toEqual([
      'src/deploy.sh:2:1 warning SC2164', 'src/deploy.sh:2:4 note SC2086',
      'src/deploy.sh:3:7 warning SC2115', 'src/deploy.sh:3:7 note SC2086',
    ]);
    expect(await briefs('lines', 'gcc.txt')).toEqual([
      'src/rate.c:4:12 warning -Wformat=', 'src/rate.c:5:10 error null', 'src/rate.c:5:10 note null',
      'src/rate.c:3:7 warning -Wunused-variable',
    ]);
    expect(await briefs('lines', 'tsc.txt')).toEqual(['add.ts:2:14 error TS2322', 'add.ts:3:1 error TS2554']);
    expect(await briefs('lines', 'mypy.txt'))
      .toEqual(['src/limit.py:2:null error return-value', 'src/limit.py:4:null error arg-type']);
  });
});

describe('lines', () => {
  it.each([
    ['src/add.ts:2:14 - error TS2322: Wrong type.', 'src/add.ts:2:14 error TS2322', 'Wrong type.'],
    ['vet: ./main.go:5:2: undefined: x', './main.go:5:2 warning null', 'undefined: x'],
    ['./main.go:7:3: result of fmt.Sprintf call not used', './main.go:7:3 warning null', 'result of fmt.Sprintf call not used'],
    ['C:\\app\\rate.c:4: error: no', 'C:\\app\\rate.c:4:null error null', 'no'],
    ['\u001b[1msrc/a.c:4:1:\u001b[0m error: no', 'src/a.c:4:1 error null', 'no'],
    ['rate.c:1:10: fatal error: x.h: No such file', 'rate.c:1:10 error null', 'x.h: No such file'],
  ])('reads %s', async (line, expected, message) => {
    const { findings } = await readText('lines', `noise\n${line}\n12:30:45: started\n`);
    expect(findings.map(brief)).toEqual([expected]);
    expect(findings[0]!.message).toBe(message);
  });

  it('skips a summary that says that nothing was found', async () => {
    expect((await readText('lines', 'Success: no issues found in 3 source files\n')).findings).toEqual([]);
  });

  it('reads other forms with a pattern with named groups', async () => {
    const pattern = '^(?P<level>[WE]) (?P<path>\\S+) at (?P<line>\\d+) \\((?P<rule>\\w+)\\) (?P<message>.*)$';
    const { findings } = await readText('lines', 'E src/a.rb at 12 (Style) Too long\nother\n', { pattern });
    expect(findings.map(brief)).toEqual(['src/a.rb:12:null warning Style']);
  });

  it.each([
    ['(?P<path>.*', 'missing closing'], ['(?P<path>.*)', 'has no group message'], ['(?P<message>.*)', 'has no group path'],
    ['(?P<path>a)(?P<message>b)(?P<other>c)', 'unknown group other'],
  ])('rejects the pattern %s', async (pattern, message) => {
    await expect(readText('lines', 'x', { pattern })).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) as string });
  });

  it('needs --from lines for a pattern', async () => {
    await expect(readText('sarif', '{}', { pattern: '(?P<path>a)' })).rejects.toThrow('--pattern cannot be used with --from sarif');
  });
});

const sarifRun = (parts: object) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, ...parts }] });
const location = (artifactLocation: object, region?: object) => [{ physicalLocation: { artifactLocation, region } }];

describe('SARIF', () => {
  it('resolves uriBaseId, also in several steps, and decodes the path', async () => {
    const { findings } = await readText('sarif', sarifRun({
      originalUriBaseIds: { TOP: { uri: 'file:///builds/acme/app/' }, SRC: { uri: 'src', uriBaseId: 'TOP' }, UNKNOWN: {} },
      results: [
        { message: { text: 'a' }, locations: location({ uri: 'a.c', uriBaseId: 'SRC' }) },
        { message: { text: 'b' }, locations: location({ uri: 'my%20file.c', uriBaseId: 'UNKNOWN' }) },
      ],
    }));
    expect(findings.map(({ file }) => file)).toEqual(['file:///builds/acme/app/src/a.c', 'my file.c']);
  });

  it('takes the level and the message from the rule', async () => {
    const { findings } = await readText('sarif', sarifRun({
      tool: { driver: { name: 'lint', rules: [{
        id: 'R1', defaultConfiguration: { level: 'error' }, messageStrings: { long: { text: 'line of {0}, at most {1}' } },
      }] } },
      results: [{ ruleIndex: 0, message: { id: 'long', arguments: ['120', '100'] } }],
    }));
    expect(findings).toMatchObject([{ rule: 'R1', level: 'error', message: 'line of 120, at most 100', file: '' }]);
  });

  it('leaves out suppressed, passed and absent results', async () => {
    const { findings } = await readText('sarif', sarifRun({ results: [
      { message: { text: 'suppressed' }, suppressions: [{ kind: 'inSource' }] },
      { message: { text: 'passed' }, kind: 'pass' },
      { message: { text: 'absent' }, baselineState: 'absent' },
      { message: { text: 'rejected suppression' }, suppressions: [{ kind: 'external', status: 'rejected' }] },
    ] }));
    expect(findings.map(({ message }) => message)).toEqual(['rejected suppression']);
  });

  it('takes a fix of whole lines as a suggestion', async () => {
    const fix = (deletedRegion: object, text: string) => [{ artifactChanges: [{
      artifactLocation: { uri: 'a.c' }, replacements: [{ deletedRegion, insertedContent: { text } }],
    }] }];
    const result = (fixes: object) => ({ message: { text: 'm' }, locations: location({ uri: 'a.c' }, { startLine: 3 }), fixes });
    const { findings } = await readText('sarif', sarifRun({ results: [
      result(fix({ startLine: 3, startColumn: 1, endLine: 5, endColumn: 1 }, 'x\ny\n')),
      result(fix({ startLine: 3, startColumn: 4, endLine: 3, endColumn: 6 }, 'x')),
    ] }));
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([{ from: 3, to: 4, text: 'x\ny' }, undefined]);
  });

  it('reads a report without findings', async () => {
    expect(await readText('sarif', sarifRun({ results: [] }))).toEqual({ tools: ['lint'], findings: [] });
  });
});

describe('rdjson', () => {
  const diagnostic = {
    message: 'no', location: { path: 'a.go', range: { start: { line: 3, column: 2 }, end: { line: 4 } } },
    severity: 'ERROR', code: { value: 'G1' }, source: { name: 'golint' },
    suggestions: [{ range: { start: { line: 3, column: 1 }, end: { line: 5, column: 1 } }, text: 'one\n' }],
  };
  const expected = { file: 'a.go', line: 3, endLine: 4, column: 2, level: 'error', rule: 'G1', tool: 'golint',
    message: 'no', suggestion: { from: 3, to: 4, text: 'one' } };

  it('is read as one document', async () => {
    const { source, ...rest } = diagnostic;
    const report = await readText('rdjson', JSON.stringify({ source, diagnostics: [rest] }));
    expect(report).toEqual({ tools: ['golint'], findings: [expected] });
  });

  it('is read line by line', async () => {
    const report = await readText('rdjsonl', `${JSON.stringify(diagnostic)}\n\n`);
    expect(report).toEqual({ tools: ['golint'], findings: [expected] });
  });
});

describe('a diff', () => {
  const hunk = (...lines: string[]) => `--- a/a.txt\n+++ b/a.txt\n${lines.join('\n')}\n`;

  it('becomes a suggestion for each block of changed lines', async () => {
    const { findings } = await readText('diff', hunk('@@ -1,6 +1,6 @@', ' one', '-two', '-three', '+zwei', ' four', '+extra', ' five', '-six'));
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([
      { from: 2, to: 3, text: 'zwei' }, { from: 4, to: 4, text: 'four\nextra' }, { from: 6, to: 6, text: '' },
    ]);
  });

  it('suggests lines before the first one together with it', async () => {
    const { findings } = await readText('diff', hunk('@@ -1,1 +1,2 @@', '+zero', ' one'));
    expect(findings[0]!.suggestion).toEqual({ from: 1, to: 1, text: 'zero\none' });
  });

  it('keeps blocks of different hunks apart', async () => {
    const { findings } = await readText('diff', hunk('@@ -1,1 +1,1 @@', '-one', '+eins', '@@ -9,1 +9,1 @@', '-nine', '+neun'));
    expect(findings.map(({ suggestion }) => suggestion!.from)).toEqual([1, 9]);
  });
});

const failedInvocation = { executionSuccessful: false, toolExecutionNotifications: [{ message: { text: 'out of memory' } }] };

describe('a report that cannot be used', () => {
  it.each<[Format, string, string]>([
    ['sarif', '{"runs": [', 'report: line 1: invalid JSON'],
    ['sarif', '[]', 'report: expected an object, got a list'],
    ['sarif', '{"runs": []}', 'report: runs: expected at least one run, got an empty list'],
    ['sarif', '{"runs": [{"tool": {}}]}', 'report: runs[0].tool.driver.name: expected a text, got nothing'],
    ['sarif', sarifRun({ results: null }), 'report: runs[0].results: expected a list of results, got null'],
    ['sarif', sarifRun({ results: [{ message: { text: 'x' }, locations: {} }] }), 'report: runs[0].results[0].locations: expected a list, got an object'],
    ['sarif', sarifRun({ invocations: [{ executionSuccessful: true }, failedInvocation] }),
      'report: runs[0].invocations[1].executionSuccessful: expected true, got false: the tool failed: out of memory'],
    ['eslint', '{}', 'report: expected a list, got an object'],
    ['eslint', '[{"filePath": "a.js", "messages": [{"message": 5}]}]', 'report: [0].messages[0].message: expected a text, got the number 5'],
    ['codequality', '[{"description": "x"}]', 'report: [0].location: expected an object, got nothing'],
    ['rdjson', '{"diagnostics": "none"}', 'report: diagnostics: expected a list, got the text "none"'],
    ['rdjsonl', '{"message": "x", "location": {"path": "a"}}\n{"message": ', 'report: line 2: invalid JSON'],
    ['rdjsonl', '{"message": "x"}', 'report: line 1.location: expected an object, got nothing'],
    ['checkstyle', '<checkstyle>\n<file/></checkstyle>', 'report: line 2: expected the attribute name on <file>'],
    ['checkstyle', '<testsuites/>', 'report: line 1: expected <checkstyle>, got <testsuites>'],
    ['checkstyle', '<checkstyle>\n<file name="a">', 'report: line 2: invalid XML: unclosed tag: file'],
    ['junit', '<a/>', 'report: line 1: expected <testsuites> or <testsuite>, got <a>'],
    ['junit', 'no xml', 'report: line 1: invalid XML'],
    ['lines', 'Segmentation fault\n', 'report: expected lines of the form path:line[:column]: message, found none'],
    ['diff', 'no diff\n', 'report: line 1: expected a unified diff, found no file'],
  ])('is rejected: %s %s', async (format, text, message) => {
    await expect(readText(format, text)).rejects.toMatchObject({
      name: 'Problem', code: 'usage', message: expect.stringContaining(message) as string });
  });

  it.each(['sarif', 'codequality', 'checkstyle', 'junit', 'rdjson', 'rdjsonl', 'eslint', 'lines', 'diff'] as const)(
    'is rejected if it is empty, unless --allow-empty is given: %s', async (format) => {
      await expect(readText(format, ' \n')).rejects.toMatchObject({ code: 'usage', message: 'report is empty' });
      expect(await readText(format, '', { allowEmpty: true })).toEqual({ tools: [], findings: [] });
    });

  it('declares no entities', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;">]>\n<checkstyle><file name="&y;"/></checkstyle>';
    await expect(readText('checkstyle', bomb)).rejects.toThrow('report: line 1: document types are not supported');
    const external = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><checkstyle/>';
    await expect(readText('checkstyle', external)).rejects.toThrow('document types are not supported');
  });

  it('has too many nested elements', async () => {
    await expect(readText('junit', '<testsuite>'.repeat(200))).rejects.toThrow('nested more than 100 deep');
  });
});

it('counts a finding that two reports contain once', async () => {
  const report = fixture('eslint.json');
  const { findings } = await readReports([report, report], { format: 'eslint', allowEmpty: false });
  expect(findings).toHaveLength(3);
});
