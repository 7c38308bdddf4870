import { describe, expect, it } from 'vitest';
import { Skipped, type Checks, type Got, type Probe } from '../../src/conformance/check.js';
import { factWithId, type FactId } from '../../src/contract/behavior/behavior.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import { hasSince, type Tier } from '../../src/contract/conventions.js';
import { openService } from '../../src/server/index.js';
import { advancingClock, checkedWorld, jsonOf, probeOf, versions, type Person } from './conformance.js';

/** A difference of a service: another response than ours. */
type Change = (got: Got) => Partial<Got>;

export const asText = (json: unknown): Partial<Got> => ({ json, text: JSON.stringify(json) });

export const withoutHeader = (name: string): Change => ({ headers }) =>
  ({ headers: Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name)) });

export const header = (name: string, value: string): Change => ({ headers }) =>
  name in headers ? { headers: { ...headers, [name]: value } } : {};

export const replaced = (from: string | RegExp, to: string): Change => ({ text }) => {
  const next = text.replaceAll(from, to);
  return next === text ? {} : { text: next, json: jsonOf(next) };
};

export const status = (from: number, to: number): Change => (got) => got.status === from ? { status: to } : {};

/** Another run, so that nothing is known of the unchanged service. */
const changed = (probe: Probe, change: Change): Probe => ({ ...probe, objects: { ...probe.objects }, call: async (...words) => {
  const got = await probe.call(...words);
  return { ...got, ...change(got) };
} });

interface Place { readonly dialect: Dialect; readonly as: Person; readonly tier: Tier; readonly serviceVersion: string }

/** So many that no check reaches it. */
const rateLimit = 1_000_000;

/** Where facts are checked: each in the first of these where it can be. */
const places: readonly Place[] = [...versions].reverse().flatMap((serviceVersion) => (['document', 'live'] as const).flatMap((dialect) => [
  { dialect, as: 'super', tier: 'ultimate', serviceVersion }, { dialect, as: 'bob', tier: 'ultimate', serviceVersion },
  { dialect, as: 'root', tier: 'ultimate', serviceVersion }, { dialect, as: 'gus', tier: 'ultimate', serviceVersion },
  { dialect, as: 'bob', tier: 'free', serviceVersion },
]));

const holdsIn = ({ dialect, serviceVersion }: Place, id: FactId): boolean => {
  const { dialects, from, to } = factWithId(id);
  return dialects.includes(dialect) && hasSince(serviceVersion, from ?? undefined) && (to === null || !hasSince(serviceVersion, to));
};

type Outcome = 'passes' | 'fails' | 'is skipped';

const outcomeOf = (checks: Checks, id: FactId, probe: Probe): Promise<Outcome> => checks[id]!.run(probe).then(
  () => 'passes' as const, (error: unknown) => error instanceof Skipped ? 'is skipped' : 'fails');

/** The outcomes of facts on a service that is changed, where they pass without the change. */
const outcomes = async (checks: Checks, ids: readonly FactId[], change: Change): Promise<Record<string, Outcome>> => {
  const found: Record<string, Outcome> = {};
  for (const place of places) {
    const left = ids.filter((id) => !(id in found) && holdsIn(place, id));
    if (left.length === 0) continue;
    const { dialect, as, ...options } = place;
    const service = await openService({ world: checkedWorld, dialect, ...options, rateLimit, now: advancingClock() });
    const probe = await probeOf(service, dialect, as);
    for (const id of left) {
      if (await outcomeOf(checks, id, probe) === 'passes') found[id] = await outcomeOf(checks, id, changed(probe, change));
    }
    await service.close();
  }
  return found;
};

/** What paths and positions are made of stays, so that a check gets to its comparison. */
const isName = (key: string): boolean => /(^|_)(id|iid|sha|ids|diff|path|line)$|^(refs|diffs|path_with_namespace)$/.test(key);

const altered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(altered).reverse();
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, isName(key) ? one : altered(one)]));
  }
  return typeof value === 'string' ? `${value}.` : typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : '.';
};

const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [isName(key) || key === 'notes' ? key : `${key}_`, renamed(one)]));
};

const inJson = (work: (value: unknown) => unknown): Change => ({ json }) => json === undefined || json === null ? {} : asText(work(json));

/** Changes of all that a response says, apart from its status. */
const distortions: readonly Change[] = [
  inJson(altered), inJson(renamed),
  ({ headers }) => ({ headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}0`])) }),
  () => ({ headers: {} }),
];

const otherThings: Change = () => ({ status: 299, headers: {}, text: '', json: undefined });

/**
 * Tests that each planted difference is found, and named by its facts, and that every check finds some difference. Only
 * the facts about the status of a response may pass where all else differs.
 */
export const findDifferences = (
  checks: Checks, planted: readonly (readonly [name: string, change: Change, facts: readonly FactId[]])[],
  aboutStatus: readonly FactId[] = [],
): void => {
  const ids = Object.keys(checks) as FactId[];

  describe('the checks on a service that differs', () => {
    it.each(planted)('find %s', async (_, change, facts) => {
      expect(await outcomes(checks, facts, change)).toEqual(Object.fromEntries(facts.map((id) => [id, 'fails'])));
    });

    it('can all fail', async () => {
      const found = await outcomes(checks, ids, otherThings);
      expect(ids.filter((id) => found[id] !== 'fails')).toEqual([]);
    });

    it('look at more than the status, apart from those that are about it', async () => {
      const failing = new Set(planted.flatMap(([, , facts]) => facts));
      for (const change of distortions) {
        const found = await outcomes(checks, ids.filter((id) => !failing.has(id)), change);
        for (const [id, one] of Object.entries(found)) if (one === 'fails') failing.add(id as FactId);
      }
      expect(ids.filter((id) => !failing.has(id)).sort()).toEqual([...aboutStatus].sort());
    });
  });
};
