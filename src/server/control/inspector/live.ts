import { sleep } from '../../../wire/timers.js';
import type { Operations } from '../operations.js';
import { requestRows } from './views/requests.js';
import type { ViewContext } from './views/view.js';

/** In milliseconds: how often it looks for what no request tells, such as a reset, and at most for requests. */
const pauses = { quiet: 1_000, busy: 100 };

/** The page keeps no more. */
const most = 200;

/**
 * Server-sent events: `requests` with the rows of new ones, oldest first, `reset` when the log was cleared, `changed`
 * for anything else. Costs nothing while nobody listens.
 */
export async function* liveEvents(
  operations: Operations, context: ViewContext, signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { log } = operations;
  let last = log.lastId();
  let before = pulseOf(operations);
  yield ': connected\n\n';
  while (!signal.aborted) {
    await log.next(() => true, pauses.quiet, signal);
    await sleep(pauses.busy, signal).catch(() => undefined);
    if (signal.aborted || log.isClosed()) return;
    const isReset = last !== null && !log.has(last);
    const found = last === log.lastId() || isReset ? [] : log.latest(most, last);
    last = log.lastId();
    const pulse = pulseOf(operations);
    if (isReset) yield event('reset');
    else if (found.length > 0) yield event('requests', (await requestRows(found, context)).markup);
    else if (pulse !== before) yield event('changed');
    before = pulse;
  }
}

const event = (name: string, data: unknown = null): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Changes with what requests do not show. */
const pulseOf = ({ faults, hooks, clock }: Operations): string => JSON.stringify([
  faults.state().rules.map(({ on, hits }) => [on, hits]), hooks.all().at(-1)?.id ?? null,
  clock.state().frozen && clock.state().now,
]);
