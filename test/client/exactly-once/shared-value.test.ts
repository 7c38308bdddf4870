import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/client/errors.js';
import { writeSharedValue, type Move } from '../../../src/client/exactly-once/shared-value.js';
import { defaultRetry } from '../../../src/client/retry.js';
import { fakeTime } from '../support/fake-time.js';

interface Scripted {
  /** The states that reads show, in order; the last one stays. A number is the own write. */
  readonly states: readonly string[];
  readonly slowest?: number;
  readonly failures?: readonly Error[];
  readonly random?: number;
  /** How much the clock is set back after the write, in milliseconds. */
  readonly setBack?: number;
}

/** A writer that wants `mine` to be in the state. */
const run = async ({ states, slowest = 100, failures = [], random = 0.5, setBack = 0 }: Scripted) => {
  const time = fakeTime(random);
  const start = time.now();
  const log: string[] = [];
  let reads = 0;
  let writes = 0;
  const result = await writeSharedValue<string, string>({
    read: async () => {
      const state = states[Math.min(reads++, states.length - 1)]!;
      log.push(`${time.now() - start} ${state}`);
      return state;
    },
    revisionOf: (state) => state, slowestRequest: () => slowest,
    moveFor: (state): Move<string> => ({
      result: state.includes('mine') ? state : null, isFinal: state === 'final',
      write: /mine$/.test(state) ? null : async () => {
        log.push(`${time.now() - start} write`);
        const failure = failures[writes++];
        if (failure) throw failure;
        return 'mine';
      },
    }),
  }, { time: { ...time, now: () => time.now() - (writes > 0 ? setBack : 0), monotonic: time.now },
    policy: defaultRetry, signal: undefined, onEvent: () => undefined });
  return { result, log, waits: time.waits };
};

const failed = (status: number) => new ApiError(status, 'failed', 'PUT /notes/1', {}, {});

describe('a writer beside others', () => {
  it('sends nothing if nothing is to be done', async () => {
    expect(await run({ states: ['mine'] })).toEqual({ result: 'mine', log: ['0 mine'], waits: [] });
    expect((await run({ states: ['final'] })).log).toEqual(['0 final']);
  });

  it('writes at once, and is done when a read after three times its slowest request, at least two seconds, has its part', async () => {
    expect((await run({ states: ['', 'mine'] })).log).toEqual(['0 ', '0 write', '1000 mine', '2000 mine']);
    expect((await run({ states: ['', 'mine'], slowest: 1_000 })).log).toEqual(['0 ', '0 write', '1500 mine', '3000 mine']);
    expect((await run({ states: ['', 'mine'], slowest: 60_000 })).log.at(-1)).toBe('10000 mine');
  });

  it('waits no longer or shorter because the clock is set', async () => {
    for (const setBack of [3_600_000, -3_600_000]) {
      expect((await run({ states: ['', 'mine'], setBack })).log).toEqual(['0 ', '0 write', '1000 mine', '2000 mine']);
    }
  });

  it('waits again after each change of others', async () => {
    expect((await run({ states: ['', 'a mine', 'b mine'] })).log).toEqual(['0 ', '0 write', '1000 a mine', '2000 b mine', '3000 b mine', '4000 b mine']);
  });

  it('is done after ten seconds with its part, although others go on', async () => {
    const states = ['', ...Array.from({ length: 30 }, (_, i) => `${i} mine`)];
    expect((await run({ states })).log.at(-1)).toBe('10000 9 mine');
  });

  it('is not done while something is left to write, however long its part has been there', async () => {
    const late = await run({ states: ['', 'mine and a copy', 'mine and a copy', 'mine'], slowest: 6_000, random: 1 });
    expect(late.log).toEqual(['0 ', '0 write', '5000 mine and a copy', '15000 mine and a copy', '15000 write', '20000 mine', '25000 mine']);
    expect(late.result).toBe('mine');
  });

  it('writes again after a random wait and another read if its part is lost', async () => {
    const { result, log } = await run({ states: ['', 'lost', 'lost', 'mine'] });
    expect(log.slice(0, 5)).toEqual(['0 ', '0 write', '1000 lost', '1100 lost', '1100 write']);
    expect(result).toBe('mine');
  });

  it('does not write if another writer restored its part in between', async () => {
    expect((await run({ states: ['', 'lost', 'other mine'] })).log.filter((line) => line.endsWith('write'))).toHaveLength(1);
  });

  it('waits longer and longer, at random', async () => {
    const lost = await run({ states: [''], random: 0.25 });
    expect(lost.waits.filter((_, i) => i < 8)).toEqual([1_000, 50, 1_000, 100, 1_000, 200, 1_000, 400]);
    expect((await run({ states: [''], random: 0 })).waits.slice(0, 3)).toEqual([1_000, 0, 1_000]);
  });

  it('waits ten seconds at most, however slow a request was', async () => {
    const { waits } = await run({ states: [''], slowest: 7_200_000, random: 1 });
    expect(Math.max(...waits)).toBe(10_000);
  });

  it('gives up after five minutes, but not if its part is there', async () => {
    const { result, log } = await run({ states: [''] });
    expect(result).toBeNull();
    expect(Number(log.at(-1)!.split(' ')[0])).toBeGreaterThan(300_000);
  });

  it('reads again after a failed write, and throws the last error in the end', async () => {
    const { log } = await run({ states: ['', 'mine'], failures: [failed(502)] });
    expect(log.slice(0, 3)).toEqual(['0 ', '0 write', expect.stringMatching(/^\d+ mine$/)]);
    await expect(run({ states: [''], failures: Array.from({ length: 9 }, () => failed(500)) })).rejects.toThrow('500 failed');
    await expect(run({ states: [''], failures: [failed(403)] })).rejects.toThrow('403 failed');
  });

  it('leaves the repeats of other requests to those that send them', async () => {
    const failure = new ApiError(500, 'failed', 'POST /notes', {}, {});
    await expect(run({ states: [''], failures: [failure] })).rejects.toThrow('500 failed');
  });
});
