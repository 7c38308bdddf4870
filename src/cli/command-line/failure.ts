import { CommanderError } from 'commander';
import {
  ApiError, ConnectionError, ListChangedError, MarkerLostError, MovedProjectError, ResponseError,
} from '../../client/errors.js';
import { isHtmlBody } from '../../client/response.js';
import { type HintedError, nearestName } from '../../text/messages.js';
import { lacksScope } from '../../wire/error-response.js';
import { isParams } from '../../wire/http.js';
import { UnusablePathValue } from '../../wire/encode.js';
import type { Sources } from '../app.js';
import { noteableInPath } from './ref.js';
import {
  apiErrorHint, connectionHint, type Hint, isWrite, listChangedHint, markerLostHint, responseErrorHint, settingName,
  settingNames,
} from './hints.js';

/** Scripts rely on both the error codes and the exit codes. */
export const exits = {
  failure: 1, usage: 2, report: 2, cancelled: 3, unauthenticated: 4, forbidden: 5, not_found: 6, rejected: 7,
  pending: 8, rate_limited: 9, unavailable: 10, interrupted: 130,
} as const;
export type Code = keyof typeof exits;

interface ProblemOptions extends ErrorOptions {
  /** The hint for an agent, which has the fields of a tool instead of options and commands. */
  readonly agentHint?: string | undefined;
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly hint: string | null;
  readonly jobHint: string | null;
  readonly agentHint: string | null;
  constructor(readonly code: Code, message: string, hint: Hint | null = null, options: ProblemOptions = {}) {
    super(message, options);
    ({ hint: this.hint, jobHint: this.jobHint } = hintsFrom(hint));
    this.agentHint = options.agentHint ?? null;
  }
}

const hintsFrom = (hint: Hint | null): Pick<Failure, 'hint' | 'jobHint'> =>
  hint === null || typeof hint === 'string' ? { hint, jobHint: null } : { hint: hint.hint, jobHint: hint.jobHint };

export const usage = (message: string, hint: Hint | null = null, agentHint?: string): Problem =>
  new Problem('usage', message, hint, { agentHint });

/** For a report of findings that cannot be used: unlike a mistake in the command line, it is the tool that failed. */
export const unusableReport = (message: string, hint: string): Problem => new Problem('report', message, hint);

/** Carries the exit code of a command that the program ran. Everything else is reported already. */
export class CommandExit extends Error {
  override readonly name = 'CommandExit';
  constructor(readonly exit: number) {
    super(`the command ended with exit code ${exit}`);
  }
}

/** Nothing reads stdout any more, as with `| head`. */
export class StdoutClosed extends Error {
  override readonly name = 'StdoutClosed';
}

export interface Failure {
  readonly exit: number;
  readonly code: Code;
  readonly status: number | null;
  readonly message: string;
  readonly hint: string | null;
  /** Instead of the hint in a CI job; null if that fits both. */
  readonly jobHint: string | null;
  /** Instead of the hint for an agent; null if that fits both. */
  readonly agentHint: string | null;
  readonly request: string | null;
}

/** The message with its status, for lines that do not name the request. */
export const messageAlone = ({ message, status }: Failure): string =>
  status === null || new RegExp(`\\b${status}\\b`).test(message) ? message : `${message} (HTTP ${status})`;

/** Null when the reader of stdout closed it, which is no failure. The only place that distinguishes error classes. */
export const failureOf = (error: unknown, sources: Sources = {}): Failure | null => {
  if (error instanceof StdoutClosed) return null;
  if (error instanceof Problem) {
    const { code, message, hint, jobHint, agentHint } = error;
    return { ...failure(code, message, hint ?? (code === 'usage' ? helpHint : null)), jobHint, agentHint };
  }
  if (error instanceof CommanderError) return commanderFailure(error);
  if (error instanceof ApiError) {
    const { status, request } = error;
    const [message, hint] = error instanceof MovedProjectError ? movedProject(error, sources.project)
      : [apiErrorMessage(error), apiErrorHint(error, settingNames(sources), sources.tokenType)];
    return { ...failure(codeOfStatus(status), message, hint), status, request };
  }
  if (error instanceof ResponseError) return responseFailure(error, sources);
  if (error instanceof ConnectionError) {
    const { message, request, proxyStatus: status } = error;
    return { ...failure('unavailable', message, connectionHint(error, settingNames(sources))), status, request };
  }
  if (isInterruption(error)) return failure('interrupted', 'interrupted', null);
  return otherFailure(error);
};

const otherFailure = (error: unknown): Failure => {
  if (error instanceof UnusablePathValue) return failure('usage', error.reason, error.hint);
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') {
    return failure('failure', 'cannot write: no space left (ENOSPC)', 'free some space or write elsewhere');
  }
  if (error instanceof RangeError && /call stack|string length/.test(error.message)) {
    return failure('unavailable', 'the response is too deeply nested or too long for this format',
      'use -o ndjson in a pipe to print it as the service sent it');
  }
  const message = error instanceof Error ? error.message : String(error);
  return failure('failure', message, 'run again with --debug for details');
};

const failure = (code: Code, message: string, hint: Hint | null): Failure =>
  ({ exit: exits[code], code, status: null, message, ...hintsFrom(hint), agentHint: null, request: null });

