import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readBaseUrl } from '../../../src/client/base-url.js';
import { socketTransport } from '../../../src/client/transport/socket.js';
import { serving } from '../support/loopback.js';
import { request } from '../support/scripted.js';

vi.mock('../../../src/wire/time.js', async () => (await import('../../support/fakeable-timers.js')).fakeableTimers());

beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] }); });
afterEach(() => { vi.useRealTimers(); });

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => { setImmediate(resolve); });
};

/** A request to a service that responds with a byte for each call of `send`. */
const slowly = async (timeout: number) => {
  let arrived = () => {};
  const arrival = new Promise<void>((resolve) => { arrived = resolve; });
  let write: (callback: () => void) => void = () => {};
  const url = await serving((_, answer) => {
    write = (callback) => { answer.writeHead(200, { 'content-length': '3' }); write = (next) => { answer.write('1', () => next()); }; write(callback); };
    arrived();
  });
  const outcome = socketTransport(readBaseUrl(url), { timeout })(request('GET', '/x')).then(({ status }) => status, (error: unknown) => error);
  await arrival;
  await turns();
  const send = async () => {
    await new Promise<void>((resolve) => { write(resolve); });
    await turns();
  };
  return { outcome, send };
};

describe('the timeout of undici', () => {
  it('ends a request without a response exactly in time', async () => {
    const { outcome } = await slowly(100);
    await vi.advanceTimersByTimeAsync(99);
    expect(await Promise.race([outcome, turns()])).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT', sent: true });
  });

  it('starts again with each part of the response', async () => {
    const { outcome, send } = await slowly(100);
    for (let part = 0; part < 2; part++) {
      await vi.advanceTimersByTimeAsync(99);
      await send();
    }
    await vi.advanceTimersByTimeAsync(99);
    expect(await Promise.race([outcome, turns()])).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT', sent: true });
  });

  it('leaves a response alone that arrived while the process was busy', async () => {
    const { outcome, send } = await slowly(100);
    await send();
    await send();
    const sent = send();
    vi.advanceTimersByTime(100);
    await sent;
    expect(await outcome).toBe(200);
  });
});
