import { exits, type Code } from '../command-line/failure.js';
import { formats } from '../command-line/flags.js';

export const exitText = (): string => `Exit codes:
${exitCodes.map(({ exit, meaning }) => `  ${String(exit).padEnd(5)}${meaning}\n`).join('')}
With --json an error is printed to stderr as one JSON object, with a code for
each exit code:
  {"error":{"code":"not_found","status":404,"message":"…","hint":"…",
            "request":"GET /…"}}

Codes:
${exitCodes.flatMap(({ exit, code }) => code === null ? [] : [`  ${String(exit).padEnd(5)}${code}\n`]).join('')}`;

export const environmentText = (): string =>
  `Flags override environment variables, which override the profile, which
overrides the git remotes of the folder. Use --debug or \`colloquy doctor\` to see
where each setting comes from.

Variables:
${variables.map(({ names, meaning }) => `  ${names.join(', ')}\n      ${meaning}\n`).join('')}`;

export const formattingText = `On a terminal, lists are tables that fit its width; in a pipe, tab-separated
lines without a header. -o selects another format:
${formats.join(', ')}. -o table prints a table with
a header in a pipe too, as wide as COLUMNS or else as its texts. \`discussions
get\` prints one thread as a conversation, even in a pipe; -o tsv prints the row
that \`discussions list\` prints for it, and the other formats work as they do for
lists.

  --json            one valid JSON value with the service's field names, even
                    with --all
  --json=id,body    only these fields, in this order; also written as --json
                    id,body
  --json=id,state   fields and columns of the table; with -o csv, tsv, markdown
                    or table too
  -q EXPRESSION     filter the JSON with a jq expression; a list is one array
  -o ndjson         one record per line; each page is printed before the next is
                    requested
  -o id             only the ids, for scripts
  -o agent          as few words as possible, for agents: threads, notes, epics
  -o csv --csv-safe prefix cells that a spreadsheet would run as formulas with
                    an apostrophe

In a pipe, JSON lists of threads, epics and \`api --all\` contain whole records
exactly as the service sent them, down to the digits of numbers; filters,
--json=id,body and -q rebuild the records.

The help of a command lists the fields it prints. Results go to stdout,
everything else to stderr. Control and bidirectional characters in text from the
service are escaped on a terminal.

Examples:
  colloquy discussions list mr/12 -q '[.[] | select(.outdated)] | length'
  colloquy notes list issue/7 -o ndjson --json=id,body
  colloquy discussions list mr/12 | cut -f 1
`;

export const refsText = `A reference (REF) selects the object that the notes belong to:

  !12  mr/12            merge request
  #7   issue/7          issue
  $5   snippet/5        snippet
  &3   epic/3           epic, by its iid in the group
       epic/id:501      epic, by its global id
  @SHA commit/SHA       commit
  https://…             the web page of the object, or of one of its notes

The forms with a slash need no quotes in any shell. acme/app!12 includes the
project, acme&3 the group; otherwise they come from --project and --group,
COLLOQUY_PROJECT and COLLOQUY_GROUP, the CI job, the profile, or the git remotes
upstream and origin if they are on the same service. --mr 12, --issue 7,
--snippet 5, --epic 3 and --commit SHA replace a reference; each takes every
form of its kind, and nothing else: --mr=mr/12. Without any of these, the
command uses the merge request of the GitLab job, else the open one whose source
branch is checked out. Those of forks count only if the branch tracks the fork.
The head must be the commit of the job in CI; elsewhere HEAD, an ancestor or a
descendant.

A thread is selected by its id, a prefix of the id, or the id of one of its
notes.
`;

