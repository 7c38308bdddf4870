import { describe, expect, it } from 'vitest';
import { apiErrorHint, connectionHint, type Hint, responseErrorHint, settingNames } from '../../../../src/cli/command-line/hints.js';
import { ApiError, ConnectionError, ResponseError } from '../../../../src/client/errors.js';

interface Failed { readonly sent?: boolean; readonly request?: string; readonly origin?: string; readonly proxy?: string; readonly wasAnswered?: boolean }

interface Refusal { readonly request?: string; readonly words?: string; readonly body?: unknown; readonly headers?: Record<string, string> }

const threads = 'GET /api/v4/projects/acme%2Fapp/issues/7/discussions';
const post = threads.replace('GET', 'POST');
const childEpics = 'GET /api/v4/groups/acme/epics/1/epics';
const wrongRoute = { error: '404 Not Found' };

const names = settingNames({});

const textOnly = (hint: Hint): string => typeof hint === 'string' ? hint : hint.hint!;

const after = (status: number, { request = threads, words = 'words', body, headers = {} }: Refusal = {}) =>
  textOnly(apiErrorHint(new ApiError(status, words, request, body ?? { message: words }, headers), names));

describe('after 401', () => {
  it('suggests replacing an invalid token', () => {
    expect(after(401)).toBe(
      'replace the token with a valid one: run `colloquy auth login`, or set COLLOQUY_TOKEN');
  });

  it('distinguishes an expired token from a revoked one by the service\'s message', () => {
    const body = { error: 'invalid_token' };
    expect(after(401, { body, words: 'Token is expired. You can either do re-authorization or token refresh.' }))
      .toMatch(/^replace the token, which has expired, with a new one of scope api: /);
    expect(after(401, { body, words: 'Token was revoked. You have to re-authorize from the user.' }))
      .toMatch(/^replace the token, which has been revoked, with a new one of scope api: /);
  });
});

describe('after 403', () => {
  it('names the scopes that are sufficient', () => {
    const refused = (scope?: unknown) => after(403, { body: { error: 'insufficient_scope', error_description: 'words', scope } });
    expect(refused('api')).toBe('replace the token with one that has scope api: run `colloquy auth login`');
    expect(refused('api read_api')).toMatch(/scope api or read_api:/);
    expect(refused()).toMatch(/scope api:/);
  });

  it('never asks for another scope or login where a valid token lacks a permission', () => {
    const refused = (words: string, request?: string) =>
      after(403, { body: { error: 'insufficient_granular_scope', error_description: words }, words, ...request && { request } });
    const named = 'Access denied: This operation requires a fine-grained personal access token with the following group permissions: [Epic Note: Read].';
    for (const request of [undefined, 'PUT /api/v4/application/appearance', childEpics]) {
      expect(refused(named, request)).toBe('use a fine-grained token with the permissions that the service names');
    }
    expect(refused("Access denied: This operation doesn't support fine-grained personal access tokens."))
      .toBe('use a token of a kind that the service accepts here');
  });

  it('says that the appearance requires an administrator', () => {
    expect(after(403, { request: 'PUT /api/v4/application/appearance' })).toMatch(/^replace the token with one of an administrator/);
  });

  it('explains that epics may be missing in the tier, not exist, or be private', () => {
    for (const request of [childEpics, 'GET /api/v4/groups/acme/-/epics/1/epics', 'POST /api/v4/groups/acme/epics/1/discussions']) {
      expect(after(403, { request })).toMatch(/^check that the epic exists.*tier.*member of the group$/);
    }
  });

  it('distinguishes a note that cannot be resolved from a missing permission', () => {
    expect(after(403, { request: 'PUT /api/v4/projects/1/merge_requests/1/discussions/3333' }))
      .toMatch(/^check that you have the required role.*single comments.* cannot be resolved$/);
    expect(after(403, { request: 'PUT /api/v4/projects/1/merge_requests/1/discussions/3333/notes/1' }))
      .toMatch(/^check that you have the required role or are the author, /);
  });

  it('asks for a role after a write, and for an invitation after a read', () => {
    expect(after(403, { request: post })).toMatch(/^check that you have the required role or are the author, /);
    expect(after(403)).toMatch(/cannot see this/);
  });

  it('refers a blocked account to an administrator', () => {
    expect(after(403, { words: '403 Forbidden - Your account has been blocked.' })).toMatch(/^ask an administrator/);
  });
});

