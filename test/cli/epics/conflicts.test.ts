import { describe, expect, it } from 'vitest';
import { conflictsOf } from '../../../src/cli/epics/conflicts.js';
import type { LinkStep } from '../../../src/cli/epics/plan.js';
import type { EpicFacts } from '../../../src/cli/epics/live.js';
import { forestOf, liveOf, top } from '../../support/forests.js';

interface Given {
  readonly lists?: Readonly<Record<number, readonly number[]>>;
  readonly facts?: Readonly<Record<number, Partial<EpicFacts>>>;
  readonly version?: string | null;
  readonly given?: ReadonlyMap<number, boolean>;
}

const groups: Readonly<Record<number, string>> = { 10: 'acme', 11: 'acme/sub', 12: 'acme-labs' };

const conflictsIn = (steps: readonly LinkStep[], { lists = {}, facts = {}, version = '18.6.0-ee', given }: Given = {}) => {
  const live = liveOf(forestOf([1, 2, 3, 4, 5, 6, 7, 8, 9], lists), facts);
  return conflictsOf(steps, live, {
    version: async () => version, groupPath: async (id) => groups[id] ?? null,
    isConfidential: async (epic) => facts[epic]?.confidential,
  }, given);
};
const reasonsIn = async (...parts: Parameters<typeof conflictsIn>) => (await conflictsIn(...parts)).map(({ message }) => message);

const assign = (epic: number, parent: number): LinkStep => ({ action: 'assign', epic, parent });
const create = (epic: number, parent: number): LinkStep => ({ action: 'create', epic, parent, title: `New ${-epic}` });
const chain = (levels: number) => Object.fromEntries(Array.from({ length: levels - 1 }, (_, at) => [at === 0 ? top : at, [at + 1]]));

describe('a conflict of confidentiality', () => {
  const facts = { 1: { confidential: true }, 2: { confidential: false }, 3: { confidential: true } };

  it('is a child that is not confidential below a confidential parent', async () => {
    expect(await conflictsIn([assign(2, 1), assign(3, 1), assign(1, 2)], { facts })).toEqual([{
      epic: 2, step: 0, level: 'warning', message: '&3 "Epic 2" is not confidential, and cannot be below the confidential epic &2 "Epic 1"',
      hint: 'make it confidential first',
    }]);
  });

  it('is found below new epics, which are confidential as their parents are', async () => {
    expect(await reasonsIn([create(-1, 1), create(-2, -1), assign(2, -2)], { facts }))
      .toEqual(['&3 "Epic 2" is not confidential, and cannot be below the confidential epic "New 2"']);
    expect(await reasonsIn([create(-1, 2), assign(2, -1)], { facts })).toEqual([]);
  });

  it('is a new epic that the user wants not to be confidential', async () => {
    expect(await reasonsIn([create(-1, 1)], { facts, given: new Map([[-1, false]]) }))
      .toEqual(['"New 1" would not be confidential, and cannot be below the confidential epic &2 "Epic 1"']);
    expect(await reasonsIn([create(-1, 2), assign(2, -1)], { facts, given: new Map([[-1, true]]) }))
      .toEqual(['&3 "Epic 2" is not confidential, and cannot be below the confidential epic "New 1"']);
  });

  it('is not assumed of epics about which the service says nothing', async () => {
    expect(await reasonsIn([assign(2, 1), assign(4, 1)], { facts: { 1: { confidential: true } } })).toEqual([]);
    expect(await reasonsIn([assign(2, 4)], { facts })).toEqual([]);
  });
});

describe('a conflict of depth', () => {
  it('is every link that would exceed seven levels', async () => {
    expect(await conflictsIn([create(-1, 6), create(-2, -1), create(-3, -2)], { lists: chain(7) })).toEqual([-1, -2, -3].map((epic, at) => ({
      epic, step: at, level: 'warning', message: `"New ${at + 1}" would be on level ${8 + at}, and the service allows 7 levels`, hint: 'place it higher',
    })));
  });

  it('includes the epics below a child', async () => {
    expect(await reasonsIn([assign(7, 5)], { lists: { ...chain(6), 7: [8] } }))
      .toEqual(['the epics below &8 "Epic 7" would be on level 8, and the service allows 7 levels']);
    expect(await reasonsIn([assign(7, 5)], { lists: chain(6) })).toEqual([]);
  });

  it('is possible from six levels on in versions before 14.0, and if the version is unknown', async () => {
    const doubt = (from: string) => `"New 1" would be on level 6, and ${from} may allow only 5 levels`;
    const sixth = { lists: chain(5) };
    expect(await reasonsIn([create(-1, 4)], { ...sixth, version: '13.12.0-ee' })).toEqual([doubt('version 13.12.0-ee of the service')]);
    expect(await reasonsIn([create(-1, 4)], { ...sixth, version: null })).toEqual([doubt('versions of the service before 14.0')]);
    expect(await reasonsIn([create(-1, 4)], { ...sixth, version: '14.0.0-ee' })).toEqual([]);
    expect(await reasonsIn([create(-1, 3)], { lists: chain(4), version: '12.7.0-ee' })).toEqual([]);
  });

  it('is none where the service has as deep a tree', async () => {
    expect(await reasonsIn([create(-1, 6)], { lists: chain(8) })).toEqual([]);
  });
});

describe('a conflict of group', () => {
  const facts = { 2: { group_id: 11 }, 3: { group_id: 12 } };

  it('is a child that is neither in the group of its parent nor below it, before version 17.0', async () => {
    const steps = [assign(2, 1), assign(3, 1), assign(1, 2), assign(4, 1)];
    const known = await conflictsIn(steps, { facts, version: '16.11.0-ee' });
    expect(known.map(({ epic, message }) => [epic, message])).toEqual([
      [3, 'id:3 "Epic 3" is in the group acme-labs, and version 16.11.0-ee of the service accepts below &2 "Epic 1" only epics of acme and its subgroups'],
      [1, '&2 "Epic 1" is in the group acme, and version 16.11.0-ee of the service accepts below id:2 "Epic 2" only epics of acme/sub and its subgroups'],
    ]);
    expect(known[0]!.hint).toBe('use an epic of one of these groups');
    expect(await reasonsIn(steps, { facts, version: null })).toEqual(known.map(({ message }) =>
      message.replace('version 16.11.0-ee of the service accepts', 'versions of the service before 17.0 accept')));
    expect(await reasonsIn(steps, { facts, version: '17.0.0-ee' })).toEqual([]);
  });

  it('is possible where the path of a group is unknown', async () => {
    expect(await reasonsIn([assign(2, 1)], { facts: { 2: { group_id: 99 } }, version: '16.0.0' })).toEqual([
      'id:2 "Epic 2" is in another group, and version 16.0.0 of the service accepts below &2 "Epic 1" only epics of acme and its subgroups',
    ]);
  });
});

it('finds all conflicts, and none in steps that add no link', async () => {
  const facts = { 1: { confidential: true }, 2: { confidential: false, group_id: 12 } };
  const steps: LinkStep[] = [
    { action: 'unassign', epic: 2, from: 1 }, assign(2, 1), { action: 'reorder', epic: 2, parent: 1, after: 3 }, create(-1, 6),
  ];
  const found = await conflictsIn(steps, { facts, lists: { ...chain(7) }, version: '16.0.0-ee' });
  expect(found.map(({ epic }) => epic)).toEqual([2, 2, -1]);
});
