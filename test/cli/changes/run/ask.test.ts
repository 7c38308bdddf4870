import { describe, expect, it } from 'vitest';
import { agree, checkSameSteps } from '../../../../src/cli/changes/run.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { written } from '../../../support/written.js';

/** Asks about a plan, and returns what happened in order. */
const asked = async (flags: GlobalFlags, options: WorldOptions = {}, recheck: () => Promise<void> = async () => undefined) => {
  const world = await testApp(options);
  const { app, texts } = written(world.app);
  const happened: string[] = [];
  const end = await agree(app, flags, {
    lines: ['one', 'two\u001b[2J'], action: 'apply 2 changes to &1', recheck: async () => { happened.push('checked again'); await recheck(); },
  }).then(() => 'agreed', (error: Error) => error.message);
  return { end, err: texts.err, happened: [...world.asked, ...happened] };
};
const shown = 'one\ntwo\\u001b[2J\n';

describe('a plan that needs confirmation', () => {
  it('is shown, and checked again after a question', async () => {
    expect(await asked({}, { terminal: true, answers: [true] })).toEqual({
      end: 'agreed', err: shown, happened: ['Apply 2 changes to &1?', 'checked again'] });
  });

  it('is declined', async () => {
    expect(await asked({}, { terminal: true, answers: [false] })).toEqual({ end: 'cancelled', err: shown, happened: ['Apply 2 changes to &1?'] });
  });

  it('is refused without a terminal or with --no-input, unless --yes is given', async () => {
    const refused = { end: 'refusing to apply 2 changes to &1 without confirmation', err: shown, happened: [] };
    expect(await asked({})).toEqual(refused);
    expect(await asked({ input: false }, { terminal: true })).toEqual(refused);
    expect(await asked({ yes: true })).toEqual({ end: 'agreed', err: shown, happened: [] });
  });

  it('is only shown in a dry run', async () => {
    expect(await asked({ dryRun: true }, { terminal: true })).toEqual({ end: 'agreed', err: `${shown}would apply 2 changes to &1\n`, happened: [] });
  });

  it('is not shown with --quiet, which needs --yes as well', async () => {
    expect(await asked({ quiet: true, yes: true })).toEqual({ end: 'agreed', err: '', happened: [] });
  });

  it('is not carried out if the check fails', async () => {
    const { end } = await asked({}, { terminal: true, answers: [true] }, () => Promise.reject(new Error('changed')));
    expect(end).toBe('changed');
  });
});

it('a second plan must have the steps that were shown, in their order', () => {
  expect(() => checkSameSteps([{ a: 1 }, { b: 2 }], [{ a: 1 }, { b: 2 }], 'the hierarchy')).not.toThrow();
  for (const now of [[], [{ a: 1 }], [{ b: 2 }, { a: 1 }]]) {
    expect(() => checkSameSteps([{ a: 1 }, { b: 2 }], now, 'the hierarchy')).toThrow('the hierarchy has changed since the plan was shown');
  }
});
