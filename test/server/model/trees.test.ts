import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newStore, onPostgres } from '../../support/stores.js';
import type { Statuses } from './sequence.js';
import { runTrees, treeSteps } from './trees.js';

const stores: readonly (readonly [string, boolean, number])[] = onPostgres
  ? [['in PostgreSQL', true, 2]] : [['in memory', false, 8], ['in a file', true, 3]];

it.each(stores)('epics are after every step where plain lists have them: %s', async (_, isFile, numRuns) => {
  const statuses: Statuses = new Map();
  const property = fc.asyncProperty(treeSteps, async (steps) => runTrees(isFile ? { data: await newStore() } : {}, steps, statuses));
  await fc.assert(property, { seed: 4, numRuns });
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 409, 422]));
});
