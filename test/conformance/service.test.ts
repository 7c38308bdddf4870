import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/conformance/check.js';
import { epicTitle } from '../../src/conformance/epics.js';
import { areasChecked, checkedFacts, checkFact, withShapes, type FactResult } from '../../src/conformance/run.js';
import { behavior, factWithId, type FactId } from '../../src/contract/behavior/behavior.js';
import type { Fact } from '../../src/contract/behavior/fact.js';
import { documentedVersion, hasSince, type Tier, tiers } from '../../src/contract/conventions.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { nodeHttpSend } from '../../src/client/transport/node-http.js';
import { startServer } from '../../src/server/index.js';
import type { Service } from '../../src/wire/http.js';
import type { World } from '../../src/server/world-file/schema.js';
import { advancingClock, checkedWorld, people, probeOf, versions, withoutUpdates, type Person } from '../support/conformance.js';
import { isAll, sampleOf } from '../support/extent.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';
import { onPostgres } from '../support/stores.js';

const allEffects: ReadonlySet<Effect> = new Set<Effect>(['none', 'notes', 'appearance', 'epics']);

const newest = versions.at(-1)!;

interface Served {
  readonly dialect: Dialect;
  readonly serviceVersion: string;
  readonly tier: Tier;
  readonly as: Person;
  /** Whether only facts that begin or end with a version are checked. */
  readonly isOfVersions?: boolean;
}

const dialects = ['document', 'live'] as const;

/** Rules of versions do not depend on the store: PostgreSQL gets the newest alone, and `npm test` some of them. */
const tried = versions.filter((version, i) => version === newest || !onPostgres && (isAll || [4, 16].includes(i) || version === '19.1'));

/** The document dialect does not change after the version of the documentation. */
const versionsOf = (dialect: Dialect): readonly string[] =>
  tried.filter((version) => dialect === 'live' || version === newest || !hasSince(version, twoNumbers(documentedVersion)));

const twoNumbers = (version: string): string => version.split('.').slice(0, 2).join('.');

const at = <T>(items: readonly T[], index: number): T => items[index % items.length]!;

/**
 * Each dialect in all versions with all rights, all other people in all tiers, and the other people once more along the
 * versions: every two of these values meet, not every three.
 */
const allServed = (dialect: Dialect): readonly Served[] => {
  const usual = { dialect, serviceVersion: newest, tier: 'ultimate', as: 'root' } as const;
  const others = people.filter((as) => as !== usual.as);
  const ofVersions = versionsOf(dialect);
  return [
    ...ofVersions.map((serviceVersion) => ({ ...usual, serviceVersion })),
    ...tiers.filter((tier) => tier !== usual.tier).map((tier) => ({ ...usual, tier })),
    ...others.flatMap((as) => (onPostgres ? [usual.tier] : tiers).map((tier) => ({ ...usual, as, tier }))),
    ...ofVersions.map((serviceVersion, i) => ({ ...usual, as: at(others, i), serviceVersion })),
  ];
};

/**
 * Each value once. The oldest version is tried with all rights too, and the facts of versions as a guest in all of them,
 * because facts about rights begin and end for guests.
 */
const someServed = (dialect: Dialect): readonly Served[] => {
  const [newestFirst, ultimateFirst] = [versionsOf(dialect).toReversed(), tiers.toReversed()];
  return [
    ...people.map((as, i) => ({ dialect, as, serviceVersion: at(newestFirst, i), tier: at(ultimateFirst, i) })),
    { dialect, as: 'root', serviceVersion: newestFirst.at(-1)!, tier: 'ultimate' },
    ...newestFirst.slice(1).map((serviceVersion) => ({ dialect, as: 'gus', serviceVersion, tier: 'ultimate', isOfVersions: true } as const)),
  ];
};

const served = dialects.flatMap(isAll ? allServed : someServed);

/** A run of all checks takes seconds on a busy machine, and there are some fifty. */
const timeout = 300_000;

/** Without what checks leave: epics, system notes about their links, and when an object was updated last. */
const apartFromRemains = (given: World) => {
  const world = withoutUpdates(given);
  return {
    ...world,
    groups: world.groups!.map((group) => ({
      ...group, epics: group.epics?.filter(({ title }) => !title?.startsWith(epicTitle)).map((epic) => ({
        ...epic, discussions: epic.discussions?.filter(({ notes }) => !notes?.every(({ system }) => system)) ?? [],
      })),
    })),
  };
};

/** Without notes and without children. */
const emptied = (world: World): World => ({
  ...world,
  groups: world.groups!.map((group) => ({
    ...group, epics: group.epics?.map(({ discussions: _, parent: __, ...epic }) => epic) ?? [],
  })),
  projects: world.projects!.map((project) => ({
    ...project,
    issues: project.issues?.map(({ discussions: _, ...issue }) => issue) ?? [],
    merge_requests: project.merge_requests?.map(({ discussions: _, ...mergeRequest }) => mergeRequest) ?? [],
    snippets: project.snippets?.map(({ discussions: _, ...snippet }) => snippet) ?? [],
    commits: project.commits?.map(({ discussions: _, ...commit }) => commit) ?? [],
  })),
});

