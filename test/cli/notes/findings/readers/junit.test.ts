import { describe, expect, it } from 'vitest';
import { loadReports } from '../../../../../src/cli/notes/findings/load.js';
import { readJunit } from '../../../../../src/cli/notes/findings/readers/junit.js';
import { readReports } from '../../../../../src/cli/notes/findings/read.js';
import { testApp } from '../../../../support/app.js';
import { placesInTree, readFixture, readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

describe('JUnit XML', () => {
  it('is read as Vitest writes it', async () => {
    const { findings } = await readFixture('junit', 'junit.xml');
    expect(findings[0]!.guesses![0]).toEqual({ file: 'src/add.test.ts', line: 4, column: 18 });
    expect(findings).toMatchObject([{
      level: 'error', rule: 'adds negative numbers',
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
      <testcase name="b" status="failed"/><testcase name="c" result="Error" message="no"/><testcase name="d" status="passed"/>
      <testcase name="e" status="run" result="interrupted"/></testsuites>`);
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(['a: a failed', 'b: b failed', 'c: no', 'e: e failed']);
  });

  it('has one finding for a test that failed again and again, and none for one that passed at last', () => {
    const { findings } = readJunit(`<testsuite><testcase name="a"><failure message="first"/><rerunFailure message="second"/></testcase>
      <testcase name="b"><rerunFailure message="one"/><rerunError message="two"/></testcase><testcase name="c"><flakyFailure/></testcase></testsuite>`);
    expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(['a: first', 'b: one']);
  });

  it('names tests that were skipped, unless another report has run them, and all cases of a test that failed as a whole', async () => {
    const unrun = async (...tests: string[]) => (await readReports(
      tests.map((test) => ({ name: 'r', text: `<testsuite name="t">${test}<testcase name="z"/></testsuite>` })), { format: 'junit' })).unrun ?? [];
    const skipped = '<testcase name="a" classname="A"><skipped/></testcase>';
    expect(await unrun(skipped)).toEqual(['A > a']);
    expect(await unrun(skipped, '<testcase name="a" classname="A"/>')).toEqual([]);
    expect(await unrun('<testcase name="a" classname="A"/>', skipped)).toEqual([]);
    for (const status of ['notrun', 'disabled']) expect(await unrun(`<testcase name="a" status="${status}"/>`)).toEqual(['t > a']);
    expect(await unrun('<testcase name="a" status="run"/><testcase name="b()"><error/><skipped/></testcase>')).toEqual(['t > b()[]']);
    const ofPhpunit = (count: number) => unrun(`<testsuite name="App\\ATest" file="/app/ATest.php" tests="0" assertions="${count}"/>`);
    expect([await ofPhpunit(0), await ofPhpunit(1)]).toEqual([['App.ATest > *'], []]);
  });

  it('has the message of the failure, else the first line of its text, else the name of the test', () => {
    const report = (failure: string) => readJunit(`<testsuite><testcase name="adds">${failure}</testcase></testsuite>`).findings[0];
    expect(report('<failure message=" no "> \n at x\n</failure>')).toMatchObject({ message: 'no', details: 'at x' });
    expect(report('<failure>\n not equal\n at x</failure>')).toMatchObject({ message: 'not equal', details: 'not equal\n at x' });
    expect(report('<failure/>')).toMatchObject({ message: 'adds failed' });
    expect(report('<failure/>')).not.toHaveProperty('details');
  });

  it('has the reason in the text if the message is the same for each failure of a test', () => everyRow([
    ['gotestsum', 'a is wrong', 'Failed', '=== RUN   adds\n    a_test.go:3: a is wrong\n--- FAIL: adds (0.00s)\n'],
    ['several reasons, between what the test prints', 'start\ngot: x y\ntwo', 'Failed',
      '=== RUN   adds\n    a_test.go:3: start\nout 1\n    a_test.go:3: got:\n        x\n        y\n    a_test.go:4: two\n--- FAIL: adds (0.00s)\n'],
    ['testify', 'Error: Received unexpected error: no table Test: adds', 'Failed', '=== RUN   adds\n    a_test.go:10: \n'
      + '        \tError Trace:\t/b/a_test.go:10\n        \t            \t/b/b_test.go:2\n        \tError:      \tReceived unexpected error:\n'
      + '        \t            \tno table\n        \tTest:       \tadds\n--- FAIL: adds (0.00s)\n'],
    ['a subtest', 'deep', 'Failed', '=== RUN   adds/a/b\n    a_test.go:4: deep\n        --- FAIL: adds/a/b (0.00s)\n'],
    ['a panic', 'panic: nil map [recovered]', 'Failed', '=== RUN   adds\n--- FAIL: adds (0.00s)\npanic: nil map [recovered]\n\tpanic: nil map\n\n'
      + 'goroutine 19 [running]:\ntesting.tRunner(0xc0)\n\t/usr/lib/go/testing.go:1396 +0x24e\n'],
    ['a deadlock', 'fatal error: all goroutines are asleep', 'Failed', '=== RUN   adds\nout 1\nfatal error: all goroutines are asleep\n\ngoroutine 1 [x]:\n'],
    ['an exit', 'config: no database', 'Failed', '=== RUN   adds\nconfig: no database\n'],
    ['a test whose subtests failed', 'Failed', 'Failed', '=== RUN   adds\n--- FAIL: adds (0.00s)\n'],
    ['no message', 'no', '', '\n no\n at x'], ['PHPUnit', 'Failed asserting that 2 is 1.', null, 'Tests\\ATest::adds\nFailed asserting that 2 is 1.\n'],
    ['PHPUnit with data', 'PDOException: no', null, 'ATest::adds with data set #0 (2)\nPDOException: no\n\n/b/ATest.php:6'],
    ['PHPUnit without tests', 'The data provider is invalid.', null, 'adds\nThe data provider is invalid.'],
    ['Rust', 'assertion failed: a', null, "thread 'tests::adds' panicked at src/lib.rs:10:5:\nassertion failed: a\n"],
    ['Rust with a message', 'assertion failed: a', "thread 'adds' (81) panicked at src/lib.rs:10:5",
      "thread 'adds' (81) panicked at src/lib.rs:10:5:\nassertion failed: a\n"],
    ['a name alone', 'A::adds', null, 'A::adds'], ['a longer name', 'A::addsAll is not there', 'A::addsAll is not there', 'no'],
  ] as const, ([what]) => what, async ([, message, given, text]) => {
    const attribute = given === null ? '' : ` message="${given}"`;
    const { findings } = await readText('junit', `<testsuite><testcase name="adds"><failure${attribute}>${text}</failure></testcase></testsuite>`);
    expect(findings[0]!.message).toBe(message);
  }));

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

/** A report with one failed test. */
const report = (details: string, test = '', suite = '', failure = '') =>
  `<testsuite ${suite}><testcase name="adds" ${test}><failure ${failure}>${details}</failure></testcase></testsuite>`;

type Row = readonly [what: string, place: string, tree: readonly string[], ...parts: Parameters<typeof report>];

const places = (rows: readonly Row[]) => everyRow(rows, ([what]) => what, async ([, place, tree, ...parts]) => {
  expect((await placesInTree('junit', report(...parts), tree)).places).toEqual([place]);
});

describe('the place of a failure', () => {
  it('is that of attributes', () => places([
    ['of the test', 'a.rb:7', ['a.rb', 'other.rb'], '', 'file="a.rb" line="7"', 'file="other.rb"'],
    ['of the suite, with the line of the test', 'a.rb:7', ['a.rb'], '', 'line="7"', 'file="a.rb"'],
    ['of the suite', 'a.rb', ['a.rb'], '', '', 'file="a.rb"'],
    ['of the failure', 'a.go:38', ['a.go', 'b.go'], '', 'file="b.go" line="3"', '', 'file="a.go" line="38"'],
    ['of pytest, which counts from 0', 'tests/test_a.py:10', ['tests/test_a.py'], '', 'file="tests/test_a.py" line="9"', 'name="pytest"'],
    ['of the first line for pytest', 'tests/test_a.py:1', ['tests/test_a.py'], '', 'file="tests/test_a.py" line="0"', 'name="pytest"'],
    ['of unittest, which names the file of the suite too', 'test_a.py:9', ['test_a.py'], '', 'file="test_a.py" line="9"', 'file="test_a.py"'],
  ]));

  it('is the path that a test, class or suite has as its name', () => places([
    ['a class', 'src/a.test.ts', ['src/a.test.ts'], '', 'classname="src/a.test.ts"'],
    ['a suite', 'a.spec.js', ['a.spec.js'], '', 'classname="add"', 'name="a.spec.js"'],
    ['a suite without such a file', '', ['a.js'], '', '', 'name="gopkg.in/store.v3"'],
    ['a class of Java is no path', '', ['com.acme.AddTest'], '', 'classname="com.acme.AddTest"'],
    ['a class with a line and column', 'a.go:12:5', ['a.go'], 'no', 'classname="a.go:12:5"', 'name="a.go"'],
    ['a suite in the top folder', 'package-lock.json', ['package-lock.json'], '', 'classname="npm-lodash"', 'name="package-lock.json"'],
    ['of the test, before a line in the text that counts from 0', 'src/a.ts:4:3', ['src/a.ts'], 'line 3, col 2, no', 'line="4" column="3"', 'name="src/a.ts"'],
    ['with the line in the text', 'src/a.js:12:5', ['src/a.js'], 'line 12, col 5, Error - no (no-var)', '', 'name="/builds/x/src/a.js"'],
    ['with the line on a line of its own', 'src/a.go:12', ['src/a.go'], 'no\nFile: src/a.go\nLine: 12', '', 'name="src/a.go"'],
  ]));

  it('is the name of a test with a line', async () => {
    const named = (name: string) => `<testsuite name="phpstan"><testcase name="${name}"><failure message="no"/></testcase></testsuite>`;
    const { places: found, findings } = await placesInTree('junit', named('src/a.php:12'), ['src/a.php']);
    expect([found, findings[0]!.rule]).toEqual([['src/a.php:12'], 'phpstan']);
  });

  it('is the first one of the trace in the file of the test, else the first in a file that exists', () => {
    const trace = 'at b (src/other.ts:1:1)\nat a (/app/src/a.test.ts:12:5)\nat c (src/a.test.ts:3:3)';
    return places([
      ['in its file', 'src/a.test.ts:12:5', ['src/a.test.ts', 'src/other.ts'], trace, 'file="src/a.test.ts"'],
      ['in its file, before its line', 'src/a.test.ts:12:5', ['src/a.test.ts'], trace, 'file="src/a.test.ts" line="1"'],
      ['without one in its file', 'src/b.ts:1', ['src/b.ts', 'src/other.ts'], trace, 'file="src/b.ts" line="1"'],
      ['without its file', 'src/other.ts:1:1', ['src/other.ts', 'src/a.test.ts'], trace, 'file="src/missing.ts"'],
      ['of no file', 'src/other.ts:1:1', ['src/other.ts', 'src/a.test.ts'], trace],
      ['whose first file is missing', 'src/a.test.ts:12:5', ['src/a.test.ts'], trace],
      ['without a file that exists', '', ['src/c.ts'], trace],
    ]);
  });

  const java = ['api/src/test/java/com/acme/api/PriceTest.java', 'web/src/test/java/com/acme/web/PriceTest.java', 'src/main/java/com/acme/Assert.java'];

  it('is in each form of a trace that tools print', () => places([
    ['Java, below frames of a framework', `${java[0]}:29`, java,
      'AssertionError: no\n\tat org.junit.Assert.fail(Assert.java:89)\n\tat com.acme.api.PriceTest.rounds(PriceTest.java:29)'],
    ['Java with modules', `${java[1]}:29`, java,
      'at app//org.junit.Assert.fail(Assert.java:5)\n\tat app//com.acme.web.PriceTest$Inner.lambda$0(PriceTest.java:29)'],
    ['Java of the platform', `${java[1]}:3`, java,
      'at java.base/java.lang.Thread.run(Thread.java:5)\nat com.acme.web.PriceTest.&lt;init&gt;(PriceTest.java:3)'],
    ['Java, by the class of the test', `${java[0]}:29`, java, 'failed at PriceTest.java:29', 'classname="com.acme.api.PriceTest"'],
    ['a framework only', '', java, 'at org.junit.Assert.fail(Assert.java:89)'],
    ['Go, by its package', 'pkg/cart/store_test.go:21', ['pkg/cart/store_test.go', 'pkg/store/store_test.go'], '    store_test.go:21: no',
      'classname="example.com/acme/pkg/cart"'],
    ['Go, in the package of the top', 'decode_test.go:21', ['decode_test.go'], '    decode_test.go:21: no', '', 'name="gopkg.in/acme/store.v3"'],
    ['Go, in a module below the top', 'svc/api/cart/x_test.go:2', ['svc/api/cart/x_test.go', 'svc/web/x_test.go'], 'x_test.go:2: no',
      'classname="example.com/api/cart"'],
    ['Go, a panic', 'a.go:7', ['a.go', 'testing.go'],
      'testing.tRunner\n\t/usr/local/go/src/testing/testing.go:1689 +0xfb\nacme.F()\n\t/builds/acme/a.go:7 +0x1'],
    ['webpack', 'cypress/e2e/login.cy.js:10:7', ['cypress/e2e/login.cy.js'], 'at Context.eval (webpack://shop/./cypress/e2e/login.cy.js:10:7)'],
    ['webpack without a name', 'src/a.js:10:7', ['src/a.js'], 'at f (webpack:///./src/a.js:10:7)'],
    ['a server', 'src/a.spec.ts:4:9', ['src/a.spec.ts'], 'at UserContext.apply (http://localhost:9876/base/src/a.spec.ts?9d8f7:4:9)'],
    ['Firefox', 'src/a.js:4:9', ['src/a.js'], 'f@http://localhost:80/src/a.js:4:9'],
    ['a file URL', 'a_test.ts:4:9', ['a_test.ts'], 'at file:///app/a_test.ts:4:9'],
    ['.NET', 'tests/PriceTest.cs:33', ['tests/PriceTest.cs'], '   at Acme.PriceTest.Rounds() in /builds/acme/tests/PriceTest.cs:line 33'],
    ['.NET on Windows', 'src/My Tests/A.cs:33', ['src/My Tests/A.cs', 'A.cs'], '   at A.B() in C:\\Users\\Some One\\app\\src\\My Tests\\A.cs:line 33'],
    ['Python', 'tests/test_a.py:12', ['tests/test_a.py', 'case.py'],
      'Traceback:\n  File "/usr/lib/python3.11/unittest/case.py", line 9, in run\n  File "/builds/x/tests/test_a.py", line 12, in test'],
    ['pytest', 'tests/test_a.py:12', ['tests/test_a.py'], 'E  no\n\ntests/test_a.py:12: AssertionError', 'file="tests/test_a.py" line="9"'],
    ['Bats', 'pkg/a.bats:8', ['pkg/a.bats'], '(in test file pkg/a.bats, line 8)', 'classname="pkg/a.bats"'],
    ['PHP', 'tests/ATest.php:3', ['tests/ATest.php'], '/app/vendor/phpunit/phpunit/src/Framework/Assert.php:9\n/app/tests/ATest.php:3'],
    ['PHP in words', 'tests/ATest.php:3', ['tests/ATest.php'], 'Error: no in /app/tests/ATest.php on line 3'],
    ['Ruby', 'spec/a_spec.rb:3', ['spec/a_spec.rb'], "# /usr/lib/ruby/gems/3.2.0/gems/x/a.rb:1:in 'y'\n# ./spec/a_spec.rb:3:in `block'"],
    ['Perl', 't/a.t:3', ['t/a.t'], '#   at t/a.t line 3.'],
    ['Rust', 'src/lib.rs:10:5', ['src/lib.rs'], "thread 'a' panicked at src/lib.rs:10:5:\nno"],
    ['C++ with brackets', 'src/a_test.cpp:12', ['src/a_test.cpp'], '..\\src\\a_test.cpp(12): error: no'],
    ['Dart', 'test/a_test.dart:12:5', ['test/a_test.dart'], 'package:test/expect.dart 9:1  expect\ntest/a_test.dart 12:5  main.fn'],
    ['a folder with brackets', 'app/(shop)/[id]/a.test.tsx:2:3', ['app/(shop)/[id]/a.test.tsx'], 'at Object.f (/app/app/(shop)/[id]/a.test.tsx:2:3)'],
    ['a folder with a space', 'my app/a.test.ts:2:3', ['my app/a.test.ts'], 'at f (/builds/my app/a.test.ts:2:3)'],
    ['Windows', 'src/a.test.ts:2:3', ['src/a.test.ts'], 'at f (C:\\work\\app\\src\\a.test.ts:2:3)'],
    ['libraries', 'src/a.ts:2', ['src/a.ts', 'node_modules/m.js', 'm.js'], 'at f (/app/node_modules/m.js:1:2)\nat g (src/a.ts:2)'],
    ['.NET in German', 'tests/A.cs:33', ['tests/A.cs'], '   bei A.B() in C:\\b\\tests\\A.cs:Zeile 33.'],
    ['.NET in Japanese', 'tests/A.cs:33', ['tests/A.cs'], '   場所 A.B() 場所 /b/tests/A.cs:行 33'],
    ['PowerShell', 'tests/A.ps1:12', ['tests/A.ps1'], 'at &lt;ScriptBlock&gt;, C:\\b\\tests\\A.ps1: line 12'],
    ['Playwright, below the place of the test', 'e2e/a.spec.ts:6:9', ['e2e/a.spec.ts'],
      '  [chromium] › a.spec.ts:4:5 › shows it ──\n\n    Error: no\n\n        at /b/e2e/a.spec.ts:6:9', 'classname="a.spec.ts"'],
    ['Playwright without a trace', 'e2e/a.spec.ts:4:5', ['e2e/a.spec.ts'], '  [chromium] › a.spec.ts:4:5 › shows it ──\n\n    Timeout'],
    ['Flutter', 'lib/src/cart.dart:12:5', ['lib/src/cart.dart'], '#4   Cart.add (package:shop/src/cart.dart:12:5)'],
    ['Common Test of Erlang', 'test/a_SUITE.erl:12', ['test/a_SUITE.erl'], '[{file,"/b/test/a_SUITE.erl"},{line,12}]'],
    ['Boost', 'test/a.cpp:31', ['test/a.cpp'], 'ASSERTION FAILURE:\n- file   : test/a.cpp\n- line   : 31\n- message: no'],
    ['Checkov', 'main.tf:3', ['main.tf'], 'Resource: a.b\nFile: /main.tf: 3-9', 'file="/main.tf"'],
    ['stylelint', 'src/a.css:3:4', ['src/a.css'], 'On line 3, column 4 in /b/src/a.css', 'classname="stylelint"', 'name="/b/src/a.css"'],
    ['no places', '', ['a.js', 'b.toolong'], 'listening on 127.0.0.1:80, a.js:0 see a:5, b.toolong1:6'],
  ]));

  it('may be in the message or in the output of the test', async () => {
    await places([['a message', 'src/a.swift:12', ['src/a.swift'], '', '', '', 'message="no - /Users/ci/app/src/a.swift:12"']]);
    const output = '<testsuite><testcase name="a"><failure message="no"/><system-out>/build/src/a.cc:12: Failure</system-out></testcase></testsuite>';
    expect((await placesInTree('junit', output, ['src/a.cc'])).places).toEqual(['src/a.cc:12']);
  });

  it('by the declared package if no folders are named after it, in Kotlin and Scala', async () => {
    const trace = 'at kotlin.test.AssertionsKt.fail(Assertions.kt:5)\nat com.acme.PriceTest.rounds(PriceTest.kt:3)';
    const tree = {
      'src/test/kotlin/PriceTest.kt': '// Prices.\npackage com.acme\n', 'src/main/kotlin/Assertions.kt': 'package com.acme\n',
      'other/PriceTest.kt': 'package com.acme.other\n',
    };
    expect((await placesInTree('junit', report(trace), tree)).places).toEqual(['src/test/kotlin/PriceTest.kt:3']);
  });

  it('is not decided between two files, and the other tests are read', async () => {
    const test = (name: string, text: string) => `<testcase name="${name}"><failure>${text}</failure></testcase>`;
    const { places: found } = await placesInTree('junit',
      `<testsuite>${test('a', 'a.ts:1')}${test('b', 'src/c.ts:2')}${test('c', 'gone.ts:3')}</testsuite>`, ['x/a.ts', 'y/a.ts', 'src/c.ts']);
    expect(found.toSorted()).toEqual(['', '', 'src/c.ts:2']);
  });

  it('is the first one of the trace where there is no work tree', async () => {
    const { app } = await testApp({ files: { report: report('at b (src/b.ts:1:2)\nat c (src/c.ts:3:4)') } });
    const { findings } = await loadReports(app, { files: ['report'], format: 'junit', key: 'k' });
    expect(findings[0]!.finding).toMatchObject({ file: 'src/b.ts', line: 1, column: 2 });
  });

  it('is no path with a name that no file can have', () => places([
    ['too long', 'src/a.ts:12:5', ['src/a.ts'], `at f (webpack:///./loader.js?${'o'.repeat(300)}!./src/a.ts:12:5)`],
    ['with a zero character', 'src/a.ts:12:5', ['src/a.ts'], 'at f (x&#0;!./src/a.ts:12:5)'],
  ]));

  it('is an error if no file of an attribute exists', async () => {
    await expect(placesInTree('junit', report('at a.ts:1', 'file="src/a.ts"'), ['b.ts'])).rejects.toThrow('the reported file src/a.ts does not exist');
  });
});

describe('a test', () => {
  const rules = (...tests: string[]) => readJunit(`<testsuites>${tests.join('')}</testsuites>`).findings.map(({ rule }) => rule);
  const test = (attributes: string, suite = '') => `<testsuite ${suite}><testcase ${attributes}><failure message="no"/></testcase></testsuite>`;

  it('is named with its class or suite, so that tests of the same name are several findings', () => {
    expect(rules(...['com.acme.A', 'com.acme.B'].map((name) => test(`name="rounds" classname="${name}"`)), ...['linux',
      'macos'].map((name) => test('name="adds"', `name="${name}"`))))
      .toEqual(['com.acme.A > rounds', 'com.acme.B > rounds', 'linux > adds', 'macos > adds']);
  });

  it('is named with a module of two words', () => {
    expect(rules(...['tests.cart', 'tests.pay'].map((name) => test(`name="adds" classname="${name}"`)))).toEqual(['tests.cart > adds', 'tests.pay > adds']);
  });

  it('is not named with a file, which its place has, or with what its name has', () => {
    expect(rules(test('name="adds" classname="src/a.test.ts"'), test('name="no-var" classname="/x/pkg/a"', 'name="/x/pkg/a.js"'),
      test('name="errcheck" classname="a/b.go:12:5"'), test('name="Login shows it" classname="shows it"'))).toEqual(['adds', 'no-var', 'errcheck',
        'Login shows it']);
    expect(rules(test('name="TestAdd" classname="gopkg.in/acme/store.v3"'))).toEqual(['gopkg.in/acme/store.v3 > TestAdd']);
  });
});
