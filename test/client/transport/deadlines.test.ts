import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createDeadlines } from '../../../src/client/transport/deadlines.js';

vi.mock('../../../src/wire/time.js', async () => (await import('../../support/fakeable-timers.js')).fakeableTimers());

const reason = new Error('too slow');

describe('deadlines of pending requests', () => {
  beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] }); });
  afterEach(() => { vi.useRealTimers(); });

  test('abort each request at its own time', () => {
    const watch = createDeadlines(100, () => reason);
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

  test('abort the remaining requests, whichever have ended', () => {
    fc.assert(fc.property(fc.array(fc.boolean(), { maxLength: 20 }), (hasEnded) => {
      const watch = createDeadlines(100, () => reason);
      const late = hasEnded.map(() => vi.fn());
      const ends = late.map((end) => watch(end));
      hasEnded.forEach((is, i) => { if (is) ends[i]!.end(); });
      vi.advanceTimersByTime(100);
      for (const { end } of ends) end();
      vi.advanceTimersByTime(100);
      expect(late.map((end) => end.mock.calls.length)).toEqual(hasEnded.map((is) => is ? 0 : 1));
    }));
  });

  test('ignore a request that has ended', () => {
    const watch = createDeadlines(100, () => reason);
    const [ended, other] = [vi.fn(), vi.fn()];
    const { end } = watch(ended);
    watch(other);
    end();
    vi.advanceTimersByTime(100);
    expect(ended).not.toHaveBeenCalled();
    expect(other).toHaveBeenCalledTimes(1);
  });

  test('start again on request, unless they have passed', () => {
    const watch = createDeadlines(100, () => reason);
    const [first, second] = [vi.fn(), vi.fn()];
    const restarted = watch(first);
    vi.advanceTimersByTime(50);
    watch(second);
    restarted.restart();
    vi.advanceTimersByTime(99);
    expect([first, second].map((end) => end.mock.calls.length)).toEqual([0, 0]);
    vi.advanceTimersByTime(1);
    expect([first, second].map((end) => end.mock.calls.length)).toEqual([1, 1]);
    restarted.restart();
    vi.advanceTimersByTime(200);
    expect(first).toHaveBeenCalledTimes(1);
  });

  test('work again after a time without requests', () => {
    const watch = createDeadlines(100, () => reason);
    watch(vi.fn()).end();
    vi.advanceTimersByTime(150);
    expect(vi.getTimerCount()).toBe(0);
    const late = vi.fn();
    watch(late);
    vi.advanceTimersByTime(100);
    expect(late).toHaveBeenCalledTimes(1);
  });

  test('can be longer than the longest timer, with few checks', () => {
    const limit = 10_000_000_000;
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const end = vi.fn();
    createDeadlines(limit, () => reason)(end);
    vi.advanceTimersByTime(1_000);
    expect(timers).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(limit - 1_001);
    expect(end).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(end.mock.calls).toEqual([[reason]]);
    expect(timers.mock.calls.filter(([, wait]) => Number(wait) > 0x7fff_ffff)).toEqual([]);
    timers.mockRestore();
  });

  test('share one timer', () => {
    const watch = createDeadlines(100, () => reason);
    for (let i = 0; i < 50; i++) watch(vi.fn());
    expect(vi.getTimerCount()).toBe(1);
  });

  test('abort only the requests of an aborted signal, with its reason', () => {
    const watch = createDeadlines(100, () => reason);
    const [stop, other] = [new AbortController(), new AbortController()];
    const ends = [stop.signal, stop.signal, other.signal, undefined, stop.signal].map((signal) => {
      const end = vi.fn();
      return { end, ended: watch(end, signal).end };
    });
    ends[1]!.ended();
    stop.abort(reason);
    expect(ends.map(({ end }) => end.mock.calls)).toEqual([[[reason]], [], [], [], [[reason]]]);
  });

  test('abort each of them, even if one abort ends others', () => {
    const watch = createDeadlines(100, () => reason);
    const stop = new AbortController();
    const [first, last] = [vi.fn(() => { ended(); }), vi.fn()];
    watch(first, stop.signal);
    const { end: ended } = watch(last, stop.signal);
    stop.abort(reason);
    expect([first, last].map((end) => end.mock.calls)).toEqual([[[reason]], [[reason]]]);
  });

  test('listen to a signal once, while it has pending requests', () => {
    const { signal } = new AbortController();
    const watch = createDeadlines(100, () => reason);
    const ended = Array.from({ length: 20 }, () => watch(vi.fn(), signal).end);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const end of ended.slice(1)) end();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    ended[0]!();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    watch(vi.fn(), signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });
});
