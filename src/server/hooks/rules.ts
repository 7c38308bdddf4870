import { canonicalHost, isLoopback } from '../../wire/loopback.js';

/** What handlers must know of deliveries. */
export interface HookRules {
  /** ISO 8601; null if the webhook is not paused. */
  pausedUntil(hook: number): string | null;
  readonly mayReach: HostRule;
}

/** By its name alone: addresses that a name resolves to are checked with each delivery. */
type HostRule = (url: URL) => boolean;

/** @param allowed hosts besides loopback ones */
export const createHostRule = (allowed: readonly string[] = []): HostRule => {
  const names = new Set(allowed.map(canonicalHost));
  return ({ hostname }) => isLoopback(hostname) || names.has(canonicalHost(hostname));
};

/** Null for an address that no delivery can be sent to. */
export const hookAddress = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && text.length <= longestAddress ? url : null;
};

const longestAddress = 2_048;
