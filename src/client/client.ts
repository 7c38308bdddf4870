import { contract, isEndpoint, type EndpointTree } from '../contract/contract.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Params } from '../wire/forms.js';
import { createCall, type Call } from './calls.js';
import { createTransport } from './create-transport.js';
import { withDamagedRepeated } from './damaged.js';
import { defaultRetry } from './retry.js';
import type { MethodsOf } from './method-of.js';
import type { Client } from './methods.js';
import type { CallOptions, ClientOptions } from './options.js';
import type { NoteWriter } from './exactly-once/writer.js';
import { listMethod } from './list-method.js';
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
export const createClient = (options: ClientOptions): Client => clientAndWriter(options).client;

/** It also finds and deletes the notes of earlier runs. */
export type NoteClient = Client & NoteWriter;

export const createNoteClient = (options: ClientOptions): NoteClient => {
  const { client, writer } = clientAndWriter(options);
  return Object.assign(client, writer);
};

const clientAndWriter = (options: ClientOptions): { readonly client: Client; readonly writer: NoteWriter } => {
  const { retry = defaultRetry, time = realTime, onEvent = () => undefined } = options;
  const call = withDamagedRepeated(createCall(createTransport(options), options), retry, time, onEvent);
  const writer = lazyWriter(call, options);
  const client = methodsOf(contract, (endpoint) => {
    if (endpoint.paged) return listMethod(endpoint, call, options);
    const send = singleMethod(endpoint, call, options);
    return createsNote(endpoint) ? createMethod(endpoint, send, writer, options) : send;
  });
  return { client, writer };
};

const createsNote = ({ method, params }: Endpoint): boolean => method === 'POST' && 'body' in params;

const createMethod = (
  endpoint: Endpoint, send: SingleMethod, writer: NoteWriter, options: ClientOptions,
): SingleMethod =>
  async (params = {}, given = {}) => {
    const isOnce = given.key !== undefined || given.marker !== undefined || (given.once ?? options.once ?? false);
    if (!isOnce) return send(params, given);
    const { note, thread } = await writer.createNote(endpoint, params, given);
    return thread ?? note;
  };

/** Loaded with the first call. */
const lazyWriter = (call: Call, options: ClientOptions): NoteWriter => {
  let loaded: Promise<NoteWriter> | undefined;
  const writer = () => loaded ??= import('./exactly-once/writer.js')
    .then(({ noteWriter }) => noteWriter(call, options));
  return {
    createNote: async (...given) => (await writer()).createNote(...given),
    markedNotes: async (...given) => (await writer()).markedNotes(...given),
    removeNotes: async (...given) => (await writer()).removeNotes(...given),
  };
};

type SingleMethod = (params?: Params, options?: CallOptions) => Promise<unknown>;

const singleMethod = (endpoint: Endpoint, call: Call, options: ClientOptions): SingleMethod =>
  async (params: Params = {}, { signal }: CallOptions = {}) =>
    (await call(endpoint, params, anySignal(options.signal, signal))).read();

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
