import { describe, expect, it } from 'vitest';
import { makeRecorded, type StepEntry } from '../../../../src/cli/changes/journal.js';
import { runSteps } from '../../../../src/cli/changes/run.js';
import { testApp } from '../../../support/app.js';

interface Given {
  readonly make?: (step: string) => string;
  readonly add?: (entry: StepEntry<string, string>) => void;
}

/** Makes the steps `a b c` with a journal, and returns what happened in order. */
const made = async ({ make = (step) => step.toUpperCase(), add }: Given = {}) => {
  const { app, stop } = await testApp();
  const happened: string[] = [];
  const journal = { add: async (entry: StepEntry<string, string>) => {
    happened.push(entry.type === 'start' ? `start ${entry.step}` : entry.type);
    add?.(entry);
  } };
  const send = async (step: string) => {
    happened.push(`make ${step}`);
    if (step === 'stop') stop.abort(new Error('interrupted'));
    return make(step);
  };
  const run = (...steps: string[]) => runSteps(app, {}, steps, {
    make: (step) => makeRecorded<string, string>(app, journal, step, { send, find: async () => null }), ends: () => true,
  });
  const outcomes = async () => (await run('a', 'b', 'c')).map(({ step, status, result, error }) =>
    [step, status, result ?? error?.message].join(' '));
  return { happened, run, outcomes };
};

describe('steps that depend on each other', () => {
  it('are made in order, each after its entry is stored', async () => {
    const { outcomes, happened } = await made();
    expect(await outcomes()).toEqual(['a done A', 'b done B', 'c done C']);
    expect(happened).toEqual(['a', 'b', 'c'].flatMap((step) => [`start ${step}`, `make ${step}`, 'done']));
  });

  it('stop at the first failure', async () => {
    const { outcomes, happened } = await made({ make: (step) => { if (step === 'b') throw new Error('no b'); return step; } });
    expect(await outcomes()).toEqual(['a done a', 'b failed no b', 'c skipped no b']);
    expect(happened).toEqual(['start a', 'make a', 'done', 'start b', 'make b']);
  });

  it('are not made if their entry cannot be stored', async () => {
    const { outcomes, happened } = await made({ add: () => { throw new Error('read-only'); } });
    expect(await outcomes()).toEqual(['a failed read-only', 'b skipped read-only', 'c skipped read-only']);
    expect(happened).toEqual(['start a']);
  });

  it('have failed if the entry of their outcome cannot be stored', async () => {
    const { outcomes, happened } = await made({ add: ({ type }) => { if (type === 'done') throw new Error('read-only'); } });
    expect(await outcomes()).toEqual(['a failed read-only', 'b skipped read-only', 'c skipped read-only']);
    expect(happened).toEqual(['start a', 'make a', 'done']);
  });

  it('end with the reason of an interrupt, after the step that is being made', async () => {
    const { run, happened } = await made();
    await expect(run('a', 'stop', 'b')).rejects.toThrow('interrupted');
    expect(happened).toEqual(['start a', 'make a', 'done', 'start stop', 'make stop', 'done']);
  });
});
