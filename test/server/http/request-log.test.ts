import { expect, it, onTestFinished, vi } from 'vitest';
import { createRequestLog, withRequestLog, type LoggedRequest } from '../../../src/server/http/request-log.js';
import { openService } from '../../../src/server/index.js';

vi.mock('../../../src/wire/time.js', async () => (await import('../../support/fakeable-timers.js')).fakeableTimers());

it('the request log measures how long a request took, to a tenth of a millisecond', async () => {
  let time = 1_000;
  const seen: LoggedRequest[] = [];
  const handle = withRequestLog(async () => {
    time += 12.345;
    return { status: 200, headers: { 'x-request-id': 'a' }, body: '' };
  }, createRequestLog(), { now: () => new Date(0), timer: () => time, isLogged: () => true, onRequest: (request) => { seen.push(request); } });
  await handle({ method: 'GET', target: '/', headers: {} });
  expect(seen).toMatchObject([{ time: '1970-01-01T00:00:00.000Z', duration: 12.3 }]);
});

it('the measured time includes the delay of --latency, whatever the clock of the world says', async () => {
  const seen: LoggedRequest[] = [];
  const service = await openService({ latency: 250, now: () => new Date(0), onRequest: (request) => { seen.push(request); } });
  vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] });
  onTestFinished(() => { vi.useRealTimers(); });
  const response = service.handle({ method: 'GET', target: '/api/v4/user', headers: {} });
  await vi.advanceTimersByTimeAsync(250);
  await response;
  await service.close();
  expect(seen).toMatchObject([{ duration: 250 }]);
});

const rejects = () => Promise.reject(new Error('expected 1 to be 2')) as never;

it.each([
  ['throws', () => { throw new Error('expected 1 to be 2'); }], ['rejects', rejects],
])('an `onRequest` that %s costs no response, and its error is reported with the id of the request', async (_, onRequest) => {
  const faults: unknown[] = [];
  const service = await openService({ onRequest, onFault: (error, id) => { faults.push([(error as Error).message, id]); } });
  const { status, headers } = await service.handle({ method: 'GET', target: '/api/v4/user', headers: { 'private-token': 'root-token' } });
  expect([status, faults]).toEqual([200, [['expected 1 to be 2', headers['x-request-id']]]]);
  await service.close();
});

it.each([['throws', () => { throw new Error('another'); }], ['rejects', rejects]])('an `onFault` that %s costs no response', async (_, onFault) => {
  const service = await openService({ onRequest: () => { throw new Error('one'); }, onFault });
  expect((await service.handle({ method: 'GET', target: '/api/v4/user', headers: { 'private-token': 'root-token' } })).status).toBe(200);
  await service.close();
});

it('the request log leaves the request of the caller unchanged', async () => {
  const request = Object.freeze({ method: 'GET', target: '/api/v4/user', headers: Object.freeze({ 'private-token': 'root-token' }) });
  const service = await openService();
  expect((await service.handle(request)).status).toBe(200);
  await service.close();
});