describe('after 404', () => {
  it('says that a project or group may be private, names its flag, and suggests numeric ids if a proxy may reject %2F', () => {
    expect(after(404, { words: '404 Project Not Found' })).toBe(
      'check --project: the project does not exist, or the user of the token is not a member; or use the '
      + 'numeric id of the project or group: a proxy may block %2F in paths');
    expect(after(404, { words: '404 Group Not Found', request: childEpics })).toBe(
      'check --group: the group does not exist, or the user of the token is not a member');
  });

  it('says that a record does not exist or is hidden', () => {
    expect(after(404, { words: '404 Not found' })).toBe('check the id: it does not exist, or the token has no access to it');
  });

  it('suggests a full SHA in place of an abbreviated commit', () => {
    const at = (sha: string) => after(404, { words: '404 Commit Not Found', request: `GET /api/v4/projects/1/repository/commits/${sha}/discussions` });
    expect(at('6104942')).toMatch(/; commits require the full 40-character SHA$/);
    expect(at('6104942438c14ec7bd21c6cd5bd995272b3faff6')).toBe('check the id: it does not exist, or the token has no access to it');
  });

  it('explains an unknown path by a wrong address or a proxy that decodes %2F', () => {
    expect(after(404, { body: wrongRoute, request: 'GET /api/v4/application/appearance' })).toBe(
      'check --url: the service does not know this path');
    expect(after(404, { body: wrongRoute })).toMatch(/^check --url: .*; or use the numeric id of the project or group/);
  });

  it('names the nearest route if the test server does not have the one of the request', () => {
    const nearest = (value: string) => after(404, { body: wrongRoute, request: childEpics, headers: { 'x-colloquy-missing': value } });
    expect(nearest('GET /api/v4/users; nearest GET /api/v4/user')).toBe(
      'use another route, such as GET /api/v4/user: `colloquy serve` does not have this one');
    expect(nearest('GET /api/v4/users; nearest \u001b[31m')).toMatch(/^check --url/);
  });

  it('explains an unknown epics path by a service without epics', () => {
    expect(after(404, { body: wrongRoute, request: childEpics })).toMatch(/^check --url, and that the tier of the service includes epics/);
  });

  it('explains a page in place of a response, or a rejected %2F, by a server in front of the service', () => {
    expect(after(404, { body: '<html>' })).toMatch(/%2F/);
    expect(after(400, { body: 'Bad Request' })).toMatch(/^use the numeric id of the project or group/);
    expect(after(400, { body: 'Bad Request', request: childEpics })).toMatch(/check any proxy in front of it$/);
  });
});

describe('after 429', () => {
  it('names the time to wait from the response', () => {
    expect(after(429, { headers: { 'retry-after': '30' } })).toBe('try again in 30 seconds, when the rate limit resets');
    expect(after(429, { headers: { 'retry-after': '121' } })).toBe('try again in 3 minutes, when the rate limit resets');
    expect(after(429, { headers: { 'retry-after': '1' } })).toBe('try again in 1 second, when the rate limit resets');
    expect(after(429, { headers: { 'retry-after': 'Wed, 01 May 2024 12:00:30 GMT' } }))
      .toBe('try again at 2024-05-01T12:00:30.000Z, when the rate limit resets');
    const date = 'Wed, 01 May 2024 12:00:00 GMT';
    expect(after(429, { headers: { date, 'retry-after': 'Wed, 01 May 2024 12:00:01 GMT' } })).toBe('try again in 1 second, when the rate limit resets');
    expect(after(429, { headers: { date, 'ratelimit-reset': '1714564830' } })).toBe('try again in 30 seconds, when the rate limit resets');
    expect(after(429, { headers: { 'ratelimit-reset': '1714564830' } })).toBe('try again at 2024-05-01T12:00:30.000Z, when the rate limit resets');
  });

  it('says that the limit resets within a minute if the service names no time', () => {
    expect(after(429)).toMatch(/^wait a minute/);
    expect(after(429, { headers: { 'retry-after': 'soon', 'ratelimit-reset': 'never' } })).toMatch(/^wait a minute/);
  });
});

