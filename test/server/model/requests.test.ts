import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newStore, onPostgres } from '../../support/stores.js';
import { anyRequest } from './requests.js';
import { judged, type Statuses } from './sequence.js';
import { fuzzWorld } from './world.js';

it('any request gets a response in time, without a fault, in the shape of the contract', async () => {
  const statuses: Statuses = new Map();
  await fc.assert(fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 120, size: 'max' }), async (requests) =>
    judged({ world: fuzzWorld, ...(onPostgres && { data: await newStore() }) }, requests, statuses)), { seed: 20_240_501, numRuns: onPostgres ? 15 : 50 });
  const seen = [...statuses.keys()].sort();
  expect(seen).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 403, 404, 415]));
  expect([...statuses.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(onPostgres ? 600 : 2_000);
});