export const findingsText = `\`notes post\` compares a report with the threads that earlier runs posted with
its key, and prints a row for each. A second run with the same report changes no
text.

  created     a new finding: a thread is started on its line
  kept        a known finding, which may have moved: its thread stays
  updated     a known finding whose message changed: so does the text of its
              thread
  resolved    the report no longer has the finding: its thread is resolved
  reopened    the finding is there, but its thread was resolved, and nobody has
              accepted it
  accepted    a person resolved the thread: the finding does not count for
              --fail-level
  answered    a person answered the thread: it is left as it is, and counts
              while it is open
  left        the thread is left as it is for another reason, such as a text
              changed by a person
  skipped     a finding that --filter or --level leaves out, counted by reason
  summarized  a finding beyond --max: one comment lists these
  failed      a change that failed: run the command again
  found       a finding, where there are no threads: with --reporter terminal,
              or without a response of the service

Accepting: resolve the thread. It holds for the rule and message, at that level
or below. What the owner of the token resolved is not accepted; with --accept-by
others, nor is what the author of the merge request resolved.

Keys: --key is the name of the threads of a tool, by default the tool that the
report names, in GitLab CI after the job. Reports that name no tool need one,
such as those of junit and lines. Pass all reports of one tool in one call: a
run resolves what its report does not have, and another one with its key in the
pipeline resolves nothing and exits with 2. The jobs of a matrix post a finding
once each; a job that passes all their reports posts it once. Partial reports
need --no-resolve. --prefix also limits which threads are resolved: those of
other folders stay open.

Examples:
  colloquy notes post --from junit --key pytest unit.xml integration.xml
  colloquy notes post --from eslint --prefix web --key web/eslint eslint.json
  colloquy notes post mr/12 --from sarif --dry-run a.sarif

See also:
  colloquy help reports       commands of tools, and values of --from
  colloquy help gate          jobs that fail while something is open
  colloquy help ci            jobs of pipelines, and their settings
`;

export const gateText = `A gate is a job that fails while something is open. Two commands exit with 8:

  discussions check                   while a thread of the merge request is
                                      unresolved
  notes post --fail-level error       while a finding of the report is an error,
                                      unless a person has accepted it by
                                      resolving its thread

  --accept-by others                  resolving by the author of the merge
                                      request does not count
  discussions check --author ci-bot   only threads that this user started
  discussions check --wait 10m        wait for the threads to be resolved
  discussions check --require-proof   what the author resolved needs a commit
                                      that fixed it

Findings beyond --max of notes post have no threads: only --fail-level counts
them.

With exit code 0, everything was read and nothing is open. Other codes are
failures too: 2 for a report that cannot be used, 10 for a service that does not
answer.

A red job blocks the merge only if the project requires that pipelines succeed,
and only if the author of the merge request cannot change the job. The component
for GitLab CI has a gate.

Examples:
  colloquy notes post --from eslint --fail-level error eslint.json
  colloquy discussions check mr/12 --accept-by others

See also:
  colloquy help ci            jobs of pipelines, and their settings
`;

export const pipelinesText = `A job of a GitLab pipeline needs the \`colloquy\` command and one variable:

  COLLOQUY_TOKEN   masked: an access token with scope api, since CI_JOB_TOKEN
                   cannot comment

Options and COLLOQUY_ variables override what it finds by itself:

  service          CI_API_V4_URL, CI_SERVER_URL
  project          CI_MERGE_REQUEST_PROJECT_ID, CI_PROJECT_ID
  merge request    CI_MERGE_REQUEST_IID; in a branch pipeline, name it: mr/12
  key of findings  CI_JOB_NAME and the tool that the report names: lint/ruff
  order            CI_PIPELINE_IID: an older pipeline overwrites nothing

In other CI systems, set COLLOQUY_URL and COLLOQUY_PROJECT too. There it takes
the open merge request of the branch that is checked out, or the named one.

A job that posts findings as threads, and fails while a thread is unresolved:

  lint:
    image: registry.example.com/python-with-colloquy
    rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
    script:
    - pip install -r requirements.txt
    - ruff check --output-format sarif --output-file ruff.sarif || [ $? -eq 1 ]
    - colloquy notes post -o table --accept-by others --from sarif ruff.sarif
    - colloquy discussions check --accept-by others

Commands of other jobs keep one comment, with a result or a file:

  colloquy notes exec --key tests -- npm test
  colloquy notes upsert --key report -F report.md --neutral

Exit codes: 0 done; 8 something is open; 2 a wrong option or unusable report;
4 or 5 the token; 9 or 10 run the job again. \`notes exec\` ends with that of its
command. Others end with 10 after 10 minutes, without --wait, or a --deadline.

See also:
  colloquy help <topic>       findings, reports, gate, environment, exit-codes
  colloquy doctor             check the settings of the job
`;