describe('after other errors', () => {
  it('says that a failed request may have stored the write', () => {
    expect(after(502)).toBe('try again later: the service or a proxy in front of it failed');
    expect(after(500, { request: post })).toMatch(/^check whether it was stored before sending it again/);
  });

  it('says when a read is repeated after a 500', () => {
    expect(after(500)).toBe('try again later: a 500 is repeated only with --retries, such as --retries 5');
  });

  it('suggests a retry after a failure that stored nothing', () => {
    const words = '503 Service Unavailable - the disk of the database is full; nothing was stored';
    expect(after(503, { request: post, words })).toBe('try again later: nothing was stored');
    expect(after(503, { words })).toBe('try again later: the service or a proxy in front of it failed');
  });

  it('gives specific advice for a conflict, a size and a proxy', () => {
    expect(after(409)).toMatch(/concurrent change/);
    expect(after(409, { request: 'POST /api/v4/groups/acme/epics/1/epics/501' })).toBe('run `colloquy epics list` to see the current children');
    expect(after(413)).toMatch(/exceeds the limit/);
    expect(after(407)).toMatch(/into the proxy URL/);
  });

  it('names the most similar request of a recording that does not have this one', () => {
    const nearest = 'GET /api/v4/projects/acme%2Fapp/issues/8/discussions';
    expect(after(501, { body: { message: '501 Not Implemented', nearest } })).toBe('record this request too, or run `colloquy serve` '
      + `without --strict; the nearest recorded request is "${nearest}"`);
    expect(after(501, { body: { message: '501 Not Implemented', nearest, differs: ['body (title)', 'query'] } }))
      .toMatch(/"GET \S+", with another body \(title\), query$/);
    expect(after(501, { request: post, body: { nearest: 'no request of the recording is like it' } }))
      .toBe('record this request too, or run `colloquy serve` without --strict');
  });

  it('suggests sending an unprocessed request again, writes included', () => {
    for (const request of [threads, post]) {
      expect(after(408, { request })).toMatch(/try again: the service did not receive the whole request in time$/);
      expect(after(421, { request })).toMatch(/^check --url and any proxy .*try again$/);
      expect(after(425, { request })).toMatch(/^try again: the service did not process the request/);
    }
  });

  it('suggests fixing the value that the service names, in reads too', () => {
    for (const status of [400, 412, 422]) expect(after(status)).toBe('fix the values named in the response, then try again');
  });

  it('gives advice for every status, in reads and writes', () => {
    for (let status = 400; status < 600; status += 1) for (const request of [threads, post, childEpics]) {
      for (const body of [undefined, 'a page', wrongRoute]) expect(after(status, { request, body })).toMatch(/\w{3}/);
    }
  });
});

