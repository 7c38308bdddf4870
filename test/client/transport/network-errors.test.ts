import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ConnectionError } from '../../../src/client/errors.js';
import { connectionError, isNetworkError, isPermanent, NeverSent } from '../../../src/client/transport/network-errors.js';
import { request } from '../support/scripted.js';

const host = { name: 'https://host', origin: 'https://host', proxy: null };

const failed = (fields: object) =>
  connectionError(request('POST', '/x?q=secret'), host, Object.assign(new Error('words'), fields));

test.each([
  ['ECONNREFUSED', false, 'nothing is listening at https://host (ECONNREFUSED)'],
  ['ENOTFOUND', false, 'cannot find the host of https://host (ENOTFOUND)'],
  ['EAI_AGAIN', false, 'looking up the host of https://host failed (EAI_AGAIN)'],
  ['UND_ERR_CONNECT_TIMEOUT', false, 'connecting to https://host timed out (UND_ERR_CONNECT_TIMEOUT)'],
  ['EHOSTUNREACH', false, 'the connection to https://host failed: words (EHOSTUNREACH)'],
  ['ECONNRESET', true, 'https://host closed the connection without a response (ECONNRESET)'],
  ['UND_ERR_SOCKET', true, 'https://host closed the connection before the response was complete (UND_ERR_SOCKET)'],
  ['UND_ERR_HEADERS_TIMEOUT', true, 'https://host did not respond in time (UND_ERR_HEADERS_TIMEOUT)'],
  ['UND_ERR_BODY_TIMEOUT', true, 'the response of https://host stopped before its end (UND_ERR_BODY_TIMEOUT)'],
  ['HPE_INVALID_CONSTANT', true, 'the response of https://host is not valid HTTP: words (HPE_INVALID_CONSTANT)'],
  ['EPIPE', true, 'https://host closed the connection while the request was being sent (EPIPE)'],
  ['CERT_HAS_EXPIRED', false, 'the certificate of https://host is not trusted: words (CERT_HAS_EXPIRED)'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false, 'the certificate of https://host is not trusted: words (ERR_TLS_CERT_ALTNAME_INVALID)'],
  ['INVALID_PURPOSE', false, 'the certificate of https://host is not trusted: words (INVALID_PURPOSE)'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', false, 'the connection to https://host failed: words (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', true, 'the connection to https://host failed: words (ERR_SSL_WRONG_VERSION_NUMBER)'],
])('%s: whether the request can have arrived is %j', (code, sent, message) => {
  const error = failed({ code });
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code, sent, request: 'POST /x', message: `POST /x: ${message}` });
});

test('an invalid HTTP response in undici has a code', () => {
  expect(failed({ name: 'HTTPParserError' })).toMatchObject({ code: 'HPE_INVALID', sent: true });
  expect(failed({ code: 'ERR_ASSERTION' }).message).toMatch(/is not valid HTTP: unexpected status or framing \(HPE_INVALID\)$/);
});

