import { start } from './service.js';

interface Timer { readonly at: number; readonly end: () => void }

/** A clock that a program and a service share. It advances only while the program sleeps, or with `advance`. */
export const simulatedTime = () => {
  let now = Date.parse(start);
  const timers = new Set<Timer>();

  const advance = async (milliseconds: number): Promise<void> => {
    const end = now + milliseconds;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (!next) break;
      now = Math.max(now, next.at);
      timers.delete(next);
      next.end();
      await settled();
    }
    now = end;
  };

  return {
    now: () => new Date(now),
    advance,
    /** The timer of the service. */
    sleep: (milliseconds: number, signal?: AbortSignal) => new Promise<void>((resolve) => {
      const timer = { at: now + milliseconds, end: resolve };
      timers.add(timer);
      signal?.addEventListener('abort', () => { timers.delete(timer); resolve(); }, { once: true });
    }),
  };
};

export type SimulatedTime = ReturnType<typeof simulatedTime>;

/** Lets the service finish what a timer started. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => { setImmediate(resolve); });
};
