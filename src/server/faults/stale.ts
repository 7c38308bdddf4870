import { sudoName, tokenHeader } from '../../contract/conventions.js';
import { isRead, type Handler, type HttpResponse } from '../../wire/http.js';
import { withNotModified } from '../http/response-headers.js';
import type { ApiRequest } from '../api/parameters.js';

/** For replicas that lag behind by the latest write. Each caller receives only own responses. */
export interface Stale {
  readonly remembering: (handler: Handler<ApiRequest>) => Handler<ApiRequest>;
  /** Null if the read had no response before the latest write, and for writes. */
  before(request: ApiRequest): Promise<HttpResponse> | null;
}

interface Seen { readonly response: HttpResponse; readonly writes: number }

const maxReads = 1_000;

export const createStale = (): Stale => {
  const reads = new Map<string, { readonly latest: Seen; readonly previous: Seen | null }>();
  let writes = 0;

  const remember = (key: string, response: HttpResponse, since: number): void => {
    const known = reads.get(key);
    if (known && known.latest.writes > since) return;
    const previous = known && known.latest.writes < since ? known.latest : known?.previous ?? null;
    reads.delete(key);
    reads.set(key, { latest: { response, writes: since }, previous });
    if (reads.size > maxReads) reads.delete(reads.keys().next().value!);
  };

  const read = async (request: ApiRequest, handler: Handler<ApiRequest>): Promise<HttpResponse> => {
    const since = writes;
    const response = await handler(unconditional(request));
    if (response.status < 500) remember(keyOf(request), response, since);
    return response;
  };

  const write = async (request: ApiRequest, handler: Handler<ApiRequest>): Promise<HttpResponse> => {
    const response = await handler(request);
    if (response.status < 300) writes++;
    return response;
  };

  return {
    remembering: (handler) => (request) => isRead(request)
      ? withNotModified<ApiRequest>((asked) => read(asked, handler))(request) : write(request, handler),
    before: (request) => {
      const known = isRead(request) ? reads.get(keyOf(request)) : undefined;
      const seen = known && known.latest.writes === writes ? known.previous : known?.latest;
      return seen ? withNotModified(async () => seen.response)(request) : null;
    },
  };
};

/** Everything that can identify the caller is part of the key. */
const keyOf = ({ target, headers }: ApiRequest): string =>
  [target, headers[tokenHeader], headers['authorization'], headers[sudoName]].join('\n');

/** Without the condition of the caller, whose 304 would have no body for others. */
const unconditional = (request: ApiRequest): ApiRequest => {
  const { 'if-none-match': _, ...headers } = request.headers;
  return { ...request, headers };
};
