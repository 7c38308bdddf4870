import { either, kinds, optionProblem, type OptionKind } from '../../../wire/options.js';
import { createRequestLog, type LoggedExchange, type RequestLog } from '../../http/request-log.js';
import { checkName } from '../../http/names.js';
import { FilterError, matcherOf, type RequestFilter } from './filter.js';

/** Which logged requests to return, and how long to wait for the first one. */
export interface RequestQuery extends RequestFilter {
  /** The name of another world whose requests to search. */
  readonly world?: string | undefined;
  /** How long to wait if no request matches, in milliseconds; default 0. */
  readonly timeout?: number | undefined;
  /** Ends the wait; the call then returns an empty list. */
  readonly signal?: AbortSignal | undefined;
}

interface RequestLogs {
  readonly own: RequestLog;
  /** Null if the world does not exist, unless somebody awaits its requests. */
  readonly of?: ((world: string, isAwaited: boolean) => Promise<RequestLog | null>) | undefined;
}

/** Oldest first. @throws FilterError, TooManyWaits, OperationError for an invalid name of a world */
export const findRequests = async (
  { own, of }: RequestLogs, query: RequestQuery,
): Promise<readonly LoggedExchange[]> => {
  checkQuery(query);
  const { world, timeout = 0, signal } = query;
  if (!(timeout >= 0)) throw new FilterError(`invalid timeout ${timeout}: use milliseconds, 0 or more`);
  const log = world === undefined ? own : await logOf(world, timeout > 0, of);
  const matches = matcherOf(query, log);
  const found = log.all(matches);
  if (found.length > 0 || timeout === 0) return found;
  await log.next(matches, Math.min(timeout, longestTimer), signal);
  return log.all(matches);
};

const queryKinds = {
  method: kinds.text, path: kinds.text, status: either(kinds.whole, kinds.text),
  since: either(kinds.text, kinds.object), world: kinds.text, timeout: kinds.any, signal: kinds.signal,
} satisfies Record<keyof Required<RequestQuery>, OptionKind>;

const checkQuery = (query: unknown): void => {
  const problem = optionProblem(query, queryKinds);
  if (problem !== null) throw new FilterError(`invalid query of requests: ${problem}`);
};

/** Empty if the world does not exist. */
const logOf = async (world: string, isAwaited: boolean, of: RequestLogs['of']): Promise<RequestLog> => {
  if (!of) throw new FilterError('only the control plane of the start world knows other worlds: leave out world');
  checkName('world', world);
  return await of(world, isAwaited) ?? createRequestLog();
};

/** Node fires longer timers at once. */
const longestTimer = 2_147_483_647;
