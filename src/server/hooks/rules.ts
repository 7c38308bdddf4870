import { canonicalHost, isLoopback } from '../../wire/http.js';

/** What handlers must know of deliveries. */
export interface HookRules {
  /** ISO 8601; null if the webhook is not paused. */
  pausedUntil(hook: number): string | null;
  readonly mayReach: HostRule;
}

/** By its name alone, which says nothing about the address: that is checked with each delivery. */
type HostRule = (url: URL) => boolean;

interface HostRules {
  /** The operator of the server trusts it, whatever its address. */
  readonly isAllowed: HostRule;
  readonly mayReach: HostRule;
}

/** @param allowed hosts besides loopback ones */
export const createHostRules = (allowed: readonly string[] = []): HostRules => {
  const names = new Set(allowed.map(canonicalHost));
  const isAllowed: HostRule = ({ hostname }) => names.has(canonicalHost(hostname));
  return { isAllowed, mayReach: (url) => isAllowed(url) || isLoopback(url.hostname) };
};

/** In every delivery. The owner of a webhook cannot remove it, so the control plane knows deliveries by it. */
export const eventHeader = 'X-Gitlab-Event';

/** Null for an address that no delivery can be sent to. */
export const hookAddress = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && text.length <= longestAddress ? url : null;
};

const longestAddress = 2_048;

/** Of webhooks that failed several times in a row (behavior: hooks.paused). */
interface Pauses {
  count(hook: number, succeeded: boolean): void;
  /** ISO 8601; null if the webhook is not paused. */
  until(hook: number): string | null;
  clear(): void;
}

const failuresBefore = 4;
const [shortest, longest] = [60_000, 86_400_000];

export const createPauses = (now: () => Date): Pauses => {
  const failures = new Map<number, number>();
  const ends = new Map<number, number>();
  return {
    count: (hook, succeeded) => {
      const count = succeeded ? 0 : (failures.get(hook) ?? 0) + 1;
      failures.set(hook, count);
      if (count < failuresBefore) ends.delete(hook);
      else ends.set(hook, now().getTime() + Math.min(shortest * 2 ** Math.min(count - failuresBefore, 20), longest));
    },
    until: (hook) => {
      const end = ends.get(hook);
      return end !== undefined && end > now().getTime() ? new Date(end).toISOString() : null;
    },
    clear: () => {
      failures.clear();
      ends.clear();
    },
  };
};
