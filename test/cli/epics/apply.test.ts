import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Forest } from '../../../src/cli/epics/forest.js';
import { planSteps } from '../../../src/cli/epics/plan.js';
import { testApp, type Ran, type WorldOptions } from '../../support/app.js';
import { forestOf, forests, targetBetween, top } from '../../support/forests.js';
import { linksIn, linksOf, serviceOf, yamlOf } from '../../support/hierarchy.js';
import type { TestService } from '../../support/service.js';

const ids = [1, 2, 3, 4, 5, 6, 7, 8];

/** Everything below the top; epics elsewhere have no links. */
const belowTop = (forest: Forest): Forest => {
  const lists: Record<number, readonly number[]> = {};
  const visit = (epic: number) => {
    const list = forest.children.get(epic) ?? [];
    if (list.length > 0) lists[epic] = list;
    list.forEach(visit);
  };
  visit(top);
  return forestOf([...forest.parents.keys()].filter((epic) => epic !== top), lists);
};

/** The links after a run with --prune: an epic that is removed from its parent keeps its children, unless they are named. */
const expectedForest = (live: Forest, wanted: Forest): Forest => {
  const named = new Set([top, ...[...wanted.children.values()].flat()]);
  const lists: Record<number, readonly number[]> = {};
  for (const epic of [top, ...wanted.parents.keys()]) {
    lists[epic] = named.has(epic) ? wanted.children.get(epic) ?? [] : (live.children.get(epic) ?? []).filter((id) => !named.has(id));
  }
  return forestOf([...wanted.parents.keys()].filter((epic) => epic !== top && (epic > 0 || named.has(epic))), lists);
};

const someForests = (epics: readonly number[]) => forests(epics, 7).map(belowTop);
const pairs = fc.tuple(someForests(ids), someForests([...ids, -1, -2]))
  .map(([live, wanted]) => ({ live, wanted, expected: expectedForest(live, wanted) }));

const writes = ({ sent }: Ran) => sent.filter(({ method }) => method !== 'GET');
const reorders = ({ sent }: Ran) => sent.filter(({ method }) => method === 'PUT').length;

interface Started { readonly state: Map<string, Uint8Array>; readonly service: TestService; readonly file: string }

/** Runs `epics apply` on the top with the files of an earlier run. */
const apply = async ({ state, service, file }: Started, words: readonly string[], options: Partial<WorldOptions> = {}) => {
  const app = await testApp({
    service, state, files: { 'plan.yaml': file }, env: { COLLOQUY_TOKEN: 'root-token' }, time: withoutWaits, ...options });
  return app.run('epics', 'apply', '&1', ...words, '--yes');
};

const withoutWaits = { now: Date.now, random: () => 0, sleep: async () => undefined };

const started = async (live: Forest, wanted: Forest): Promise<Started> =>
  ({ state: new Map(), service: await serviceOf(live), file: yamlOf(wanted) });

const whole = ['plan.yaml', '--prune'];

describe('epics apply on random hierarchies', () => {
  it('reaches the target with the fewest reorder requests, and changes nothing the second time', async () => {
    await fc.assert(fc.asyncProperty(pairs, async ({ live, wanted, expected }) => {
      const run = await started(live, wanted);
      const first = await apply(run, whole);
      expect(first).toMatchObject({ code: 0 });
      expect(await linksIn(run.service)).toBe(linksOf(expected));
      const plan = planSteps(live, targetBetween(live, expected));
      expect(reorders(first)).toBe(plan.filter(({ action }) => action === 'reorder').length);
      const second = await apply(run, whole);
      expect(second.code).toBe(0);
      expect(writes(second)).toEqual([]);
      await run.service.close();
    }), { numRuns: 100 });
  }, 120_000);

  it('restores the former hierarchy with --rollback', async () => {
    await fc.assert(fc.asyncProperty(pairs, async ({ live, wanted }) => {
      const run = await started(live, wanted);
      const first = await apply(run, whole);
      const back = await apply(run, ['--rollback']);
      expect(await linksIn(run.service)).toBe(linksOf(live));
      if (writes(first).length > 0) expect(back.code).toBe(first.err.includes('(new)') ? 1 : 0);
      await run.service.close();
    }), { numRuns: 60 });
  }, 120_000);
});
