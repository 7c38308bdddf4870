import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Forest, planSteps } from '../../../src/cli/epics/plan.js';
import { testApp, type Ran, type WorldOptions } from '../../support/app.js';
import { isAll, runsOf } from '../../support/extent.js';
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

/** The links after a run with --prune: an epic that is removed keeps its children, unless they are named. */
const expectedForest = (live: Forest, wanted: Forest): Forest => {
  const named = new Set([top, ...[...wanted.children.values()].flat()]);
  const lists: Record<number, readonly number[]> = {};
  for (const epic of [top, ...wanted.parents.keys()]) {
    lists[epic] = named.has(epic) ? wanted.children.get(epic) ?? [] : (live.children.get(epic) ?? []).filter((id) => !named.has(id));
  }
  return forestOf([...wanted.parents.keys()].filter((epic) => epic !== top && (epic > 0 || named.has(epic))), lists);
};

const pairs = fc.tuple(forests(ids, 7), forests([...ids, -1, -2], 7).map(belowTop))
  .map(([live, wanted]) => ({ live, wanted, expected: expectedForest(live, wanted) }));

const writes = ({ sent }: Ran) => sent.filter(({ method }) => method !== 'GET');
const reorders = ({ sent }: Ran) => sent.filter(({ method }) => method === 'PUT').length;

interface Started {
  readonly state: Map<string, Uint8Array>;
  readonly service: TestService;
  readonly file: string;
  /** Sets what happens when a request stalls: neither it nor a later one of the run gets a response. */
  readonly onStall: (act: () => void) => void;
  /** How many runs have ended so. */
  readonly stalls: () => number;
}

/** Runs `epics apply` on the top with the files of an earlier run. */
const apply = async ({ state, service, file, stalls }: Started, words: readonly string[], options: Partial<WorldOptions> = {}) => {
  const before = stalls();
  const app = await testApp({
    service, state, files: { 'plan.yaml': file }, env: { COLLOQUY_TOKEN: 'root-token' }, time: withoutWaits,
    answer: () => stalls() > before ? new Promise(() => undefined) : undefined, ...options });
  return app.run('epics', 'apply', '&1', ...words, '--yes');
};

const withoutWaits = { now: Date.now, random: () => 0, sleep: async () => undefined };

const started = async (live: Forest, wanted: Forest): Promise<Started> => {
  let stalled = () => undefined as void;
  let stalls = 0;
  const sleep = () => {
    stalls++;
    stalled();
    return new Promise<void>(() => undefined);
  };
  const service = await serviceOf(live, { sleep });
  return { state: new Map(), service, file: yamlOf(wanted), onStall: (act) => { stalled = act; }, stalls: () => stalls };
};

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
    }), { numRuns: runsOf(100) });
  }, 120_000);

  it('restores the former hierarchy with --rollback', async () => {
    await fc.assert(fc.asyncProperty(pairs, async ({ live, wanted }) => {
      const run = await started(live, wanted);
      const first = await apply(run, whole);
      const back = await apply(run, ['--rollback']);
      expect(await linksIn(run.service)).toBe(linksOf(live));
      if (writes(first).length > 0) expect(back.code).toBe(first.err.includes('(new)') ? 1 : 0);
      await run.service.close();
    }), { numRuns: runsOf(60) });
  }, 120_000);
});

/** How a request fails. A stalled one never gets a response: the run ends there, as if it was killed. */
const failures = [
  'status 500', 'status 500 after', 'reset', 'reset after', 'html 200', 'status 403', 'stall 1', 'stall 1 after',
] as const;

interface Failing { readonly live: Forest; readonly wanted: Forest; readonly failure: typeof failures[number]; readonly request: number }

/** Runs `epics apply` until a request fails. Resolves to null if it finished before that request. */
const failed = async ({ live, wanted, failure, request }: Failing): Promise<Started | null> => {
  const run = await started(live, wanted);
  const stopped = new Promise<'killed'>((resolve) => { run.onStall(() => resolve('killed')); });
  await run.service.faults([{ on: '*', do: failure, times: 1, skip: request }]);
  const end = await Promise.race([apply(run, [...whole, '--retries', '0']), stopped]);
  const [rule] = (await run.service.faults()).rules;
  await run.service.faults([]);
  if (end !== 'killed' && rule!.hits === 0) return null;
  if (end !== 'killed' && !isFinished(run)) expect(end.code).not.toBe(0);
  return run;
};

