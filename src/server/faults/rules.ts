import { hash } from 'node:crypto';
import type { Handler, HttpResponse } from '../../wire/http.js';
import type { ApiRequest } from '../api/request.js';
import type { HookDelivery, HookFault } from '../hooks/events.js';
import { closed, createStale, type FaultContext } from './actions.js';
import { FaultError, type FaultRule, FaultStopped } from './file.js';
import { type ReadyHookRule, readyRule, type ReadyRule, type UserOf } from './rule.js';
import { once } from './targets.js';

export interface ActiveFaults {
  /** The first rule that applies decides. */
  readonly handle: (request: ApiRequest, handler: Handler<ApiRequest>) => Promise<HttpResponse>;
  readonly ofHook: (delivery: HookDelivery) => HookFault | null;
  readonly rules: () => readonly CountedRule[];
}

/** A rule, and how often it was applied. */
export interface CountedRule extends FaultRule {
  /** The number of requests or deliveries that got the fault. */
  readonly hits: number;
}

interface FaultsOptions extends Pick<FaultContext, 'now' | 'delays'> { readonly userOf: UserOf }

interface Counts {
  readonly number: number;
  readonly probability: number;
  readonly times: number;
  readonly skip: number;
  hits: number;
  seen: number;
}

type Counted = (ReadyRule | ReadyHookRule) & Counts;

const maxOccurrences = 100_000;

/** @param seed decides which requests rules with a probability apply to @throws FaultError */
export const activeFaults = (given: unknown, seed: number, options: FaultsOptions): ActiveFaults => {
  if (!Array.isArray(given)) throw new FaultError('the fault rules are not a list', 'use {"rules":[{"on":…,"do":…}]}');
  const userOf = once(options.userOf);
  const rules = given.map((text, number): Counted => {
    const ready = readyRule(text, number + 1, userOf);
    const { probability = 1, times = Infinity, skip = 0 } = ready.rule;
    return { ...ready, number, probability, times, skip, hits: 0, seen: 0 };
  });
  const ofRequests = rules.filter((one): one is ReadyRule & Counts => 'matches' in one);
  const ofHooks = rules.filter((one): one is ReadyHookRule & Counts => 'matchesHook' in one);
  const occurrence = occurrences();
  const stale = createStale();
  const remembersReads = rules.some(({ rule }) => rule.do.trim() === 'stale');

  const handle: ActiveFaults['handle'] = async (request, handler) => {
    const next = remembersReads ? stale.remembering(handler) : handler;
    for (const one of ofRequests) {
      const matches = !isUsedUp(one) && one.matches(request);
      // To wait for what is known takes longer than to apply most rules.
      if (typeof matches === 'boolean' ? !matches : !await matches) continue;
      const draw = drawing(seed, one.number, request, one.draws ? occurrence(one.number, request) : 0);
      if (!applies(one, draw)) continue;
      one.hits++;
      return one.action(request, next, { ...options, stale, draw: () => draw('value') }).catch(closedIfStopped);
    }
    return next(request);
  };
  const ofHook: ActiveFaults['ofHook'] = (delivery) => {
    const named = { method: 'hook', path: delivery.event };
    for (const one of ofHooks) {
      if (isUsedUp(one) || !one.matchesHook(delivery)) continue;
      const draw = drawing(seed, one.number, named, one.draws ? occurrence(one.number, named) : 0);
      if (!applies(one, draw)) continue;
      one.hits++;
      return one.fault;
    }
    return null;
  };
  return { handle, ofHook, rules: () => rules.map(({ rule, hits }) => ({ ...rule, hits })) };
};

const closedIfStopped = (error: unknown): HttpResponse => {
  if (error instanceof FaultStopped) return closed;
  throw error;
};

/**
 * Counts the requests of a method and path by rule, from 1. Counts of paths that were not requested lately are dropped,
 * many at a time: to find the oldest one of 100,000 takes longer than the request.
 */
const occurrences = () => {
  let [recent, former] = [new Map<string, number[]>(), new Map<string, number[]>()];
  let total = 0;
  const countsOf = once(({ method, path }: CountedRequest): number[] => {
    const key = hash('sha256', `${method} ${path}`, 'base64');
    const known = recent.get(key);
    if (known) return known;
    const counts = former.get(key) ?? [];
    recent.set(key, counts);
    total += counts.length;
    return counts;
  });
  return (rule: number, named: CountedRequest): number => {
    const counts = countsOf(named);
    const count = (counts[rule] ?? 0) + 1;
    counts[rule] = count;
    if (count === 1) total++;
    if (total > maxOccurrences / 2) [recent, former, total] = [new Map(), recent, 0];
    return count;
  };
};

type CountedRequest = Pick<ApiRequest, 'method' | 'path'>;

type Draw = (use: string) => number;

/** The numbers do not depend on other requests, so that concurrent requests can be replayed. */
const drawing = (seed: number, rule: number, { method, path }: CountedRequest, count: number): Draw => (use) =>
  hash('sha256', `${seed} ${rule} ${use} ${count} ${method} ${path}`, 'buffer').readUIntBE(0, 6) / 2 ** 48;

const isUsedUp = ({ hits, times }: Counts): boolean => hits >= times;

const applies = (one: Counts, draw: Draw): boolean =>
  ++one.seen > one.skip && !isUsedUp(one) && (one.probability === 1 || draw('chance') < one.probability);
