import { describe, expect, it } from 'vitest';
import { activeFaults } from '../../../src/server/faults/rules.js';
import type { UserOf } from '../../../src/server/faults/rule.js';
import { apiRequest } from '../../../src/server/api/request.js';
import { newTrace } from '../../../src/server/http/request-log.js';
import { isAll } from '../../support/extent.js';
import { everyRow } from '../../support/rows.js';
import { statusesUnder } from '../../support/faults.js';
import { testService } from '../../support/service.js';

describe('a fault rule applies to', () => {
  it('a number of requests, after those that it skips', async () => {
    const requests = Array.from({ length: 6 }, () => ['GET', '/user'] as const);
    expect(await statusesUnder('* => status 500 times=2 skip=1', requests))
      .toEqual({ statuses: [200, 500, 500, 200, 200, 200], hits: 2 });
  });

  it('no more of them if they arrive at once', async () => {
    const { get, faults } = await testService({ faults: ['* => status 500 times=2', 'discussions.merge_request.list => status 503 times=3'] });
    const all = await Promise.all(Array.from({ length: 12 }, () => get('/projects/20/merge_requests/1/discussions')));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 500, 500, 503, 503, 503]);
    expect((await faults()).rules.map(({ hits }) => hits)).toEqual([2, 3]);
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

describe('thousands of fault rules', () => {
  const request = (path: string, body?: string) => {
    let reads = 0;
    const asked = apiRequest({
      method: 'POST', target: `/api/v4${path}`, headers: {}, trace: newTrace(),
      get body() { reads++; return body ?? ''; },
    });
    return { asked, reads: () => reads };
  };
  const options = (userOf: UserOf) =>
    ({ now: () => new Date(0), delays: { wait: async () => undefined, later: () => undefined }, userOf });
  const served = async () => ({ status: 200, headers: {}, body: '' });

  it('count requests to any number of paths', async () => {
    const { handle, rules } = activeFaults(Array<string>(2_000).fill('* => latency 0 skip=1000000'), 0, options(async () => 'ada'));
    for (let i = 0; i < 200; i++) await handle(request(`/projects/${i}`).asked, served);
    expect(rules().every(({ hits }) => hits === 0)).toBe(true);
  });

  it('look up the caller and read the body once for each request', async () => {
    let asked = 0;
    const rules = Array.from({ length: 2_000 }, (_, i) => ({ on: '*', do: 'status 500', ...i % 2 ? { user: 'nobody' } : { body: 'needle' } }));
    const { handle } = activeFaults(rules, 0, options(async () => { asked++; return 'ada'; }));
    const [one, other] = [request('/user', 'hay'), request('/user', 'hay')];
    await handle(one.asked, served);
    await handle(other.asked, served);
    expect([asked, one.reads() < 10, other.reads() < 10]).toEqual([2, true, true]);
  });

  it('cost nothing if they cannot match, whatever was requested before', async () => {
    const compared = async (rule: (i: number) => { readonly on: string; readonly user?: string; readonly probability?: number }) => {
      let reads = 0;
      const rules = Array.from({ length: isAll ? 10_000 : 1_000 }, (_, i) => ({ do: 'status 500', header: 'x-fault', ...rule(i) }));
      const { handle } = activeFaults(rules, 0, options(async () => 'ada'));
      for (let i = 0; i < 240; i++) await handle(request(`/projects/${i}`).asked, served);
      const { asked } = request('/projects/20/issues/7');
      await handle({ ...asked, get headers() { reads++; return {}; } }, served);
      return reads;
    };
    await everyRow<readonly [string, Parameters<typeof compared>[0]]>([
      ['another path', (i) => ({ on: `POST /projects/*/merge_requests/${i}` })],
      ['another number', (i) => ({ on: `* /projects/20/issues/7${i}` })],
      ['a pattern', (i) => ({ on: `POST /projects/2*/issues/${i}*x` })],
      ['another method', () => ({ on: 'GET /projects/20/issues/7' })],
      ['another operation', () => ({ on: 'discussions.*.create' })],
      ['another user', (i) => ({ on: '*', user: `user${i}` })],
      ['never', () => ({ on: '*', probability: 0 })],
    ], ([name]) => name, async ([, rule]) => { expect(await compared(rule)).toBe(0); });
  });

  it('are not compared any more when they are used up', async () => {
    let asked = 0;
    const rules = Array.from({ length: 1_000 }, () => ({ on: '*', do: 'status 500', times: 1, user: 'ada' }));
    const { handle, rules: counted } = activeFaults(rules, 0, options(async () => { asked++; return 'ada'; }));
    for (let i = 0; i < 1_001; i++) await handle(request('/user').asked, served);
    expect(counted().map(({ hits }) => hits)).toEqual(rules.map(() => 1));
    expect(asked).toBe(1_000);
  });
});

it('the same seed chooses the same requests as ever, whatever rules stand before, and however many paths are requested', async () => {
  const chosen = async (rules: readonly string[]) => {
    const { get, faults } = await testService();
    await faults(rules, 7);
    const statuses: number[] = [];
    for (let i = 0; i < 40; i++) statuses.push((await get(`/projects/20/issues/${i % 4}`)).status);
    return statuses.flatMap((status, i) => status === 503 ? [i] : []);
  };
  expect(await chosen(['GET /user => reset p=0.5', '* => status 503 p=0.2'])).toEqual([17, 29, 33, 36]);
  expect(await chosen(['* => latency 0 times=3', '* => status 503 p=0.2 skip=4 times=5'])).toEqual([21, 33, 37]);
});
