import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { exits, failureOf, messageAlone, Problem, StdoutClosed } from '../../../../src/cli/command-line/failure.js';
import { ApiError, ConnectionError, ResponseError } from '../../../../src/client/errors.js';
import { everyRow } from '../../../support/rows.js';
import { UnusablePathValue } from '../../../../src/wire/encode.js';

const refused = (status: number, body: unknown = { message: 'words' }) =>
  failureOf(new ApiError(status, 'words', 'GET /api/v4/x', body, {}));

describe('failureOf', () => {
  it.each([
    [400, 7, 'rejected'], [401, 4, 'unauthenticated'], [403, 5, 'forbidden'], [404, 6, 'not_found'], [409, 7, 'rejected'],
    [412, 7, 'rejected'], [413, 7, 'rejected'], [422, 7, 'rejected'], [429, 9, 'rate_limited'], [500, 10, 'unavailable'],
    [502, 10, 'unavailable'], [503, 10, 'unavailable'],
  ])('maps status %i to exit code %i', (status, exit, code) => {
    expect(refused(status)).toMatchObject({
      exit, code, status, message: expect.stringMatching(/^(the service .*|rate limit exceeded): "words"$/) as string, request: 'GET /api/v4/x' });
  });

  it('has its status once in a message that stands alone', () => {
    const alone = (status: number, words: string) => messageAlone(failureOf(new ApiError(status, words, 'GET /x', {}, {}))!);
    expect(alone(404, 'Note Not Found')).toBe('the service did not find the requested object: "Note Not Found" (HTTP 404)');
    expect(alone(404, 'note 14041 is gone')).toMatch(/ \(HTTP 404\)$/);
    expect(alone(400, 'the other service said 400')).not.toContain('(HTTP 400)');
    expect(messageAlone(failureOf(new Problem('usage', 'no', 'check it'))!)).toBe('no');
  });

  it('names the object that the service did not find, if it says no more than the status', async () => {
    const rows: readonly (readonly [path: string, body: unknown, name: string])[] = [
      ['projects/acme%2Fapp/merge_requests/99/discussions', { message: '404 Not Found' }, 'merge request !99 in acme/app'],
      ['projects/42/issues/7/notes', { message: '404 Not found' }, 'issue #7 in project 42'],
      ['projects/acme%2Fapp/snippets/5', { message: '404 Not Found' }, 'snippet $5 in acme/app'],
      ['groups/acme%2Fsub/epics/3', { message: '404 Not found' }, 'epic &3 in acme/sub'],
      ['groups/acme/epics/503/notes', { message: '404 Not found' }, 'the requested object'],
      ['projects/acme%2Fapp/merge_requests/99/unknown', { error: '404 Not Found' }, 'the requested object'],
      ['projects/acme%2Fapp/merge_requests/1/draft_notes/5', { message: '404 Not Found' }, 'the requested object'],
      ['projects/acme%2Fapp/merge_requests/1/notes/5', { message: '404 Not Found' }, 'note 5 of merge request !1 in acme/app'],
      ['projects/42/issues/7/discussions/1ce5', { message: '404 Not found' }, 'issue #7 in project 42'],
      ['projects/a%ZZ/members/9', { message: '404 Not found' }, 'the requested object'],
    ];
    await everyRow(rows, ([path]) => path, ([path, body, name]) => {
      const { message } = failureOf(new ApiError(404, '404 Not Found', `GET /api/v4/${path}`, body, {}))!;
      expect(message).toBe(`the service did not find ${name}`);
    });
  });

  it('maps a failed connection to exit code 10', () => {
    const error = new ConnectionError('no', 'GET /x', 'ECONNREFUSED', false);
    expect(failureOf(error)).toMatchObject({ exit: 10, code: 'unavailable', request: 'GET /x', hint: 'check --url and the network' });
  });

  it('maps an invalid response to exit code 10', () => {
    expect(failureOf(new ResponseError('an HTML page', 'GET /x', 200))).toMatchObject({ exit: 10, status: 200 });
  });

  it('maps commander\'s errors to usage errors, with its suggestion as the hint', () => {
    const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--jsn'\n(Did you mean --json?)");
    expect(failureOf(error)).toMatchObject({ exit: 2, message: 'unknown option "--jsn"', hint: 'did you mean --json?' });
  });

  it('suggests a valid value in place of an invalid one', () => {
    const error = (message: string) => failureOf(new CommanderError(1, 'commander.invalidArgument', `error: ${message}`));
    expect(error("command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh."))
      .toMatchObject({ exit: 2, message: 'invalid value "tcsh" for shell', hint: 'choose one of: bash, zsh' });
    expect(error("option '-L, --limit <n>' argument '0' is invalid. give --limit a whole number from 1"))
      .toMatchObject({ exit: 2, message: 'invalid value "0" for -L, --limit <n>', hint: 'give --limit a whole number from 1' });
  });

  it('keeps a semicolon of a value in its message', () => {
    const error = new UnusablePathValue('id "a; b%2Fc" is percent-encoded already', 'pass "a; b/c"');
    expect(failureOf(error)).toMatchObject({ message: 'id "a; b%2Fc" is percent-encoded already', hint: 'pass "a; b/c"' });
  });

  it('adds a hint to every usage error', () => {
    expect(failureOf(new Problem('usage', 'what'))).toMatchObject({ exit: 2, hint: 'run with --help for usage' });
  });

  it('does not treat a closed reader as a failure', () => {
    expect(failureOf(new StdoutClosed())).toBeNull();
  });

  it('distinguishes a broken connection from a closed reader and from Ctrl-C', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    expect(failureOf(broken)?.exit).toBe(1);
    expect(failureOf(new ConnectionError('write EPIPE', 'POST /x', 'EPIPE', true, { cause: broken }))?.exit).toBe(10);
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortError' });
    expect(failureOf(new ConnectionError('refused', 'GET /x', 'UND_ERR_ABORTED', false, { cause: aborted }))?.exit).toBe(10);
  });

  it('maps a rejection by a proxy to exit code 10, with its status', () => {
    const refused = new ConnectionError('refused', 'GET /x', 'PROXY_REFUSED', false, { proxyStatus: 403 });
    expect(failureOf(refused)).toMatchObject({ exit: 10, code: 'unavailable', status: 403 });
    expect(failureOf(new ApiError(407, 'words', 'GET /x', '', {}))).toMatchObject({ exit: 10, status: 407 });
  });

  it('maps Ctrl-C to exit code 130, at a question too', () => {
    const named = (name: string) => Object.assign(new Error(name), { name });
    expect(failureOf(named('AbortError'))?.exit).toBe(130);
    expect(failureOf(named('ExitPromptError'))?.exit).toBe(130);
    expect(failureOf(new Error('outer', { cause: named('AbortError') }))?.exit).toBe(130);
  });

  it('keeps the error of a command', () => {
    for (const code of Object.keys(exits) as (keyof typeof exits)[]) {
      expect(failureOf(new Problem(code, 'what', 'then'))).toMatchObject({ exit: exits[code], code, message: 'what', hint: 'then' });
    }
  });

  it('maps a response that is too deep or too long to process to exit code 10', () => {
    const depth = 200_000;
    const deep: unknown = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    const tried = (act: () => unknown): unknown => { try { return act(); } catch (error) { return error; } };
    const expected = { exit: 10, code: 'unavailable', message: expect.stringContaining('too deep') as string };
    expect(failureOf(tried(() => JSON.stringify(deep)))).toMatchObject(expected);
    expect(failureOf(tried(() => 'x'.repeat(2 ** 30)))).toMatchObject(expected);
    expect(failureOf(new RangeError('toFixed() digits'))).toMatchObject({ exit: 1 });
  });

  it('maps every other error to exit code 1', () => {
    expect(failureOf(new TypeError('bug'))).toMatchObject({ exit: 1, code: 'failure', message: 'bug' });
    expect(failureOf('text')).toMatchObject({ exit: 1, message: 'text' });
  });
});
