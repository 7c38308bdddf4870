import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import { makeRecorded, recordedSteps, type StepEntry } from '../../../../src/cli/changes/journal.js';

type Entry = StepEntry<string, number>;
const now = new Date('2026-05-01T12:00:00.000Z');
const timeout = () => new ConnectionError('no response', 'POST /x', 'UND_ERR_HEADERS_TIMEOUT', true);

/** Makes one step whose request ends so. @param shows after how many looks the step shows */
const recordedWith = async (send: () => Promise<number | null>, shows = Infinity, look: () => void = () => undefined) => {
  const entries: Entry[] = [];
  const waits: number[] = [];
  const app = { now: () => now, sleep: async (ms: number) => { waits.push(ms); } };
  let looks = 0;
  const result = await makeRecorded<string, number>(app, { add: async (entry) => { entries.push(entry); } }, 'create', {
    send, find: async () => { look(); return ++looks >= shows ? { created: 7 } : null; },
  }).catch((error: Error) => error);
  return { entries: entries.map(({ type }) => type), waits, result };
};

describe('a step with a journal', () => {
  it('is recorded before it is sent, and its outcome afterwards', async () => {
    expect(await recordedWith(async () => 5)).toEqual({ entries: ['start', 'done'], waits: [], result: 5 });
  });

  it('is recorded as rejected if the service has certainly not made it', async () => {
    const error = new ConnectionError('refused', 'POST /x', 'ECONNREFUSED', false);
    expect(await recordedWith(() => Promise.reject(error))).toEqual({ entries: ['start', 'rejected'], waits: [], result: error });
  });

  it('is looked for if its outcome is unknown, as long as the service may work on it', async () => {
    expect(await recordedWith(() => Promise.reject(timeout()), 3))
      .toEqual({ entries: ['start', 'unknown', 'done'], waits: [500, 1000], result: 7 });
    const missing = await recordedWith(() => Promise.reject(timeout()));
    expect(missing).toMatchObject({ entries: ['start', 'unknown'], waits: [500, 1000, 2000, 4000] });
    expect(missing.result).toBeInstanceOf(ConnectionError);
  });

  it('fails with the error of its request if it cannot be looked for', async () => {
    const error = timeout();
    const { result, entries } = await recordedWith(() => Promise.reject(error), 1, () => { throw new Error('the service sends no dates'); });
    expect([result, entries]).toEqual([error, ['start', 'unknown']]);
  });
});

describe('the steps of a recorded run', () => {
  const start = (step: string): Entry => ({ type: 'start', step, at: now.toISOString() });
  const unknown: Entry = { type: 'unknown', isRunning: true, ahead: null };
  const statuses = (...entries: readonly (Entry | { type: 'links' } | { type: 'end' })[]) =>
    recordedSteps<string, number, { type: 'links' } | { type: 'end' }>(entries)
      .map((item) => item.type === 'step' ? [item.step, item.status] : item.type);

  it('have their outcomes', () => {
    expect(statuses({ type: 'links' }, start('a'), { type: 'done', created: 1 }, start('b'), { type: 'rejected' },
      start('c'), unknown, { type: 'absent' }, start('d'), unknown, { type: 'done' }, { type: 'end' }))
      .toEqual(['links', ['a', 'done'], ['b', 'not made'], ['c', 'not made'], ['d', 'done'], 'end']);
  });

  it('are open if the run was stopped before it had the outcome', () => {
    expect(statuses(start('a'), { type: 'links' }, { type: 'done' }, start('b'), unknown))
      .toEqual([['a', 'open'], 'links', ['b', 'open']]);
  });
});
