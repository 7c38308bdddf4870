import type { Endpoint } from '../contract/endpoint.js';
import type { Params } from '../wire/forms.js';
import { rawList } from '../wire/raw-list.js';
import { anySignal } from '../wire/signals.js';
import { nextParams, type Call } from './calls.js';
import { requestLine } from './errors.js';
import { checkCallOptions, type CallOptions, type ClientOptions } from './options.js';
import { itemsOf, readPage } from './pagination/page.js';
import { createPages, type FetchedPage, type Items } from './pagination/pages.js';

export const listMethod = (
  endpoint: Endpoint, call: Call, options: Pick<ClientOptions, 'perPage' | 'pagesAtOnce' | 'onEvent' | 'signal'>,
) =>
  (params: Params = {}, given: CallOptions = {}) => {
    checkCallOptions(given);
    const { perPage = 100, pagesAtOnce = 25, onEvent } = options;
    const first = { ...params, per_page: params['per_page'] ?? perPage };
    const withNext = nextParams(endpoint, first);
    return createPages(async (next, either) => {
      const requested = next === null ? first : withNext(next);
      const result = await call(endpoint, requested, either);
      const { exchange } = result;
      const pageOf = <I extends Items>(items: I): FetchedPage<I> => {
        const fetched = readPage(exchange, items, requested);
        const { page, total } = fetched.page;
        onEvent?.({ type: 'page', request: requestLine(exchange.request), page, items: items.length, total });
        return fetched;
      };
      const read = () => itemsOf(exchange, result.read());
      return {
        read: () => pageOf(read()),
        raw: () => {
          // All items of the first page are checked, to find out whether this is the API at all.
          const items = next === null ? read() : null;
          return pageOf(result.raw() ?? rawList(items ?? read()));
        },
      };
    }, pagesAtOnce, anySignal(options.signal, given.signal));
  };
