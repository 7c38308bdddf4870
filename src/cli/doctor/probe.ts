import { bodyOf } from '../../client/body.js';
import { AnswerError, ConnectionError } from '../../client/errors.js';
import { plainWords } from '../../client/words.js';
import { apiPrefix } from '../../contract/conventions.js';
import { isHash } from '../../wire/brackets.js';
import type { HttpResponse, Transport } from '../../wire/http.js';
import { isUnknownRoute } from '../../wire/refusals.js';
import type { App } from '../app.js';
import { failureOf, type Failure } from '../failures.js';

/** What came back from a look-up. */
export interface Answer {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  /** Parsed JSON, or text where it is none. */
  readonly body: unknown;
  /** The service's own words, or what the status means. */
  readonly words: string;
  /** Whether it is JSON that the service itself has written. */
  readonly isOurs: boolean;
  /** Whether the service does not know the path at all. */
  readonly isUnknown: boolean;
}

/** Looks something up: an answer whatever its status, or why none came. */
export type Probe = (path: string) => Promise<{ answer: Answer } | { failure: Failure }>;

/** Look-ups over a transport. What the user interrupts is interrupted. */
export const probeOver = (transport: Transport, { signal }: App): Probe => async (path) => {
  try {
    const request = { method: 'GET', target: apiPrefix + path, headers: { accept: 'application/json' } };
    return { answer: answerOf(await transport(request, signal)) };
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof AnswerError) || signal.aborted) throw error;
    return { failure: failureOf(error)! };
  }
};

const answerOf = (response: HttpResponse): Answer => {
  const { status, headers } = response;
  const body = bodyOf(response);
  const isOurs = isHash(body) || Array.isArray(body);
  return { status, headers, body, words: plainWords(response), isOurs, isUnknown: isOurs
    && isUnknownRoute(status, body) };
};

/** The answer of a look-up that found what it looked for; null for any other outcome. */
export const found = async (probe: Probe, path: string): Promise<Record<string, unknown> | null> => {
  const outcome = await probe(path);
  return 'answer' in outcome && outcome.answer.status === 200 && isHash(outcome.answer.body) ? outcome.answer.body
    : null;
};
