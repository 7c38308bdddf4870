/** Matches `> shop@1.0.0 lint`; the command is on the next line. */
export const scriptName = /^> (?:@?[^\s@]+@\S+ )?[\w:.@/-]+(?: (?:\/|[A-Za-z]:\\).*)?$/;

export const banner = new RegExp([
  '^yarn run v\\d', '^\\$ \\S', '^npm (?:notice|warn)\\b', '^warning package\\.json: No license', '^➤ YN0000: · Yarn ',
  '^info Visit https://yarnpkg\\.com/', '^Scope: (?:all )?\\d+ (?:of \\d+ )?workspace projects?$', '^\\S+ [\\w:.-]+\\$ \\S',
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
  '^make: Target .* not remade because of errors', '^ninja: build stopped: subcommand failed', '^FAILED: \\S',
  '^FAILURE: Build failed with an exception', '^> Task \\S+ FAILED$', '^Execution failed for task ', '^BUILD FAILED',
  '^\\[(?:ERROR|INFO)\\] BUILD FAILURE', '^\\[ERROR\\] (?:COMPILATION ERROR|To see the full|Re-run Maven)',
  '^\\[ERROR\\] (?:For more information|-> \\[Help|\\[Help|After correct)',
  '^\\[ERROR\\] Failed to execute goal .*(?:violations?|compilation failure|test failures)',
  '^error: (?:could not compile|aborting due to) .*previous errors?',
  'warnings being treated as errors',
].join('|'), 'i');

const exitCode = new RegExp([
  '^(?=\\S)[^|]*(?:\\bexit(?:ed)?(?: with| code| status|:)*|^npm (?:ERR!|error) (?:code|errno)|\\] Error)',
  ':? ?\\(?(?<code>\\d{1,3})\\b',
].join(''), 'i');

/** A runner prints these instead of starting a command. */
const notStarted = /^npm (?:ERR!|error) (?:Missing script:|could not determine executable)/i;

/** What a program says of itself starts a line; some of these expressions take too long for a whole one. */
const longest = 2_000;

const isShort = (line: string): boolean => line.length <= longest;

const codeIn = (line: string): number => Number(exitCode.exec(line.trimStart())?.groups?.['code'] ?? 0);

/** Whether a runner says that a command failed: linters fail too when they find something. */
export const saysExit = (line: string): boolean => isShort(line)
  && (failedScript.test(line) || failedCommand.test(line) || (!/^\s/.test(line) && codeIn(line) > 0));

/** Whether such a command was not there, or ended by a signal. */
export const saysEnd = (line: string): boolean =>
  isShort(line) && (codeIn(line) > 125 || notStarted.test(line) || /\bsignal "?SIG/.test(line));

const anyFailure = new RegExp([
  '^Traceback \\(most recent call last\\):', '^panic: ', '^(?:PHP )?fatal(?: error)?: ', '^Segmentation fault',
  '^Killed$', '^Terminated$', '^Aborted', '^Exception in thread ', "^thread '.*' panicked at ", '^Critical error: ',
  '^Oops! Something went wrong', '\\(errors prevented further checking\\)$', '^compilation terminated',
  '^only showing the first \\d+ ', '^vet: ', '^[^\\s:]+: (?:fatal |internal compiler )?error: ',
  '^There was a critical error ', '^The system is out of resources', '^An exception has occurred in the compiler',
  '^Unhandled exception\\b', '^(?:[a-z][\\w$]*\\.)+[A-Z][\\w$]*(?:Error|Exception)(?::|$)',
].join('|'), 'i');

/** What a program says of itself, after its name or the file that it reads, or at the start. */
const ownFailure = new RegExp([
  '^(?:[^\\s:|]+ ?: ){0,3}(?:internal |fatal )?(?:compiler )?(?:error|fatal)(?: [A-Z]+\\d+)? ?: ',
  '^(?:[^\\s:|]+ ?: ){1,3}internal compiler error\\b', '^\\[?(?:error|fatal|critical)\\]?:? \\S',
  '\\blevel="?(?:error|fatal|panic)\\b', '"level": ?"(?:error|fatal|panic)"',
  '^(?:[^\\s|:]+: ){0,3}(?:\\*\\*\\* )?(?:\\[.*\\] )?(?:killed|terminated|segmentation fault|aborted|out of memory)\\b',
  '^(?:[^\\s:|]+: ){1,3}.*(?:does not exist|no such file|permission denied|not found|cannot |could not )',
  '^(?:[^\\s:|]+: ){1,3}.*(?:unable to |failed to |timed out|No rule to make target )',
  '^(?:cannot|could not|failed to|unable to|timed out|timeout) ', 'undefined reference to ', '^collect2: ',
  '\\bcore dumped\\b', '\\b(?:deadline|timeout) exceeded\\b', '\\bsending signal (?:TERM|KILL)\\b',
  ': (?:permission denied|no such file or directory|no space left on device|cannot allocate memory)$',
  '^virtual memory exhausted', ': No module named \\S+$', '^ruff failed$',
].join('|'), 'i');

/** Paths come after a slash or a colon, or have a point: the author of a change names them. */
const harmless = new RegExp([
  '^(?:[^\\s:]+: )*(?:warning|warn|note|info|hint|help|debug)\\b', '^[^/:]*\\b(?:0|no) errors?(?![./\\w])',
  '^[^/:]*\\bcache(?![./\\w])',
  '^Unable to create ', '^error: warnings found and -Werror specified$',
].join('|'), 'i');

/** @param isUnread whether no format explains the line */
export const saysFailure = (line: string, isUnread: boolean): boolean => {
  const start = line.slice(0, longest);
  return anyFailure.test(line) || (isUnread && ownFailure.test(start) && !harmless.test(start));
};
