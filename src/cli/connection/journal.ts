import { basename } from 'node:path';
import { ConnectionError, requestLine } from '../../client/errors.js';
import type { HttpResponse, Transport } from '../../wire/http.js';
import type { Change, DraftFolder, Journal } from '../app.js';

export const newJournal = (): Journal => ({ draft: null, isTextUnsaved: false, changes: [] });

/** What a run that was cut short has done to the service: one line. */
export const whatWasDone = ({ changes }: Journal): string => {
  const open = changes.filter(({ outcome }) => outcome === 'open').map(({ request }) => request);
  const done = changes.length - open.length;
  if (changes.length === 0) return 'nothing was changed';
  const before = done === 0 ? '' : done === 1 ? 'one change was made' : `${done} changes were made`;
  if (open.length === 0) return before;
  const after = `${open.join(', ')} was sent and not answered, it may have been stored: look before sending it again`;
  return before === '' ? after : `${before}; ${after}`;
};

/**
 * Where a text lies that was not delivered, and how it comes back: one line. --recover looks into the folder of drafts
 * alone, and a text may lie elsewhere where that takes nothing.
 */
export const keptAt = ({ pathOf }: Pick<DraftFolder, 'pathOf'>, path: string): string => pathOf(basename(path)) === path
  ? `the text is kept; --recover in its place brings it back (${path})` : `the text is kept; -F sends it (${path})`;

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