/** The results by fact, in `npm test` of every so many facts. */
const resultsOf = async (
  service: Pick<Service, 'handle'>, served: Served, effects = allEffects, every = 1,
): Promise<readonly FactResult[]> => {
  const { dialect, serviceVersion: version, tier, as, isOfVersions = false } = served;
  const isChosen = ({ from, to }: Fact) => !isOfVersions || from !== null || to !== null;
  const probe = await probeOf(service, dialect, as);
  const given = withShapes({ probe, writable: probe.objects, effects, version, tier, isChosen });
  const results: FactResult[] = [];
  for (const fact of sampleOf(checkedFacts(given), every)) results.push(await checkFact(fact, given));
  return results;
};

const optionsOf = ({ dialect, serviceVersion, tier }: Served) =>
  ({ world: checkedWorld, dialect, serviceVersion, tier, rateLimit: 1_000_000, now: advancingClock() });

const examined = async (served: Served): Promise<readonly FactResult[]> => {
  const service = await testService(optionsOf(served));
  const before = apartFromRemains(await service.service.world());
  const results = await resultsOf(service, served);
  expect(apartFromRemains(await service.service.world())).toEqual(before);
  await service.close();
  return results;
};

/** With the connections of the program. */
const overSockets = async (url: string): Promise<Pick<Service, 'handle'>> => {
  const send = await nodeHttpSend(url, {}, { tls: {}, connect: null });
  return {
    handle: async ({ target, body = null, ...request }) => {
      const { headers, ...response } = await send({ ...request, path: target, body, timeout: 60_000 }).response;
      return { ...response, headers: headers as Record<string, string> };
    },
  };
};

describe('on our own service', () => {
  const passed = new Set<string>();

  it.each(dialects)('all facts hold in all versions and tiers, for everybody, dialect %s', async (dialect) => {
    const rows = served.filter((one) => one.dialect === dialect);
    await everyRow(rows, ({ serviceVersion, tier, as }) => `version ${serviceVersion}, tier ${tier}, for ${as}`, async (one) => {
      const results = await examined(one);
      expect(results.filter(({ result }) => result === 'fail')).toEqual([]);
      for (const { id, result } of results) if (result === 'pass') passed.add(id);
      expect(results.filter(({ result }) => result === 'pass').length).toBeGreaterThan(one.isOfVersions === true ? 5 : 100);
    });
  }, timeout);

  it.each(isAll ? dialects : ['live'] as const)('all facts hold over a socket, dialect %s', async (dialect) => {
    const one = { dialect, serviceVersion: newest, tier: 'ultimate', as: 'super' } as const;
    const server = await startServer(optionsOf(one));
    const results = await resultsOf(await overSockets(server.url), one, allEffects, 3);
    expect(results.filter(({ result }) => result === 'fail')).toEqual([]);
    await server.close();
  }, timeout);

  it.each(dialects)('facts about notes and children are skipped where there are none, dialect %s', async (dialect) => {
    const one = { dialect, serviceVersion: newest, tier: 'ultimate', as: 'root' } as const;
    const service = await testService({ ...optionsOf(one), world: emptied(checkedWorld) });
    const results = await resultsOf(service, one, new Set<Effect>(['none']));
    const passed = results.filter(({ result }) => result === 'pass').map(({ id }) => factWithId(id as FactId));
    const about = passed.filter(({ area }) => ['discussions', 'notes', 'replies', 'resolving', 'positions', 'epics'].includes(area));
    const others = new Set([
      'threads.kinds', 'threads.commit-path', 'threads.commit-path-unknown', 'threads.commit-repository-path', 'threads.commit-sha',
      'notes.activity-filter-invalid', 'positions.refs', 'epics.since', 'epics.tiers', 'epics.unknown-parent',
    ]);
    expect(about.map(({ id }) => id).filter((id) => !others.has(id))).toEqual([]);
    await service.close();
  });

  it('the area of epics has every fact whose check looks at an epic', async () => {
    const one = { dialect: 'live', serviceVersion: newest, tier: 'ultimate', as: 'super' } as const;
    const service = await testService(optionsOf(one));
    const missing: string[] = [];
    const probe = await probeOf(service, one.dialect, one.as);
    let paths: string[] = [];
    const call: typeof probe.call = (method, path, sent) => { paths.push(path); return probe.call(method, path, sent); };
    const given = withShapes({
      probe: { ...probe, call }, writable: probe.objects, effects: allEffects, version: newest, tier: one.tier, isChosen: () => true,
    });
    for (const fact of checkedFacts(given)) {
      paths = [];
      await checkFact(fact, given);
      if (paths.some((path) => path.includes('/epics')) && !areasChecked(fact).includes('epics')) missing.push(fact.id);
    }
    expect(missing).toEqual([]);
    expect(areasChecked(factWithId('errors.feature'))).toEqual(['epics']);
    await service.close();
  });

  it('every fact with a check was checked', () => {
    const known = new Set(dialects.flatMap((dialect) =>
      checkedFacts({ probe: { dialect } as never, isChosen: () => true }).map(({ id }) => id)));
    // On PostgreSQL, only the newest version is asked.
    if (onPostgres) expect(passed.size).toBeGreaterThan(known.size / 2);
    else expect([...known].filter((id) => !passed.has(id))).toEqual([]);
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