describe('without a response', () => {
  const failed = (code: string, { sent = false, request = threads, ...destination }: Failed = {}) =>
    connectionHint(new ConnectionError('', request, code, sent, destination), names);

  it.each([
    ['SELF_SIGNED_CERT_IN_CHAIN', '--ca-cert FILE'], ['DEPTH_ZERO_SELF_SIGNED_CERT', '--ca-cert FILE'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', '--ca-cert FILE'], ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'config set ca-cert FILE'],
    ['CERT_HAS_EXPIRED', 'check the clock of this machine'], ['CERT_NOT_YET_VALID', 'clock'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'check --url: the certificate is for another host'], ['CERT_REVOKED', 'revoked'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', '--client-cert and --client-key'],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', '--client-cert'], ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', '--client-cert'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'http://'], ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'no common TLS'], ['EPROTO', 'no common TLS'],
    ['UND_ERR_HEADERS_TIMEOUT', '--timeout'], ['ENOTFOUND', 'check --url and the network'],
  ])('gives specific advice for %s', (code, advice) => {
    expect(failed(code)).toContain(advice);
  });

  it('says that a sent request may have been stored', () => {
    expect(failed('ECONNRESET', { sent: true, request: post })).toBe('check whether it was stored before sending it again');
    expect(failed('ECONNRESET', { sent: true })).toBe('check --url and the network');
    expect(failed('ERR_SSL_BAD_RECORD_TYPE', { sent: true, request: post })).toBe('check whether it was stored before sending it again');
    expect(failed('ERR_SSL_BAD_RECORD_TYPE', { sent: true })).toBe('check --url and the network');
  });

  it('suggests a client certificate when a service closes the connection or nginx requests one', () => {
    expect(failed('ECONNRESET', { origin: 'http://x' })).toBe('check --url and the network; the port may require https://');
    expect(failed('ECONNRESET', { origin: 'http://x', wasAnswered: true })).toBe('check --url and the network');
    for (const body of ['<h1>400 The plain HTTP request was sent to HTTPS port</h1>', 'Client sent an HTTP request to an HTTPS server.\n']) {
      expect(after(400, { body })).toBe('use https:// in --url: the port requires TLS');
    }
    expect(failed('ECONNRESET', { origin: 'https://x' })).toMatch(/^check --url and the network; the service may require a client certificate/);
    expect(after(400, { body: '<h1>400 No required SSL certificate was sent</h1>' })).toContain('--client-cert');
  });

  it('suggests neither TLS nor a certificate after a part of a response, or one that is not HTTP', () => {
    for (const origin of ['http://x', 'https://x']) {
      expect(failed('UND_ERR_SOCKET', { origin })).toBe('check --url and the network');
      expect(failed('HPE_INVALID_CONSTANT', { origin })).toBe('check that --url is the service itself, and check any proxy in front of it');
    }
  });

  it('suggests checking a proxy that rejects the tunnel', () => {
    const refused = (proxyStatus: number) => connectionHint(new ConnectionError('', post, 'PROXY_REFUSED', false, { proxyStatus }), names);
    expect(refused(407)).toMatch(/into the proxy URL/);
    expect(refused(403)).toMatch(/^check the proxy/);
    expect(failed('PROXY_TIMEOUT')).toMatch(/^check the proxy .*or raise --timeout$/);
  });

  it('suggests that a proxy may be the cause', () => {
    expect(failed('UND_ERR_ABORTED', { origin: 'https://x', proxy: 'http://p' })).toMatch(/^check the proxy/);
  });
});

describe('after an invalid response', () => {
  const afterOdd = (status: number, request: string) => responseErrorHint(new ResponseError('odd', request, status), names);

  it('says what to check, and that a write may have been stored', () => {
    expect(afterOdd(200, threads)).toBe('check that --url is the service itself, and check any proxy in front of it');
    expect(afterOdd(201, post)).toMatch(/^check whether it was stored before sending it again; check that --url/);
    expect(afterOdd(302, post)).toMatch(/^check that --url/);
  });
});

describe('after an invalid time to wait', () => {
  const date = 'Wed, 01 May 2024 12:00:00 GMT';

  it.each(['-5', '0', 'Mon, 01 Jan 2001 00:00:00 GMT', '99999999999999999999'])('names no time: %s', (after429) => {
    expect(after(429, { headers: { date, 'retry-after': after429 } })).toMatch(/^wait a minute/);
  });
});
