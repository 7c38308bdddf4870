import { describe, expect, it } from 'vitest';
import { patternReader, readCompilerLines } from '../../../../../src/cli/notes/findings/readers/lines.js';
import { brief, briefs, placesInTree, readText } from '../../../../support/reports.js';

describe('lines', () => {
  it('are read as ShellCheck, gcc, tsc and mypy print them', async () => {
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

  it.each([
    ['src/add.ts:2:14 - error TS2322: Wrong type.', 'src/add.ts:2:14 error TS2322', 'Wrong type.'],
    ['vet: ./main.go:5:2: undefined: x', './main.go:5:2 warning null', 'undefined: x'],
    ['./main.go:7:3: result of fmt.Sprintf call not used', './main.go:7:3 warning null', 'result of fmt.Sprintf call not used'],
    ['C:\\app\\rate.c:4: error: no', 'C:\\app\\rate.c:4:null error null', 'no'],
    ['\u001b[1msrc/a.c:4:1:\u001b[0m error: no', 'src/a.c:4:1 error null', 'no'],
    ['rate.c:1:10: fatal error: x.h: No such file', 'rate.c:1:10 error null', 'x.h: No such file'],
    ['a.py:3:1:7:9: error: no  [return]', 'a.py:3:1 error return', 'no'],
    ['a.py:3:1: C0114: no (missing)', 'a.py:3:1 note C0114', 'no (missing)'],
    ['a.yaml:1:8: [error] no (colons)', 'a.yaml:1:8 error null', 'no (colons)'],
    ['a.css:1:8: no (block) [error]', 'a.css:1:8 error null', 'no (block)'],
    ['a.js:2:3: no [Warning/no-var]', 'a.js:2:3 warning no-var', 'no'],
    ['a.js(2,3): error no-var : no', 'a.js:2:3 error no-var', 'no'],
    ['a.js(2,3): error : no', 'a.js:2:3 error null', 'no'],
    ['src/app/(shop)/[id]/page.tsx(12,5): error TS2322: no', 'src/app/(shop)/[id]/page.tsx:12:5 error TS2322', 'no'],
    ['C:\\Program Files (x86)\\a\\b.ts(1,2): error TS1: no', 'C:\\Program Files (x86)\\a\\b.ts:1:2 error TS1', 'no'],
    ['src/(a)/b.c:3:4: error: no', 'src/(a)/b.c:3:4 error null', 'no'],
    ['[error] a.scala:5:3: no', 'a.scala:5:3 error null', 'no'], ['[warn] src/a.scala:5:3: no', 'src/a.scala:5:3 warning null', 'no'],
    ['[a.proto:25:1] no', 'a.proto:25:1 warning null', 'no'], ['a.css:1:2: Error - no', 'a.css:1:2 error null', 'no'],
    ['src/a.rs:1:2: error[E0425]: no', 'src/a.rs:1:2 error E0425', 'no'], ['a.xml:3: parser error : no', 'a.xml:3:null error null', 'no'],
    ['a.xml:3: namespace error : no', 'a.xml:3:null error null', 'no'], ['Makefile:3: *** no', 'Makefile:3:null warning null', '*** no'],
    ['a.cpp(12): error C2065: no', 'a.cpp:12:null error C2065', 'no'],
    ['C:\\b\\a.cs (10): error CS: no', 'C:\\b\\a.cs:10:null error CS', 'no'], ['b/a.cs (4,7):  warning CS01: no', 'b/a.cs:4:7 warning CS01', 'no'],
    ['b/a.h(18) : fatal error C1083: no', 'b/a.h:18:null error C1083', 'no'],
    ['a.c:3: error in: no', 'a.c:3:null warning null', 'error in: no'],
    ['a.rb:3:1: E: Lint/Syntax: no', 'a.rb:3:1 error null', 'Lint/Syntax: no'], ['a.rb:3:1: C: no', 'a.rb:3:1 note null', 'no'],
    ['a.rb:3:1: W: [Correctable] no', 'a.rb:3:1 warning null', '[Correctable] no'], ['a.rb:3:81: C: no [83/80]', 'a.rb:3:81 note null', 'no [83/80]'],
    ['a.cc:3:  no  [build/include] [5]', 'a.cc:3:null warning null', 'no  [build/include] [5]'],
    ['a.js:2:3: catastrophe: no', 'a.js:2:3 warning null', 'catastrophe: no'],
    ['ERROR src/a.py:3:5: no', 'src/a.py:3:5 error null', 'no'], ['ERROR: src/a.bzl:3:5: no', 'src/a.bzl:3:5 error null', 'no'],
    ['warning: src/a.rs:3: no', 'src/a.rs:3:null warning null', 'no'], ['[E] src/a.py:3: no', 'src/a.py:3:null error null', 'no'],
    ['[FATAL] src/a.py:3: no', 'src/a.py:3:null error null', 'no'], ['[debug] src/a.py:3: no', 'src/a.py:3:null warning null', 'no'],
    ['3>src\\a.cpp(14): error C1: no', 'src\\a.cpp:14:null error C1', 'no'], ['     3>C:\\a.cpp(14): warning C1: no', 'C:\\a.cpp:14:null warning C1', 'no'],
    ['e: file:///b/src/a.kt:12:5 no', 'file:///b/src/a.kt:12:5 error null', 'no'], ['w: /b/a.kt: (12, 5): no', '/b/a.kt:12:5 warning null', 'no'],
    ['[ERROR] /b/A.java:[12,5] no', '/b/A.java:12:5 error null', 'no'], ['[src/a.cpp:3]: (error) no', 'src/a.cpp:3:null error null', 'no'],
    ['a.py:3:5: <warning> no', 'a.py:3:5 warning null', 'no'], ['Dockerfile:3 DL3008 info: no', 'Dockerfile:3:null note DL3008', 'no'],
    ['a.py:3:5 Undefined name [16]: no', 'a.py:3:5 warning null', 'Undefined name [16]: no'], ['a.c:3: fatal: no', 'a.c:3:null error null', 'no'],
    ['a.c:3: critical: no', 'a.c:3:null error null', 'no'], ['a.php:3: PHP Parse error:  no', 'a.php:3:null error null', 'PHP Parse error:  no'],
    ['a.xml:3: element p: validity error : no', 'a.xml:3:null error null', 'element p: validity error : no'],
    ['a.xml:3: element p: Schemas validity error : no', 'a.xml:3:null error null', 'element p: Schemas validity error : no'],
    ['a.xml:3: Relax-NG validity error : no', 'a.xml:3:null error null', 'Relax-NG validity error : no'],
    ['a.py:3: SyntaxError: no', 'a.py:3:null error null', 'SyntaxError: no'],
    ['[ERROR] src/A.java:[1] (javadoc) JavadocPackage: no', 'src/A.java:1:null error null', '(javadoc) JavadocPackage: no'],
    ['    [javac] D:\\a\\A.java:225: warning: [x] no', 'D:\\a\\A.java:225:null warning null', '[x] no'],
    ['        a\\B.cs(55,26): warning CS0108: no', 'a\\B.cs:55:26 warning CS0108', 'no'], ['\tB.cs(47,97): error CS1: no', 'B.cs:47:97 error CS1', 'no'],
    ['C/C++: /b/a.cpp:35:15: warning: no [-Wx]', '/b/a.cpp:35:15 warning -Wx', 'no'],
    ['B.cs(5,24,5,26): warning CS1589: no', 'B.cs:5:24 warning CS1589', 'no'],
    ['app/Main.hs:10:3-12: error: [GHC-88464]', 'app/Main.hs:10:3 error null', '[GHC-88464]'],
    ['app/Main.hs:(10,1)-(12,20): Error: no', 'app/Main.hs:10:1 error null', 'no'], ['a.ts[418, 38]: no', 'a.ts:418:38 warning null', 'no'],
    ['ERROR: src/a.ts[418, 38]: no', 'src/a.ts:418:38 error null', 'no'], ['"a.c", line 5: error: no', 'a.c:5:null error null', 'no'],
    ['[src/a.c:5] -> [C:\\b.c:3] -> [c.c:1]: (error) no', 'src/a.c:5:null error null', 'no'],
    ['"/b/a.c", line 5: Error #20-D: no', '/b/a.c:5:null error #20-D', 'no'], ['a.c(5): error #20: no', 'a.c:5:null error #20', 'no'],
    ['"C:\\a.c", line 5: error #5:', 'C:\\a.c:5:null error #5', 'no message'],
    ['"a.c", line 5: Warning, nolabel: no', 'a.c:5:null warning nolabel', 'no'],
    ['"a.c", line 5: error (etoa:4639): no', 'a.c:5:null error (etoa:4639)', 'no'],
    ['a.robot:12:1 [E] 0801 no', 'a.robot:12:1 error null', '0801 no'], ['a.robot:12:1 [I] 0901 no', 'a.robot:12:1 note null', '0901 no'],
    ['a.rst:7: (ERROR/3) no', 'a.rst:7:null error null', 'no'], ['a.rst:7: (SEVERE/4) no', 'a.rst:7:null error null', 'no'],
    ['a.rst:7: (WARNING/2) no', 'a.rst:7:null warning null', 'no'], ['a.rst:7: (INFO/1) no', 'a.rst:7:null note null', 'no'],
    ['./src/A.java:3:\tAvoidThrowing:\tno', './src/A.java:3:null warning null', 'AvoidThrowing:\tno'],
  ])('reads %s', async (line, expected, message) => {
    const { findings } = await readText('lines', `noise\n${line}\n12:30:45: started\n`);
    expect(findings.map(brief)).toEqual([expected]);
    expect(findings[0]!.message).toBe(message);
  });

  it('of MSBuild have no project at the end, so that each finding is there once, whatever frameworks are built', async () => {
    const projects = [' [/src/App/App.csproj::TargetFramework=net6.0]', ' [/src/App/App.csproj::TargetFramework=net8.0]', ' [D:\\a\\My App\\App.vbproj]', ''];
    const texts = ['a.cs(3,9): warning CS0168: use [x]', 'a.cs(4,9): error : no'].flatMap((text) => projects.map((project) => `${text}${project}\n`));
    const { findings } = await readText('lines', texts.join('').replaceAll('x]\n', 'x] \n'));
    expect(findings.map((one) => [brief(one), one.message])).toEqual([
      ['a.cs:3:9 warning CS0168', 'use [x]'], ['a.cs:4:9 error null', 'no'],
    ]);
  });

  it('take the last word for a path where the words before it make no file', async () => {
    const { places } = await placesInTree('lines', 'Checking src/a.ts:3: no\nmy docs/a.md:4: no\n', ['src/a.ts', 'my docs/a.md', 'docs/a.md']);
    expect(places).toEqual(['my docs/a.md:4', 'src/a.ts:3']);
  });

  it('skips a summary that says that nothing was found', async () => {
    expect((await readText('lines', 'Success: no issues found in 3 source files\n')).findings).toEqual([]);
  });

  it('that name no path, line or message are skipped', () => {
    const { findings } = readCompilerLines('a.js:1: no\n12:30:45: started\n:5: x\nb.js:7:\nhttp://example.com: x\n');
    expect(findings.map(brief)).toEqual(['a.js:1:null warning null']);
  });

  it.each(['Elapsed: 00:00:01.23', '2026-05-01 10:20:30.5', "Test Suite 'All' started at 2026-05-01 10:20:30.123", 'Listening on localhost:8080: ok',
    '2026-05-01T10:20:30Z INFO Loaded', 'connect ECONNREFUSED 127.0.0.1:5432: refused', 'db.internal:5432: refused',
    'example.com:443: closed', 'host-1.acme.dev:443: closed', 'acme.co.uk:443: closed', 'ghcr.io/acme/app:12: pulled',
    'Test 3/4:12: stopped', 'Error in job 12:30: stopped',
    'at f (src/a.ts:1:2): no'])('with times, addresses and words before a number name no path: %s', (line) => {
    expect(readCompilerLines(`a.js:1: no\n${line}`)).toMatchObject({ findings: [{ file: 'a.js' }], unread: { count: 1, line: 2 } });
  });

  it('have no rule where only brackets stand', () => {
    expect(readCompilerLines('a.c:1: [x]\nb.c:1: got [ 1 ]\nc.c:1: no [rule]').findings.map(({ rule, message }) => `${rule}: ${message}`))
      .toEqual(['null: [x]', 'null: got [ 1 ]', 'rule: no']);
  });

  it.each(['Success: no issues found in 3 source files\n', 'Found 0 errors\n'])('may only say that nothing was found: %s', (source) => {
    expect(readCompilerLines(source)).toEqual({ tools: [], findings: [] });
  });

  it('without a meaning are counted, and the first is named', () => {
    expect(readCompilerLines('a.js:1: no\nmake: failed\nb.js:2: no\n   ^\n')).toMatchObject({
      findings: [{ line: 1 }, { line: 2 }], unread: { count: 2, line: 2, text: 'make: failed' } });
    expect(readCompilerLines('a.js:1: no\n\nSuccess: no issues found\n').unread).toBeUndefined();
    expect(readCompilerLines(`a.js:1: no\n${'x'.repeat(1_000)}`).unread!.text).toHaveLength(200);
  });

  it.each(['docs/a.md:3 MD041 no heading', 'src/a.y:3.10-12: warning: unused', '  lib/a.ex:3: no', 'src/a.ts:13', '  --> src/main.rs:2:9',
    'a.js: line 1, col 1, Warning - no', '  1:2  warning  no  semi', 'src/(shop)/a.md:3 no', '/usr/src/app/a.md:3 no',
    'gems/acme/a.rb:3 no', '\u001b[33ma.md:3\u001b[0m MD041 no', 'Main.hs:(1,2)-(3,4) no', 'src/a.ts[13, 2]:'])(
    'that begin with a place fail the run if they are not read: %s', (line) => {
      const message = expect.stringMatching(/^a finding may be in this line, which was not read: /) as string;
      expect(readCompilerLines(`a.js:1: no\n${line}\nb.js:1: no\n`)).toMatchObject({
        findings: [{ file: 'a.js' }, { file: 'b.js' }], unread: { count: 1, line: 2 }, failures: [{ place: 'line 2', message }] });
    });

  it.each(['Using a cache', '10:20:31 started', 'localhost:8080 is up', 'at f (src/a.ts:1:2): no', 'In file included from a.c:3:', '    1 | int x;',
    '    console.log(3);', '    if (a.b(1, 2)) {', '"a.b":3', '  image: acme/app:3', 'ghcr.io/acme/app:1.2: pulled', '2 files checked', '# a.md:3',
    '/usr/lib/python3/a.py:3 no', '/opt/venv/lib/site-packages/a.py:3 no', 'C:\\tools\\node_modules\\a.js:3 no', '/usr/local/bundle/gems/a.rb:3 no'])(
    'of another meaning fail no run: %s', (line) => {
      expect(readCompilerLines(`a.js:1: no\n${line}\nb.js:1: no\n`).failures).toBeUndefined();
    });

  it('are rejected if one of them has no meaning beside the words for nothing', () => {
    expect(() => readCompilerLines('Success: no issues found\nSegmentation fault\n')).toThrow('got "Segmentation fault"');
  });

  it('are rejected if none is a finding', () => {
    expect(() => readCompilerLines('Segmentation fault\n')).toThrow('expected lines of the form path:line[:column]: message, got "Segmentation fault"');
  });
});

describe('a pattern', () => {
  it('reads other forms of lines with its named groups', async () => {
    const pattern = '^(?P<level>[WE]) (?P<path>\\S+) at (?P<line>\\d+) \\((?P<rule>\\w+)\\) (?P<message>.*)$';
    const { findings } = await readText('lines', 'E src/a.rb at 12 (Style) Too long\nother\n', { pattern });
    expect(findings.map(brief)).toEqual(['src/a.rb:12:null error Style']);
  });

  it.each([['E', 'error'], ['F', 'error'], ['W', 'warning'], ['C', 'note'], ['R', 'note'], ['I', 'note'], ['fatal', 'error'], ['', 'warning']])(
    'reads the level %j as %s', async (word, level) => {
      const pattern = '^(?P<level>\\w*)!(?P<path>[^!]+)!(?P<message>.*)$';
      expect((await readText('lines', `${word}!a.js!no`, { pattern })).findings).toMatchObject([{ level }]);
    });

  it.each(['level', 'severity'])('rejects a line whose %s it does not know', async (group) => {
    const pattern = `^(?P<${group}>\\w*)!(?P<path>[^!]+)!(?P<message>.*)$`;
    await expect(readText('lines', 'error!a.js!no\nodd!a.js!no', { pattern })).rejects.toMatchObject({
      message: 'report: line 2: unknown level "odd"',
      hint: 'let the group match error, warning or note, or one of the letters E, F, W, C, R and I' });
  });

  it('counts the lines that it does not match, and is rejected if it matches none', async () => {
    const pattern = '(?P<path>[^:]+): (?P<message>CHECK.*)';
    expect((await readText('lines', 'a.js: CHECK\nb\nc', { pattern })).unread).toEqual([{ name: 'report', count: 2, line: 2, text: 'b', lines: ['b', 'c'] }]);
    await expect(readText('lines', 'b\nc', { pattern })).rejects.toMatchObject({
      message: 'report: line 1: expected lines that match --pattern, got "b"', hint: 'change --pattern, or check that the tool ran' });
  });

  it('decides which lines are findings', async () => {
    expect((await readText('lines', 'a.js: CHECK\na.js:3 no\n', { pattern: '(?P<path>[^:]+): (?P<message>CHECK.*)' })).failure).toBeUndefined();
  });

  it('may use the other names of groups, and groups that match nothing', async () => {
    const read = await patternReader('^(?P<file>\\S+) (?P<line>\\d+)-(?P<endline>\\d+) (?P<severity>\\w+)( (?P<code>X\\d))?:(?P<message>.*)$');
    const { findings } = read('a.py 3-5 error X1: no\nb.py 3-3 info:\n');
    expect(findings.map((one) => [brief(one), one.endLine, one.message])).toEqual([
      ['a.py:3:null error X1', 5, 'no'], ['b.py:3:null note null', null, 'no message'],
    ]);
  });

  it.each([
    ['(?P<path>.*', 'missing closing'], ['(?P<path>.*)', 'has no group message'], ['(?P<message>.*)', 'has no group path'],
    ['(?P<path>a)(?P<message>b)(?P<other>c)', 'unknown group other'], ['(?=a)(?P<path>a)(?P<message>b)', '--pattern: '],
  ])('%s is rejected', async (pattern, message) => {
    await expect(patternReader(pattern)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) as string });
  });
});
