import { canonicalHost, isLoopback } from '../../wire/http.js';

export interface HookRules {
  pausedUntil(hook: number): string | null;
  readonly mayReach: HostRule;
}

/** Only the name counts, which says nothing about the address: that is checked with each delivery. */
type HostRule = (url: URL) => boolean;

interface HostRules {
  /** The operator of the server trusts the host, whatever its address. */
  readonly isAllowed: HostRule;
  readonly mayReach: HostRule;
}

export const createHostRules = (allowed: readonly string[] = []): HostRules => {
  const names = new Set(allowed.map(canonicalHost));
  const isAllowed: HostRule = ({ hostname }) => names.has(canonicalHost(hostname));
  return { isAllowed, mayReach: (url) => isAllowed(url) || isLoopback(url.hostname) };
};

/** Every delivery has it. The owner of a webhook cannot remove it, so the control plane recognizes deliveries by it. */
export const eventHeader = 'X-Gitlab-Event';

export const hookAddress = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) && text.length <= longestAddress ? url : null;
};

const longestAddress = 2_048;

/** A webhook that failed several times in a row is paused (behavior: hooks.paused). */
interface Pauses {
  count(hook: number, succeeded: boolean): void;
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
