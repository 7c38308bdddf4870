import { describe, expect, it } from 'vitest';
import { readText } from '../../../../../support/reports.js';
import { everyRow } from '../../../../../support/rows.js';

/** A report with tests of which one failed. */
const suiteWith = (suite: string, test: string, fault: string, others = '<testcase name="other" classname="c"/>') =>
  `<testsuites><testsuite name="${suite}"><testcase ${test}>${fault}</testcase>${others}</testsuite></testsuites>`;
const error = (message: string) => `<error message="${message}">no</error>`;
const failed = '<failure message="Failed" type="">no</failure>';
const skipped = (test: string) => `<testcase ${test}><skipped/></testcase>`;
const hookOf = (kind: string) => `&quot;${kind}&quot; hook`;

describe('a run of which tests are missing', () => {
  const missing: readonly (readonly [tool: string, ...Parameters<typeof suiteWith>])[] = [
    ['pytest, a file', 'pytest', 'classname="" name="api.tests.test_x"', error('collection failure')],
    ['pytest, a class', 'pytest', 'classname="tests.test_flow" name="TestFlow"', error('collection failure')],
    ['pytest itself', 'pytest', 'classname="pytest" name="internal"', error('internal error')],
    ['jest-junit', 'src/a.test.ts', 'classname="Test suite failed to run" name="src/a.test.ts"', '<error>Cannot find module</error>'],
    ['Vitest', 'src/a.test.ts', 'classname="src/a.test.ts" name="src/a.test.ts"', failed, ''],
    ['gotestsum', 'acme.com/shop', 'classname="" name="TestMain"', '<failure message="Failed" type="">FAIL\tacme.com/shop [build failed]</failure>'],
    ['gotestsum with short names of classes', 'acme.com/shop', 'classname="." name="TestMain"', failed],
    ['go-junit-report, a build', 'acme.com/shop', 'classname="shop" name="[build failed]"', failed],
    ['go-junit-report, a setup', 'acme.com/shop', 'classname="acme.com/shop" name="[setup failed]"', error('Build error')],
    ['go-junit-report, a crash', 'acme.com/shop', 'classname="acme.com/shop" name="Failure"', error('Runtime error')],
    ['go-junit-report, an ended test', 'acme.com/shop', 'classname="acme.com/shop" name="TestA"', error('No test result found')],
    ...[
      ['a panic', '--- FAIL: TestB (0.00s)\npanic: nil map [recovered]\n\tpanic: nil map\n\ngoroutine 19 [running]:\ntesting.tRunner\n'],
      ['a panic of a goroutine', 'panic: no\n\ngoroutine 22 [running]:\nexample.com/m.TestB.func2()\n'],
      ['a timeout', 'panic: test timed out after 2s\nrunning tests:\n\tTestB (2s)\n\ngoroutine 9 [running]:\ntesting.(*M).startAlarm.func1()\n'],
      ['a deadlock', 'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\n'], ['an exit', 'no database\n'],
    ].map(([what, text]) => [`gotestsum, ${what}`, 'example.com/m', 'classname="example.com/m" name="TestB"',
      `<failure message="Failed" type="">=== RUN   TestB\n${text}</failure>`] as const),
    ['go-junit-report, a panic', 'm', 'classname="m" name="TestB"', '<failure message="Failed">panic: no\n\ngoroutine 22 [running]:\n</failure>'],
    ['JUnit and Gradle', 'com.acme.ATest', 'name="initializationError" classname="com.acme.ATest"', error('no database')],
    ['Surefire', 'com.acme.ATest', 'name="" classname="com.acme.ATest"', error('no database')],
    ['older Surefire', 'com.acme.ATest', 'name="com.acme.ATest" classname="com.acme.ATest"', error('no database')],
    ['Ant', 'com.acme.ATest', 'name="com.acme.ATest" classname="junit.framework.TestSuite"', error('no database')],
    ['Gradle', 'com.acme.ATest', 'name="classMethod" classname="com.acme.ATest"', failed],
    ['sbt', 'com.acme.ATest', 'name="(It is not a test it is a sbt.testing.SuiteSelector)" classname="com.acme.ATest"', error('no database')],
    ['JUnit 3', 'com.acme.ATest', 'name="warning" classname="junit.framework.TestSuite$1"', '<failure message="Cannot instantiate test case"/>'],
    ['PHPUnit, the data of a test', 'App\\ATest::testX', 'name="Error"',
      '<error type="PHPUnit\\Framework\\Error">Error\nThe data provider is invalid.</error>'],
    ['Vitest, a hook of a file', 'a.test.ts', 'classname="a.test.ts" name="a.test.ts"', failed, skipped('classname="a.test.ts" name="adds"')],
    ['Vitest, a hook of a suite', 'a.test.ts', 'classname="a.test.ts" name="D"', failed, skipped('classname="a.test.ts" name="D &gt; adds"')],
    ['Node.js', '', 'name="/b/a.test.js" classname="test" failure="test failed"', '<failure type="testCodeFailure" message="test failed"/>'],
    ['Node.js, a relative path', '', 'name="test/a.mts" classname="test"', '<failure type="testCodeFailure" message="test failed"/>'],
    ['unittest, a file', '', 'name="tests.test_a" classname="unittest.loader._FailedTest"', error('Failed to import test module: tests.test_a')],
    ['unittest, a class', '', 'name="setUpClass (a.ATest)" classname="unittest.suite._ErrorHolder"', error('no database')],
    ['Bats, a file', 'setup_suite', 'classname="setup_suite" name="setup_file failed"', '<failure>(from function `setup_file\' in file a.bats)</failure>'],
    ['Bats, all files', 'setup_suite', 'classname="setup_suite" name="setup_suite"', '<failure>(from function `setup_suite\' in file b)</failure>'],
    ...['[BeforeSuite]', '[SynchronizedBeforeSuite]', 'BeforeSuite'].map((name) =>
      ['Ginkgo', 'Books Suite', `name="${name}" classname="Books Suite" status="failed"`, failed, ''] as const),
    ['Dart, a file', 'test.a', 'classname="test.a" name="loading test/a_test.dart"', error('Failed to load')],
    ['Dart, a group', 'test.a', 'classname="test.a" name="Cart (setUpAll)"', failed],
    ...['before all', 'before each', 'after each'].flatMap((kind) => [
      ['Mocha', 'Cart', `name="Cart ${hookOf(kind)} for &quot;adds&quot;" classname="${hookOf(kind)} for &quot;adds&quot;"`, failed],
      ['Mocha, a hook of a suite', 'Cart', `name="Cart ${hookOf(kind)} in &quot;Cart&quot;" classname="x"`, failed],
      ['Mocha, a named hook', 'Cart', `name="Cart ${hookOf(kind)}: load for &quot;adds&quot;" classname="x"`, failed],
      ['older Mocha', 'Cart', `name="Cart ${hookOf(kind)}" classname="functional tests"`, failed],
      ['Cypress', 'Cart', `name="Cart" classname="${hookOf(kind)} for &quot;adds&quot;"`, failed],
    ] as const),
  ];

  it('has the finding, and says which did not run', () => everyRow(missing, (row) => row.slice(0, 3).join(': '), async ([, ...parts]) => {
    const { findings, failure } = await readText('junit', suiteWith(...parts));
    expect([findings.length, failure]).toEqual([1, expect.stringContaining('report: line 1: tests did not run: ')]);
  }));

  it('is named with the class or suite and the name, and the reason', async () => {
    expect((await readText('junit', suiteWith('pytest', 'classname="" name="api.tests.test_x"', error('collection failure')))).failure)
      .toBe('report: line 1: tests did not run: pytest > api.tests.test_x: collection failure');
    const go = '<failure message="Failed">=== RUN   TestB\n--- FAIL: TestB (0.00s)\npanic: no\n\ngoroutine 19 [running]:\n</failure>';
    expect((await readText('junit', suiteWith('m', 'classname="m" name="TestB"', go))).failure).toBe('report: line 1: tests did not run: m > TestB: panic: no');
  });

  it('has a warning of PHPUnit about the data of a test', async () => {
    const warning = '<warning type="PHPUnit\\Framework\\Warning">The data provider specified for ATest::testX is invalid.</warning>';
    await expect(readText('junit', suiteWith('ATest::testX', 'name="Warning"', warning))).rejects.toMatchObject({
      message: 'report: line 1: tests did not run: ATest::testX > Warning: The data provider specified for ATest::testX is invalid.' });
    expect((await readText('junit', suiteWith('ATest', 'name="Warning"', warning))).failure).toBeUndefined();
  });

  it('has a test without a name, which pytest had begun when it was interrupted', async () => {
    const report = '<testsuite name="pytest" tests="1"><testcase classname="t" name="a" time="0.1"/>\n<testcase time="0.000"/></testsuite>';
    await expect(readText('junit', report)).rejects
      .toMatchObject({ code: 'report', message: 'report: line 2: tests did not run: pytest: a test has no name' });
    const named = '<testsuite name="a"><testcase name=""/><testcase classname=""/><testcase><failure message="no"/></testcase></testsuite>';
    expect((await readText('junit', named)).failure).toBeUndefined();
  });

  it('has a test that CTest could not start, but not one that was skipped or disabled', async () => {
    const ctest = (status: string, message: string) => readText('junit', '<testsuite name="(empty)" tests="2" failures="0" skipped="1">'
      + `<testcase name="sum" classname="sum" status="run"/>\n<testcase name="price" classname="price" ${status}><skipped${message}/></testcase></testsuite>`);
    await expect(ctest('status="notrun"', ' message="Unable to find executable"')).rejects
      .toMatchObject({ message: 'report: line 2: tests did not run: price: Unable to find executable' });
    await everyRow([
      ['status="notrun"', ' message="SKIP_RETURN_CODE=77"'], ['status="notrun"', ' message="SKIP_REGULAR_EXPRESSION_MATCHED"'],
      ['status="notrun"', ' message="Disabled"'], ['status="disabled"', ' message="Disabled"'], ['status="notrun"', ''],
      ['status="notrun" result="skipped"', ' message="no device"'], ['', ' message="no device"'],
    ], (row) => row.join(), async ([status, message]) => expect((await ctest(status!, message!)).failure).toBeUndefined());
  });

  const whole: typeof missing = [
    ['a failing test', 'pytest', 'classname="tests.test_a" name="test_a"', '<failure message="collection failure">no</failure>'],
    ['a failing fixture', 'pytest', 'classname="tests.test_a" name="test_a"', error('failed on setup with &quot;E  no&quot;')],
    ['a test of Go that prints a panic', 'example.com/m', 'classname="example.com/m" name="TestB"', '<failure message="Failed">=== RUN   TestB\n'
      + 'panic: no\n\ngoroutine 1 [running]:\nmain.main()\nexit status 2\n    b_test.go:5: exit status 2\n--- FAIL: TestB (0.00s)\n</failure>'],
    ['a test of Go whose output has no end', 'm', 'name="TestB"', '<failure message="Failed">=== RUN   TestB\nno--- FAIL: TestB (0.00s)\n</failure>'],
    ['a test of Go named TestMain', 'acme.com/shop', 'classname="acme.com/shop" name="TestMain"', failed],
    ['a hook after all tests', 'Cart', `name="Cart ${hookOf('after all')} for &quot;adds&quot;" classname="x"`, failed],
    ['a hook of Dart after all tests', 'test.a', 'classname="test.a" name="(tearDownAll)"', failed],
    ['a hook of Ginkgo after all tests', 'Books Suite', 'name="[AfterSuite]" classname="Books Suite"', failed],
    ['a hook of Bats after all tests', 'a.bats', 'name="teardown_file failed" classname="a.bats"', failed],
    ['a test of Ginkgo about hooks', 'Books Suite', 'name="[It] calls [BeforeSuite]" classname="Books Suite"', failed],
    ['a test about hooks', 'Cart', `name="Cart shows the ${hookOf('before all')} of it" classname="x"`, failed],
    ['a class of which tests ran', 'com.acme.ATest', 'name="" classname="com.acme.ATest"', error('no'), '<testcase name="a" classname="com.acme.ATest"/>'],
    ['a test without a name', 'shop', 'name="" classname=""', error('no')], ['CTest', 'Linux-c++', 'name="unit.cart" classname="unit.cart"', failed],
    ['a fixture of NUnit', 'Acme.Tests', 'name="Adds" classname="Acme.CartTests"', '<failure message="OneTimeSetUp: System.Exception : no"/>'],
    ['a class of Gradle of which tests ran', 'com.acme.ATest', 'name="classMethod" classname="com.acme.ATest"', failed,
      '<testcase name="a" classname="com.acme.ATest"/>'],
    ['a test named Error', 'ATest', 'name="Error"', error('no')],
    ['a test named Error in a class', 'ATest::testX', 'name="Error" classname="ATest"', error('no')],
    ['a suite of Vitest of which tests ran', 'a.test.ts', 'classname="a.test.ts" name="D"', failed, '<testcase classname="a.test.ts" name="D &gt; a"/>'],
    ['a test beside a skipped one', 'a.test.ts', 'classname="a.test.ts" name="D"', failed, skipped('classname="a.test.ts" name="Da &gt; a"')],
    ['a file of which tests ran', 'a.test.ts', 'classname="a.test.ts" name="a.test.ts"', failed, '<testcase classname="a.test.ts" name="adds"/>'],
    ['a test of Node.js', '', 'name="shows it" classname="test"', '<failure message="test failed"/>'],
    ['a hook of Node.js after all tests', '', 'name="/b/a.test.js" classname="test"', '<failure type="hookFailed" message="global after"/>'],
    ['a test about an initialization error', 'com.acme.ATest', 'name="shows initializationError" classname="com.acme.ATest"', failed],
  ];

  it('is not one with a test that only looks like it', () => everyRow(whole, ([what]) => what, async ([, ...parts]) => {
    const { findings, failure } = await readText('junit', suiteWith(...parts));
    expect([findings.length, failure]).toEqual([1, undefined]);
  }));
});
