import { nothingStored } from '../contract/conventions.js';
import type { HttpResponse } from '../wire/http.js';
import { UnreadableHash } from '../wire/brackets.js';
import { UnknownMediaType, UnreadableBody } from '../wire/decode.js';
import { BrokenForm } from '../wire/multipart.js';
import { json } from './json.js';
import { Refusal } from './refusal.js';
import { StoreFault, StoreUnavailable } from './store/errors.js';

const jsonType = { 'content-type': 'application/json' };

/** An answer with a JSON text. */
export const answer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  ({ status, headers: { ...jsonType, ...headers }, body: text });

/** An answer without a body. */
export const emptyAnswer = (status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse =>
  ({ status, headers, body: '' });

/**
 * What a thrown refusal, or a request that can't be read, says to the caller; null for any other error.
 * @param changes whether the request asked for a change
 */
export const answerOfError = (error: unknown, changes: boolean): HttpResponse | null => {
  if (error instanceof Refusal) return answer(error.status, json(error.body), error.headers);
  if (error instanceof StoreUnavailable) return failed(503, error.reason, changes, { 'retry-after': '1' });
  if (error instanceof UnknownMediaType) return answer(415, json({ error: error.message }));
  if (error instanceof UnreadableBody) return answer(400, json({ error: unreadable(error.message) }));
  const isBroken = error instanceof UnreadableHash || error instanceof BrokenForm;
  return isBroken ? answer(400, json({ error: error.message })) : null;
};

/** The response to a request that failed because of the server itself. */
export const answerOfFault = (error: unknown, changes: boolean): HttpResponse => error instanceof StoreFault
  ? failed(error.status, error.reason, changes) : answer(500, json({ message: statuses[500] }));

const statuses = { 500: '500 Internal Server Error', 503: '503 Service Unavailable' };

/** The store kept nothing of the request, and the caller of a change learns that. */
const failed = (
  status: 500 | 503, reason: string, changes: boolean, headers?: Readonly<Record<string, string>>,
): HttpResponse => {
  const what = changes ? `${reason}; ${nothingStored}` : reason;
  return answer(status, json({ message: `${statuses[status]} - ${what}` }), headers);
};

/** The service's own words for a body that is no JSON, as oddly laid out as it has them (wire-facts 2.1.3). */
const unreadable = (problem: string): string =>
  `\nProblem:\n  ${problem}\nResolution:\n  when specifying application/json as content-type, `
  + "you must pass valid application/json in the request's 'body' ";
