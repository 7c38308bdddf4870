import { canonicalHost, isLoopback } from '../../wire/http.js';

export interface HookRules {
  pausedUntil(hook: number): string | null;
  readonly mayReach: HostRule;
}

/** Only the name counts, which says nothing about the address: that is checked with each delivery. */
type HostRule = (url: URL) => boolean;

export const createHostRules = (allowed: readonly string[] = []) => {
  const names = new Set(allowed.map(canonicalHost));
  /** The operator of the server trusts the host, whatever its address. */
  const isAllowed: HostRule = ({ hostname }) => names.has(canonicalHost(hostname));
  const mayReach: HostRule = (url) => isAllowed(url) || isLoopback(url.hostname);
  return { isAllowed, mayReach };
};

/** Every delivery has it. The owner of a webhook cannot remove it, so the control plane recognizes deliveries by it. */
export const eventHeader = 'X-Gitlab-Event';

export const hookAddress = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && text.length <= longestAddress ? url : null;
};

const longestAddress = 2_048;

const failuresBefore = 4;
const [shortest, longest] = [60_000, 86_400_000];

/** A webhook that failed several times in a row is paused (behavior: hooks.paused). */
export const createPauses = (now: () => Date) => {
  const failures = new Map<number, number>();
  const ends = new Map<number, number>();
  return {
    count: (hook: number, succeeded: boolean): void => {
      const count = succeeded ? 0 : (failures.get(hook) ?? 0) + 1;
      failures.set(hook, count);
      if (count < failuresBefore) ends.delete(hook);
      else ends.set(hook, now().getTime() + Math.min(shortest * 2 ** Math.min(count - failuresBefore, 20), longest));
    },
    until: (hook: number): string | null => {
      const end = ends.get(hook);
      return end !== undefined && end > now().getTime() ? new Date(end).toISOString() : null;
    },
    clear: (): void => {
      failures.clear();
      ends.clear();
    },
  };
};
