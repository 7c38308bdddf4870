import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newStore, onPostgres } from '../../support/stores.js';
import type { Statuses } from './sequence.js';
import { runThreads, threadSteps } from './threads.js';

const stores: readonly (readonly [string, boolean, number])[] = onPostgres
  ? [['in PostgreSQL', true, 3]] : [['in memory', false, 25], ['in a file', true, 5]];

it.each(stores)('threads and notes match a simple model after every step: %s', async (_, isFile, numRuns) => {
  const statuses: Statuses = new Map();
  const property = fc.asyncProperty(threadSteps, async (steps) => runThreads(isFile ? { data: await newStore() } : {}, steps, statuses));
  await fc.assert(property, { seed: 4, numRuns });
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 400, 403, 404]));
});
