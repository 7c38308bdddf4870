import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newCompletionRecords } from '../../../../src/cli/completion-cache.js';
import { newActivity } from '../../../../src/cli/service/connection/client.js';
import { run as runProgram } from '../../../../src/cli/run.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { testApp } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { forestOf, top } from '../../../support/forests.js';
import { linksIn, linksOf, serviceOf } from '../../../support/hierarchy.js';
import { simulatedTime } from '../../../support/simulated-time.js';

const live = forestOf([1, 2], { [top]: [1, 2] });
const wanted = forestOf([1, 2, -1, -2, -3], { [top]: [1, -1, 2, -3], [-1]: [-2] });
const outline = 'Epic 1\nNew 1\n  New 2\nEpic 2\nNew 3\n';
const creates = 'POST /groups/*/epics/*/epics';

/** How a run ended: its exit code, or that it was killed. */
interface End { readonly code: number | 'killed'; readonly err: string }

/** Several runs of `epics apply` on one service. The clock of the service is ahead of that of the program. */
const world = async ({ ahead = 0, file = outline } = {}) => {
  const time = simulatedTime();
  const state = new Map<string, Uint8Array>();
  const killers = new Set<() => void>();
  const kill = () => { for (const end of killers) end(); };
  const service = await serviceOf(live, {
    now: () => new Date(time.now().getTime() + ahead),
    sleep: (ms, signal) => {
      if (ms === killing) kill();
      return time.sleep(ms, signal);
    },
  });
  const dated = async (request: HttpRequest) => {
    const response = await service.handle(request);
    return { ...response, headers: { ...response.headers, date: new Date(time.now().getTime() + ahead).toUTCString() } };
  };
  /** @param sleeps how often the program may wait before it is killed */
  const apply = async (words: readonly string[], sleeps = Infinity): Promise<End> => {
    let count = 0;
    let isKilled = false;
    const never = new Promise<never>(() => undefined);
    const world = await testApp({
      service, state, files: { 'plan.txt': file }, env: { COLLOQUY_TOKEN: 'root-token' },
      time: { now: () => time.now().getTime(), random: () => 0, sleep: (ms) => time.advance(ms) },
      ...(ahead !== 0 && { answer: dated }),
    });
    let written = '';
    const killed = new Promise<End>((resolve) => {
      killers.add(() => { isKilled = true; resolve({ code: 'killed', err: written }); });
    });
    const app = {
      ...world.app, now: time.now, activity: newActivity(), completions: newCompletionRecords(),
      err: { ...world.app.err, write: async (text: string) => { written += text; } },
      sleep: async (ms: number) => {
        if (count++ >= sleeps) kill();
        if (isKilled) return never;
        await time.advance(ms);
      },
    };
    const ended = runProgram(['epics', 'apply', '&1', ...words, '--yes', '--retries', '0'], app);
    const end = await Promise.race([killed, ended.then((code): End => ({ code, err: written }))]);
    killers.clear();
    return end;
  };
  return { service, time, apply, state };
};

/** The wait of a fault that stands for the end of the process. */
const killing = 77_777_777;

type World = Awaited<ReturnType<typeof world>>;

const titles = async ({ service }: World): Promise<string[]> => {
  const { body } = await service.get<readonly { title: string }[]>('/groups/acme/epics?per_page=100', { as: 'root' });
  return body.map(({ title }) => title).filter((title) => title.startsWith('New')).toSorted();
};

const journalOf = ({ state }: World): string => [...state.values()].map((file) => Buffer.from(file).toString()).join('');

