import { describe, expect, it } from 'vitest';
import type { App } from '../../../../src/cli/app.js';
import { maxParallel, mapInParallel, repeatStep } from '../../../../src/cli/service/connection/batch.js';
import { ApiError, NoResultError, ResponseError } from '../../../../src/client/errors.js';

it('a few items are worked on at a time, and the results have their order', async () => {
  let [running, most] = [0, 0];
  const results = await mapInParallel(Array.from({ length: 100 }, (_, i) => i), async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => { setImmediate(resolve); });
    running--;
    return item * 2;
  });
  expect([most, results.length, results[99]]).toEqual([maxParallel, 100, 198]);
});

it('the first failure aborts the others and starts no more', async () => {
  const started: number[] = [];
  await expect(mapInParallel(Array.from({ length: 100 }, (_, i) => i), async (item, signal) => {
    started.push(item);
    if (item === 1) throw new Error('no');
    await new Promise((resolve) => { setImmediate(resolve); });
    signal.throwIfAborted();
  })).rejects.toThrow('no');
  expect(started.length).toBe(maxParallel);
});

describe('a step that is repeated', () => {
  const app = { now: () => new Date(0), sleep: async () => undefined } as unknown as App;
  const apiError = (status: number) => new ApiError(status, 'no', 'GET /x', '', {});
  const attemptsAfter = async (error: Error, repeats: Parameters<typeof repeatStep>[2] = {}) => {
    let attempts = 0;
    await expect(repeatStep(app, async () => { attempts++; throw error; }, repeats)).rejects.toBe(error);
    return attempts;
  };

  it.each([
    ['a 500', apiError(500), 6], ['a 502, which the client repeats', apiError(502), 1], ['a 404', apiError(404), 1],
    ['a damaged response', new ResponseError('no', 'GET /x', 200), 3],
    ['a change without a result', new NoResultError([], {}, 'PUT /x', 200), 1],
  ])('has so many attempts after %s', async (_, error, most) => {
    expect(await attemptsAfter(error)).toBe(most);
  });

  it('is not repeated after a request that was repeated already', async () => {
    const isFirstFailure = ({ request }: { readonly request: string }) => request.startsWith('PUT');
    expect(await attemptsAfter(apiError(500), { isFirstFailure })).toBe(1);
    expect(await attemptsAfter(new ResponseError('no', 'GET /x', 200), { isFirstFailure })).toBe(1);
    expect(await attemptsAfter(new ApiError(500, 'no', 'PUT /x', '', {}), { isFirstFailure })).toBe(6);
  });

  it('shares its failures with other steps', async () => {
    const failures = { count: 0 };
    expect([await attemptsAfter(apiError(500), { failures }), await attemptsAfter(apiError(500), { failures })]).toEqual([6, 1]);
  });
});
