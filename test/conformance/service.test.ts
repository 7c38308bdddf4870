import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/conformance/check.js';
import { epicTitle } from '../../src/conformance/epics.js';
import { checkedFacts, checkFact, type FactResult } from '../../src/conformance/run.js';
import { behavior } from '../../src/contract/behavior/behavior.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { hasSince, tiers, type Tier } from '../../src/contract/versions.js';
import type { World } from '../../src/server/world-file/schema.js';
import { advancingClock, checkedWorld, people, probeOf, type Person } from '../support/conformance.js';
import { testService } from '../support/service.js';

const effects: ReadonlySet<Effect> = new Set<Effect>(['none', 'notes', 'appearance', 'epics']);

/** The oldest and the newest version, and versions between which facts begin and end. */
const versions = ['11.7', '12.7', '13.12', '16.7', '18.5'] as const;
const newest = '18.5';

interface Served { readonly dialect: Dialect; readonly serviceVersion: string; readonly tier: Tier; readonly as: Person }

const dialects = ['document', 'live'] as const;

const served: readonly Served[] = dialects.flatMap((dialect) => [
  ...versions.flatMap((serviceVersion) => tiers.map((tier) => ({ dialect, serviceVersion, tier, as: 'root' as const }))),
  ...people.slice(1).map((as) => ({ dialect, serviceVersion: newest, tier: 'ultimate' as const, as })),
]);

/** Without what checks leave: epics, and system notes about their links. */
const apartFromRemains = (world: World) => ({
  ...world,
  groups: world.groups!.map((group) => ({
    ...group, epics: group.epics?.filter(({ title }) => !title?.startsWith(epicTitle)).map((epic) => ({
      ...epic, discussions: epic.discussions?.filter(({ notes }) => !notes?.every(({ system }) => system)) ?? [],
    })),
  })),
});

/** The results by fact. */
const examined = async ({ dialect, serviceVersion, tier, as }: Served): Promise<readonly FactResult[]> => {
  const service = await testService({ world: checkedWorld, dialect, serviceVersion, tier, now: advancingClock() });
  const probe = await probeOf(service, dialect, as);
  const before = apartFromRemains(await service.service.world());
  const given = { probe, writable: probe.objects, effects, version: serviceVersion, tier, isChosen: () => true };
  const results: FactResult[] = [];
  for (const fact of checkedFacts(given)) results.push(await checkFact(fact, given));
  expect(apartFromRemains(await service.service.world())).toEqual(before);
  await service.close();
  return results;
};

describe('on our own service', () => {
  const passed = new Set<string>();

  it.each(served)('all facts hold: dialect $dialect, version $serviceVersion, tier $tier, for $as', async (one) => {
    const results = await examined(one);
    expect(results.filter(({ result }) => result === 'fail')).toEqual([]);
    for (const { id, result } of results) if (result === 'pass') passed.add(id);
    expect(results.filter(({ result }) => result === 'pass').length).toBeGreaterThan(100);
  });

  it('every fact with a check was checked', () => {
    const known = new Set(dialects.flatMap((dialect) =>
      checkedFacts({ probe: { dialect } as never, isChosen: () => true }).map(({ id }) => id)));
    expect([...known].filter((id) => !passed.has(id))).toEqual([]);
  });

  it('each fact that begins or ends does so between two of the versions', () => {
    for (const { id, from, to } of behavior) {
      for (const bound of [from, to]) {
        const sides = bound === null ? [true, false] : versions.map((version) => hasSince(version, bound));
        expect(new Set(sides).size, `${id}: ${bound}`).toBe(2);
      }
    }
  });
});
