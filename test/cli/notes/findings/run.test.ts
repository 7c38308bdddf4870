import { describe, expect, it } from 'vitest';
import { loadReports } from '../../../../src/cli/notes/findings/load.js';
import { makePosts, planRun, planWithoutService, type RunOptions } from '../../../../src/cli/notes/findings/run.js';
import type { PostStep } from '../../../../src/cli/notes/findings/plan.js';
import { testService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';

const report = (...lines: string[]) => lines.map((line) => `${line}\n`).join('') || 'Found 0 errors\n';
const options = (parts: Partial<RunOptions> = {}): RunOptions => ({ level: 'note', max: 30, resolve: true, ...parts });
const described = (steps: readonly PostStep[]) => steps.map((step) => ['action' in step && step.action, ...'reason' in step ? [step.reason] : []].join(': '));

/** Plans runs on mr/1 one after the other, and makes them. */
const runs = async () => {
  const service = await testService();
  return async (text: string, parts: Partial<RunOptions> = {}, env: Record<string, string> = {}) => {
    const files = { report: text, '/app/app.js': 'one\nzwei\nthree\nfour\n' };
    const { app, target, sent } = await openTarget('!1', { service, env, workTree: '/app', files });
    const loaded = await loadReports(app, { files: ['report'], format: 'lines', key: 'lint' });
    const plan = await planRun(app, options(parts), target, loaded);
    const writes = sent.filter(({ method }) => method !== 'GET').length;
    await makePosts(plan.context, plan.steps);
    return { ...plan, writes, actions: described(plan.steps), alone: described(planWithoutService(loaded, options(parts))) };
  };
};
const finding = 'app.js:2:1: error: no [r1]';

describe('the plan of a run', () => {
  it('compares findings with the threads of earlier runs, and sends no writes', async () => {
    const run = await runs();
    const [first, second, third] = [await run(report(finding)), await run(report(finding)), await run(report())];
    expect([first.actions, second.actions, third.actions]).toEqual([['create'], ['keep'], ['resolve']]);
    expect([first.writes, second.writes, third.writes]).toEqual([0, 0, 0]);
  });

  it('skips findings below the level and outside of the filter, with the reason', async () => {
    const { actions } = await (await runs())(report(finding, 'app.js:2:1: note: x', 'app.js:3:1: error: y'), { level: 'warning' });
    expect(actions).toEqual(['create', 'skip: below --level warning', 'skip: line 3 of app.js is not an added line']);
  });

  it('lists the findings beyond --max in a comment', async () => {
    const { actions, summary } = await (await runs())(report(finding, 'app.js:2:1: warning: other'), { max: 1 });
    expect(actions).toEqual(['create', 'summarize']);
    expect(summary).toMatchObject([{ action: 'create', text: expect.stringContaining('`app.js:2`: **warning** other') as string }]);
  });

  it('leaves the comment if the report is partial and has nothing for it', async () => {
    const run = await runs();
    expect((await run(report(finding), { resolve: false })).summary).toEqual([]);
  });

  it('changes nothing if a newer pipeline of the project has posted', async () => {
    const run = await runs();
    const pipeline = (iid: string) => ({ CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' });
    await run(report(finding), {}, pipeline('12'));
    const older = await run(report(finding, 'app.js:2:1: note: x'), { level: 'warning' }, pipeline('11'));
    const stale = 'pipeline 12, which is newer, has posted already';
    expect([older.stale, older.actions, older.summary]).toEqual([stale, [`skip: stale: ${stale}`, 'skip: below --level warning'], []]);
    expect((await run(report(finding), {}, { ...pipeline('1'), CI_PROJECT_ID: '99' })).stale).toBeNull();
  });

  it('has texts without markers that the report contains', async () => {
    const run = await runs();
    const marked = 'app.js:2:1: error: remove <!-- colloquy:key=x -->';
    expect([(await run(report(marked))).actions, (await run(report(marked))).actions]).toEqual([['create'], ['keep']]);
  });

  it('without a service has every finding as a new one, even outside of the diff', async () => {
    const run = await runs();
    await run(report(finding));
    expect((await run(report(finding, 'other.js:9:1: note: x'), { level: 'warning' })).alone).toEqual(['create', 'skip: below --level warning']);
  });
});
