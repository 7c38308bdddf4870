import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { patienceFor } from '../../src/client/patience.js';

const reason = new Error('too slow');

describe('patience', () => {
  beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }); });
  afterEach(() => { vi.useRealTimers(); });

  test('ends each request when its own time is over, and with the reason given', () => {
    const patience = patienceFor(100, () => reason);
    const [first, second] = [vi.fn(), vi.fn()];
    patience(first);
    vi.advanceTimersByTime(60);
    patience(second);
    vi.advanceTimersByTime(39);
    expect(first).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(first.mock.calls).toEqual([[reason]]);
    vi.advanceTimersByTime(59);
    expect(second).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(second.mock.calls).toEqual([[reason]]);
    vi.advanceTimersByTime(1_000);
    expect(first).toHaveBeenCalledTimes(1);
  });

  test('ends those that are left, whichever have ended, also while others are being ended', () => {
    fc.assert(fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (hasEnded) => {
      const patience = patienceFor(100, () => reason);
      const late = hasEnded.map(() => vi.fn());
      const ends = late.map((end) => patience(end));
      hasEnded.forEach((is, i) => { if (is) ends[i]!(); });
      vi.advanceTimersByTime(100);
      for (const end of ends) end();
      vi.advanceTimersByTime(100);
      expect(late.map((end) => end.mock.calls.length)).toEqual(hasEnded.map((is) => is ? 0 : 1));
    }));
  });

  test('forgets a request that has ended', () => {
    const patience = patienceFor(100, () => reason);
    const [ended, other] = [vi.fn(), vi.fn()];
    const end = patience(ended);
    patience(other);
    end();
    vi.advanceTimersByTime(100);
    expect(ended).not.toHaveBeenCalled();
    expect(other).toHaveBeenCalledTimes(1);
  });

  test('watches again after a time without requests', () => {
    const patience = patienceFor(100, () => reason);
    patience(vi.fn())();
    vi.advanceTimersByTime(150);
    expect(vi.getTimerCount()).toBe(0);
    const late = vi.fn();
    patience(late);
    vi.advanceTimersByTime(100);
    expect(late).toHaveBeenCalledTimes(1);
  });

  test('lasts longer than the longest timer, and looks up seldom', () => {
    const limit = 10_000_000_000;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const end = vi.fn();
    patienceFor(limit, () => reason)(end);
    vi.advanceTimersByTime(1_000);
    expect(timers).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(limit - 1_001);
    expect(end).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(end.mock.calls).toEqual([[reason]]);
    expect(timers.mock.calls.filter(([, wait]) => Number(wait) > 0x7fff_ffff)).toEqual([]);
    timers.mockRestore();
  });

  test('has one timer, however many requests there are', () => {
    const patience = patienceFor(100, () => reason);
    for (let i = 0; i < 50; i++) patience(vi.fn());
    expect(vi.getTimerCount()).toBe(1);
  });
});
