import { expect, it } from 'vitest';
import { missingRouteHeader, nearestRouteIn } from '../../../src/wire/error-response.js';

it.each([{}, { [missingRouteHeader]: 'GET /users' }, { [missingRouteHeader]: '; nearest GET /\u202e' }])(
  'no nearest route is read from the headers %j', (headers) => expect(nearestRouteIn(headers)).toBeNull());
