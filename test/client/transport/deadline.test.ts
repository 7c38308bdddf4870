import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { underWay } from '../../../src/client/transport/deadline.js';

const reason = new Error('too slow');

describe('a watch over requests under way', () => {
  beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] }); });
  afterEach(() => { vi.useRealTimers(); });

  test('ends each request when its own time is over, and with the reason given', () => {
    const watch = underWay(100, () => reason);
    const [first, second] = [vi.fn(), vi.fn()];
    watch(first);
    vi.advanceTimersByTime(60);
    watch(second);
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
      const watch = underWay(100, () => reason);
      const late = hasEnded.map(() => vi.fn());
      const ends = late.map((end) => watch(end));
      hasEnded.forEach((is, i) => { if (is) ends[i]!(); });
      vi.advanceTimersByTime(100);
      for (const end of ends) end();
      vi.advanceTimersByTime(100);
      expect(late.map((end) => end.mock.calls.length)).toEqual(hasEnded.map((is) => is ? 0 : 1));
    }));
  });

  test('forgets a request that has ended', () => {
    const watch = underWay(100, () => reason);
    const [ended, other] = [vi.fn(), vi.fn()];
    const end = watch(ended);
    watch(other);
    end();
    vi.advanceTimersByTime(100);
    expect(ended).not.toHaveBeenCalled();
    expect(other).toHaveBeenCalledTimes(1);
  });

  test('watches again after a time without requests', () => {
    const watch = underWay(100, () => reason);
    watch(vi.fn())();
    vi.advanceTimersByTime(150);
    expect(vi.getTimerCount()).toBe(0);
    const late = vi.fn();
    watch(late);
    vi.advanceTimersByTime(100);
    expect(late).toHaveBeenCalledTimes(1);
  });

  test('lasts longer than the longest timer, and looks up seldom', () => {
    const limit = 10_000_000_000;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const end = vi.fn();
    underWay(limit, () => reason)(end);
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
    const watch = underWay(100, () => reason);
    for (let i = 0; i < 50; i++) watch(vi.fn());
    expect(vi.getTimerCount()).toBe(1);
  });

  test('ends the requests of an aborted signal at once, with its reason, and no others', () => {
    const watch = underWay(100, () => reason);
    const [stop, other] = [new AbortController(), new AbortController()];
    const ends = [stop.signal, stop.signal, other.signal, undefined, stop.signal].map((signal) => {
      const end = vi.fn();
      return { end, ended: watch(end, signal) };
    });
    ends[1]!.ended();
    stop.abort(reason);
    expect(ends.map(({ end }) => end.mock.calls)).toEqual([[[reason]], [], [], [], [[reason]]]);
  });

  test('ends each of them though the end of one is the end of others too', () => {
    const watch = underWay(100, () => reason);
    const stop = new AbortController();
    const [first, last] = [vi.fn(() => { ended(); }), vi.fn()];
    watch(first, stop.signal);
    const ended = watch(last, stop.signal);
    stop.abort(reason);
    expect([first, last].map((end) => end.mock.calls)).toEqual([[[reason]], [[reason]]]);
  });

  test('listens to a signal once, and as long as requests of its are under way', () => {
    const { signal } = new AbortController();
    const watch = underWay(100, () => reason);
    const ended = Array.from({ length: 20 }, () => watch(vi.fn(), signal));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const end of ended.slice(1)) end();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    ended[0]!();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    watch(vi.fn(), signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });
});
