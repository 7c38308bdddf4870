import { describe, expect, it } from 'vitest';
import { errorMessage, isUnknownRoute } from '../../src/wire/error-response.js';
import { missingRouteHeader, nearestRouteIn } from '../../src/wire/http.js';

describe('the message of an error', () => {
  it.each([
    [{ message: '404 Project Not Found' }, '404 Project Not Found'],
    [{ error: 'body is missing, position is invalid' }, 'body is missing, position is invalid'],
    [{ message: { logo: ['is too big', 'is no image'], title: ['is blank'] } }, 'logo is too big, is no image; title is blank'],
    [{ message: { base: 'text alone' } }, 'base text alone'],
    [{ message: { note: [{ a: 1 }], base: { b: ['c'] } } }, 'note {"a":1}; base {"b":["c"]}'],
    [{ message: ['Another one exists', 'Too late'] }, 'Another one exists, Too late'],
    [{ error: 'invalid_token', error_description: 'Token was revoked.' }, 'Token was revoked.'],
    [{ error: 'insufficient_scope', error_description: 'Too small.', scope: 'api' }, 'Too small.'],
    [{ message: 'a', error: 'b' }, 'a'],
    ['plain text\n', 'plain text'],
  ])('of %j', (body, words) => expect(errorMessage(body)).toBe(words));

  it('with deeply nested values', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    expect(errorMessage({ message: { note: [deep] } })).toBe('note …');
  });

  it.each([[{}], [{ message: 7 }], [null], [''], ['  '], [[1]], [undefined]])('are null for %j', (body) =>
    expect(errorMessage(body)).toBeNull());
});

describe('an unknown route', () => {
  it('has a 404 without a message', () => {
    expect(isUnknownRoute(404, { error: '404 Not Found' })).toBe(true);
    expect(isUnknownRoute(404, '<html>')).toBe(true);
  });

  it('is not a missing object', () => {
    expect(isUnknownRoute(404, { message: '404 Not found' })).toBe(false);
    expect(isUnknownRoute(400, { error: 'body is missing' })).toBe(false);
  });
});

it.each([{}, { [missingRouteHeader]: 'GET /users' }, { [missingRouteHeader]: '; nearest GET /\u202e' }])(
  'no nearest route is read from the headers %j', (headers) => expect(nearestRouteIn(headers)).toBeNull());
