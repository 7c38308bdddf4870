import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyRequest } from './requests.js';
import { judged, type Statuses } from './sequence.js';
import { fuzzWorld } from './world.js';

it('whatever is asked is answered in time, without a fault, in the shape of the contract', async () => {
  const statuses: Statuses = new Map();
  await fc.assert(fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 120, size: 'max' }), (requests) =>
    judged({ world: fuzzWorld }, requests, statuses)), { seed: 20_240_501, numRuns: 50 });
  const seen = [...statuses.keys()].sort();
  expect(seen).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 415]));
  expect([...statuses.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(2_000);
});
