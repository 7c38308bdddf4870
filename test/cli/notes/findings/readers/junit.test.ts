import { describe, expect, it } from 'vitest';
import { readJunit } from '../../../../../src/cli/notes/findings/readers/junit.js';
import { readFixture, readText } from '../../../../support/reports.js';

/** The finding of a test that failed with these details. */
const failed = (details: string, test = '', suite = '') =>
  readJunit(`<testsuite ${suite}><testcase name="adds" ${test}><failure>${details}</failure></testcase></testsuite>`).findings[0]!;

const placeOf = (...parts: Parameters<typeof failed>) => {
  const { file, line, column } = failed(...parts);
  return `${file}:${line}:${column}`;
};

describe('JUnit XML', () => {
  it('is read as Vitest writes it', async () => {
    const { findings } = await readFixture('junit', 'junit.xml');
    expect(findings).toMatchObject([{
      file: 'src/add.test.ts', line: 4, column: 18, level: 'error', rule: 'adds negative numbers',
      message: 'expected -1 to be 3 // Object.is equality',
      details: expect.stringContaining('src/add.test.ts:4:18') as string,
    }]);
  });

  it('has findings for failures and errors in suites at any depth, and none for other tests', () => {
    const { findings } = readJunit(`<testsuites><testsuite><testsuite>
      <testcase name="a"><failure message="one"/><error message="two"/></testcase></testsuite>
      <testcase name="b"><skipped/></testcase><testcase name="c"/></testsuite></testsuites>`);
    expect(findings.map(({ rule, level, message }) => `${rule} ${level} ${message}`)).toEqual(['a error one', 'a error two']);
  });

  it('has findings in suites of other names, and for tests that failed without a reason', () => {
    const { findings } = readJunit(`<testsuites><testsuites><group><testcase name="a"><failure/></testcase></group></testsuites>
      <testcase name="b" status="failed"/><testcase name="c" result="Error" message="no"/><testcase name="d" status="passed"/></testsuites>`);
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(['a: a failed', 'b: b failed', 'c: no']);
  });

  it('has the message of the failure, else the first line of its text, else the name of the test', () => {
    const report = (failure: string) => readJunit(`<testsuite><testcase name="adds">${failure}</testcase></testsuite>`).findings[0];
    expect(report('<failure message=" no "> \n at x\n</failure>')).toMatchObject({ message: 'no', details: 'at x' });
    expect(report('<failure>\n not equal\n at x</failure>')).toMatchObject({ message: 'not equal', details: 'not equal\n at x' });
    expect(report('<failure/>')).toMatchObject({ message: 'adds failed' });
    expect(report('<failure/>')).not.toHaveProperty('details');
  });

  it.each([
    ['<a/>', 'expected <testsuites> or <testsuite>, got <a>'], ['no xml', 'invalid XML'],
  ])('is rejected if it is another document: %s', (source, message) => {
    expect(() => readJunit(source)).toThrow(expect.objectContaining({
      name: 'ReportError', place: 'line 1', message: expect.stringContaining(message) as string }) as Error);
  });

  it('is rejected if it has too many nested elements', async () => {
    await expect(readText('junit', '<testsuite>'.repeat(200))).rejects.toThrow('nested more than 100 deep');
  });
});

describe('the place of a failure', () => {
  it('is the file and line of the test, else of its suite', () => {
    expect(placeOf('', 'file="a.rb" line="7"', 'file="other.rb"')).toBe('a.rb:7:null');
    expect(placeOf('', 'line="7"', 'file="a.rb"')).toBe('a.rb:7:null');
    expect(placeOf('', '', 'file="a.rb"')).toBe('a.rb:null:null');
  });

  it('is the path that a class or suite has as its name; a class of Java is no path', () => {
    expect(placeOf('', 'classname="src/a.test.ts"')).toBe('src/a.test.ts:null:null');
    expect(placeOf('', 'classname="add"', 'name="a.spec.js"')).toBe('a.spec.js:null:null');
    expect(placeOf('', 'classname="com.acme.AddTest"')).toBe(':null:null');
  });

  it('is the first one of the trace in the file of the test', () => {
    const trace = 'at b (src/other.ts:1:1)\nat a (/app/src/a.test.ts:12:5)\nat c (src/a.test.ts:3:3)';
    expect(placeOf(trace, 'file="src/a.test.ts"')).toBe('src/a.test.ts:12:5');
    expect(placeOf(trace, 'file="src/missing.ts"')).toBe('src/missing.ts:null:null');
  });

  it('is the first one of the trace in any file outside of node_modules if the file is unknown', () => {
    expect(placeOf('Error: x\n  at f (/app/node_modules/m.js:1:2)\n  at g (src/a.test.ts:12:5)')).toBe('src/a.test.ts:12:5');
    expect(placeOf('see a:5, b.toolong1:6 and C:\\x\\y.cs:7')).toBe('\\x\\y.cs:7:null');
    expect(placeOf('listening on 127.0.0.1:80, a.js:0')).toBe(':null:null');
  });
});