const responseFailure = (error: ResponseError, sources: Sources): Failure => {
  const { message, status, request } = error;
  const shown = error instanceof MarkerLostError ? failure('failure', message, markerLostHint)
    : error instanceof ListChangedError ? failure('unavailable', message, listChangedHint)
      : failure('unavailable', message, responseErrorHint(error, settingNames(sources)));
  return { ...shown, status, request };
};

const helpHint = 'run with --help for usage';

/** Commander's message, with its suggestion or the valid values as the hint. */
const commanderFailure = ({ code, message }: CommanderError): Failure => {
  const [what, suggestion] = message.replace(/^error: /, '').split('\n');
  const { argument, value, option, given, fits } = invalidValue.exec(what!)?.groups ?? {};
  if (fits !== undefined) {
    const wrong = value ?? given!;
    return failure('usage', `invalid value "${wrong}" for ${argument ?? option}`, choiceHint(wrong, fits));
  }
  const otherwise = code === 'commander.unknownCommand' ? 'run with --help to list the commands' : helpHint;
  const quoted = what!.replace(/(?<= )'(.*?)'(?= |$)/gs, '"$1"');
  return failure('usage', quoted, suggestion?.replace(/^\(D(id you mean .*\?)\)$/, 'd$1') ?? otherwise);
};

/** @param fits may list the valid values, as commander does */
const choiceHint = (wrong: string, fits: string): string => {
  const choices = /^(?:Allowed choices are|choose one of:) (.*)$/s.exec(fits)?.[1];
  if (choices === undefined) return fits;
  const near = nearestName(wrong, choices.split(', '));
  return `${near === null ? '' : `did you mean ${near}? `}choose one of: ${choices}`;
};

/** Commander's two messages about an invalid value, for an argument and for an option. */
const invalidValue = new RegExp("^(?:command-argument value '(?<value>.*)' is invalid for argument '(?<argument>.*)'"
  + "|option '(?<option>.*)' argument '(?<given>.*)' is invalid)\\. (?<fits>.*?)\\.?$", 's');

/** 407 is of the proxy, which passed nothing on. */
const codesByStatus: Readonly<Record<number, Code>> = {
  401: 'unauthenticated', 403: 'forbidden', 404: 'not_found', 407: 'unavailable', 429: 'rate_limited',
};

const codeOfStatus = (status: number): Code => codesByStatus[status] ?? (status >= 500 ? 'unavailable' : 'rejected');

/** Ctrl-C ends a request or a prompt. */
const isInterruption = (error: unknown): boolean =>
  error instanceof Error && (interruptions.has(error.name) || isInterruption(error.cause));

const interruptions = new Set(['AbortError', 'ExitPromptError']);

/** The words of the program, then those of the service in quotes if they say more than the status. */
const apiErrorMessage = ({ status, serverMessage, headers, body, request }: ApiError): string => {
  if (isHtmlBody({ headers }, body)) return 'the service responded with an HTML page';
  const refusal = lacksScope({ status, body }) ? `the token has no right to ${isWrite(request) ? 'write' : 'read'}`
    : refusals[status] ?? (status >= 500 ? 'the service failed' : 'the service rejected the request');
  const said = serverMessage.replace(new RegExp(`^${status}\\b[\\s:-]*`), '').replace(meanings, '').trim();
  if (said !== '') return `${refusal}: "${said}"`;
  const missing = status === 404 && isParams(body) && 'message' in body ? noteableInPath(request) : null;
  return missing === null ? refusal : `the service did not find ${missing}`;
};

const refusals: Readonly<Record<number, string>> = {
  401: 'the service rejected the credentials',
  403: 'the service denied access',
  404: 'the service did not find the requested object',
  407: 'the proxy rejected the request',
  409: 'the service reported a conflict',
  413: 'the service rejected the request as too large',
  429: 'the service reports that the rate limit is exceeded',
};

/** They repeat the status, which the line shows already. */
const meanings = new RegExp('^(?:bad request|unauthorized|forbidden|not found|conflict|unprocessable entity|'
  + 'too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)'
  + '(?:\\s*[:-]\\s*|$)', 'i');

/** @param source of the old path; undefined if it is typed as a part of something else */
export const movedProject = (
  { from, to }: { readonly from: string; readonly to: string }, source: string | undefined,
): [message: string, hint: string] => [
  `the project ${from} moved to ${to}, and the service accepts no changes by the old path`,
  `use ${to} instead of ${from}${source === undefined ? '' : ` in ${settingName('project', source)}`}`,
];

const expected = new Set(['WorldError', 'StoreError', 'ListenError', 'FaultError', 'ClockError']);

/** Of an error of the test server that the user can do something about, with its hint; null for others. */
export const serverProblem = (error: unknown): Problem | null => {
  const { name, message, problem = message, hint } = error as Error & Partial<HintedError>;
  const advice = hint ?? (name !== 'WorldError' ? null
    : 'write a world like users: [{ username: ada }]; `colloquy help world-schema` prints all keys');
  return expected.has(name) ? new Problem('usage', problem, advice, { cause: error }) : null;
};
