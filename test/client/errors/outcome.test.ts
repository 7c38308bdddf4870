import { describe, expect, it } from 'vitest';
import {
  ApiError, ConnectionError, isDamaged, isOutcomeUnknown, isRejected, isSlow, isUnknownResponse,
  MarkerLostError, NoResultError, ResponseError, type UnknownOutcome,
} from '../../../src/client/errors.js';
import { nothingStored } from '../../../src/contract/conventions.js';
import { json } from '../support/scripted.js';

const rejected = (status: number, body: unknown = {}) => new ApiError(status, 'no', 'POST /x', body, {});
const broken = (code: string, sent = true) => new ConnectionError('no', 'POST /x', code, sent);
const damaged = (status: number) => new ResponseError('no', 'POST /x', status);

describe('the outcome of a request that failed', () => {
  it.each<[string, unknown]>([
    ['a connection that broke after the request was sent', broken('ECONNRESET')],
    ['a response that did not come in time', broken('UND_ERR_HEADERS_TIMEOUT')],
    ['a 500', rejected(500)], ['a 502', rejected(502)], ['a 503', rejected(503)], ['a 504', rejected(504)],
    ['a damaged 200', damaged(200)], ['a damaged 201', damaged(201)], ['a damaged 299', damaged(299)],
    ['a note without its marker', new MarkerLostError(1, false, 'POST /x')],
  ])('is unknown after %s', (_, error) => {
    expect([isOutcomeUnknown(error), isRejected(error)]).toEqual([true, false]);
  });

  it.each<[string, unknown]>([
    ['a request that was never sent', broken('ECONNREFUSED', false)],
    ['a 400', rejected(400)], ['a 404', rejected(404)], ['a 429', rejected(429)], ['a 499', rejected(499)],
    ['a 500 that says that nothing was stored', rejected(500, { message: `failed: ${nothingStored}` })],
  ])('is a rejection after %s', (_, error) => {
    expect([isOutcomeUnknown(error), isRejected(error)]).toEqual([false, true]);
  });

  it.each<[string, unknown]>([
    ['a change without a result', new NoResultError([], {}, 'POST /x', 202)],
    ['a redirect to another origin', damaged(302)],
    ['an abort', new DOMException('stopped', 'AbortError')], ['something thrown that is no error', null],
  ])('is neither unknown nor a rejection after %s', (_, error) => {
    expect([isOutcomeUnknown(error), isRejected(error)]).toEqual([false, false]);
  });
});

describe('the outcome of a response', () => {
  it.each([[500, true], [502, true], [599, true], [499, false], [429, false], [201, false]])('with %i is unknown: %s', (status, unknown) => {
    expect(isUnknownResponse(json(status, {}))).toBe(unknown);
  });

  it('is known if a server error says that nothing was stored, as text or in JSON', () => {
    expect(isUnknownResponse({ status: 500, headers: {}, body: nothingStored })).toBe(false);
    expect(isUnknownResponse({ status: 500, headers: {}, body: new TextEncoder().encode(nothingStored) })).toBe(false);
    expect(isUnknownResponse(json(500, { message: nothingStored }))).toBe(false);
  });
});

describe('a service', () => {
  it.each<[string, UnknownOutcome, boolean]>([
    ['a timeout of the response', broken('UND_ERR_HEADERS_TIMEOUT'), true], ['a timeout of the body', broken('UND_ERR_BODY_TIMEOUT'), true],
    ['a timeout of the system', broken('ETIMEDOUT'), true], ['a closed connection', broken('ECONNRESET'), false],
    ['a 502 of a proxy', rejected(502), true], ['a 504 of a proxy', rejected(504), true],
    ['a 500', rejected(500), false], ['a 503', rejected(503), false], ['a damaged response', damaged(200), false],
  ])('may still be working after %s: %s', (_, error, slow) => {
    expect(isSlow(error)).toBe(slow);
  });
});

it('a response is damaged if it is not one of the API, but not if a change had no result', () => {
  expect([damaged(200), damaged(302), new NoResultError([], {}, 'PUT /x', 202), rejected(500), broken('ECONNRESET'), 'text'].map(isDamaged))
    .toEqual([true, true, false, false, false, false]);
});
