import { type HttpRequest, type HttpResponse, isRead, splitTarget } from '../wire/http.js';
import { isObject, jsonOrNull } from '../wire/json.js';
import { mentionsSecret } from '../wire/secrets/names.js';
import { recordedBytes, recordedBody, type RecordedBody, type RecordedExchange } from './exchange.js';
import { wordsPattern } from './replay.js';

interface Destination {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  /** The user in the place of a recorded one. @throws Error if there is none */
  readonly userFor: (
    recorded: NonNullable<RecordedExchange['user']>,
  ) => { readonly username: string; readonly token: string };
}

/**
 * Sends the requests of a recording again, one after another, and returns them with the responses of now. What was
 * created has another id now: later requests name that one.
 */
export const resendRequests = async (
  exchanges: readonly RecordedExchange[], { send, userFor }: Destination,
): Promise<RecordedExchange[]> => {
  const ids = createIds();
  const callers = exchanges.map(({ user }) => user && userFor(user));
  const change = renaming(new Map(exchanges.flatMap(({ user }, i) =>
    user ? [[user.username, callers[i]!.username]] : [])));
  const done: RecordedExchange[] = [];
  for (const [i, exchange] of exchanges.entries()) {
    const { request, response } = exchange;
    const caller = callers[i];
    const headers = { ...sentHeaders(request.headers, change), ...caller && { 'private-token': caller.token } };
    const body = typeof request.body === 'string' ? change(request.body) : recordedBytes(request.body);
    const target = ids.current(change(caller ? withoutTokens(request.target) : request.target));
    const answer = await send({ method: request.method, target, headers, ...body.length > 0 && { body } });
    const now = { status: answer.status, headers: answer.headers, body: recordedBody(answer.body) };
    if (!isRead(request)) ids.learn(request.target, response.body, now.body);
    done.push({ ...exchange, response: now });
  }
  return done;
};

/** Conditions of caches depend on the values of then. */
const sentHeaders = (headers: HttpRequest['headers'], change: (text: string) => string): Record<string, string> =>
  Object.fromEntries(['content-type', 'accept', 'sudo'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, change(headers[name])]]));

const withoutTokens = (target: string): string => {
  const [path, query] = splitTarget(target);
  const pairs = query.split('&').filter((pair) => !mentionsSecret(pair.split('=', 1)[0]!)).join('&');
  return pairs === '' ? path : `${path}?${pairs}`;
};

/** Replaces all names at once: the new name of one user may be the former one of another. */
const renaming = (names: ReadonlyMap<string, string>) => {
  const pattern = wordsPattern([...names.keys()]);
  return (text: string): string => pattern === null ? text : text.replace(pattern, (name) => names.get(name) ?? name);
};

/** By the collection in the path that they belong to: `notes/7`. */
const createIds = () => {
  const known = new Map<string, string>();
  const pair = (collection: string, then: unknown, now: unknown): void => {
    if (!isObject(then) || !isObject(now)) return;
    for (const name of ['id', 'iid']) {
      if (isId(then[name]) && isId(now[name])) known.set(`${collection}/${then[name]}`, String(now[name]));
    }
    for (const [name, items] of Object.entries(then)) {
      const others = now[name];
      if (Array.isArray(items) && Array.isArray(others)) items.forEach((one, i) => { pair(name, one, others[i]); });
    }
  };
  return {
    learn: (target: string, then: RecordedBody, now: RecordedBody): void => {
      if (typeof then !== 'string' || typeof now !== 'string') return;
      const [path] = splitTarget(target);
      pair(path.slice(path.lastIndexOf('/') + 1), jsonOrNull(then), jsonOrNull(now));
    },
    current: (target: string): string => {
      const [path, query] = splitTarget(target);
      const parts = path.split('/');
      const changed = parts.map((part, i) => known.get(`${parts[i - 1]}/${part}`) ?? part).join('/');
      return query === '' ? changed : `${changed}?${query}`;
    },
  };
};

const isId = (value: unknown): value is number | string => typeof value === 'number' || typeof value === 'string';
