import { describe, expect, it } from 'vitest';
import {
  badParameters, errorResponse, faultResponse, forbidden, HttpError, insufficientScope, invalidFields, invalidNote, invalidToken, notFound, OperationError,
  recordNotFound, routeNotFound, unauthorized, withErrors,
} from '../../../src/server/http/response.js';
import { RequestAborted, UnreadableParams } from '../../../src/wire/http.js';
import { reasons, StoreFault, StoreUnavailable } from '../../../src/server/store/errors.js';
import { UnknownMediaType, UnreadableBody } from '../../../src/wire/decode.js';
import { InvalidMultipart } from '../../../src/wire/multipart.js';

const shown = (error: unknown, changes = false) => {
  const response = errorResponse(error, changes);
  return response && [response.status, response.body === '' ? '' : JSON.parse(String(response.body)) as unknown];
};

describe('the response to an error of a handler', () => {
  it.each<[error: unknown, status: number, body: object]>([
    [unauthorized(), 401, { message: '401 Unauthorized' }],
    [forbidden(), 403, { message: '403 Forbidden' }], [forbidden('why'), 403, { message: '403 Forbidden - why' }],
    [notFound('Project'), 404, { message: '404 Project Not Found' }], [recordNotFound(), 404, { message: '404 Not found' }],
    [routeNotFound(), 404, { error: '404 Not Found' }],
    [badParameters(['body is missing', 'page is invalid']), 400, { error: 'body is missing, page is invalid' }],
    [invalidFields({ title: ["can't be blank", 'is short'] }), 400, { message: { title: ["can't be blank", 'is short'] } }],
    [invalidNote({ note: ["can't be \"blank\""], base: ['a', 'b'] }), 400,
      { message: '400 Bad request - Note {:note=>["can\'t be \\"blank\\""], :base=>["a", "b"]}' }],
    [insufficientScope('api read_api'), 403, {
      error: 'insufficient_scope', error_description: 'The request requires higher privileges than provided by the access token.', scope: 'api read_api',
    }],
    [new OperationError(404, 'no snapshot'), 404, { message: '404 Not Found - no snapshot' }],
    [new OperationError(501, 'not here'), 501, { message: '501 Not Implemented - not here' }],
    [new UnknownMediaType('text/x'), 415, { error: new UnknownMediaType('text/x').message }],
    [new UnreadableParams('more than 200 parameters'), 400, { error: 'more than 200 parameters' }],
    [new InvalidMultipart('multipart body cannot be read'), 400, { error: 'multipart body cannot be read' }],
  ])('has the status and the body of the service: %s', (error, status, body) => {
    expect(shown(error)).toEqual([status, body]);
  });

  it('explains JSON that cannot be read, in the layout of the service', () => {
    const response = errorResponse(new UnreadableBody('no JSON'), true)!;
    expect(response.status).toBe(400);
    expect((JSON.parse(String(response.body)) as { error: string }).error).toMatch(/^\nProblem:\n {2}no JSON\nResolution:\n/);
  });

  it('has the header that a client with an invalid token looks at', () => {
    expect(errorResponse(invalidToken('Token was revoked.'), false)!.headers).toMatchObject({
      'content-type': 'application/json',
      'www-authenticate': 'Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="Token was revoked."',
    });
  });

  it('escapes what an error repeats', () => {
    expect(errorResponse(notFound('</script>'), false)!.body).toBe('{"message":"404 \\u003c/script\\u003e Not Found"}');
  });

  it('is empty if the caller is gone', () => expect(shown(new RequestAborted())).toEqual([0, '']));

  it('says after a change that nothing was stored, if the store is away for now', () => {
    const away = new StoreUnavailable('at /data/a.db', 'lost', reasons.away);
    expect(errorResponse(away, false)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(shown(away)).toEqual([503, { message: '503 Service Unavailable - the database cannot be reached' }]);
    expect(shown(away, true)).toEqual([503, { message: '503 Service Unavailable - the database cannot be reached; nothing was stored' }]);
  });

  it.each([new Error('a bug'), new TypeError('x'), 'text', null, undefined, new StoreFault('m', 'h', 500, reasons.damaged)])(
    'is none for an error that nobody expected: %s', (error) => expect(errorResponse(error, false)).toBeNull());
});

describe('the response to a fault of the server', () => {
  it('shows nothing of the error', () => {
    const { status, body } = faultResponse(new Error('the password is 123'), true);
    expect([status, body]).toEqual([500, '{"message":"500 Internal Server Error"}']);
  });

  it('gives the reason of a damaged store without its file, and says after a change that nothing was stored', () => {
    const damaged = new StoreFault('/data/a.db is damaged', 'restore it', 500, reasons.damaged);
    expect(faultResponse(damaged, false)).toMatchObject({ status: 500, body: '{"message":"500 Internal Server Error - the database is damaged"}' });
    const removed = new StoreFault('/data/a.db was removed', 'restart', 503, reasons.removed);
    expect(String(faultResponse(removed, true).body)).toMatch(/^\{"message":"503 Service Unavailable - the data file .*; nothing was stored"\}$/);
  });
});

describe('a handler with errors', () => {
  const request = (method: string) => ({ method, target: '/', headers: {} });

  it('responds instead of failing, and knows whether the request changes something', async () => {
    const handle = withErrors(() => Promise.reject(new StoreUnavailable('m', 'lost', reasons.busy)));
    expect((await handle(request('GET'))).body).not.toContain('nothing was stored');
    expect((await handle(request('DELETE'))).body).toContain('nothing was stored');
  });

  it('passes on responses and unexpected errors unchanged', async () => {
    const made = { status: 200, headers: {}, body: 'x' };
    expect(await withErrors(async () => made)(request('GET'))).toBe(made);
    const bug = new Error('a bug');
    await expect(withErrors(() => Promise.reject(bug))(request('GET'))).rejects.toBe(bug);
  });

  it('has errors whose message is their body, for logs', () => {
    expect(new HttpError(400, { error: 'x' }).message).toBe('{"error":"x"}');
  });
});
