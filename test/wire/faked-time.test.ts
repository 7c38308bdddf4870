import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { realTime } from '../../src/wire/time.js';

vi.mock('../../src/wire/time.js', async () => (await import('../support/fakeable-timers.js')).fakeableTimers());

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

test('sleep resolves after its time', async () => {
  let over = false;
  const sleeping = realTime.sleep(1000).then(() => { over = true; });
  await vi.advanceTimersByTimeAsync(999);
  expect(over).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await sleeping;
  expect(over).toBe(true);
});

test('an abort rejects a sleep with the reason of the signal and clears the timer', async () => {
  const controller = new AbortController();
  const sleeping = realTime.sleep(60_000, controller.signal);
  expect(vi.getTimerCount()).toBe(1);
  controller.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('a sleep with an aborted signal rejects at once', async () => {
  await expect(realTime.sleep(60_000, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('a sleep removes its listener from the signal', async () => {
  const controller = new AbortController();
  const remove = vi.spyOn(controller.signal, 'removeEventListener');
  const sleeping = realTime.sleep(10, controller.signal);
  await vi.advanceTimersByTimeAsync(10);
  await sleeping;
  expect(remove).toHaveBeenCalledOnce();
});