const journalIn = ({ state }: Started): string[] => [...state.values()].flatMap((file) => String(Buffer.from(file)).trim().split('\n'));
const isFinished = (run: Started) => journalIn(run).at(-1) === '{"type":"end"}';
const hasRun = (run: Started) => journalIn(run).length > 0 && !isFinished(run);

/** The number of new epics. */
const created = async ({ service }: Started): Promise<number> => {
  const { body } = await service.get<readonly { title: string }[]>('/groups/acme/epics?per_page=100', { as: 'root' });
  return body.filter(({ title }) => title.startsWith('New')).length;
};

const newIn = ({ parents }: Forest): number => [...parents.keys()].filter((epic) => epic < 0).length;

const checkResume = async (failing: Failing, expected: Forest): Promise<boolean> => {
  const run = await failed(failing);
  if (!run) return false;
  const unfinished = hasRun(run);
  const again = await apply(run, unfinished ? ['--resume'] : whole);
  expect({ ...failing, code: again.code, err: again.err }).toMatchObject({ code: 0 });
  expect(await linksIn(run.service)).toBe(linksOf(expected));
  expect(await created(run)).toBe(newIn(expected));
  await run.service.close();
  return true;
};

const checkRollback = async (failing: Failing): Promise<boolean> => {
  const run = await failed(failing);
  if (!run) return false;
  const mayHaveCreated = journalIn(run).length > 0;
  const back = await apply(run, ['--rollback']);
  expect(await linksIn(run.service)).toBe(linksOf(failing.live));
  const remains = await created(run) > 0;
  expect(back.code).toBe(mayHaveCreated ? Number(remains) : 2);
  await run.service.close();
  return true;
};

/** Each request in turn; in `npm test` every twelfth, beginning at another one for each failure. */
const nextRequest = (request: number): number => request + (isAll ? 1 : 12);
const firstRequest = (failure: typeof failures[number]): number => isAll ? 0 : failures.indexOf(failure);