export const faultsText = `A fault rule says which requests to the test server fail, and how:

  ON => DO [p=0.3] [times=2] [skip=1]

ON is one of:

  discussions.*.create        an operation; * stands for one name
  POST /projects/*/issues     a method or *, and a path below /api/v4; /* at the
                              end stands for the rest, */ at the start for any
                              segments
  hook note                   deliveries to webhooks; DO is drop, repeat N,
                              delay MS or reorder
  *                           every request

DO is one of these. \`before\`, the default, stores no change; \`after\` stores it:

  status N [before|after]     an error with this status
  reset [before|after]        no response: the connection is reset
  stall MS [before|after]     nothing for MS milliseconds, then a reset
  latency MS[..MS]            the right response, delayed
  rate-limit S                429 with Retry-After: S
  html [N]                    the HTML page of a proxy, with 502 or N
  truncate                    the right response, but half of its body
  garble                      the right response with invalid JSON
  dribble MS                  the right response, 16 bytes every MS ms
  stale                       what a read got before the latest write
  late MS                     504 at once; stored after MS milliseconds
  respond {"status":N,"headers":{},"body":…}
                              this response

The first rule that applies to a request decides:

  p, probability              how likely it applies, from 0 to 1
  times                       the most requests that it applies to
  skip                        requests to leave alone first
  user, header, body          only in files and JSON: the caller, a header
                              \`name: text\`, and a text of the body

A file for --fault @faults.yaml, or in JSON for PUT /-/faults:

  seed: 7
  rules:
    - { on: POST */discussions, do: status 500 after, times: 3 }
    - { on: "*", do: latency 5..50, user: ada }

Examples:
  # The first thread is stored, but the response says that it failed
  colloquy serve --fault 'discussions.*.create => status 503 after times=1'
  # The same tenth of all reads fails in every run
  colloquy serve --fault 'GET * => reset p=0.1' --fault-seed 7

See also:
  docs/server-reference.md    in this package: faults, and their control plane
`;

interface Variables {
  readonly names: readonly string[];
  readonly meaning: string;
}

const inJob = (meaning: string, ...names: string[]): Variables => ({ names, meaning: `${meaning}, in a CI job` });

