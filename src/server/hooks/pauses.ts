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
