import { describe, expect, it } from 'vitest';
import { carryOut } from '../../../../src/cli/changes/run.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { written } from '../../../support/written.js';

interface Given extends WorldOptions {
  readonly flags?: GlobalFlags;
  readonly make?: (step: string) => Promise<string>;
  readonly verify?: () => Promise<Error | null>;
  readonly begin?: () => Promise<void>;
}

/** Carries out the plan `a b c`, and returns what happened in order. */
const carriedOut = async ({ flags = { yes: true }, make, verify, begin, ...options }: Given = {}) => {
  const world = await testApp(options);
  const { app, texts } = written(world.app);
  const happened: string[] = [];
  const note = async (what: string) => { happened.push(what); };
  const ran = await carryOut(app, flags, ['a', 'b', 'c'], {
    lines: ['plan'], action: 'change it', recheck: () => note('recheck'), begin: async () => { await note('begin'); await begin?.(); },
    recovery: 'run again with --resume',
    make: async (step) => {
      await note(`${step}: ${app.activity.recovery}`);
      return make ? make(step) : step.toUpperCase();
    },
    progress: (number, count) => `change ${number} of ${count} …`,
    verify: async () => { await note('verify'); return await verify?.() ?? null; }, end: () => note('end'),
  });
  return {
    happened, err: texts.err, isPlan: ran.isPlan, error: ran.error?.message ?? null, recovery: app.activity.recovery,
    outcomes: ran.outcomes.map(({ step, status, result }) => [step, status, ...result === undefined ? [] : [result]].join(' ')),
  };
};
const steps = ['a', 'b', 'c'].map((step) => `${step}: run again with --resume`);

describe('a plan whose steps depend on each other', () => {
  it('begins, makes all steps in order, verifies them and ends', async () => {
    expect(await carriedOut()).toMatchObject({
      happened: ['begin', ...steps, 'verify', 'end'], outcomes: ['a done A', 'b done B', 'c done C'], isPlan: false, error: null, err: 'plan\n' });
  });

  it('stops at the first failure and neither verifies nor ends', async () => {
    const make = async (step: string) => { if (step === 'b') throw new Error('no b'); return step; };
    expect(await carriedOut({ make })).toMatchObject({
      happened: ['begin', ...steps.slice(0, 2)], outcomes: ['a done a', 'b failed', 'c skipped'], error: 'no b', recovery: 'run again with --resume' });
  });

  it('does not end if the result differs, or cannot be read', async () => {
    for (const verify of [async () => new Error('differs'), () => Promise.reject(new Error('differs'))]) {
      expect(await carriedOut({ verify })).toMatchObject({ happened: ['begin', ...steps, 'verify'], error: 'differs' });
    }
  });

  it('is only shown in a dry run', async () => {
    expect(await carriedOut({ flags: { dryRun: true } })).toEqual({
      happened: [], outcomes: ['a planned', 'b planned', 'c planned'], isPlan: true, error: null, err: 'plan\nwould change it\n', recovery: null });
  });

  it('is checked again after a question, before it begins', async () => {
    const { happened } = await carriedOut({ flags: {}, terminal: true, answers: [true] });
    expect(happened.slice(0, 2)).toEqual(['recheck', 'begin']);
  });

  it('makes no step if it cannot begin, as without a journal', async () => {
    await expect(carriedOut({ begin: () => Promise.reject(new Error('read-only')) })).rejects.toThrow('read-only');
  });

  it('needs consent', async () => {
    await expect(carriedOut({ flags: {} })).rejects.toThrow('refusing to change it without confirmation');
  });
});
