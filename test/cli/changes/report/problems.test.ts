import { describe, expect, it } from 'vitest';
import { reportProblems, type PlanProblem } from '../../../../src/cli/changes/report.js';
import { testApp } from '../../../support/app.js';
import { written } from '../../../support/written.js';

const problem = (level: PlanProblem['level'], message: string): PlanProblem => ({ level, message, hint: `fix ${message}` });

const report = async (problems: readonly PlanProblem[], isStrict?: boolean) => {
  const { app, texts } = written((await testApp()).app);
  const thrown = await reportProblems(app, {}, problems, { isStrict, code: 'rejected', what: 'problems in plan.yaml' })
    .catch((error: unknown) => error);
  return { err: texts.err, thrown };
};

describe('problems of a plan', () => {
  it('are printed if they are warnings', async () => {
    expect(await report([problem('warning', 'one'), problem('warning', 'two')], undefined))
      .toEqual({ err: 'warning: one; fix one\nwarning: two; fix two\n', thrown: undefined });
    expect(await report([])).toEqual({ err: '', thrown: undefined });
  });

  it('are one error with its hint, or all of them in one', async () => {
    expect(await report([problem('warning', 'one'), problem('error', 'two')]))
      .toMatchObject({ err: 'warning: one; fix one\n', thrown: { code: 'rejected', message: 'two', hint: 'fix two' } });
    expect(await report([problem('warning', 'one'), problem('error', 'two')], true)).toMatchObject({
      err: '', thrown: { code: 'rejected', message: '2 problems in plan.yaml', hint: '  one; fix one\n  two; fix two' } });
  });
});
