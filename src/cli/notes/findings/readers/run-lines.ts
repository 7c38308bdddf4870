/** A terminal shows what comes after the other ends in place of what is before them, such as progress. */
export const lineBreak = /\r?\n|\r(?!$)|\u001b\[(?:2K|[01]?G)/;

/** Matches `> shop@1.0.0 lint`; the command is on the next line. */
export const scriptName = /^> (?:@?[^\s@]+@\S+ )?[\w:.@/-]+(?: (?:\/|[A-Za-z]:\\).*)?$/;

/** As the parser of typescript-eslint prints it. */
const typescriptNotice = [
  '^=============$', '^WARNING: You are currently running a version of TypeScript which is not officially supported ',
  '^You may find that it works just fine, or you may not\\.$', '^Please only submit bug reports when using ',
  '^\\* (?:@typescript-eslint/typescript-estree|Supported TypeScript) version', '^Warning: React version ',
  '^(?:SUPPORTED TYPESCRIPT VERSIONS|YOUR TYPESCRIPT VERSION|\\* Your TypeScript version): ',
];

/** What runners and tools print before they have a result: a report that has only such lines is empty. */
export const banner = new RegExp([
  '^yarn run v\\d', '^\\$ \\S', '^npm (?:notice|warn)\\b', '^warning package\\.json: No license', '^➤ YN0000: · Yarn ',
  '^info Visit https://yarnpkg\\.com/', '^Scope: (?:all )?\\d+ (?:of \\d+ )?workspace projects?$',
  '^\\S+ [\\w:.-]+\\$ \\S',
  '^\\(node:\\d+\\) (?:\\[[\\w:]+\\] )?(?:Deprecation|Experimental|ESLintIgnore)Warning: ', '^\\(Use `node --trace-',
  '^(?:\\[ *\\d+(?:%|/\\d+)\\]|--) (?!Configuring incomplete)',
  '^(?:g?make(?:\\[\\d+\\])?|ninja): (?:Entering|Leaving|Nothing) ',
  '^(?:[\\w/.-]*[/-])?(?:gcc|g\\+\\+|cc|c\\+\\+|clang|clang\\+\\+)(?:-\\d+)? +-', '^Picked up \\w+_OPTIONS: ',
  '^ {1,4}(?:Blocking|Checking|Compiling|Downloaded|Updating) \\S', '^warning: unused manifest key: ',
  '^\\S+: note: unused section', '^Warning: unused section\\(s\\) in ', '^Used config files:$',
  '^ {4}\\d+: (?:\\.codespellrc|setup\\.cfg|pyproject\\.toml)$', '^Completed in [\\d.]+sec$',
  '^(?:Assuming Python|Searching for source files|Found [1-9]\\d* source files?$|pyright \\d)',
  '^(?:WARNING: there is a new pyright version|Please install the new version or set PYRIGHT_)', ...typescriptNotice,
  '^Analyzing \\S+\\.\\.\\.(?: +[\\d.]+s)? *$', "^Linting (?:Swift files |'.*' \\(\\d+/\\d+\\)$)",
  '^Starting audit\\.\\.\\.$', '^(?:MSBuild version|Time Elapsed) ', '^ {2}\\S+ -> \\S+\\.dll$',
  '^ {2}(?:Determining projects to restore\\.|All projects are up-to-date |Restored .*\\)\\.$)',
].join('|'), 'i');

export const scriptEnd = /^(?:✨ {1,2})?Done in [\d.]+m?s\.?$|^➤ YN0000: (?:· )?Done\b|^\S+ [\w:.-]+: Done$/;

/** The ends of scripts of npm, pnpm, yarn and bun. */
const failedScript = new RegExp([
  '^\\s*\\[?(?:ELIFECYCLE|ERR_PNPM_\\w+)\\b', '^npm (?:ERR!|error)(?: |$)', '^error: script "',
  '^➤ YN0000: (?:· )?Failed\\b', '^\\S+ [\\w:.-]+: Failed$',
  '^(?:error:? ){0,2}command failed\\b', '^exit status [1-9]\\d*\\s*$',
].join('|'), 'i');

/** make, Ninja, Gradle and Maven print these if a command of theirs failed. */
const failedCommand = new RegExp([
  '^g?make(?:\\[\\d+\\])?: \\*\\*\\* (?:\\[.*\\] Error \\d+|Waiting for unfinished jobs)',
  '^g?make(?:\\[\\d+\\])?: Target .* not remade because of errors', '^FAILED: \\S',
  '^ninja: build stopped: (?:subcommands? failed|cannot make progress due to previous errors)',
  '^FAILURE: Build failed with an exception', '^> Task \\S+ FAILED$', '^Execution failed for task ', '^BUILD FAILED',
  '^\\[(?:ERROR|INFO)\\] BUILD FAILURE', '^\\[ERROR\\] (?:COMPILATION ERROR|To see the full|Re-run Maven)',
  '^\\[ERROR\\] (?:For more information|-> \\[Help|\\[Help|After correct)',
  '^\\[ERROR\\] Failed to execute goal .*(?:violations?|compilation failure|test failures|with \\d+ bugs)',
  '^error: (?:could not compile|aborting due to) .*previous errors?', '^error: fatalError$', '^failed to compile\\.$',
  '^\\[?error\\]?:?\\s+(?:\\([^()]*\\) |\\S+ )?(?:build|commands?|compilation|check|lint(?:ing)?) failed\\.?$',
  '^\\[?error\\]?:? (?:\\w+ (?:error|problem|issue|violation)s? found$|Build did NOT complete |Total time: )',
  'warnings being treated as errors',
].join('|'), 'i');

const exitCode = new RegExp([
  '^(?=\\S)[^|]*(?:\\bexit(?:ed)?(?: with| code| status| value|:)*|^npm (?:ERR!|error) (?:code|errno)|\\] Error)',
  ':? ?\\(?(?<code>\\d{1,3})\\b',
].join(''), 'i');

/** A runner prints these instead of starting a command. */
const notStarted = new RegExp([
  '^npm (?:ERR!|error) (?:Missing script:|could not determine executable|canceled|network|code E(?!LIFECYCLE))',
  '^\\s*\\[?ERR_PNPM_(?!RECURSIVE_)', '^(?:\\s*ERR_PNPM_|error: script ).* not found$',
].join('|'), 'i');

/** What a program says of itself starts a line; some of these expressions take too long for a whole one. */
const longest = 2_000;

const isShort = (line: string): boolean => line.length <= longest;

const codeIn = (line: string): number => Number(exitCode.exec(line.trimStart())?.groups?.['code'] ?? 0);

/** Whether a runner says that a command failed: linters fail too when they find something. */
export const saysExit = (line: string): boolean => isShort(line)
  && (failedScript.test(line) || failedCommand.test(line) || (!/^\s/.test(line) && codeIn(line) > 0));

/** Then cargo checks no crate that depends on this one, and make and Ninja compile no other file, unless they go on. */
export const stopsIn = (lines: readonly string[]): number[] => {
  const goesOn = lines.some((line) => wentOn.test(line));
  return lines.flatMap((line, i) => /^error: could not compile /.test(line) || (!goesOn && notCompiled.test(line))
    ? i : []);
};

const notCompiled = new RegExp([
  '^g?make(?:\\[\\d+\\])?: \\*\\*\\* \\[[^\\]]*\\.(?:l?o|obj)\\] Error ',
  '^FAILED: (?:\\[code=\\d+\\] )?\\S+\\.(?:o|obj)\\s*$',
].join('|'));

const wentOn = new RegExp([
  '^g?make(?:\\[\\d+\\])?: Target .* not remade because of errors',
  '^ninja: build stopped: cannot make progress due to previous errors',
].join('|'));

/** Whether such a command was not there, or ended by a signal. */
export const saysEnd = (line: string): boolean =>
  isShort(line) && (codeIn(line) > 125 || notStarted.test(line) || /\bsignal "?SIG/.test(line));

/** As a shell says how a command ended. */
const ends = [
  'killed', 'terminated', 'segmentation fault', 'aborted', 'out of memory', 'bus error', 'illegal instruction',
  'floating point exception', 'trace/breakpoint trap', 'hangup', 'alarm clock', 'stack overflow', 'heap exhausted',
  'stack smashing detected', 'interrupt$', 'fork(?=: )', 'SIG[A-Z]{3,4}(?=: )',
].join('|');

const anyFailure = new RegExp([
  '^Traceback \\(most recent call last\\):', '^panic: ', '^(?:PHP )?(?:fatal|parse)(?: error)?: ',
  '^\\?:\\?:(?!Ignored error pattern )', '^Segmentation fault',
  ': note: \\(Skipping most remaining errors due to ',
  '^Killed$', '^Terminated$', '^Aborted', '^Exception in thread ', "^thread '.*' (?:panicked at|has overflowed) ",
  '^Oops! Something went wrong', '\\(errors prevented further checking\\)$', '^compilation terminated',
  '^only showing the first \\d+ ', '^vet: ', '^[^\\s:]+: (?:fatal |internal compiler )?error: ', '^Critical error: ',
  '^There was a critical error ', '^The system is out of resources', '^An exception has occurred in the compiler',
  '^Unhandled (?:exception|promise)\\b', '^(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Error|Exception)(?::|$)',
  '^An (?:internal )?error occurred (?:while|during)\\b', '^\\*\\* \\(\\w+\\) ',
  '^warning: Failed to (?:lint|read|parse) ',
  '^(?:free|malloc|realloc|munmap_chunk)\\(\\): ', '^terminate called ', '^==\\d+== ?ERROR: ', '^LLVM ERROR: ',
  '^# (?:A fatal error has been detected|There is insufficient memory) ', '^goroutine \\d+ \\[',
  '^error: linking with ',
  "^WARN \\[runner\\] Can't run linter ", '^(?:CMake Error\\b|-- Configuring incomplete)',
  '^standard_init_linux\\.go:', "^\\S+\\.rb:\\d+:in [`']",
].join('|'), 'i');

/** What a program says of itself, after its name or the file that it reads, or at the start. */
const ownFailure = new RegExp([
  '^(?:[^\\s:|]+ ?: ){0,3}(?:internal |fatal )?(?:compiler )?(?:error|fatal)(?: ?\\[?[A-Z]+\\d+\\]?)? ?: ',
  '^(?:[^\\s:|]+ ?: ){1,3}internal compiler error\\b', '^\\[?(?:error|fatal|critical)\\]?:? \\S',
  '^\\s*internal (?:\\w+ )?error\\b', '\\blevel="?(?:error|fatal|panic)\\b', '"level": ?"(?:error|fatal|panic)"',
  `^(?:(?:[^\\s|:]+|line \\d+): +){0,3}(?:\\d+ +)?(?:\\*\\*\\* )?(?:\\[.*\\] )?(?:${ends})\\b`,
  '^(?:[^\\s:|]+: ){1,3}.*(?:does not exist|no such file|permission denied|not found|cannot |could not )',
  '^(?:[^\\s:|]+: ){1,3}.*(?:unable to |failed to |timed out|No rule to make target )',
  '^(?:ESLint )?(?:can(?:not|.t)|could(?: not|n.t)|failed to|unable to|timed out|timeout) ', 'undefined reference to ',
  '\\b(?:core dumped|dumped core)\\b', '\\b(?:deadline|timeout) exceeded\\b', '\\bsending signal (?:TERM|KILL)\\b',
  ': (?:permission denied|no such file or directory|no space left on device|cannot allocate memory)$',
  ': (?:exec format error|input/output error|read-only file system|resource temporarily unavailable)$',
  ': (?:connection refused|unexpected (?:EOF|end of file)\\b.*)$', '\\bcrashed(?![./\\w])', '\\bsignal: (?:\\d|killed)',
  '\\bOutOfMemoryError\\b', '\\b(?:heap space|GC overhead limit|JVM memory)\\b',
  '\\b(?:disappeared|terminated) (?:unexpected|abrupt)ly\\b',
  '^collect2: ', '^virtual memory exhausted', '^memory allocation of \\d+ bytes failed', '^ruff failed$',
  ': No module named \\S+$', '^\\[Errno \\d+\\] ', '^KeyboardInterrupt$', '\\bUnhandledPromiseRejection',
  '^(?:Uncaught )?[A-Z]\\w+(?:Error|Exception)(?: \\[\\w+\\])?(?::|$)', '^usage: ', '^docker: ',
  '^(?:unknown|unrecognized|invalid|unexpected) (?:option|argument|flag|format|config)',
  '^package \\S+(?:: | is not in )',
  '^(?:the )?(?:file|directory|config(?:uration)?)\\b.* (?:not found|(?:does not|doesn.t) exist|could not be)\\b',
  '^no (?:files matching|files specified|source files found|go files in|packages to vet)\\b',
  '^(?:nox > )?(?:command|program)\\b.* not found\\b', ' is not recognized as an internal or external command',
  '^go: (?!(?:downloading|finding|added|upgraded|creating|warning|using|switching)\\b)', '^ninja: build stopped: ',
  '^g?make(?:\\[\\d+\\])?: \\*\\*\\* (?!Deleting|\\[.*\\] Error)', '^please submit a (?:full )?bug report\\b',
  '^(?:\\S+ )?operation (?:was )?cancell?ed',
].join('|'), 'i');

/** Paths come after a slash or a colon, or have a point: the author of a change names them. */
const harmless = new RegExp([
  '^(?!error|fatal)(?:[^\\s:]+: )*(?:warning|warn|notice|note|info|hint|help|debug)(?![./\\w-])', '^SLF4J: ',
  '^[^/:]*\\bcache(?![./\\w])', '^[^/:]*\\b(?:0|no) errors?(?![./\\w])', '^Unable to (?:create|find image) ',
  '^(?:rm: cannot remove|mkdir: cannot create directory) ', '^error: warnings found and -Werror specified$',
  '^W: Failed to fetch ',
].join('|'), 'i');

/** What tools without a preset print at their end if they found nothing. */
const nothing = new RegExp([
  '^Success: no issues found', '^Found 0 errors', '^All checks passed!$', '^0 issues\\.$',
  '^No (?:issues found!|hints$)',
  '^Done linting! Found 0 violations, 0 serious in ', '^Audit done\\.$', '^Build succeeded\\.$', '^ {4}Finished ',
  '^(?:0 errors, 0 warnings, 0 |Found 0 warnings and 0 errors)', '^ {4}0 (?:Warning|Error)\\(s\\)$',
].join('|'));

export const saysNothing = (line: string): boolean => nothing.test(line);

/** sbt and Maven print findings, their source and their other lines behind a level: then the text decides. */
export const withoutLevels = (lines: readonly string[]): readonly string[] =>
  lines.some((line) => /^\[(?:error|warn(?:ing)?)\] \S+:\[?\d/i.test(line))
    ? lines.map((line) => line.replace(/^\[error\] (?!\(|\S+\.\w+: )/i, '')) : lines;

/** @param isUnread whether no format explains the line */
export const saysFailure = (line: string, isUnread: boolean): boolean => {
  const start = line.slice(0, longest);
  return anyFailure.test(line) || (isUnread && ownFailure.test(start) && !harmless.test(start));
};
