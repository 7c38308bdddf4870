import { describe, expect, it } from 'vitest';
import { defaultRetry, repeat, repeatAfterServerErrors } from '../../src/client/retry.js';
import { ApiError, NoResultError, ResponseError } from '../../src/client/errors.js';
import { fakeTime } from './support/fake-time.js';

const apiError = (status: number) => new ApiError(status, 'no', 'GET /x', '', {});

describe('repeated work', () => {
  it('ends with the first final outcome', async () => {
    const outcomes = [1, 2, 0, 4];
    const pauses: unknown[] = [];
    const last = await repeat(async () => outcomes.shift()!, {
      most: (outcome) => outcome, wait: (attempt) => attempt * 10, pause: async (retry) => { pauses.push(retry); },
    });
    expect(last).toBe(0);
    expect(pauses).toEqual([{ attempt: 2, attempts: 2, wait: 10 }, { attempt: 3, attempts: 3, wait: 20 }]);
  });

  it('ends when its waits would take longer than allowed', async () => {
    let attempts = 0;
    await repeat(async () => ++attempts, { most: () => 9, wait: () => 40, totalWait: 100, pause: async () => undefined });
    expect(attempts).toBe(3);
  });

  it('shares its failures with other work', async () => {
    const failures = { count: 0 };
    const time = fakeTime();
    const fail = async () => { throw apiError(500); };
    await expect(repeatAfterServerErrors(fail, defaultRetry, time, { failures })).rejects.toThrow(ApiError);
    expect(failures.count).toBe(6);
    let attempts = 0;
    await expect(repeatAfterServerErrors(async () => { attempts++; throw apiError(500); }, defaultRetry, time, { failures }))
      .rejects.toThrow(ApiError);
    expect(attempts).toBe(1);
  });

  it.each([
    ['a 500', apiError(500), 6], ['a 502, which the client repeats', apiError(502), 1], ['a 404', apiError(404), 1],
    ['a damaged response', new ResponseError('no', 'GET /x', 200), 3],
    ['a change without a result', new NoResultError([], {}, 'PUT /x', 200), 1],
  ])('has so many attempts after %s', async (_, error, most) => {
    let attempts = 0;
    const time = fakeTime();
    await expect(repeatAfterServerErrors(async () => { attempts++; throw error; }, defaultRetry, time)).rejects.toBe(error);
    expect(attempts).toBe(most);
  });
});