export const variables: readonly Variables[] = [
  { names: ['COLLOQUY_URL'], meaning: 'base URL of the service' },
  { names: ['COLLOQUY_TOKEN'], meaning: 'access token' },
  { names: ['COLLOQUY_TOKEN_TYPE'], meaning: 'private or bearer: how the token is sent' },
  { names: ['COLLOQUY_PROJECT', 'COLLOQUY_GROUP'], meaning: 'default project and group' },
  { names: ['COLLOQUY_PROFILE'], meaning: 'profile to use' },
  { names: ['COLLOQUY_CONTROL_TOKEN'], meaning: 'bearer token that the control plane of serve requires' },
  { names: ['COLLOQUY_CONFIG_DIR'], meaning: 'folder of the profile file' },
  { names: ['XDG_CONFIG_HOME'], meaning: 'its folder colloquy has the profile file if that is not set' },
  { names: ['XDG_STATE_HOME'], meaning: 'folder of drafts, the completion cache and the history' },
  { names: ['GITLAB_HOST', 'GITLAB_URI', 'GITLAB_TOKEN'], meaning: 'service and token, as in other GitLab tools' },
  { names: ['CI', 'GITLAB_CI'], meaning: 'whether this is a CI job: notes get a marker, and no drafts are saved' },
  inJob('head of the merge request of a branch, and commit of a diff', 'CI_COMMIT_SHA', 'GITHUB_SHA'),
  inJob('the service', 'CI_API_V4_URL', 'CI_SERVER_URL'),
  inJob('certificate authority of that service', 'CI_SERVER_TLS_CA_FILE'),
  inJob('the project', 'CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID'),
  inJob('the merge request', 'CI_MERGE_REQUEST_IID'),
  inJob('whether that is it, where the service has another address', 'CI_MERGE_REQUEST_ID'),
  inJob('the order of the pipelines that write one comment', 'CI_PIPELINE_IID'),
  inJob('the job that appends once, or posts a second report of a key', 'CI_JOB_ID'),
  inJob('the job that a comment of several jobs links', 'CI_JOB_URL'),
  inJob('part of the default key of `notes post`, and job of a finding', 'CI_JOB_NAME'),
  inJob('the job that found a finding', 'GITHUB_WORKFLOW', 'GITHUB_JOB', 'JOB_NAME', 'STAGE_NAME'),
  inJob('the job that posts a second report with one key', 'GITHUB_RUN_ID', 'GITHUB_RUN_ATTEMPT', 'BUILD_TAG'),
  { names: ['CI_OPEN_MERGE_REQUESTS'], meaning: 'merge requests to suggest, in a CI job of a branch' },
  inJob('the commits of a diff', 'CI_MERGE_REQUEST_DIFF_BASE_SHA', 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'),
  inJob('whether those commits are of this project', 'CI_MERGE_REQUEST_PROJECT_PATH', 'CI_PROJECT_PATH'),
  {
    names: ['CI_PROJECT_DIR', 'GITHUB_WORKSPACE'],
    meaning: 'checked-out files, in a CI job: files below it must be regular ones',
  },
  { names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'], meaning: 'proxies, and hosts to reach without one' },
  { names: ['VISUAL', 'EDITOR'], meaning: 'editor for -e' },
  { names: ['BROWSER'], meaning: 'programs for -w, where the system has none' },
  { names: ['COLLOQUY_PAGER', 'PAGER'], meaning: 'pager for long output, less by default; empty or cat for none' },
  { names: ['LESS'], meaning: 'options of less; FRX by default' },
  { names: ['COLUMNS'], meaning: 'width of -o table in a pipe' },
  { names: ['NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'FORCE_COLOR', 'TERM'], meaning: 'color output' },
  { names: ['FORCE_HYPERLINK'], meaning: 'links in tables: 1 to enable, 0 to disable' },
  { names: ['COLLOQUY_V8_FLAGS'], meaning: 'off to leave the V8 flags unchanged' },
];

export const meanings: Readonly<Record<Code, string>> = {
  failure: 'failure for another reason',
  usage: 'usage error: invalid or incomplete command line',
  report: 'unusable report: missing, empty, unreadable, or of a failed run',
  cancelled: 'cancelled by the user',
  unauthenticated: 'not authenticated: no token, or 401',
  forbidden: 'forbidden, or feature not available: 403',
  not_found: 'not found: 404',
  rejected: 'rejected: 400, 409, 412, 413, 422',
  pending: 'pending: a diff has changes, a check found open threads',
  rate_limited: 'rate limited: 429',
  unavailable: 'server or network error: 5xx, connection refused, timeout',
  interrupted: 'interrupted',
};

export const exitCodes: readonly { readonly exit: number; readonly code: Code | null; readonly meaning: string }[] = [
  { exit: 0, code: null, meaning: 'success, even for an empty list' },
  ...(Object.keys(exits) as Code[]).map((code) => ({ exit: exits[code], code, meaning: meanings[code] })),
];
