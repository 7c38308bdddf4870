import type { ClockChange, ClockState } from '../clock.js';
import type { FaultRule, FaultState } from '../faults/faults.js';
import type { PushChange, PushResult } from '../handlers/pushes/push.js';
import type { LoggedExchange } from '../http/request-log.js';
import type { World } from '../world-file/schema.js';
import { type TokensByUser, worldOf } from '../world-file/fill.js';
import type { Delivery } from '../hooks/deliveries.js';
import type { DeliveryQuery } from './hooks.js';
import type { Operations } from './operations.js';
import type { RequestQuery } from './request-log/find.js';

/** Of the start world, or of another one. */
export interface DataControls {
  /** The base URL of links, without a trailing slash. */
  readonly url: string;
  /** A token of each user whose token is known: the world names it, and the store was filled with it. By username. */
  readonly tokens: TokensByUser;
  /** Deletes all data, restores the start world, the clock and the faults, and clears the log of requests. */
  reset(): Promise<void>;
  /** Oldest first, without secrets. With `timeout`, waits for one if there is none yet. @throws TypeError */
  requests(query?: RequestQuery): Promise<readonly LoggedExchange[]>;
  /**
   * Finished deliveries of webhooks, oldest first, without secrets. With `timeout`, waits for one if there is none yet.
   * @throws TypeError for an invalid query
   */
  deliveries(query?: DeliveryQuery): Promise<readonly Delivery[]>;
  /** The current data as a world. */
  world(): Promise<World>;
  /** Adds a version to a merge request: threads move with their lines, or become outdated. @throws OperationError */
  push(change: PushChange): Promise<PushResult>;
  /** Takes a snapshot of the data, or replaces the one with this name. @throws OperationError, even on PostgreSQL */
  snapshot(name: string): Promise<void>;
  /** Replaces all data with a snapshot. @throws OperationError if there is none */
  restore(name: string): Promise<void>;
  /** Replaces the fault rules; without rules, only returns those in use with their hits. @throws FaultError */
  faults(rules?: readonly (string | FaultRule)[], seed?: number): Promise<FaultState>;
  /** Sets or advances the clock and freezes it; without a change, only returns its time. @throws ClockError */
  clock(change?: ClockChange): Promise<ClockState>;
}

/** What code can do with the data of a world. @param operations throws if the world is closed */
export const dataControls = (operations: () => Operations) => ({
  reset: async () => operations().reset(),
  world: async () => operations().world(),
  push: async (change) => operations().push(change),
  requests: async (query) => operations().requests(query),
  deliveries: async (query = {}) => (await import('./hooks.js')).findDeliveries(operations().hooks, query),
  snapshot: async (name) => operations().snapshots.take(name),
  restore: async (name) => operations().snapshots.restore(name),
  faults: async (rules?: readonly (string | FaultRule)[], seed?: number) => {
    const { faults } = operations();
    if (rules) await faults.set(rules, seed);
    return faults.state();
  },
  clock: async (change?: ClockChange) => {
    const { clock } = operations();
    if (change) clock.change(change);
    return clock.state();
  },
} satisfies Omit<DataControls, 'url' | 'tokens'>);

/** Replaces all data. @throws WorldError */
export const setWorldWith = (operations: () => Operations) => async (given: World | string): Promise<void> => {
  const { setWorld } = operations();
  await setWorld(await worldOf(given));
};
