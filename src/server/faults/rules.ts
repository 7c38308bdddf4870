import { hash } from 'node:crypto';
import type { Handler, HttpResponse } from '../../wire/http.js';
import type { ApiRequest } from '../api/request.js';
import type { HookDelivery, HookFault } from '../hooks/events.js';
import { createStale, type FaultContext } from './actions.js';
import { closedIfStopped, FaultError, type FaultRule } from './file.js';
import { hookMethod, type ReadyHookRule, readyRule, type ReadyRule, type UserOf } from './rule.js';
import {
  createRequestIndex, createRuleIndex, hasUsers, type Indexed, operationParts, type RuleIndex, rulesFor,
} from './targets.js';

export interface ActiveFaults {
  /** The first rule that applies decides. */
  readonly handle: (request: ApiRequest, handler: Handler<ApiRequest>) => Promise<HttpResponse>;
  readonly ofHook: (delivery: HookDelivery) => HookFault | null;
  /** For a write that was no request of the API. */
  readonly countWrite: () => void;
  readonly rules: () => readonly CountedRule[];
}

/** A rule, and how often it was applied. */
export interface CountedRule extends FaultRule {
  /** The number of requests or deliveries that got the fault. */
  readonly hits: number;
}

interface Counts extends Indexed {
  readonly probability: number;
  readonly times: number;
  readonly skip: number;
  hits: number;
  seen: number;
}

type CountedRequestRule = ReadyRule & Counts;
type CountedHookRule = ReadyHookRule & Counts;

const maxOccurrences = 100_000;

/** @param seed decides which requests rules with a probability apply to @throws FaultError */
export const activeFaults = (
  given: unknown, seed: number, options: Pick<FaultContext, 'now' | 'delays'> & { readonly userOf: UserOf },
): ActiveFaults => {
  if (!Array.isArray(given)) throw new FaultError('the fault rules are not a list', 'use {"rules":[{"on":…,"do":…}]}');
  const rules = given.map((text, number): CountedRequestRule | CountedHookRule => {
    const ready = readyRule(text, number + 1);
    const { probability = 1, times = Infinity, skip = 0, user } = ready.rule;
    return { ...ready, number, user, probability, times, skip, hits: 0, seen: 0 };
  });
  const possible = rules.filter(({ probability }) => probability > 0);
  const ofRequests = createRequestIndex(possible.filter((one): one is CountedRequestRule => 'matches' in one));
  const ofHooks = createRuleIndex(possible.filter((one): one is CountedHookRule => 'fault' in one));
  const remembersReads = rules.some(isStale);
  const occurrences = createOccurrences();
  const stale = createStale();

  const firstOf = <T extends CountedRequestRule | CountedHookRule>(
    candidates: Iterable<T>, named: CountedRequest, matches: (one: T) => boolean,
  ): { readonly one: T; readonly draw: Draw } | null => {
    const countOf = occurrences(named);
    for (const one of candidates) {
      if (!matches(one)) continue;
      const draw = drawing(seed, one.number, named, one.draws ? countOf(one.number) : 0);
      if (applies(one, draw)) return { one, draw };
    }
    return null;
  };

  const handle: ActiveFaults['handle'] = async (request, handler) => {
    const next = remembersReads ? stale.remembering(handler) : handler;
    const found = ofRequests.find(request);
    // To wait for what is known takes longer than to apply most rules.
    const groups = found instanceof Promise ? await found : found;
    const user = groups.some(hasUsers) ? await options.userOf(request) : null;
    const first = firstOf(rulesFor(groups, user), request, ({ matches }) => matches(request));
    if (!first) return next(request);
    const { one, draw } = first;
    // At once: another request could meet a rule that is over.
    if (!isStale(one) || stale.before(request)) countHit(ofRequests, one);
    // The log has them of a request that the API does not see, too.
    request.trace.operation = (await operationParts(request)).join('.') || null;
    request.trace.user = user ?? await options.userOf(request);
    return one.action(request, next, { ...options, stale, draw: () => draw('value') }).catch(closedIfStopped);
  };
  const ofHook: ActiveFaults['ofHook'] = ({ event, user, body }) => {
    const candidates = rulesFor(ofHooks.find([hookMethod], [event]), user);
    const first = firstOf(candidates, { method: hookMethod, path: event }, ({ rule }) =>
      rule.body === undefined || body.includes(rule.body));
    if (!first) return null;
    countHit(ofHooks, first.one);
    return first.one.fault;
  };
  return {
    handle, ofHook, countWrite: stale.countWrite,
    rules: () => rules.map(({ rule, hits }) => ({ ...rule, hits })),
  };
};

const isStale = ({ rule }: { readonly rule: FaultRule }): boolean => rule.do.trim() === 'stale';

const countHit = <T extends Counts>({ remove }: Pick<RuleIndex<T>, 'remove'>, one: T): void => {
  if (++one.hits >= one.times) remove(one);
};

/**
 * Counts the requests of a method and path by rule, from 1. Counts of paths that were not requested lately are dropped,
 * many at a time: to find the oldest one of 100,000 takes longer than the request.
 */
const createOccurrences = () => {
  let [recent, former] = [new Map<string, Map<number, number>>(), new Map<string, Map<number, number>>()];
  let total = 0;
  const countsOf = ({ method, path }: CountedRequest): Map<number, number> => {
    const key = hash('sha256', `${method} ${path}`, 'base64');
    const known = recent.get(key);
    if (known) return known;
    const counts = former.get(key) ?? new Map<number, number>();
    recent.set(key, counts);
    total += counts.size;
    return counts;
  };
  return (named: CountedRequest) => {
    let counts: Map<number, number> | undefined;
    return (rule: number): number => {
      counts ??= countsOf(named);
      const count = (counts.get(rule) ?? 0) + 1;
      counts.set(rule, count);
      if (count === 1) total++;
      if (total > maxOccurrences / 2) [recent, former, total] = [new Map(), recent, 0];
      return count;
    };
  };
};

type CountedRequest = Pick<ApiRequest, 'method' | 'path'>;

type Draw = (use: string) => number;

/** The numbers do not depend on other requests, so that concurrent requests can be replayed. */
const drawing = (seed: number, rule: number, { method, path }: CountedRequest, count: number): Draw => (use) => {
  // Node makes a buffer in twice the time of a hexadecimal text.
  const digest = hash('sha256', `${seed} ${rule} ${use} ${count} ${method} ${path}`, 'hex');
  return Number.parseInt(digest.slice(0, 12), 16) / 2 ** 48;
};

const applies = (one: Counts, draw: Draw): boolean =>
  (one.skip === 0 || ++one.seen > one.skip) && (one.probability === 1 || draw('chance') < one.probability);
