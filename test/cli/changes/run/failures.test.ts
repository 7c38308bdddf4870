import { describe, expect, it } from 'vitest';
import { failureOfSteps } from '../../../../src/cli/changes/run.js';
import { Problem } from '../../../../src/cli/command-line/failure.js';

const failed = (step: string, error: Error) => ({ step, status: 'failed' as const, error });
const named = (step: string) => `thread ${step}`;

describe('the failure of several steps', () => {
  it('is null if all were made', () => {
    expect(failureOfSteps([{ step: 'a', status: 'done' }], named)).toBeNull();
  });

  it('is the error of the only one that failed', () => {
    const error = new Problem('forbidden', 'no');
    expect(failureOfSteps([{ step: 'a', status: 'done' }, failed('b', error), { step: 'c', status: 'skipped', error }], named)).toBe(error);
  });

  it('has the code of the first, and the first twenty', () => {
    const outcomes = Array.from({ length: 22 }, (_, i) => failed(String(i), new Problem('rejected', `reason ${i}`)));
    const failure = failureOfSteps([{ step: 'a', status: 'done' }, ...outcomes], named) as Problem;
    expect(failure).toMatchObject({ code: 'rejected', message: '22 of 23 changes failed' });
    expect(failure.hint!.split('\n')).toEqual([
      ...Array.from({ length: 20 }, (_, i) => `  thread ${i}: reason ${i}`), '  and 2 more',
    ]);
  });
});
