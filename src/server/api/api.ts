import { apiPrefix, perPage } from '../../contract/conventions.js';
import type { Dialect, Endpoint } from '../../contract/endpoint.js';
import { decode } from '../../wire/decode.js';
import type { Params } from '../../wire/forms.js';
import type { Handler, HttpResponse } from '../../wire/http.js';
import { pageHeadersFor } from '../../wire/pages.js';
import { badParameters, emptyResponse, forbidden, jsonResponse, routeNotFound } from '../http/errors.js';
import { jsonArray } from '../http/json.js';
import type { NoteableRow } from '../repositories/noteables.js';
import { createWorldMemory, type WorldMemory } from '../repositories/world.js';
import type { Awaitable, Database, Queries } from '../store/database.js';
import { authenticate, goodToken, tokenRow } from './authenticate.js';
import type { Call, OperationHandlers, PageOf, PageRequest } from './context.js';
import { linkParameters, readParameters, type ApiRequest } from './parameters.js';
import { contractRouter, firstThatFits, inDialect, type Match } from './router.js';

/** What the interface needs of its surroundings. */
export interface ApiOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly now: () => Date;
  readonly hex: (length: number) => string;
  /** The address the service is known by, without a slash at the end; asked for at every answer. */
  readonly address: () => string;
}

/**
 * The interface as a handler: match the route, read the parameters, authenticate, check rights, run the handler of the
 * operation (wire-facts 1.7).
 * @throws Refusal and the errors of reading that `withErrors` knows
 */
export const createApi = (options: ApiOptions, handlers: OperationHandlers): Handler<ApiRequest> => {
  const router = contractRouter();
  const memory = createWorldMemory();
  const check = (token: string) => options.database.read(async (queries) => {
    goodToken(await tokenRow(await memory.of(queries), token), options.now().toISOString());
  });
  return async (request) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const path = request.path.slice(apiPrefix.length);
    const match = router.match(method, path);
    if (!match) return otherwise(router.methodsOf(path), method);
    const all = Object.assign(await readParameters(request.parameters, check), match.path);
    const reads = method === 'GET';
    const work = (queries: Queries) => perform({ options, handlers, memory, queries, request, match, all, reads });
    return reads ? options.database.read(work) : options.database.write(work);
  };
};

/** A known path answers OPTIONS with its verbs; all else is an unknown route (wire-facts 1.8.4, 1.5). */
const otherwise = (methods: readonly string[], method: string): HttpResponse => {
  if (method !== 'OPTIONS' || methods.length === 0) throw routeNotFound();
  const allowed = methods.includes('GET') ? ['OPTIONS', 'HEAD', ...methods] : ['OPTIONS', ...methods];
  return emptyResponse(204, { allow: allowed.join(', ') });
};

interface Work {
  readonly options: ApiOptions;
  readonly handlers: OperationHandlers;
  readonly memory: WorldMemory;
  readonly queries: Queries;
  readonly request: ApiRequest;
  readonly match: Match;
  readonly all: Params;
  readonly reads: boolean;
}

const perform = async (
  { options, handlers, memory, queries, request, match, all, reads }: Work,
): Promise<HttpResponse> => {
  const { headers, parameters: { headerToken }, onDependencies } = request;
  const instant = () => options.now().toISOString();
  const world = await memory.of(queries);
  const { caller, until } = await authenticate(world, { headers, given: all, headerToken, reads }, instant());
  const { name, endpoint } = firstThatFits(match.candidates, all);
  if (endpoint.needs === 'admin' && !caller.admin) throw forbidden();
  const { dialect, hex } = options;
  const { values, problems } = decode(inDialect(endpoint, dialect), all);
  if (problems.length > 0) throw badParameters(problems);
  const page = pageAsked(values);
  const onNoteable = ({ id, version }: NoteableRow): void => {
    if (dependsOnNotes(name)) onDependencies?.({ noteable: id, version, epoch: world.epoch, until });
  };
  let now: string | undefined;
  const call: Call = {
    queries, world, caller, dialect, hex, headers, page, onNoteable, get now() { return now ??= instant(); },
  };
  const result = await handlerOf(handlers, name)(values, call);
  const url = options.address() + request.path;
  return answerOf(endpoint, result, page, url, () => linkParameters(values, all));
};

/** Whether what an operation shows is the notes of one noteable and nothing else that a call can change. */
const dependsOnNotes = (name: string): boolean => /^(discussions|notes|discussionNotes)\./.test(name);

type AnyHandler = (params: Params, call: Call) => Awaitable<unknown>;

/** The handler by the name of its operation; the type of the tree makes sure that there is one. */
const handlerOf = (handlers: OperationHandlers, name: string): AnyHandler =>
  name.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], handlers) as AnyHandler;

/** Blank and out-of-bound pages fall back to the first, sizes to the default or the most (wire-facts 3.1). */
const pageAsked = ({ page, per_page }: Params): PageRequest => {
  const number = typeof page === 'number' && page > 0 ? page : 1;
  const size = typeof per_page === 'number' && per_page > 0 ? Math.min(per_page, perPage.max) : perPage.default;
  return { page: number, limit: size, offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER) };
};

/** @param params what the links of a list repeat */
const answerOf = (
  endpoint: Endpoint, result: unknown, page: PageRequest, url: string, params: () => Params,
): HttpResponse => {
  if (endpoint.returns === null) return emptyResponse(endpoint.status);
  if (!endpoint.paged) return jsonResponse(endpoint.status, result as string);
  const { items, rows } = result as PageOf<unknown>;
  const place = rows === null ? {} : pageHeadersFor(page.page, page.limit, rows, url, params());
  return jsonResponse(endpoint.status, jsonArray(items), place);
};