test('a length that a header contradicts is an invalid response or request, and no certificate', () => {
  expect(failed({ code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' })).toMatchObject({
    code: 'HPE_INVALID', sent: true, message: 'POST /x: the response of https://host is not valid HTTP: words (HPE_INVALID)',
  });
  expect(failed({ code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH' })).toMatchObject({ code: 'UND_ERR_INVALID_ARG', sent: false });
  expect(failed({ code: 'HOSTNAME_MISMATCH' }).message).toContain('the certificate of https://host is not trusted');
});

test('a timeout while connecting has sent nothing', () => {
  expect(failed({ code: 'ETIMEDOUT', syscall: 'connect' }).sent).toBe(false);
  expect(failed({ code: 'ETIMEDOUT', syscall: 'read' }).sent).toBe(true);
});

test('a host that becomes unreachable during the request may have received it', () => {
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH']) {
    for (const syscall of ['read', 'write']) expect(failed({ code, syscall }).sent).toBe(true);
    expect(failed({ code, syscall: 'connect' }).sent).toBe(false);
  }
});

test.each(['ETIMEDOUT', 'ECONNABORTED', 'ENETRESET', 'ENETDOWN', 'ERR_STREAM_PREMATURE_CLOSE', 'EPROTO', 'ERR_SSL_BAD_RECORD_TYPE',
  'HPE_INVALID_CONSTANT'])('%s is an error of the network, also as the cause of a failed fetch', (code) => {
  const error = Object.assign(new AggregateError([]), { code });
  expect(isNetworkError(error)).toBe(true);
  expect(isNetworkError(new TypeError('fetch failed', { cause: error }))).toBe(true);
  expect(failed({ cause: error })).toMatchObject({ code, sent: true });
});

test('an assertion of another transport is no error of the network', () => {
  expect(isNetworkError(Object.assign(new Error('words'), { code: 'ERR_ASSERTION' }))).toBe(false);
});

test('an aborted request is no error of the network', () => {
  for (const name of ['AbortError', 'TimeoutError']) {
    const aborted = new DOMException('words', name);
    expect(isNetworkError(aborted)).toBe(false);
    expect(connectionError(request('GET', '/x'), host, aborted)).toMatchObject({ code: 'UNKNOWN', sent: true });
  }
});

test('a wrapped failure is described by its cause', () => {
  expect(failed({ cause: Object.assign(new Error('deep'), { code: 'ECONNREFUSED' }) }).code).toBe('ECONNREFUSED');
});

test('errors of Node are known where its class Error is another one, as in Jest', () => {
  const refused: unknown = runInNewContext("Object.assign(new Error('words'), { code: 'ECONNREFUSED' })");
  expect(refused).not.toBeInstanceOf(Error);
  expect(isNetworkError(refused)).toBe(true);
  expect(failed({ cause: refused })).toMatchObject({ code: 'ECONNREFUSED', sent: false });
});

test('a failure without a code is described by its message', () => {
  expect(failed({})).toMatchObject({ code: 'UNKNOWN', sent: true, message: 'POST /x: the connection to https://host failed: words (UNKNOWN)' });
});

test('the reason of OpenSSL is shown without functions, files and numbers', () => {
  const words = '80FC45C13C7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl/record/ssl3_record.c:350:\n';
  const cause = Object.assign(new Error(words), { code: 'ERR_SSL_WRONG_VERSION_NUMBER' });
  expect(connectionError(request('GET', '/x'), host, cause).message)
    .toBe('GET /x: the connection to https://host failed: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)');
});

test('a TLS error has the same code for writing and reading', () => {
  const words = 'write EPROTO 80BCE88F6F7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/ssl3_record.c:350:\n';
  const error = connectionError(request('GET', '/x'), host, Object.assign(new Error(words), { code: 'EPROTO', syscall: 'write' }));
  expect(error).toMatchObject({
    code: 'ERR_SSL_WRONG_VERSION_NUMBER', sent: true,
    message: 'GET /x: the connection to https://host failed: wrong version number (ERR_SSL_WRONG_VERSION_NUMBER)',
  });
});

test.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'UND_ERR_INVALID_ARG'])('%s would fail again', (code) => {
  expect(isPermanent(failed({ code }))).toBe(true);
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET', 'ENOTFOUND', 'ERR_SSL_BAD_RECORD_TYPE', 'EPROTO'])(
  '%s can be temporary', (code) => { expect(isPermanent(failed({ code }))).toBe(false); });

test('a TLS error would fail again only if it ends the handshake', () => {
  const code = 'ERR_SSL_WRONG_VERSION_NUMBER';
  const inHandshake = connectionError(request('POST', '/x'), host, new NeverSent(Object.assign(new Error('words'), { code })));
  expect(inHandshake).toMatchObject({ code, sent: false });
  expect(isPermanent(inHandshake)).toBe(true);
  expect(isPermanent(failed({ code }))).toBe(false);
});

test('what newer versions of Node say about starting Node is left out', () => {
  const message = 'unable to verify the first certificate; if the root CA is installed locally, try running Node.js with --use-system-ca';
  const error = connectionError(request('GET', '/x'), host, Object.assign(new Error(message), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }));
  expect(error.message).toBe(
    'GET /x: the certificate of https://host is not trusted: unable to verify the first certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)');
});
