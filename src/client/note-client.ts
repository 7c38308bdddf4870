import { contract, type EndpointTree, isEndpoint } from '../contract/contract.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { PartialPosition } from '../contract/shapes/position.js';
import type { Params } from '../wire/http.js';
import { anySignal } from '../wire/time.js';
import { type Call, callCheck, copyOf, createCall, createsNote, listMethod, requestsOver } from './calls.js';
import { createRepeatingTransport } from './create-transport.js';
import { withStackFromHere } from './errors.js';
import type { NoteWriter } from './exactly-once/writer.js';
import type { MethodsOf } from './method-of.js';
import type { Client } from './methods.js';
import { type CallOptions, checkCallOptions, type ClientOptions } from './options.js';
import { type OnOddRecord, threadsWithNotes, wholeRecords } from './whole-records.js';

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

/** It also finds and deletes the notes of earlier runs. */
export type NoteClient = Client & NoteWriter;

/** @param onOdd receives records that were completed; without it, threads get a note, and the rest is as received */
export const createNoteClient = (options: ClientOptions, onOdd?: OnOddRecord): NoteClient => {
  const { client, writer } = clientAndWriter(options, onOdd);
  return Object.assign(client, writer);
};

export const clientAndWriter = (
  options: ClientOptions, onOdd?: OnOddRecord,
): { readonly client: Client; readonly writer: NoteWriter } => {
  const transport = createRepeatingTransport(options);
  const known = { ...options, routes: options.routes ?? new Map<string, string>() };
  const wholeCall = createCall(transport, known, (endpoint, result) => wholeRecords(endpoint, result, onOdd));
  const call = onOdd ? wholeCall : createCall(transport, known, threadsWithNotes);
  const writer = lazyWriter(wholeCall, options);
  const methods = methodsOf(contract, (endpoint) => {
    if (endpoint.paged) return listMethod(endpoint, call, options);
    const send = singleMethod(endpoint, call, options);
    if (editsDraft(endpoint)) return keepingPosition(send, singleMethod(contract.draftNotes.get, call, options));
    return createsNote(endpoint) ? createMethod(endpoint, send, writer, options) : send;
  });
  return { client: Object.assign(methods, requestsOver(transport, options)), writer };
};

const editsDraft = ({ method, params }: Endpoint): boolean =>
  method === 'PUT' && 'draft_note_id' in params && 'position' in params;

/** The service would remove the position (behavior: drafts.edit-position). */
const keepingPosition = (modify: SingleMethod, get: SingleMethod): SingleMethod =>
  async ({ position, ...params } = {}, received = {}) => {
    checkCallOptions(received, false);
    const given = { ...received };
    const kept = position === undefined ? await draftPosition(get, params, given) : position;
    return modify({ ...params, ...kept !== null && { position: kept } }, given);
  };

/** Null if the draft is not on the diff (behavior: drafts.no-position). In a form, null would be blank text. */
const draftPosition = async (
  get: SingleMethod, { id, noteable_id, merge_request_iid, draft_note_id }: Params, given: CallOptions,
): Promise<PartialPosition | null> => {
  const path = { id, noteable_id, merge_request_iid, draft_note_id };
  const draft = await get(path, given) as { position?: PartialPosition | null };
  const position: PartialPosition = Object.fromEntries(
    Object.entries(draft.position ?? {}).filter(([, value]) => value !== null));
  return (position.new_path ?? position.old_path) === undefined ? null : position;
};

const createMethod = (
  endpoint: Endpoint, send: SingleMethod, writer: NoteWriter, options: ClientOptions,
): SingleMethod => {
  const check = callCheck(endpoint);
  return async (params = {}, given = {}) => {
    check(params, given);
    const isOnce = given.key !== undefined || given.marker !== undefined || (given.once ?? options.once ?? false);
    if (!isOnce) return send(params, given);
    try {
      const known = { ...given, marker: copyOf(given.marker) };
      const { note, thread } = await writer.createNote(endpoint, copyOf(params), known);
      return thread ?? note;
    } catch (error) {
      throw withStackFromHere(error);
    }
  };
};

const lazyWriter = (call: Call, options: ClientOptions): NoteWriter => {
  let loaded: Promise<NoteWriter> | undefined;
  const writer = () => loaded ??= import('./exactly-once/writer.js')
    .then(({ noteWriter }) => noteWriter(call, options));
  return {
    createNote: async (...given) => (await writer()).createNote(...given),
    findCreated: async (...given) => (await writer()).findCreated(...given),
    markedNotes: async (...given) => (await writer()).markedNotes(...given),
    readAgain: async (...given) => (await writer()).readAgain(...given),
    replaceText: async (...given) => (await writer()).replaceText(...given),
    writeShared: async (value) => (await writer()).writeShared(value),
    newId: async () => (await writer()).newId(),
    removeNotes: async (...given) => (await writer()).removeNotes(...given),
  };
};

type SingleMethod = (params?: Params, options?: CallOptions) => Promise<unknown>;

const singleMethod = (endpoint: Endpoint, call: Call, options: ClientOptions): SingleMethod => {
  const check = callCheck(endpoint);
  return async (params = {}, given = {}) => {
    check(params, given);
    return (await call(endpoint, copyOf(params), anySignal(options.signal, given.signal))).read();
  };
};
