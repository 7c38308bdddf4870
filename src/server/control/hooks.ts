import { either, kinds, optionProblem, type OptionKind } from '../../wire/options.js';
import { splitTarget, type HttpRequest } from '../../wire/http.js';
import { badRequest, jsonResponse, OperationError } from '../http/errors.js';
import { json } from '../http/json.js';
import type { Delivery, Hooks } from '../hooks/deliveries.js';
import { eventKinds, type EventKind } from '../hooks/events.js';
import type { ControlActions } from './actions.js';
import { FilterError } from './request-log/filter.js';

/** Which deliveries of webhooks to return, and how long to wait for the first one. */
export interface DeliveryQuery {
  /** The id of the webhook. */
  readonly hook?: number | undefined;
  /** What the delivery reported. */
  readonly event?: EventKind | undefined;
  /** Of the response; null for deliveries without a response. */
  readonly status?: number | null | undefined;
  /** Only deliveries after the one with this id. */
  readonly after?: number | undefined;
  /** How long to wait if no delivery matches, in milliseconds; default 0. */
  readonly timeout?: number | undefined;
  /** Ends the wait; the call then returns an empty list. */
  readonly signal?: AbortSignal | undefined;
}

/** Node fires longer timers at once. */
const longestTimer = 2_147_483_647;

/** Oldest first. @throws FilterError, TooManyWaits */
export const findDeliveries = async (hooks: Hooks, query: DeliveryQuery): Promise<readonly Delivery[]> => {
  checkQuery(query);
  const { hook, event, status, after, timeout = 0, signal } = query;
  const matches = (one: Delivery): boolean => (hook === undefined || one.hook === hook)
    && (event === undefined || one.event === event) && (status === undefined || one.status === status)
    && (after === undefined || one.id > after);
  const found = hooks.all().filter(matches);
  if (found.length > 0 || timeout === 0) return found;
  await hooks.next(matches, Math.min(timeout, longestTimer), signal);
  return hooks.all().filter(matches);
};

const queryKinds = {
  hook: kinds.whole, event: kinds.text, status: either(kinds.whole, { form: 'null', fits: (value) => value === null }),
  after: kinds.whole, timeout: kinds.milliseconds, signal: kinds.signal,
} satisfies Record<keyof Required<DeliveryQuery>, OptionKind>;

const checkQuery = (query: DeliveryQuery): void => {
  const problem = optionProblem(query, queryKinds);
  if (problem !== null) throw new FilterError(`invalid query of deliveries: ${problem}`);
  if (query.event !== undefined && !eventKinds.includes(query.event)) {
    throw new FilterError(`invalid event ${JSON.stringify(query.event)}: use ${eventKinds.join(' or ')}`);
  }
};

/** @throws HttpError, OperationError */
export const hookActions = (hooks: Hooks): ControlActions => ({
  'GET /-/hooks': async (request) => jsonResponse(200, json(await found(hooks, request))),
  'POST /-/hooks/*': async (_request, name) => {
    const [, id] = /^(\d{1,15})\/redeliver$/.exec(name) ?? [];
    const delivery = id === undefined ? null : await hooks.redeliver(Number(id));
    if (delivery) return jsonResponse(200, json(delivery));
    throw new OperationError(404, 'there is no such delivery; GET /-/hooks lists the latest ones');
  },
});

const names = ['hook', 'event', 'status', 'after', 'wait'];

const found = async (hooks: Hooks, { target, signal }: HttpRequest): Promise<readonly Delivery[]> => {
  const given = [...new URLSearchParams(splitTarget(target)[1])];
  const unknown = given.find(([name]) => !names.includes(name));
  if (unknown) {
    throw badRequest(`unknown parameter ${JSON.stringify(unknown[0].slice(0, 100))}: use ${names.join(', ')}`);
  }
  const { event, wait, ...numbers } = Object.fromEntries(given);
  const query = Object.fromEntries(Object.entries(numbers).map(([name, text]) =>
    [name, text === 'null' ? null : Number(text)]));
  try {
    const timeout = wait === undefined ? 0 : Math.min(Number(wait), 300) * 1_000;
    const ofEvent = event === undefined ? {} : { event: event as EventKind };
    return await findDeliveries(hooks, { ...query, ...ofEvent, timeout, signal });
  } catch (error) {
    if (error instanceof FilterError) throw badRequest(error.message);
    throw error;
  }
};