describe('epics apply, failing at any request', () => {
  const live = forestOf(ids, { [top]: [1, 2, 3, 7], 1: [4], 4: [5] });
  const wanted = forestOf([...ids, -1, -2], { [top]: [3, -1, 7, 1], [-1]: [5, -2], 5: [4], 3: [6] });
  const expected = expectedForest(live, wanted);

  it.each(failures)('reaches the target with --resume: %s', async (failure) => {
    for (let request = firstRequest(failure); await checkResume({ live, wanted, failure, request }, expected); request = nextRequest(request)) {
      expect(request).toBeLessThan(100);
    }
  }, 120_000);

  it.each(['status 500', 'reset after', 'stall 1', 'stall 1 after'] as const)('restores the former hierarchy with --rollback: %s', async (failure) => {
    for (let request = firstRequest(failure); await checkRollback({ live, wanted, failure, request }); request = nextRequest(request)) {
      expect(request).toBeLessThan(100);
    }
  }, 120_000);

  it('reaches the target or the former hierarchy for random hierarchies', async () => {
    const requests = fc.tuple(pairs, fc.constantFrom(...failures), fc.nat(40));
    await fc.assert(fc.asyncProperty(requests, async ([pair, failure, request]) => {
      await checkResume({ ...pair, failure, request }, pair.expected);
      await checkRollback({ ...pair, failure, request });
    }), { numRuns: runsOf(60) });
  }, 120_000);

  it('restores an epic that a killed run removed before a second run finished', async () => {
    const live = forestOf([1, 2, 3], { [top]: [1, 2, 3] });
    const run = (await failed({ live, wanted: forestOf([1, 2, 3], { [top]: [3] }), failure: 'stall 1 after', request: 12 }))!;
    expect([await linksIn(run.service), journalIn(run).at(-1)])
      .toEqual(['Top: Epic 2, Epic 3', expect.stringContaining('"type":"start"')]);
    expect((await apply(run, ['--resume'])).code).toBe(0);
    expect(await linksIn(run.service)).toBe('Top: Epic 3');
    expect((await apply(run, ['--rollback'])).code).toBe(0);
    expect(await linksIn(run.service)).toBe(linksOf(live));
    await run.service.close();
  });

  it('ends with --resume if nothing is left to do, and not in a dry run of it', async () => {
    const [live, wanted] = [forestOf([1, 2], { [top]: [1, 2] }), forestOf([1, 2], { [top]: [2, 1] })];
    let run: Started | null = null;
    for (let request = 0; run === null || await linksIn(run.service) !== linksOf(wanted); request++) {
      run = await failed({ live, wanted, failure: 'stall 1 after', request });
    }
    expect([(await apply(run, ['--resume', '--dry-run'])).code, isFinished(run)]).toEqual([0, false]);
    expect(await apply(run, ['--resume'])).toMatchObject({ code: 0, err: expect.stringContaining('nothing changed') as string });
    expect(isFinished(run)).toBe(true);
  });

  it('uses new epics again that a stopped rollback removed from their parents', async () => {
    const requests = (await apply(await started(live, wanted), whole)).sent.length;
    let resumed = 0;
    for (let skip = 0; skip < 40; skip = nextRequest(skip)) {
      const run = (await failed({ live, wanted, failure: 'status 500', request: requests - 4 }))!;
      await stoppedRun(run, '--rollback', 'status 500', skip);
      if (!hasRun(run)) continue;
      expect(await apply(run, ['--resume'])).toMatchObject({ code: 0 });
      expect([await linksIn(run.service), await created(run)]).toEqual([linksOf(expected), 2]);
      await run.service.close();
      resumed++;
    }
    expect(resumed).toBeGreaterThan(isAll ? 10 : 1);
  }, 120_000);

  it('says which epic a rollback could not read, and restores it later', async () => {
    const live = forestOf([1, 2], { [top]: [1, 2] });
    const run = await started(live, forestOf([1, 2], { [top]: [2] }));
    expect((await apply(run, whole)).code).toBe(0);
    await run.service.faults([{ on: 'GET /groups/*/epics/2', do: 'status 403' }]);
    expect(await apply(run, ['--rollback'])).toMatchObject({ code: 1, err: expect.stringContaining([
      'rolled back, but some changes remain', '  &2 "Epic 1" is missing, or the token cannot read it', '',
    ].join('\n')) as string });
    await run.service.faults([]);
    expect((await apply(run, ['--rollback'])).code).toBe(0);
    expect([await linksIn(run.service), journalIn(run)]).toEqual([linksOf(live), []]);
    await run.service.close();
  });

  it('ends right after several runs that were stopped', async () => {
    const stops = fc.array(fc.tuple(fc.constantFrom('--resume', '--rollback'), fc.constantFrom(...failures), fc.nat(30)), { maxLength: 3 });
    const cases = fc.tuple(pairs, fc.constantFrom(...failures), fc.nat(40), stops, fc.constantFrom('--resume', '--rollback'));
    await fc.assert(fc.asyncProperty(cases, async ([pair, failure, request, further, last]) => {
      const run = await failed({ ...pair, failure, request });
      if (!run || !hasRun(run)) return;
      for (const [command, how, skip] of further) await stoppedRun(run, command, how, skip);
      const isContinued = last === '--resume' && hasRun(run);
      if (isContinued) await apply(run, ['--resume']);
      else await apply(run, hasRun(run) || last === '--rollback' ? ['--rollback'] : whole);
      if (last === '--rollback') expect(journalIn(run)).toEqual([]);
      expect(await linksIn(run.service)).toBe(linksOf(last === '--resume' ? pair.expected : pair.live));
      if (isContinued) expect(await created(run)).toBe(newIn(pair.expected));
      await run.service.close();
    }), { numRuns: runsOf(100) });
  }, 120_000);
});

/** Continues or undoes a run, until a request fails. */
const stoppedRun = async (run: Started, command: string, how: string, skip: number): Promise<void> => {
  const stopped = new Promise<void>((resolve) => { run.onStall(resolve); });
  await run.service.faults([{ on: '*', do: how, times: 1, skip }]);
  await Promise.race([apply(run, [command, '--retries', '0']), stopped]);
  await run.service.faults([]);
};
