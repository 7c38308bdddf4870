import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/client/errors.js';
import { Problem } from '../../../src/cli/command-line/failure.js';
import { plannedOutcomes, runSteps } from '../../../src/cli/changes/run.js';
import { DryRun } from '../../../src/cli/service/connection/dry-run.js';
import { testApp } from '../../support/app.js';

const { app } = await testApp();

const run = async <R>(steps: readonly string[], course: Parameters<typeof runSteps<string, R>>[3]) =>
  (await runSteps(app, {}, steps, course)).map(({ step, status, error }) => [step, status, ...error ? [error.message] : []]);

/** Steps that start at once and end when the test says so. */
const heldSteps = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const make = (step: string) => new Promise<void>((resolve) => {
    begun.push(step);
    ends.set(step, resolve);
  });
  const settled = () => new Promise((resolve) => { setImmediate(resolve); });
  return { begun, make, settled, end: async (step: string) => { ends.get(step)!(); await settled(); } };
};

describe('a run of several steps', () => {
  it('makes them one after the other', async () => {
    const held = heldSteps();
    const running = run(['a', 'b'], { make: held.make });
    await held.settled();
    expect(held.begun).toEqual(['a']);
    await held.end('a');
    expect(held.begun).toEqual(['a', 'b']);
    await held.end('b');
    expect(await running).toEqual([['a', 'done'], ['b', 'done']]);
  });

  it('goes on after the failure of one step', async () => {
    const make = async (step: string) => { if (step === 'b') throw new Problem('rejected', 'no b'); };
    expect(await run(['a', 'b', 'c'], { make })).toEqual([['a', 'done'], ['b', 'failed', 'no b'], ['c', 'done']]);
  });

  it('ends with a failure that all others would share', async () => {
    const make = async () => { throw new ConnectionError('unreachable', 'GET /x', 'ECONNREFUSED', false); };
    expect(await run(['a', 'b'], { make })).toEqual([['a', 'failed', 'GET /x: unreachable'], ['b', 'skipped', 'GET /x: unreachable']]);
  });

  it('ends with any failure if later steps depend on earlier ones', async () => {
    const make = async () => { throw new Problem('rejected', 'no'); };
    expect(await run(['a', 'b'], { make, ends: () => true })).toEqual([['a', 'failed', 'no'], ['b', 'skipped', 'no']]);
  });

  it('plans all steps in a dry run', async () => {
    const make = async () => { throw new DryRun({ method: 'PUT', target: '/x', headers: {} }, 'http://service.test'); };
    expect(await run(['a', 'b'], { make, ends: () => true })).toEqual([['a', 'planned'], ['b', 'planned']]);
    expect(plannedOutcomes(['a'])).toEqual([{ step: 'a', status: 'planned' }]);
  });

  it('begins no step after an interrupt', async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    const make = async (step: string) => { begun.push(step); stop.abort(); };
    await expect(runSteps({ ...app, signal: stop.signal }, {}, ['a', 'b'], { make })).rejects.toThrow('aborted');
    expect(begun).toEqual(['a']);
  });

  it('makes as many steps at the same time as it may, even if that changes', async () => {
    const held = heldSteps();
    let most = 1;
    const running = run(['a', 'b', 'c', 'd'], { make: held.make, atOnce: () => most });
    await held.settled();
    expect(held.begun).toEqual(['a']);
    most = 2;
    await held.end('a');
    expect(held.begun).toEqual(['a', 'b', 'c']);
    await held.end('c');
    expect(held.begun).toEqual(['a', 'b', 'c', 'd']);
    await held.end('b');
    await held.end('d');
    expect((await running).map(([step]) => step)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes steps of one kind in turn, and the others beside them', async () => {
    const held = heldSteps();
    const running = run(['a1', 'a2', 'b1', 'a3'], { make: held.make, atOnce: () => 3, sequential: (step) => step[0] });
    await held.settled();
    expect(held.begun).toEqual(['a1', 'b1']);
    await held.end('a1');
    expect(held.begun).toEqual(['a1', 'b1', 'a2']);
    await held.end('a2');
    await held.end('a3');
    await held.end('b1');
    expect(await running).toEqual([['a1', 'done'], ['a2', 'done'], ['b1', 'done'], ['a3', 'done']]);
  });
});
