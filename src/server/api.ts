import { apiPrefix, perPage } from '../contract/conventions.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Hash } from '../wire/brackets.js';
import { decode } from '../wire/decode.js';
import type { HttpRequest, HttpResponse } from '../wire/http.js';
import { writePlace } from '../wire/pages.js';
import { answer, emptyAnswer } from './answer.js';
import type { Grounds } from './answer-cache.js';
import { authenticate, goodToken, tokenRow } from './authenticate.js';
import { behaviours } from './behaviours.js';
import type { Call, PageAsked, PageOf } from './call.js';
import { inDialect, type Dialect } from './dialect.js';
import { jsonArray } from './json.js';
import { linkParameters } from './link-parameters.js';
import { readParameters, type Parameters } from './parameters.js';
import type { NoteableRow } from './records/noteables.js';
import { badParameters, forbidden, routeNotFound } from './refusal.js';
import { contractRouter, firstThatFits, type Match } from './router.js';
import type { Awaitable, Database, Queries } from './store/database.js';
import { createWorldMemory, type WorldMemory } from './world-reads.js';

/** What the interface needs of its surroundings. */
export interface ApiOptions {
  readonly database: Database;
  readonly dialect: Dialect;
  readonly now: () => Date;
  readonly hex: (length: number) => string;
  /** The address the service is known by, without a slash at the end; asked for at every answer. */
  readonly address: () => string;
}

/** An answer, and what it rests on where it can be kept. */
export interface ApiAnswer { readonly response: HttpResponse; readonly grounds: Grounds | null }

/** Answers requests for paths below `/api/v4`. Throws what is to be refused. */
export type Api = (request: HttpRequest, path: string, parameters: Parameters) => Promise<ApiAnswer>;

/**
 * The interface as a function from request to answer: match, read, authenticate, check, act (wire-facts 1.7).
 * @throws Refusal and the reading errors that `answerOfError` knows
 */
export const createApi = (options: ApiOptions): Api => {
  const router = contractRouter();
  const memory = createWorldMemory();
  const check = (token: string) => options.database.read(async (queries) => {
    goodToken(await tokenRow(await memory.of(queries), token), options.now().toISOString());
  });
  return async (request, path, parameters) => {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const match = router.match(method, path.slice(apiPrefix.length));
    if (!match) return { response: otherwise(router.methodsOf(path.slice(apiPrefix.length)), method), grounds: null };
    const all = Object.assign(await readParameters(parameters, check), match.path);
    const reads = method === 'GET';
    const { headerToken } = parameters;
    const work = (queries: Queries) =>
      perform(options, memory, queries, { request, match, all, headerToken, path, reads });
    return reads ? options.database.read(work) : options.database.write(work);
  };
};

/** A known path answers OPTIONS with its verbs; all else is an unknown route (wire-facts 1.8.4, 1.5). */
const otherwise = (methods: readonly string[], method: string): HttpResponse => {
  if (method !== 'OPTIONS' || methods.length === 0) throw routeNotFound();
  const allowed = methods.includes('GET') ? ['OPTIONS', 'HEAD', ...methods] : ['OPTIONS', ...methods];
  return emptyAnswer(204, { allow: allowed.join(', ') });
};

interface Work {
  readonly request: HttpRequest;
  readonly match: Match;
  readonly all: Hash;
  readonly headerToken: string | null;
  readonly path: string;
  readonly reads: boolean;
}

const perform = async (
  options: ApiOptions, memory: WorldMemory, queries: Queries, work: Work,
): Promise<ApiAnswer> => {
  const { request: { headers }, match, all, headerToken, reads } = work;
  const instant = () => options.now().toISOString();
  const world = await memory.of(queries);
  const { caller, until } = await authenticate(world, { headers, given: all, headerToken, reads }, instant());
  const { name, endpoint } = firstThatFits(match.candidates, all);
  if (endpoint.needs === 'admin' && !caller.admin) throw forbidden();
  const { dialect, hex } = options;
  const { values, problems } = decode(inDialect(endpoint, dialect), all);
  if (problems.length > 0) throw badParameters(problems);
  const page = pageAsked(values);
  let grounds: Grounds | null = null;
  const onNoteable = ({ id, version }: NoteableRow): void => {
    if (reads && restsOnNotes(name)) grounds = { noteable: id, version, epoch: world.epoch, until };
  };
  let now: string | undefined;
  const call: Call = {
    queries, world, caller, dialect, hex, headers, page, onNoteable, get now() { return now ??= instant(); },
  };
  const result = await behaviourOf(name)(values, call);
  const url = options.address() + work.path;
  return { response: answerOf(endpoint, result, page, url, () => linkParameters(values, all)), grounds };
};

/** Whether what an operation shows is the notes of one noteable and nothing else that a call can change. */
const restsOnNotes = (name: string): boolean => /^(discussions|notes|discussionNotes)\./.test(name);

type AnyBehaviour = (params: Hash, call: Call) => Awaitable<unknown>;

/** The walk from a name to its behaviour; the types of the tree already hold that there is one. */
const behaviourOf = (name: string): AnyBehaviour =>
  name.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], behaviours) as AnyBehaviour;

/** Blank and out-of-bound pages fall back to the first, sizes to the default or the most (wire-facts 3.1). */
const pageAsked = ({ page, per_page }: Hash): PageAsked => {
  const number = typeof page === 'number' && page > 0 ? page : 1;
  const size = typeof per_page === 'number' && per_page > 0 ? Math.min(per_page, perPage.most) : perPage.default;
  return { page: number, limit: size, offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER) };
};

/** @param params what the links of a list repeat */
const answerOf = (
  endpoint: Endpoint, result: unknown, page: PageAsked, url: string, params: () => Hash,
): HttpResponse => {
  if (endpoint.returns === null) return emptyAnswer(endpoint.status);
  if (!endpoint.paged) return answer(endpoint.status, result as string);
  const { items, rows } = result as PageOf<unknown>;
  const place = rows === null ? {} : writePlace(page.page, page.limit, rows, url, params());
  return answer(endpoint.status, jsonArray(items), place);
};
