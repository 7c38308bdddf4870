import { type HttpResponse, isRead } from '../../wire/http.js';
import { anySignal } from '../../wire/time.js';
import type { ApiOptions } from '../api/api.js';
import { createAbortController } from '../http/delivery.js';
import type { Sleep } from '../http/middleware.js';
import type { Delays } from './actions.js';
import { closedIfStopped, FaultError, type FaultRule, FaultStopped, isSeed } from './file.js';
import type { UserOf } from './rule.js';
import type { ActiveFaults, CountedRule } from './rules.js';

/** The rules in use with their hits, and the seed of their draws. */
export interface FaultState {
  /** Decides which requests rules with a probability apply to: the same seed, the same requests. */
  readonly seed: number;
  /** The rules in their order; the first one that applies to a request decides. */
  readonly rules: readonly CountedRule[];
}

export type Faults = ReturnType<typeof createFaults>;

const defaultSeed = 0;

/** The code that parses and applies rules is loaded with the first ones. */
export const createFaults = (
  now: () => Date, sleep: Sleep, userOf: UserOf, onLateError: (error: unknown) => void,
) => {
  let first: { readonly rules: unknown; readonly seed: number } = { rules: [], seed: defaultSeed };
  let seed = defaultSeed;
  const delays = createDelays(sleep, onLateError);
  const faults = {
    active: null as ActiveFaults | null,
    /**
     * @param rules objects, or strings such as `* => status 500 p=0.3 times=2 skip=1`
     * @param newSeed for rules with a probability; default: that of the start @throws FaultError, and keeps the rules
     */
    set: async (rules: unknown, newSeed: number = first.seed): Promise<void> => {
      if (!isSeed(newSeed)) throw new FaultError('the seed of the faults is invalid', 'use a whole number from 0');
      const isNone = Array.isArray(rules) && rules.length === 0;
      faults.active = isNone ? null
        : (await import('./rules.js')).activeFaults(rules, newSeed, { now, delays, userOf });
      seed = newSeed;
    },
    state: (): FaultState => ({ seed, rules: faults.active?.rules() ?? [] }),
    /** Restores the rules of the start without hits, and drops late changes and delayed requests. */
    reset: async (): Promise<void> => {
      await delays.drop();
      await faults.set(first.rules, first.seed);
    },
    /** The response to a request whose delay `drop` or `reset` ended; else null. */
    delay: (milliseconds: number, signal?: AbortSignal): Promise<HttpResponse | null> =>
      delays.wait(milliseconds, signal).then(() => null, closedIfStopped),
    drop: delays.drop,
    close: delays.close,
    startWith: (rules: readonly (string | FaultRule)[], newSeed: number = defaultSeed): Promise<void> => {
      first = { rules, seed: newSeed };
      return faults.set(rules, newSeed);
    },
  };
  return faults;
};

/** @param onLateError receives unexpected errors of late changes, which no response reports */
const createDelays = (
  sleep: Sleep, onLateError: (error: unknown) => void,
): Delays & { readonly drop: () => Promise<void>; readonly close: () => Promise<void> } => {
  let stopping = createAbortController();
  const running = new Set<Promise<unknown>>();

  const delay = async (milliseconds: number, request?: AbortSignal): Promise<AbortSignal> => {
    const { signal } = stopping;
    if (!signal.aborted) await sleep(milliseconds, anySignal(signal, request)).catch(() => undefined);
    return signal;
  };
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    const change = work().catch(onLateError);
    running.add(change);
    await change;
    running.delete(change);
  };
  const waitForChanges = async (): Promise<void> => { await Promise.all(running); };

  return {
    wait: async (milliseconds, request) => {
      const { reason } = await delay(milliseconds, request);
      if (reason instanceof FaultStopped) throw reason;
    },
    later: (milliseconds, work) => {
      void delay(milliseconds).then(({ aborted }) => aborted ? undefined : run(work));
    },
    /** Closes connections of delayed requests. Resolves when the late changes that have begun are stored. */
    drop: () => {
      const isClosed = stopping.signal.aborted;
      stopping.abort(new FaultStopped());
      if (!isClosed) stopping = createAbortController();
      return waitForChanges();
    },
    close: () => {
      stopping.abort();
      return waitForChanges();
    },
  };
};

/** As the API does, a token of a kind that it does not accept counts as not given. */
export const userLookup = (
  options: Pick<ApiOptions, 'database' | 'worldCache' | 'now' | 'acceptTokens'>,
): UserOf => ({ method, headers, parameters }) => options.database.read(async (queries) => {
  const given = await parameters.all().catch(() => ({}));
  const credentials = { headers, given, reads: isRead({ method }) };
  const { authenticate } = await import('../api/request.js');
  const { caller } = await authenticate(await options.worldCache.of(queries), credentials, options);
  return caller.username;
}).catch(() => null);
