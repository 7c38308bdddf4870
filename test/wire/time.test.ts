import { expect, it } from 'vitest';
import { nextTurn, sleep, unlessAborted } from '../../src/wire/time.js';

it.each([2 ** 31, Infinity])('a sleep of %d ms, longer than a timer of Node can be, does not end at once', async (milliseconds) => {
  const stop = new AbortController();
  let ended = false;
  const sleeping = sleep(milliseconds, stop.signal).finally(() => { ended = true; });
  await sleep(20);
  await nextTurn();
  expect(ended).toBe(false);
  stop.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
});

it('waits for nothing more once the signal is aborted, before or while it waits', async () => {
  const endless = new Promise<void>(() => undefined);
  await expect(unlessAborted(endless, AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  const stop = new AbortController();
  const waiting = unlessAborted(endless, stop.signal);
  stop.abort(new Error('while'));
  await expect(waiting).rejects.toThrow('while');
});
