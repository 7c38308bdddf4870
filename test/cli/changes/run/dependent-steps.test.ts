import { describe, expect, it } from 'vitest';
import { type ChangeEvent, followChanges } from '../../../../src/cli/changes/run.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { written } from '../../../support/written.js';

type Event = ChangeEvent<string, string, string>;

interface Given extends WorldOptions {
  readonly make?: (step: string) => string;
  /** After all steps. */
  readonly verify?: () => void;
  readonly add?: (entry: string) => void;
}

/** Follows the steps `a b c`, and returns what happened in order. */
const followed = async ({ make = (step) => step.toUpperCase(), verify, add, ...options }: Given = {}) => {
  const world = await testApp(options);
  const { app, texts } = written(world.app);
  const happened: string[] = [];
  async function* events(): AsyncGenerator<Event, void, void> {
    for (const [at, step] of ['a', 'b', 'c'].entries()) {
      yield { type: 'next', number: at + 1 };
      yield { type: 'entry', entry: `start ${step}` };
      happened.push(`make ${step}`);
      const result = make(step);
      if (step === 'b') yield { type: 'warning', text: 'b is odd' };
      yield { type: 'made', step, result };
    }
    happened.push('verify');
    verify?.();
  }
  const ran = await followChanges(app, {}, ['a', 'b', 'c'], events(), { add: async (entry) => { happened.push(entry); add?.(entry); } })
    .catch((error: Error) => ({ outcomes: [], error: new Error(`thrown: ${error.message}`) }));
  return {
    happened, err: texts.err, error: ran.error?.message ?? null,
    outcomes: ran.outcomes.map(({ step, status, result }) => [step, status, ...result === undefined ? [] : [result]].join(' ')),
  };
};

const all = ['a', 'b', 'c'].flatMap((step) => [`start ${step}`, `make ${step}`]);

describe('steps that depend on each other', () => {
  it('are made in order, each after its entry is stored', async () => {
    expect(await followed()).toEqual({
      happened: [...all, 'verify'], outcomes: ['a done A', 'b done B', 'c done C'], error: null, err: 'warning: b is odd\n' });
  });

  it('stop at the first failure', async () => {
    const make = (step: string) => { if (step === 'b') throw new Error('no b'); return step; };
    expect(await followed({ make })).toMatchObject({
      happened: all.slice(0, 4), outcomes: ['a done a', 'b failed', 'c skipped'], error: 'no b' });
  });

  it('have an error after all steps if the result differs', async () => {
    expect(await followed({ verify: () => { throw new Error('differs'); } })).toMatchObject({
      outcomes: ['a done A', 'b done B', 'c done C'], error: 'differs' });
  });

  it('are not made if their entry cannot be stored', async () => {
    expect(await followed({ add: () => { throw new Error('read-only'); } })).toMatchObject({
      happened: ['start a'], outcomes: ['a failed', 'b skipped', 'c skipped'], error: 'read-only' });
  });

  it('end with the reason of an interrupt, after the step that is being made', async () => {
    const world = await testApp();
    const { signal } = world.app;
    expect(signal.aborted).toBe(false);
    const seen: string[] = [];
    async function* events(): AsyncGenerator<Event, void, void> {
      yield { type: 'next', number: 1 };
      world.stop.abort(new Error('interrupted'));
      yield { type: 'entry', entry: 'done a' };
      yield { type: 'made', step: 'a', result: 'A' };
      yield { type: 'next', number: 2 };
      seen.push('b');
    }
    await expect(followChanges(world.app, {}, ['a', 'b'], events(), { add: async (entry) => { seen.push(entry); } })).rejects.toThrow('interrupted');
    expect(seen).toEqual(['done a']);
  });
});
