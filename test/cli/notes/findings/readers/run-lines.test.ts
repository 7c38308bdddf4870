import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../../src/cli/notes/findings/read.js';
import { readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

type Row = readonly [Format, finding: string, end: string];

const gcc = 'src/b.c:4:13: warning: bad [-Wa]\n';
const tsc = 'a.ts(1,2): error TS2322: no\n';
const js = 'a.js:1:2: no\n';
const sbt = '[error] src/a.scala:3:15: no\n';

/** What tools and runners print below findings if others are missing. */
const failed: readonly Row[] = [
  ['gcc', gcc, '/usr/bin/ld: b.c:(.text+0x12): undefined reference to `f\'\n'], ['gcc', gcc, 'collect2: error: ld returned 1 exit status\n'],
  ['gcc', gcc, 'gcc: internal compiler error: Killed signal terminated program cc1\n'], ['gcc', gcc, 'gcc: fatal error: Killed signal terminated\n'],
  ['gcc', gcc, 'make[2]: *** [build.make:76: src/b.c.o] Error 1\nmake: *** [Makefile:9: all] Error 2\n'], ['lines', gcc, 'make: *** [b.lo] Error 1\n'],
  ['gcc', gcc, 'FAILED: src/b.c.o \nninja: build stopped: subcommand failed.\n'], ['gcc', gcc, 'FAILED: [code=1] b.obj \n'],
  ['gcc', gcc, 'make: *** [Makefile:3: b.o] Killed\n'], ['gcc', gcc, 'make: *** [Makefile:3: b.o] Error 137\n'],
  ['gcc', gcc, 'clang: error: unable to execute command\n'], ['gcc', gcc, 'make: *** No rule to make target \'a\'.  Stop.\n'],
  ['shellcheck-gcc', 'a.sh:1:1: note: no [SC2086]\n', 'x.sh: x.sh: openBinaryFile: does not exist (No such file or directory)\n'],
  ['lines', js, 'level=error msg="Timeout exceeded: try increasing it by passing --timeout option"\n'], ['lines', js, 'ERRO[0000] Timeout exceeded\n'],
  ['lines', js, 'Killed\n'], ['lines', js, 'fatal: no\n'], ['lines', js, 'sh: 1: eslint: not found\n'], ['lines', js, '[ERROR] cannot read b.js\n'],
  ['lines', js, 'error Command failed with signal "SIGKILL".\n'], ['lines', js, 'npm error code 127\n'], ['lines', js, 'Segmentation fault (core dumped)\n'],
  ['tsc', tsc, ' ELIFECYCLE  Command failed with exit code 137.\n'],
  ['javac', 'A.java:3: warning: no\n', 'error: file not found: B.java\n1 error\n1 warning\n'],
  ['mypy', 'a.py:1: error: no\n', 'mypy: error: no such option: --x\n'], ['cppcheck', gcc, 'cppcheck: error: could not find or open any of the paths given.\n'],
  ['javac', 'A.java:3: warning: no\n', 'The system is out of resources.\nConsult the following stack trace for details.\n'],
  ['javac', 'A.java:3: warning: no\n', 'java.lang.OutOfMemoryError: Java heap space\n\tat com.sun.tools.javac.Main.main(Main.java:43)\n'],
  ['javac', 'A.java:3: warning: no\n', 'An exception has occurred in the compiler (17.0.15). Please file a bug\n'],
  ['gcc', gcc, 'virtual memory exhausted: Cannot allocate memory\n'], ['gcc', gcc, 'npm ERR! Missing script: "lint"\n'],
  ['gcc', gcc, 'npm error Missing script: "lint"\n'], ['gcc', gcc, 'write error: No space left on device\n'],
  ['lines', js, 'Unhandled exception. System.InvalidOperationException: x\n   at Foo.Bar()\n'],
  ['lines', js, 'timeout: sending signal TERM to command npx\n'], ['lines', js, '/usr/bin/python3: No module named flake8\n'],
  ['lines', js, 'ruff failed\n  Cause: no\n'], ['go-vet', './a.go:1:2: no\n', 'pattern ./...: open x: permission denied\n'],
  ['lines', js, `panic: ${'x'.repeat(3_000)}\n`], ['lines', js, `cannot read ${'x'.repeat(3_000)}\n`],
  ['gcc', gcc, 'ld: cannot find src/cache/b.o\n'], ['gcc', gcc, 'ld: cannot find no error.o\n'], ['lines', js, 'cannot open cache.js\n'],
  ['gcc', gcc, 'src/b.c:5'], ['gcc', gcc, 'src/b.c:5:3: warning: no [-W'], ['gcc', gcc, '    4 |   int ra'], ['pylint', 'a.py:1:0: C0114: no (x)\n', 'a.py:2'],
  ['tsc', tsc, 'a.ts(2'],
  ['gcc', gcc, 'bash: line 1:  1234 Segmentation fault      (core dumped) gcc -c a.c\n'], ['gcc', gcc, 'Bus error\n'], ['gcc', gcc, 'Illegal instruction\n'],
  ['gcc', gcc, "terminate called after throwing an instance of 'std::bad_alloc'\n"], ['gcc', gcc, 'free(): double free detected in tcache 2\n'],
  ['gcc', gcc, '*** stack smashing detected ***: terminated\n'], ['gcc', gcc, '==12==ERROR: AddressSanitizer: heap-use-after-free\n'],
  ['gcc', gcc, 'LLVM ERROR: out of memory\n'], ['gcc', gcc, 'PLEASE submit a bug report to https://example.com/\n'],
  ['gcc', gcc, 'CMake Error at CMakeLists.txt:3 (message):\n'], ['gcc', gcc, '-- Configuring incomplete, errors occurred!\n'],
  ['gcc', gcc, 'make: *** No targets specified and no makefile found.  Stop.\n'], ['gcc', gcc, 'make: *** [Makefile:2: a.o] Interrupt\n'],
  ['gcc', gcc, 'ninja: build stopped: interrupted by user.\n'], ['gcc', gcc, 'fork: retry: Resource temporarily unavailable\n'],
  ['gcc', gcc, 'timeout: the monitored command dumped core\n'], ['gcc', gcc, 'docker: Error response from daemon: manifest unknown.\n'],
  ['lines', js, 'ReferenceError: x is not defined\n'], ['lines', js, 'Error [ERR_MODULE_NOT_FOUND]: Cannot find package\n'],
  ['lines', js, 'Error: Debug Failure.\n'],
  ['lines', js, "ESLint couldn't find the plugin \"x\".\n"], ['lines', js, 'No files matching the pattern "src" were found.\n'],
  ['lines', js, '(node:1) UnhandledPromiseRejectionWarning: Error: no\n'], ['lines', js, "'eslint' is not recognized as an internal or external command,\n"],
  ['lines', js, 'npm error code ENOENT\n'], ['lines', js, 'npm error canceled\n'], ['lines', js, ' ERR_PNPM_NO_SCRIPT  Missing script: lint\n'],
  ['lines', js, ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "eslint" not found\n'], ['lines', js, 'error: script "lint" not found\n'],
  ['flake8', 'a.py:1:2: F401 no\n', 'KeyboardInterrupt\n'], ['flake8', 'a.py:1:2: F401 no\n', 'MemoryError\n'],
  ['lines', js, 'warning: Failed to lint x.py: no\n'],
  ['mypy', 'a.py:1: error: no\n', 'a.py:9: note: (Skipping most remaining errors due to unresolved imports or missing stubs; fix these first)\n'],
  ['mypy', 'a.py:1: error: no\n', 'Daemon crashed!\n'], ['pyright', '  /a.py:1:1 - error: no (reportX)\n', 'No source files found.\n'],
  ['go-vet', './a.go:1:2: no\n', 'go: updates to go.mod needed\n'], ['go-vet', './a.go:1:2: no\n', 'goroutine 1 [running]:\n'],
  ['go-vet', './a.go:1:2: no\n', 'go build x: /usr/lib/go/compile: signal: killed\n'], ['lines', js, 'WARN [runner] Can\'t run linter unused: no\n'],
  ['clippy', 'src/a.rs:1:2: warning: no\n', '  process didn\'t exit successfully: `rustc` (signal: 9, SIGKILL: kill)\n'],
  ['clippy', 'src/a.rs:1:2: warning: no\n', 'error[E0463]: can\'t find crate for `std`\n'], ['clippy', 'src/a.rs:1:2: warning: no\n',
  'error: linking with `cc` failed\n'],
  ['javac', 'A.java:3: warning: no\n', '# There is insufficient memory for the Java Runtime Environment to continue.\n'],
  ['lines', js, 'e: java.lang.OutOfMemoryError: GC overhead limit exceeded\n'], ['lines', js, 'The Gradle daemon disappeared unexpectedly\n'],
  ['rubocop', 'a.rb:3:5: C: Style/X: no\n', 'An error occurred while Style/X cop was inspecting /app/a.rb:3:1.\n'],
  ['lines', js, '** (CompileError) lib/a.ex:3: no\n'],
  ['lines', js, "/usr/lib/ruby/rubocop.rb:3:in `x': no (NoMethodError)\n"],
  ['lines', js, 'standard_init_linux.go:228: exec user process caused: exec format error\n'],
  ['lines', js, 'PHP Parse error:  no\n'], ['lines', js, ' Internal error: Class x not found\n'], ['lines', js, 'usage: flake8 [options] file file ...\n'],
  ['lines', js, 'note.sh: note.sh: openBinaryFile: does not exist\n'], ['lines', js, "> Process 'npx' finished with non-zero exit value 137\n"],
  ['lines', js, 'src/b\r'],
  ['lines', sbt, '[error] (update) sbt.ResolveException: no\n'], ['lines', sbt, '[error] Failed to start\n'],
  ['lines', sbt, '[error] src/b.scala: File length exceeds 5 lines\n'], ['lines', js, '[error] Unapplied methods are only converted\n'],
];

/** What they print if the report is whole. */
const whole: readonly Row[] = [
  ['gcc', gcc, '    4 |   exit(255); error("cannot read");\n      |   ^~~~\n'], ['gcc', gcc, '      |   ^~~~'],
  ['gcc', gcc, 'cc1: all warnings being treated as errors\n'],
  ['gcc', gcc, 'src/b.c:5:3: warning: no [-Wb]\n'], ['gcc', gcc, 'make: *** [Makefile:3: lint] Error 1\n'], ['gcc', gcc, '1 warning generated.\n'],
  ['gcc', gcc, "make[1]: *** [Makefile:3: b.o] Error 1\nmake[1]: Target 'all' not remade because of errors.\nmake: *** [Makefile:9: sub] Error 2\n"],
  ['gcc', gcc, 'FAILED: src/b.c.o \nninja: build stopped: cannot make progress due to previous errors.\n'],
  ['lines', js, 'gcc -Werror -c error.c -o failed.o\n'], ['lines', js, 'make[1]: *** [lint] Error 2\nmake: *** Waiting for unfinished jobs....\n'],
  ['lines', js, '  5 |   throw new Error("could not read")\n'], ['lines', js, '12   throw new Error("could not read");\n'],
  ['lines', js, '0 errors, 0 failed\n'],
  ['lines', js, 'warning: cannot find a configuration\n'], ['lines', js, 'Error: Process completed with exit code 1.\n'],
  ['lines', js, 'Failed to write cache\n'],
  ['lines', js, '> Task :lint FAILED\n\nFAILURE: Build failed with an exception.\n'], ['lines', js, '✖ 1 problem (1 error, 0 warnings)\n'],
  ['lines', js, 'error: fails()\n^\n'],
  ['javac', 'A.java:3: warning: no\n', 'error: warnings found and -Werror specified\n1 error\n1 warning\n'], ['tsc', tsc, '  Type a is not b.\n'],
  ['mypy', 'a.py:1: error: no\n', 'Found 1 error in 1 file (checked 1 source file)\n'],
  ['pylint', 'a.py:1:0: C0114: no (x)\n', 'Unable to create directory /.cache\n'],
  ['gcc', gcc, 'error.c: In function \'f\':\nmake: *** [Makefile:12: error] Error 1\n'],
  ['lines', js, 'Warning: React version not specified\nnpm error code 1\n'],
  ['clippy', 'src/a.rs:1:2: warning: no\n', 'warning: unused manifest key: package.x\nwarning: x\nwarning: `a` (bin "a") generated 1 warning\n'],
  ['lines', js, 'Found 3 errors (2 fixed, 1 remaining).\n'], ['lines', js, '\n1 problem'], ['lines', js, 'error: build failed\n'],
  ['lines', js, '[error] one error found\n[error] (Compile / compileIncremental) Compilation failed\n[error] Total time: 2 s\n'],
  ['lines', js, 'ERROR: Build did NOT complete successfully\n'], ['lines', js, 'error: emit-module command failed with exit code 1\nerror: fatalError\n'],
  ['lines', js, 'ERROR: InvocationError for command flake8 (exited with code 1)\nERROR:   lint: commands failed\n'],
  ['lines', js, 'ninja: build stopped: cannot make progress due to previous errors.\n'], ['lines', js, 'ninja: build stopped: subcommands failed.\n'],
  ['lines', js, "rm: cannot remove 'build': No such file or directory\n"], ['lines', js, 'mkdir: cannot create directory ‘build’: File exists\n'],
  ['lines', js, '[ERROR] Failed to execute goal com.github.spotbugs:spotbugs-maven-plugin:4.8:check: failed with 3 bugs and 0 errors\n'],
  ['lines', js, "Unable to find image 'koalaman/shellcheck:stable' locally\n"], ['lines', js, 'Error: 3 errors found\n'],
  ['lines', js, 'ERROR: lint check failed\n'],
  ['lines', js, 'Error: linting failed\n'], ['lines', js, 'Failed to compile.\n'],
  ['lines', js, 'SLF4J: Failed to load class "org.slf4j.impl.StaticLoggerBinder".\n'],
  ['lines', js, 'W: Failed to fetch http://example.com\n'], ['gcc', gcc, '-- Could NOT find Doxygen\n[ 50%] Building C object error.c.o\n'],
  ['flake8', 'a.py:1:2: F401 no\n', '1\n'], ['lines', js, '  '],
  ['lines', sbt, '[error] Unapplied methods are only converted to functions\n[error] throw Error("could not")\n[error] ^\n[error] one error found\n'],
  ['lines', js, 'Notice: Output directory x does not exist. I have created it for you.\n'], ['lines', js, 'Checking 1/2\rChecking 2/2\n'],
];

/** What they print if they end well and find nothing. */
const clean: readonly (readonly [Format, text: string])[] = [
  ['lines', 'All checks passed!\n'], ['lines', '0 issues.\n'], ['lines', 'Analyzing app...\nNo issues found!\n'], ['lines', 'Starting audit...\nAudit done.\n'],
  ['lines', "Linting Swift files in current working directory\nLinting 'A.swift' (1/1)\nDone linting! Found 0 violations, 0 serious in 1 file.\n"],
  ['lines', '    Checking app v0.1.0 (/app)\n    Finished `dev` profile [unoptimized] target(s) in 0.50s\n'], ['lines',
  '0 errors, 0 warnings, 0 informations \n'],
  ['lines', ['MSBuild version 17.8.3 for .NET', '  Determining projects to restore...', '  App -> /app/bin/App.dll', '', 'Build succeeded.',
    '    0 Warning(s)', '    0 Error(s)', '', 'Time Elapsed 00:00:01.23', ''].join('\r\n')],
  ['javac', 'Note: A.java uses unchecked or unsafe operations.\n'], ['cppcheck', 'Checking a.c ...\nChecking a.c: DEBUG=1...\n'],
  ['mypy', "pyproject.toml: note: unused section(s): module = ['a.*']\nSuccess: no issues found in 1 file\n"],
  ['mypy', 'Warning: unused section(s) in mypy.ini: [mypy-a.*]\nSuccess: no issues found in 1 file\n'],
  ['pyright', ['No configuration file found.', 'No pyproject.toml file found.', 'Assuming Python platform Linux', 'Searching for source files',
    'Found 3 source files', 'pyright 1.1.300', '0 errors, 0 warnings, 0 informations ', 'Completed in 0.6sec',
    'WARNING: there is a new pyright version available (v1 -> v2).',
    'Please install the new version or set PYRIGHT_PYTHON_FORCE_VERSION to `latest`', ''].join('\n')],
  ['flake8', '0\n'], ['clippy', 'warning: unused manifest key: package.x\n    Finished `dev` in 0.5s\n'],
  ['javac', 'warning: [options] bootstrap class path not set in conjunction with -source 8\n1 warning\n'],
];

/** What is above a result that is missing. */
const begun = [
  '    Checking app v0.1.0 (/app)\n', 'Used config files:\n    1: .codespellrc\n', 'Searching for source files\nFound 3 source files\n',
  "make[1]: Entering directory '/app'\ngcc -Wall -c a.c -o a.o\n[ 50%] Built target a\nmake[1]: Leaving directory '/app'\n",
  "make: Nothing to be done for 'a'.\n",
  ['=============', '', 'WARNING: You are currently running a version of TypeScript which is not officially supported by typescript-estree.', '',
    'You may find that it works just fine, or you may not.', '', '* @typescript-eslint/typescript-estree version: 8.0.0',
    '* Supported TypeScript versions: >=4.8.4 <5.6.0', '* Your TypeScript version: 5.6.2', '',
    'Please only submit bug reports when using the officially supported version.', '', '=============', ''].join('\n'),
  'Analyzing app...\n', "Linting 'A.swift' (1/2)\n", 'MSBuild version 17.8.3 for .NET\n',
'Starting audit...\n',
  '(node:22) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.\n(Use `node --trace-deprecation ...` to show where the warning was created)\n'];

describe('a report of lines', () => {
  it('is that of a failed run if a line below its findings says so, or is cut', () => everyRow(
    failed, String, async ([format, finding, end]) => {
    const { findings, failure } = await readText(format, finding + end);
    expect(findings.length).toBeGreaterThan(0);
    expect(failure).toContain(`report: line ${finding.split('\n').length}: `);
  }));

  it('is that of a failed run if its last line has no end, or the count at the end is missing', () => everyRow<Row>([
    ['lines', `${js}a.js:1:2: n`, 'line 2: the last line has no end: a.js:1:2: n'],
    ['tsc', `${tsc}a.ts(3,1): error TS2322: no`, 'line 2: the last line has no end'],
    ['shellcheck-gcc', 'run.sh:3:6: note: Double quote to pre', 'line 1: the last line has no end'], ['gcc', gcc.trimEnd(), 'line 1: the last line has no end'],
    ['javac', 'a/B.java:3: warning: [deprecation] no\n', 'the end: the count of findings'],
    ['pyright', '/app/a.py\n  /app/a.py:1:2 - error: no (reportX)\n', 'the end: the count of findings'],
    ['eslint-unix', '/app/a.js:1:2: no [Error/x]\n', 'the end: the count of findings'],
  ], ([format, text]) => `${format} ${text}`, async ([format, text, said]) => {
    expect((await readText(format, text)).failure).toContain(`report: ${said}`);
  }));

  it('is whole with what tools and runners print beside findings', () => everyRow(whole, String, async ([format, finding, end]) => {
    expect((await readText(format, finding + end)).failure).toBeUndefined();
  }));

  it('is whole without findings if the tool says at its end that it has none', () => everyRow(clean, String, async ([format, text]) => {
    const { findings, failure, unread } = await readText(format, text);
    expect([findings.filter(({ file }) => file !== ''), failure, unread]).toEqual([[], undefined, []]);
  }));

  it('is empty if nothing says that the tool ended', () => everyRow(begun, String, async (text) => {
    for (const format of ['lines', 'gcc', 'pyright', 'codespell', 'clippy', 'eslint-unix'] as const) {
      await expect(readText(format, text), format).rejects.toThrow('report is empty');
      expect((await readText(format, text, { allowEmpty: true })).findings, format).toEqual([]);
    }
  }));

  it('is not empty if a tool says that it did nothing', () => everyRow(
    ['No configuration file found.', 'Found 0 source files', 'Analyzing app... failed', '-- Configuring incomplete, errors occurred!', '  it failed'],
    String, async (line) => {
      await expect(readText('lines', `${line}\n`, { allowEmpty: true })).rejects.toThrow('line 1: expected lines of the form');
    }));

  it('has the findings that take the place of progress in a terminal', () => everyRow(['\r', '\u001b[2K\u001b[1G', '\u001b[G'], JSON.stringify, async (end) => {
    expect((await readText('lines', `50% done${end}src/a.js:1:2: no\n`)).findings).toMatchObject([{ file: 'src/a.js' }]);
    expect((await readText('lines', `src/a.js:1:2: no${end}50% done\n`)).findings).toMatchObject([{ file: 'src/a.js' }]);
  }));

  it.each(['tsc', 'lines'] as const)('has an error without a place as one that counts wherever it is: %s', async (format) => {
    const { findings, failure } = await readText(format, `${tsc}error TS18003: No inputs were found.\n`);
    expect(findings).toMatchObject([{ file: 'a.ts' }, { file: '', rule: 'TS18003', level: 'error', isAnywhere: true }]);
    expect(failure).toContain('did not check the whole file: No inputs were found.');
  });

  it.each(['tsc', 'lines'] as const)('is of a failed run, and has no finding, if tsc was called wrongly: %s', async (format) => {
    const wrong = "error TS5083: Cannot read file '/b.json'.\n";
    const { findings, failure } = await readText(format, `${tsc}${wrong}`);
    expect(findings).toMatchObject([{ file: 'a.ts' }]);
    expect(failure).toContain("did not run to its end: Cannot read file '/b.json'.");
    const unknown = readText(format, "error TS6046: Argument for '--target' option must be: 'es5'.\n", { allowEmpty: true });
    await expect(unknown).rejects.toMatchObject({ code: 'report', message: expect.stringContaining('did not run to its end: Argument') as string });
  });
});
