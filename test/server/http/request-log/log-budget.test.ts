import { describe, expect, it } from 'vitest';
import {
  createLogBudget, createRequestLog, logBytes, newTrace, type RequestLog,
} from '../../../../src/server/http/request-log.js';
import { testService } from '../../../support/service.js';

const add = (log: RequestLog, id: number, bytes: number): void => log.add({
  id: String(id), time: new Date(0), duration: 0, ...newTrace(), missing: null, request: { method: 'POST', target: '/', headers: {}, body: 'b'.repeat(bytes) },
  response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'r'.repeat(bytes) },
});

const addAll = (log: RequestLog, count: number, bytes = 1_000): void => {
  for (let id = 0; id < count; id++) add(log, id, bytes);
};

const ids = (log: RequestLog) => log.all().map(({ id }) => Number(id));

describe('logs with a common budget', () => {
  it('drop the oldest requests of the largest log', () => {
    const budget = createLogBudget(100_000);
    const [quiet, busy] = [createRequestLog({ budget }), createRequestLog({ budget })];
    addAll(quiet, 5);
    addAll(busy, 500);
    expect(ids(quiet)).toEqual([0, 1, 2, 3, 4]);
    const kept = ids(busy);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.length).toBeLessThan(45);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 500 - kept.length + i));
    expect(busy.all().every(({ response }) => response.body !== null)).toBe(true);
  });

  it('share the memory equally if all are busy', () => {
    const budget = createLogBudget(100_000);
    const logs = [createRequestLog({ budget }), createRequestLog({ budget }), createRequestLog({ budget })];
    for (const log of logs) addAll(log, 500);
    const counts = logs.map((log) => ids(log).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it('count targets and headers too', () => {
    const log = createRequestLog({ budget: createLogBudget(100_000) });
    for (let id = 0; id < 100; id++) {
      log.add({ id: String(id), time: new Date(0), duration: 0, ...newTrace(), missing: null,
        request: { method: 'GET', target: '/'.repeat(1_000), headers: { a: 'a'.repeat(2_000) } },
        response: { status: 200, headers: { b: 'b'.repeat(2_000) }, body: '' } });
    }
    expect(ids(log).length).toBeLessThan(20);
    expect(ids(log).at(-1)).toBe(99);
  });

  it('give back their memory when they are cleared', () => {
    const budget = createLogBudget(100_000);
    const [former, next] = [createRequestLog({ budget }), createRequestLog({ budget })];
    addAll(former, 500);
    const count = ids(former).length;
    former.clear();
    addAll(next, 500);
    expect(ids(next)).toHaveLength(count);
  });
});

describe('the logs of the worlds of a server', () => {
  const headers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`h${i}`, 'v'.repeat(4_096)]));
  const each = 100 * 4_096;
  const most = Math.floor(logBytes / each);

  it('share one budget, which deleted worlds give back', async () => {
    const { service, call } = await testService();
    const send = async (world: string, count: number) => {
      for (let i = 0; i < count; i++) {
        await service.handle({ method: 'GET', target: `/w/${world}/api/v4/version`, headers: { ...headers, 'private-token': 'developer-token' } });
      }
    };
    const logged = async (world: string) => (await service.requests({ world })).length;
    await send('a', most + 10);
    expect(await logged('a')).toBeLessThanOrEqual(most);
    await send('b', 20);
    expect(await logged('b')).toBe(20);
    expect(await logged('a')).toBeLessThanOrEqual(most - 20);
    expect((await call('DELETE', '/-/worlds/a')).status).toBe(204);
    await expect.poll(async () => {
      await send('b', most - 20);
      return logged('b');
    }).toBeGreaterThan(most - 20);
  });
});
