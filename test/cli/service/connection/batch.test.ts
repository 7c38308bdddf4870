import { expect, it } from 'vitest';
import { atOnce, inLanes } from '../../../../src/cli/service/connection/batch.js';

it('a few items are worked on at a time, and the results have their order', async () => {
  let [running, most] = [0, 0];
  const results = await inLanes(Array.from({ length: 100 }, (_, i) => i), async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => { setImmediate(resolve); });
    running--;
    return item * 2;
  });
  expect([most, results.length, results[99]]).toEqual([atOnce, 100, 198]);
});

it('the first failure aborts the others and starts no more', async () => {
  const started: number[] = [];
  await expect(inLanes(Array.from({ length: 100 }, (_, i) => i), async (item, signal) => {
    started.push(item);
    if (item === 1) throw new Error('no');
    await new Promise((resolve) => { setImmediate(resolve); });
    signal.throwIfAborted();
  })).rejects.toThrow('no');
  expect(started.length).toBe(atOnce);
});
