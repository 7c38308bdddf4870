/** A variable of the environment and what it says. */
export interface Variable {
  readonly names: readonly string[];
  readonly meaning: string;
}

/** The variables that the program reads. */
export const variables: readonly Variable[] = [
  { names: ['COLLOQUY_URL'], meaning: 'base URL of the service; then GITLAB_HOST, GITLAB_URI' },
  { names: ['COLLOQUY_TOKEN'], meaning: 'access token; then GITLAB_TOKEN' },
  { names: ['COLLOQUY_PROJECT', 'COLLOQUY_GROUP'], meaning: 'what --project and --group say' },
  { names: ['COLLOQUY_PROFILE'], meaning: 'which profile counts' },
  { names: ['COLLOQUY_CONTROL_TOKEN'], meaning: 'what the control plane of serve asks for as a bearer token' },
  { names: ['COLLOQUY_CONFIG_DIR'], meaning: 'folder of profiles; then colloquy in XDG_CONFIG_HOME' },
  { names: ['XDG_STATE_HOME'], meaning: 'where drafts and what completion has seen are kept' },
  { names: ['GITLAB_HOST', 'GITLAB_URI', 'GITLAB_TOKEN'], meaning: 'service and token, as other programs know them' },
  { names: ['CI_API_V4_URL', 'CI_SERVER_URL'], meaning: 'the service, in a CI job' },
  { names: ['CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID'], meaning: 'the project, in a CI job' },
  { names: ['CI_MERGE_REQUEST_IID'], meaning: 'the merge request, in a CI job' },
  { names: ['CI_OPEN_MERGE_REQUESTS'], meaning: 'which merge requests a message names, in the job of a branch' },
  {
    names: ['CI_MERGE_REQUEST_DIFF_BASE_SHA', 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    meaning: 'the commits of a diff, in a CI job',
  },
  { names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'], meaning: 'proxies, and hosts that are reached without' },
  { names: ['VISUAL', 'EDITOR'], meaning: 'the editor for -e' },
  { names: ['COLLOQUY_PAGER', 'PAGER'], meaning: 'the pager for long texts; empty or cat for none' },
  { names: ['NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'FORCE_COLOR', 'TERM'], meaning: 'colours, as usual' },
  { names: ['FORCE_HYPERLINK'], meaning: 'links in tables: 1 for yes, 0 for no' },
  { names: ['COLLOQUY_V8_FLAGS'], meaning: 'off leaves the flags of V8 as they are' },
];
