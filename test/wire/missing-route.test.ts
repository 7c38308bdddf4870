import fc from 'fast-check';
import { expect, it } from 'vitest';
import { missingRouteHeader, missingRouteValue, nearestRouteIn } from '../../src/wire/missing-route.js';

const nearest = 'GET /api/v4/projects/:id';

it('the header of a missing route names the request and the nearest route', () => {
  expect(missingRouteValue({ method: 'GET' }, '/api/v4/users', nearest)).toBe(`GET /api/v4/users; nearest ${nearest}`);
});

it('the header of a missing route is short printable ASCII from which the nearest route can be read, whatever the request', () => {
  const text = fc.string({ unit: 'binary', maxLength: 500 });
  const forged = fc.constantFrom('; nearest GET /evil', '\r\nset-cookie: a=b', '\ud800', 'ü'.repeat(300));
  fc.assert(fc.property(text, fc.oneof(text, forged), (method, path) => {
    const value = missingRouteValue({ method }, path, nearest);
    expect(value).toMatch(/^[\x20-\x7e]{1,2500}$/);
    expect(nearestRouteIn({ [missingRouteHeader]: value })).toBe(nearest);
    expect(value.split('; nearest ')).toHaveLength(2);
  }));
});

it('the header of a missing route contains no token of the path', () => {
  expect(missingRouteValue({ method: 'GET' }, '/api/v4/users&private_token=S3cret', nearest)).not.toContain('S3cret');
});

it.each([{}, { [missingRouteHeader]: 'GET /users' }, { [missingRouteHeader]: '; nearest GET /\u202e' }])(
  'no nearest route is read from the headers %j', (headers) => expect(nearestRouteIn(headers)).toBeNull());
