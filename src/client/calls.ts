import { apiPrefix } from '../contract/conventions.js';
import { pathNames, type Endpoint } from '../contract/endpoint.js';
import { encode } from '../wire/encode.js';
import type { Hash } from '../wire/forms.js';
import type { Transport } from '../wire/http.js';
import type { Written } from '../wire/raw-list.js';
import { readBaseUrl } from './base-url.js';
import type { ClientOptions } from './options.js';
import { readAnswer, writtenAnswer, type Exchange } from './response/read.js';
import { onKnownPath, type Routes } from './routes.js';

/** An answer that may be read, with the exchange that brought it. */
export interface Answered {
  readonly exchange: Exchange;
  readonly read: () => unknown;
  /** The items of a list as they were written; null where they have to be read. */
  readonly written: () => Written | null;
}

/** Calls one endpoint once. */
export type Call = (endpoint: Endpoint, params: Hash, signal?: AbortSignal) => Promise<Answered>;

/** Calls over a transport. */
export const callsOver = (transport: Transport, options: ClientOptions): Call => {
  const { encoding, check } = options;
  const base = readBaseUrl(options.url).href;
  const routes: Routes = options.routes ?? new Map<string, string>();
  return async (endpoint, params, signal) => {
    const exchange = await onKnownPath(endpoint, base, routes, async (path) => {
      const request = encode(endpoint, params, path, encoding);
      return { request, response: await transport(request, signal) };
    });
    const read = () => {
      const answer = readAnswer(endpoint, exchange, base + apiPrefix, options.wholeAnswers);
      check?.(endpoint, answer, exchange.request);
      return answer;
    };
    return { exchange, read, written: () => writtenAnswer(endpoint, exchange, base + apiPrefix, options.wholeAnswers) };
  };
};

/** The parameters of a followed page: its own, then the caller's, with what stands in paths always the caller's. */
export const following = (endpoint: Endpoint, params: Hash): (next: Hash) => Hash => {
  const inPath = new Set(endpoint.paths.flatMap(pathNames));
  return (next) => ({ ...params, ...Object.fromEntries(Object.entries(next).filter(([name]) => !inPath.has(name))) });
};
