import { contract, isEndpoint, type EndpointTree } from '../contract/contract.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Params } from '../wire/forms.js';
import { rawList } from '../wire/raw-list.js';
import { createCall, nextParams, type Call } from './calls.js';
import { createTransport } from './create-transport.js';
import { withDamagedRepeated } from './damaged.js';
import { requestLine } from './errors.js';
import { defaultRetry } from './retry.js';
import type { MethodsOf } from './method-of.js';
import type { Client } from './methods.js';
import type { CallOptions, ClientOptions } from './options.js';
import type { CreateOnce } from './exactly-once/create.js';
import { itemsOf, readPage } from './pagination/page.js';
import { createPages, type FetchedPage, type Items } from './pagination/pages.js';
import { anySignal } from '../wire/signals.js';
import { realTime } from './time.js';

/**
 * Creates a client for one service.
 *
 * It reads no environment variables, prints nothing and shares no state with other clients. Every method may throw
 * ApiError, ResponseError (also as NoResultError), ConnectionError, and the reason of an aborted signal.
 * @throws TypeError for an invalid option
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * const thread = await client.discussions.issue.create({ id: 'acme/app', noteable_id: 7, body: 'Fixed in 1.2.' });
 * console.log(thread.notes[0]?.body); // prints Fixed in 1.2.
 * ```
 */
export const createClient = (options: ClientOptions): Client => clientAndNotes(options).client;

/** It also reports whether a note existed already. */
export interface NoteClient extends Client { readonly createNote: CreateOnce }

export const createNoteClient = (options: ClientOptions): NoteClient => {
  const { client, createNote } = clientAndNotes(options);
  return Object.defineProperty(client, 'createNote', { value: createNote }) as NoteClient;
};

const clientAndNotes = (options: ClientOptions): { readonly client: Client; readonly createNote: CreateOnce } => {
  const { retry = defaultRetry, time = realTime, onEvent = () => undefined } = options;
  const call = withDamagedRepeated(createCall(createTransport(options), options), retry, time, onEvent);
  const createNote = lazyOnce(call, options);
  const client = methodsOf(contract, (endpoint) => {
    if (endpoint.paged) return listMethod(endpoint, call, options);
    const send = singleMethod(endpoint, call, options);
    return createsNote(endpoint) ? createMethod(endpoint, send, createNote, options) : send;
  });
  return { client, createNote };
};

const createsNote = ({ method, params }: Endpoint): boolean => method === 'POST' && 'body' in params;

const createMethod = (endpoint: Endpoint, send: SingleMethod, once: CreateOnce, options: ClientOptions): SingleMethod =>
  async (params = {}, given = {}) => {
    const isOnce = given.key !== undefined || given.marker !== undefined || (given.once ?? options.once ?? false);
    if (!isOnce) return send(params, given);
    const { note, thread } = await once(endpoint, params, given);
    return thread ?? note;
  };

/** Loaded with the first of such notes. */
const lazyOnce = (call: Call, options: ClientOptions): CreateOnce => {
  let loaded: Promise<CreateOnce> | undefined;
  return async (endpoint, params, given) => {
    loaded ??= import('./exactly-once/create.js').then(({ createNotesOnce }) => createNotesOnce(call, options));
    return (await loaded)(endpoint, params, given);
  };
};

type SingleMethod = (params?: Params, options?: CallOptions) => Promise<unknown>;

const singleMethod = (endpoint: Endpoint, call: Call, options: ClientOptions): SingleMethod =>
  async (params: Params = {}, { signal }: CallOptions = {}) =>
    (await call(endpoint, params, anySignal(options.signal, signal))).read();

const listMethod = (endpoint: Endpoint, call: Call, options: ClientOptions) =>
  (params: Params = {}, { signal }: CallOptions = {}) => {
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
    }, pagesAtOnce, anySignal(options.signal, signal));
  };

/** Each level is built on first access, to keep start-up fast. */
export const methodsOf = <T extends EndpointTree>(tree: T, build: (endpoint: Endpoint) => unknown): MethodsOf<T> => {
  const methods: Params = {};
  for (const name of Object.keys(tree)) {
    defineLazily(methods, name, () => {
      const node = tree[name]!;
      return isEndpoint(node) ? build(node) : methodsOf(node, build);
    });
  }
  return methods as MethodsOf<T>;
};

const defineLazily = (target: Params, name: string, create: () => unknown): void => {
  const get = (): unknown => {
    const value = create();
    Object.defineProperty(target, name, { value, enumerable: true });
    return value;
  };
  Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
};
