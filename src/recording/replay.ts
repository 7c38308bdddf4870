import { isRead } from '../wire/http.js';
import { redactedMark } from '../wire/secrets/known.js';
import { nearestName } from '../text/messages.js';
import type { RecordedExchange } from './exchange.js';
import { createNames } from './replayed-names.js';
import { isKeyOf, requestKey, targetKey } from './request-key.js';

type RecordedRequest = RecordedExchange['request'];
type RecordedResponse = RecordedExchange['response'];

/** Answers requests as they were answered while they were recorded. */
interface Replay {
  /** The n-th response for the n-th request of its kind, the last one for further ones. Null if there is none. */
  answer(request: RecordedRequest): RecordedResponse | null;
  /** `METHOD target` of the recorded request that is most like another one; null if none is. */
  nearest(request: RecordedRequest): string | null;
  /** The exchanges that answered no request yet. */
  unused(): readonly RecordedExchange[];
  /** Begins again. */
  reset(): void;
}

interface Sequence {
  readonly key: string;
  readonly exchanges: RecordedExchange[];
  next: number;
}

/**
 * A client may use the real names of users where the recording has pseudonyms: any value of the same shape matches, and
 * responses have it from then on.
 */
export const createReplay = (exchanges: readonly RecordedExchange[]): Replay => {
  const sequences = new Map<string, Sequence>();
  for (const exchange of exchanges) {
    const key = requestKey(exchange.request);
    const known = sequences.get(key);
    if (known) known.exchanges.push(exchange);
    else sequences.set(key, { key, exchanges: [exchange], next: 0 });
  }
  const names = createNames(exchanges);
  const withNames = [...sequences.values()].filter(({ key }) => names.occurIn(key));

  const withMarks = [...sequences.values()].filter(({ key }) => key.includes(redactedMark));

  const find = (key: string): Sequence | undefined => {
    const recorded = names.recorded(key);
    return sequences.get(key) ?? sequences.get(recorded) ?? withNames.find((one) => names.match(one.key, key))
      ?? withMarks.find((one) => isKeyOf(one.key, recorded));
  };
  return {
    answer: (request) => {
      const found = find(requestKey(request));
      if (!found) return null;
      const { response } = found.exchanges[Math.min(found.next++, found.exchanges.length - 1)]!;
      return names.real(response);
    },
    nearest: (request) => {
      const key = requestKey(request);
      const known = [...sequences.values()];
      const target = targetKey(names.recorded(key));
      const near = known.find((one) => targetKey(one.key) === target)
        ?? bySimilarity(known, target, isRead(request) ? 'GET' : request.method);
      const { method, target: recorded } = near?.exchanges[0]?.request ?? {};
      return near ? `${method} ${recorded}` : null;
    },
    unused: () => [...sequences.values()].flatMap(({ exchanges: all, next }) => all.slice(next)),
    reset: () => {
      for (const sequence of sequences.values()) sequence.next = 0;
      names.forget();
    },
  };
};

const bySimilarity = (known: readonly Sequence[], target: string, method: string): Sequence | undefined => {
  const nearest = nearestName(target, known.map(({ key }) => targetKey(key)));
  if (nearest !== null) return known.find(({ key }) => targetKey(key) === nearest);
  const shared = (key: string): number => {
    let length = 0;
    while (length < target.length && target[length] === key[length]) length++;
    return length;
  };
  const best = known.toSorted((a, b) => shared(b.key) - shared(a.key))[0];
  return best && shared(best.key) > `${method} /api/v4/`.length ? best : undefined;
};
