import { describe, expect, it } from 'vitest';
import { statusesUnder } from '../../support/faults.js';
import { testService } from '../../support/service.js';

describe('a fault rule applies to', () => {
  it('a number of requests, after those that it skips', async () => {
    const requests = Array.from({ length: 6 }, () => ['GET', '/user'] as const);
    expect(await statusesUnder('* => status 500 times=2 skip=1', requests))
      .toEqual({ statuses: [200, 500, 500, 200, 200, 200], hits: 2 });
  });

  it('requests that no rule before it was applied to', async () => {
    const { get, faults } = await testService({ faults: ['* => status 500 times=1', '* => status 503 times=1'] });
    expect([(await get('/user')).status, (await get('/user')).status, (await get('/user')).status]).toEqual([500, 503, 200]);
    expect((await faults()).rules.map(({ hits }) => hits)).toEqual([1, 1]);
  });

  it('a share of the requests, the same with the same seed', async () => {
    const hitsWith = async (seed: number) => {
      const { get, faults } = await testService();
      await faults(['* => status 500 p=0.3'], seed);
      const statuses: number[] = [];
      for (let i = 0; i < 200; i++) statuses.push((await get(`/projects/20/issues/${i}`)).status);
      return statuses.map((status) => status === 500);
    };
    const first = await hitsWith(1);
    expect(first.filter(Boolean).length).toBeGreaterThan(30);
    expect(first.filter(Boolean).length).toBeLessThan(90);
    expect(await hitsWith(1)).toEqual(first);
    expect(await hitsWith(2)).not.toEqual(first);
  });
});
