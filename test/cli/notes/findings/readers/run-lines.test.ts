import { describe, expect, it } from 'vitest';
import type { Format } from '../../../../../src/cli/notes/findings/read.js';
import { readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

type Row = readonly [Format, finding: string, end: string];

const gcc = 'src/b.c:4:13: warning: bad [-Wa]\n';
const tsc = 'a.ts(1,2): error TS2322: no\n';
const js = 'a.js:1:2: no\n';

/** What tools and runners print below findings if others are missing. */
const failed: readonly Row[] = [
  ['gcc', gcc, '/usr/bin/ld: b.c:(.text+0x12): undefined reference to `f\'\n'], ['gcc', gcc, 'collect2: error: ld returned 1 exit status\n'],
  ['gcc', gcc, 'gcc: internal compiler error: Killed signal terminated program cc1\n'], ['gcc', gcc, 'gcc: fatal error: Killed signal terminated\n'],
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
];

/** What they print if the report is whole. */
const whole: readonly Row[] = [
  ['gcc', gcc, '    4 |   exit(255); error("cannot read");\n      |   ^~~~\n'], ['gcc', gcc, '      |   ^~~~'],
  ['gcc', gcc, 'cc1: all warnings being treated as errors\n'],
  ['gcc', gcc, 'src/b.c:5:3: warning: no [-Wb]'], ['gcc', gcc, 'make: *** [Makefile:3: b.o] Error 1\n'], ['gcc', gcc, '1 warning generated.\n'],
  ['lines', js, 'gcc -Werror -c error.c -o failed.o\n'], ['lines', js, 'make[1]: *** [lint] Error 2\nmake: *** Waiting for unfinished jobs....\n'],
  ['lines', js, '  5 |   throw new Error("could not read")\n'], ['lines', js, '12   throw new Error("could not read");\n'],
  ['lines', js, '0 errors, 0 failed\n'],
  ['lines', js, 'warning: cannot find a configuration\n'], ['lines', js, 'Error: Process completed with exit code 1.\n'],
  ['lines', js, 'Failed to write cache\n'],
  ['lines', js, '> Task :lint FAILED\n\nFAILURE: Build failed with an exception.\n'], ['lines', js, '✖ 1 problem (1 error, 0 warnings)\n'],
  ['lines', 'src/a.rs:1:2: error[E0133]: no\n', 'error: could not compile `a` (bin "a") due to 1 previous error\n'], ['lines', js, 'error: fails()\n^\n'],
  ['javac', 'A.java:3: warning: no\n', 'error: warnings found and -Werror specified\n1 error\n1 warning\n'], ['tsc', tsc, '  Type a is not b.\n'],
  ['mypy', 'a.py:1: error: no\n', 'Found 1 error in 1 file (checked 1 source file)\n'],
  ['pylint', 'a.py:1:0: C0114: no (x)\n', 'Unable to create directory /.cache\n'],
];

describe('a report of lines', () => {
  it('is that of a failed run if a line below its findings says so, or is cut', () => everyRow(
    failed, String, async ([format, finding, end]) => {
    const { findings, failure } = await readText(format, finding + end);
    expect(findings.length).toBeGreaterThan(0);
    expect(failure).toContain(`report: line ${finding.split('\n').length}: `);
  }));

  it('is whole with what tools and runners print beside findings', () => everyRow(whole, String, async ([format, finding, end]) => {
    expect((await readText(format, finding + end)).failure).toBeUndefined();
  }));

  it.each(['tsc', 'lines'] as const)('has an error without a place as one that counts wherever it is: %s', async (format) => {
    const { findings, failure } = await readText(format, `${tsc}error TS5083: Cannot read file '/b.json'.\n`);
    expect(findings).toMatchObject([{ file: 'a.ts' }, { file: '', rule: 'TS5083', level: 'error', isAnywhere: true }]);
    expect(failure).toContain("did not check the whole file: Cannot read file '/b.json'.");
  });
});
