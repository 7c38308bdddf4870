import { hash } from 'node:crypto';
import type { Handler, HttpResponse } from '../../wire/http.js';
import type { ApiRequest } from '../api/parameters.js';
import type { HookDelivery, HookFault } from '../hooks/events.js';
import { closed, type Surroundings } from './actions.js';
import { FaultError, FaultStopped } from './error.js';
import { readyRule, type FaultRule, type ReadyHookRule, type ReadyRule, type UserOf } from './rule.js';
import { createStale } from './stale.js';

export interface ActiveFaults {
  /** The first rule that applies decides. */
  readonly handle: (request: ApiRequest, handler: Handler<ApiRequest>) => Promise<HttpResponse>;
  /** Null if no rule about webhooks applies. */
  readonly ofHook: (delivery: HookDelivery) => HookFault | null;
  /** With the number of requests that each was applied to. */
  readonly rules: () => readonly CountedRule[];
}

/** A rule, and how often it was applied. */
export interface CountedRule extends FaultRule {
  /** The number of requests or deliveries that got the fault. */
  readonly hits: number;
}

interface FaultsOptions extends Pick<Surroundings, 'now' | 'delays'> { readonly userOf: UserOf }

interface Counts {
  hits: number;
  /** Requests that it matched. */
  seen: number;
}

type Counted = (ReadyRule | ReadyHookRule) & Counts;

/** Methods and paths that all rules together count. */
const maxOccurrences = 100_000;

/** @param seed decides which requests rules with a probability apply to @throws FaultError */
export const activeFaults = (given: unknown, seed: number, options: FaultsOptions): ActiveFaults => {
  if (!Array.isArray(given)) throw new FaultError('the fault rules are not a list', 'use {"rules":[{"on":…,"do":…}]}');
  const rules = given.map((rule, i): Counted =>
    ({ ...readyRule(rule, i + 1, options.userOf), hits: 0, seen: 0 }));
  const occurrence = occurrences();
  const stale = createStale();
  const remembersReads = rules.some(({ rule }) => rule.do.trim() === 'stale');

  const handle: ActiveFaults['handle'] = async (request, handler) => {
    const next = remembersReads ? stale.remembering(handler) : handler;
    for (const [number, one] of rules.entries()) {
      if (!('matches' in one) || !await one.matches(request)) continue;
      const draw = drawing(seed, number, request, occurrence(number, request));
      if (!applies(one, draw)) continue;
      one.hits++;
      return one.action(request, next, { ...options, stale, draw: () => draw('value') }).catch(closedIfStopped);
    }
    return next(request);
  };
  const ofHook: ActiveFaults['ofHook'] = (delivery) => {
    const named = { method: 'hook', path: delivery.event };
    for (const [number, one] of rules.entries()) {
      if (!('matchesHook' in one) || !one.matchesHook(delivery)) continue;
      if (!applies(one, drawing(seed, number, named, occurrence(number, named)))) continue;
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

/** By method and path, from 1. */
const occurrences = () => {
  const counts = new Map<string, number>();
  return (rule: number, { method, path }: Named): number => {
    const key = hash('sha256', `${rule} ${method} ${path}`, 'base64');
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    if (counts.size > maxOccurrences) counts.delete(counts.keys().next().value!);
    return count;
  };
};

type Named = Pick<ApiRequest, 'method' | 'path'>;

type Draw = (use: string) => number;

/** Numbers from 0 to 1 that do not depend on other requests, so that concurrent requests can be replayed. */
const drawing = (seed: number, rule: number, { method, path }: Named, count: number): Draw => (use) =>
  hash('sha256', `${seed} ${rule} ${use} ${count} ${method} ${path}`, 'buffer').readUIntBE(0, 6) / 2 ** 48;

const applies = (one: Pick<Counted, 'rule' | keyof Counts>, draw: Draw): boolean => {
  const { probability = 1, times = Infinity, skip = 0 } = one.rule;
  return ++one.seen > skip && one.hits < times && (probability === 1 || draw('chance') < probability);
};
