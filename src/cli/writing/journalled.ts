import { ConnectionError } from '../../client/errors.js';
import { requestLine } from '../../client/request-line.js';
import type { HttpResponse, Transport } from '../../wire/http.js';
import type { Change, Journal } from './journal.js';

/** Writes down every request that changes something before it is sent, and what became of it. */
export const journalled = (transport: Transport, { changes }: Journal): Transport => async (request, signal) => {
  if (request.method === 'GET' || request.method === 'HEAD') return transport(request, signal);
  const change: Change = { request: requestLine(request), outcome: 'open' };
  changes.push(change);
  const forget = () => { changes.splice(changes.indexOf(change), 1); };
  try {
    const response = await transport(request, signal);
    if (isDone(response)) change.outcome = 'done';
    else if (isRefused(response)) forget();
    return response;
  } catch (error) {
    if (error instanceof ConnectionError && !error.sent) forget();
    throw error;
  }
};

const isDone = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

/** A failure of the service may come after it has stored what it was sent (wire-facts 4.5.15). */
const isRefused = ({ status }: HttpResponse): boolean => status >= 300 && status < 500;
