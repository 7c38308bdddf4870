import type { Sleep } from '../http/latency.js';
import { createDelays, type Delays } from './delays.js';
import { FaultError } from './error.js';
import type { FaultRule, UserOf } from './rule.js';
import type { ActiveFaults, CountedRule } from './rules.js';

export { FaultError } from './error.js';
export type { FaultRule } from './rule.js';
export type { CountedRule } from './rules.js';

/** The rules in use with their hits, and the seed of their draws. */
export interface FaultState {
  /** Decides which requests rules with a probability apply to: the same seed, the same requests. */
  readonly seed: number;
  /** The rules in their order; the first one that applies to a request decides. */
  readonly rules: readonly CountedRule[];
}

export interface Faults extends Pick<Delays, 'drop' | 'close'> {
  /** Null without rules. */
  active: ActiveFaults | null;
  /**
   * @param rules objects, or strings such as `* => status 500 p=0.3 times=2 skip=1`
   * @param seed for rules with a probability; default: that of the start @throws FaultError, and keeps the rules
   */
  set(rules: unknown, seed?: number): Promise<void>;
  state(): FaultState;
  /** The rules of the start, with no hits; drops late changes and delayed requests. */
  reset(): Promise<void>;
  /** `reset` restores these. */
  startWith(rules: readonly (string | FaultRule)[], seed?: number): Promise<void>;
}

interface FaultSurroundings {
  readonly now: () => Date;
  readonly sleep: Sleep;
  readonly userOf: UserOf;
  /** For unexpected errors of late changes, which no response reports. */
  readonly onLateError: (error: unknown) => void;
}

/** The same faults in every run. */
const defaultSeed = 0;

/** The code that parses and applies rules is loaded with the first ones. */
export const createFaults = ({ now, sleep, userOf, onLateError }: FaultSurroundings): Faults => {
  let first: { readonly rules: unknown; readonly seed: number } = { rules: [], seed: defaultSeed };
  let seed = defaultSeed;
  const delays = createDelays(sleep, onLateError);
  const faults: Faults = {
    active: null,
    set: async (rules, newSeed = first.seed) => {
      if (!Number.isSafeInteger(newSeed) || newSeed < 0) {
        throw new FaultError('the seed of the faults is invalid', 'use a whole number from 0');
      }
      const isNone = Array.isArray(rules) && rules.length === 0;
      faults.active = isNone ? null
        : (await import('./rules.js')).activeFaults(rules, newSeed, { now, delays, userOf });
      seed = newSeed;
    },
    state: () => ({ seed, rules: faults.active?.rules() ?? [] }),
    reset: async () => {
      await delays.drop();
      await faults.set(first.rules, first.seed);
    },
    drop: delays.drop,
    close: delays.close,
    startWith: (rules, newSeed = defaultSeed) => {
      first = { rules, seed: newSeed };
      return faults.set(rules, newSeed);
    },
  };
  return faults;
};