describe('a create of epics apply that is carried out late', () => {
  it('is found while the run waits for it', async () => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'late 1500', times: 2 }]);
    expect(await at.apply(['plan.txt'])).toMatchObject({ code: 0 });
    expect(await linksIn(at.service)).toBe(linksOf(wanted));
    expect(await titles(at)).toEqual(['New 1', 'New 2', 'New 3']);
  });

  it.each([0, 10_000, 50_000, 120_000])('is found by --resume after %i ms, and by a third run', async (pause) => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'late 40000', times: 1 }]);
    expect(await at.apply(['plan.txt'])).toMatchObject({ code: 10, err: expect.stringContaining('504') as string });
    await at.time.advance(pause);
    expect(await at.apply(['--resume'])).toMatchObject({ code: 0 });
    expect(await at.apply(['plan.txt'])).toMatchObject({ code: 0, err: expect.stringContaining('nothing changed') as string });
    expect(await linksIn(at.service)).toBe(linksOf(wanted));
    expect(await titles(at)).toEqual(['New 1', 'New 2', 'New 3']);
  });

  it.each([0, 10_000, 50_000])('is removed from its parent by --rollback after %i ms, and listed', async (pause) => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'late 40000', times: 1 }]);
    await at.apply(['plan.txt']);
    await at.time.advance(pause);
    const back = await at.apply(['--rollback']);
    expect(back).toMatchObject({ code: 1, err: expect.stringContaining('rolled back, but 1 new epic remains without a parent') as string });
    await at.time.advance(100_000);
    expect([await linksIn(at.service), await titles(at), journalOf(at)]).toEqual([linksOf(live), ['New 3'], '']);
  });

  it('is sent again once the service can no longer carry it out', async () => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'status 504', times: 1 }]);
    expect((await at.apply(['plan.txt'])).code).toBe(10);
    const before = at.time.now().getTime();
    expect((await at.apply(['--resume'])).code).toBe(0);
    expect(at.time.now().getTime() - before).toBeGreaterThan(50_000);
    expect(await titles(at)).toEqual(['New 1', 'New 2', 'New 3']);
  });

  it('is not waited for any longer once it shows', async () => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'late 40000', times: 1 }]);
    expect((await at.apply(['plan.txt'])).code).toBe(10);
    await at.time.advance(50_000);
    const before = at.time.now().getTime();
    expect((await at.apply(['--resume'])).code).toBe(0);
    expect(at.time.now().getTime()).toBe(before);
  });

  it('is not waited for after a response of the service itself', async () => {
    const at = await world();
    await at.service.faults([{ on: creates, do: 'status 500', times: 1 }]);
    expect((await at.apply(['plan.txt'])).code).toBe(10);
    const before = at.time.now().getTime();
    expect((await at.apply(['--resume'])).code).toBe(0);
    expect(at.time.now().getTime()).toBe(before);
    expect(await titles(at)).toEqual(['New 1', 'New 2', 'New 3']);
  });

  it('is distinguished from an older epic with its title that another user moved there', async () => {
    const at = await world({ file: 'New 1\n' });
    const { body: old } = await at.service.post<{ id: number }>('/groups/acme/epics/2/epics', { as: 'root', json: { title: 'New 1' } });
    await at.time.advance(3_600_000);
    await at.service.faults([{ on: creates, do: 'status 504', times: 1 }]);
    expect((await at.apply(['plan.txt'])).code).toBe(10);
    await at.service.post(`/groups/acme/epics/1/epics/${old.id}`, { as: 'root' });
    expect(await at.apply(['--rollback'])).toMatchObject({ code: 0 });
    expect(await linksIn(at.service)).toBe('Top: New 1, Epic 1, Epic 2');
  });

  it.each([-7_200_000, 7_200_000])('is recognized if the clock of the service differs by %i ms', async (ahead) => {
    const at = await world({ ahead });
    await at.service.faults([{ on: creates, do: 'late 1500', times: 3 }]);
    expect(await at.apply(['plan.txt'])).toMatchObject({ code: 0 });
    expect(await at.apply(['--rollback'])).toMatchObject({ code: 1, err: expect.stringContaining('3 new epics remain') as string });
    expect(await linksIn(at.service)).toBe(linksOf(live));
  });
});

/** How a create fails, or nothing. */
const faults = ['late 700', 'late 1500', 'late 6000', 'late 30000', 'late 55000', 'status 500', 'status 500 after', 'reset', 'reset after',
  `stall ${killing}`, `stall ${killing} after`, null] as const;

/** One run: how often it may wait before it is killed, how a create of it fails, and the time until the next run. */
const runs = (command: fc.Arbitrary<'--resume' | '--rollback'>) => fc.record({
  command, fault: fc.constantFrom(...faults), skip: fc.nat(2), sleeps: fc.constantFrom(0, 1, 3, Infinity, Infinity),
  pause: fc.constantFrom(0, 0, 1_000, 20_000, 100_000),
});

describe('50 random schedules of late, failed and killed creates', () => {
  it('end with every epic once, or with the former hierarchy', async () => {
    const schedules = fc.tuple(runs(fc.constant('--resume')), fc.array(runs(fc.constantFrom('--resume', '--resume', '--rollback')), { maxLength: 3 }),
      fc.constantFrom('--resume', '--rollback'));
    const isUnfinished = (at: World) => journalOf(at) !== '' && !journalOf(at).endsWith('{"type":"end"}');
    await fc.assert(fc.asyncProperty(schedules, async ([first, further, last]) => {
      const at = await world();
      for (const [index, { command, fault, skip, sleeps, pause }] of [first, ...further].entries()) {
        if (index > 0 && !isUnfinished(at)) break;
        await at.service.faults(fault === null ? [] : [{ on: creates, do: fault, times: 1, skip }]);
        await at.apply(index === 0 ? ['plan.txt'] : [command], sleeps);
        await at.service.faults([]);
        await at.time.advance(pause);
      }
      const isRolledBack = last === '--rollback' || journalOf(at) === '';
      if (last === '--rollback' && journalOf(at) !== '') expect([0, 1]).toContain((await at.apply(['--rollback'])).code);
      else if (isUnfinished(at)) expect(await at.apply(['--resume'])).toMatchObject({ code: 0 });
      await at.time.advance(200_000);
      expect(await linksIn(at.service)).toBe(linksOf(isRolledBack ? live : wanted));
      const found = await titles(at);
      expect(found).toEqual([...new Set(found)]);
      if (!isRolledBack) expect(await at.apply(['plan.txt'])).toMatchObject({ code: 0, err: expect.stringContaining('nothing changed') as string });
      await at.service.close();
    }), { numRuns: runsOf(50) });
  }, 120_000);
});
