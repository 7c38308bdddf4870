import { describe, expect, it } from 'vitest';
import { openRunJournal } from '../../../src/cli/epics/journal.js';
import { readLiveLinks } from '../../../src/cli/epics/live.js';
import { differences, makeSteps, newRun, targetWithIds, withIds } from '../../../src/cli/epics/run.js';
import type { LinkStep } from '../../../src/cli/epics/plan.js';
import { parentOf } from '../../../src/cli/service/targets/epic.js';
import type { WorldOptions } from '../../support/app.js';
import { json } from '../../support/answers.js';
import { epicApp } from '../../support/epic-app.js';
import { forestOf, liveOf, top } from '../../support/forests.js';

/** A run on &1, whose journal is in memory. */
const started = async (options: WorldOptions = {}) => {
  const world = await epicApp({ time: { now: Date.now, random: () => 0, sleep: async () => undefined }, ...options });
  const journal = await openRunJournal(world.app, ['test']);
  const parent = await parentOf(world.app, {}, '&1');
  const { live, add, find } = await readLiveLinks(parent, { show: async () => undefined });
  for (const word of ['&8', '&7']) await add(await find(word));
  const entries = () => [...(world.state as Map<string, Uint8Array>).values()].flatMap((file) => String(Buffer.from(file)).split('\n'))
    .filter((line) => line !== '').map((line) => (JSON.parse(line) as { type: string }).type);
  const childrenOf = async (iid: number) =>
    (await world.service.get<{ id: number }[]>(`/groups/acme/epics/${iid}/epics`, { as: 'reporter' })).body.map(({ id }) => id);
  return { ...world, run: newRun({ app: world.app, flags: {}, parent, name: 'acme&1', journal }, live), entries, childrenOf };
};

/** Makes one step, and stores its entries. @returns the new epic of a create */
const make = async (run: ReturnType<typeof newRun>, step: LinkStep) => {
  let result: object | null = null;
  for await (const event of makeSteps(run, [step])) {
    if (event.type === 'entry') await run.journal.add(event.entry);
    if (event.type === 'made') result = event.result;
  }
  return result as { readonly id: number } | null;
};

describe('a step of a run', () => {
  it('is sent, recorded, and changes the links of the run', async () => {
    const { run, entries, childrenOf } = await started();
    expect(await make(run, { action: 'assign', epic: 508, parent: 500 })).toBeNull();
    expect([entries(), await childrenOf(1), run.forest.children.get(500)]).toEqual([
      ['start', 'done'], [508, 504, 505, 506, 604], [508, 504, 505, 506, 604]]);
    await make(run, { action: 'reorder', epic: 508, parent: 500, after: 505 });
    await make(run, { action: 'unassign', epic: 504, from: 500 });
    expect([await childrenOf(1), run.forest.children.get(500)]).toEqual([[505, 508, 506, 604], [505, 508, 506, 604]]);
  });

  it('can have a new epic that an earlier step created', async () => {
    const { run, childrenOf } = await started();
    const created = await make(run, { action: 'create', epic: -1, title: 'New', parent: 500 });
    await make(run, { action: 'move', epic: 507, parent: -1, from: 503 });
    expect(created).toMatchObject({ iid: 9, title: 'New' });
    expect([await childrenOf(9), run.ids.get(-1)]).toEqual([[507], created!.id]);
  });

  it('never moves an epic from a place that another user gave it', async () => {
    const { run, service, entries, childrenOf } = await started();
    await service.post('/groups/acme/epics/3/epics/508', { as: 'reporter' });
    await expect(make(run, { action: 'assign', epic: 508, parent: 500 })).rejects.toMatchObject({
      message: '&8 "Epic 8" is below &3 "Epic 3" now: another user changed it', hint: 'check the change, then run again with --resume or --rollback' });
    await service.delete('/groups/acme/epics/3/epics/508', { as: 'reporter' });
    await service.delete('/groups/acme/epics/1/epics/504', { as: 'reporter' });
    await expect(make(run, { action: 'unassign', epic: 504, from: 500 })).rejects.toThrow('&4 "Epic 4" has no parent any more');
    expect([entries(), await childrenOf(1)]).toEqual([[], [505, 506, 604]]);
  });

  it('is found if the service made it and failed afterwards', async () => {
    const { run, service, entries, childrenOf } = await started();
    await service.faults([{ on: 'POST *', do: 'status 500 after' }]);
    expect(await make(run, { action: 'create', epic: -1, title: 'New', parent: 500 })).toMatchObject({ title: 'New' });
    await make(run, { action: 'assign', epic: 508, parent: 500 });
    expect([entries(), (await childrenOf(1)).length]).toEqual([['start', 'unknown', 'done', 'start', 'unknown', 'done'], 6]);
  });

  it('is recorded as rejected if the service rejected it', async () => {
    const answer: WorldOptions['answer'] = ({ method }) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined;
    const { run, entries } = await started({ answer });
    await expect(make(run, { action: 'assign', epic: 508, parent: 500 })).rejects.toThrow('403 Forbidden');
    expect([entries(), run.forest.parents.get(508)]).toEqual([['start', 'rejected'], null]);
  });
});

const ids = new Map([[-1, 100], [-2, 101]]);

it('results and targets get the ids of new epics that exist by now', () => {
  expect(withIds({ step: { action: 'create', epic: -1, title: '-1', parent: -3 }, status: 'done', result: null }, ids).step)
    .toEqual({ action: 'create', epic: 100, title: '-1', parent: -3 });
  expect(withIds({ step: { action: 'reorder', epic: 5, parent: -1, after: -2 }, status: 'planned' }, ids).step)
    .toEqual({ action: 'reorder', epic: 5, parent: 100, after: 101 });
  expect(targetWithIds({ children: new Map([[top, [-1, 5]], [-1, [-2]]]), removed: [7], created: new Map([[-1, 'New']]) }, ids))
    .toEqual({ children: new Map([[top, [100, 5]], [100, [101]]]), removed: [7], created: new Map() });
});

describe('the differences from a target', () => {
  const live = liveOf(forestOf([1, 2, 3, 4], { [top]: [1, 2, 3], 2: [4] }));
  const found = (children: Readonly<Record<number, readonly number[]>>, removed: readonly number[] = []) =>
    differences(live, { children: new Map(Object.entries(children).map(([parent, list]) => [Number(parent), list])), removed, created: new Map() });

  it('are none if the links agree', () => {
    expect(found({ [top]: [1, 2, 3], 2: [4] })).toEqual([]);
  });

  it('are missing and further children, another order, and epics with a parent that should have none', () => {
    expect(found({ [top]: [3, 1, 4] }, [2, 1])).toEqual([
      '&5 "Epic 4" is not below &1 "Top"', '&3 "Epic 2" is below &1 "Top"', 'the children of &1 "Top" have another order',
      '&3 "Epic 2" is below &1 "Top"', '&2 "Epic 1" is below &1 "Top"']);
  });
});
