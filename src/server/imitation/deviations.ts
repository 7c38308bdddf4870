import { textOf, type Handler, type HttpRequest, type HttpResponse } from '../../wire/http.js';
import { isObject, jsonOrNull } from '../../wire/json.js';
import type { ErrorDeviation, HeaderDeviation, Imitation, KeysDeviation } from '../../contract/imitation.js';
import type { ApiRequest } from '../api/parameters.js';
import { isResponseHeader } from '../http/given-response.js';
import { targetFrom, type Matches } from '../faults/targets.js';
import { jsonResponse } from '../http/errors.js';
import { json, jsonType } from '../http/json.js';
import { withHeaders } from '../http/response-headers.js';
import type { Problem } from '../world-file/problem.js';

type Change = (inner: Handler<ApiRequest>) => Handler<ApiRequest>;

interface CompiledImitation {
  readonly problems: readonly Problem[];
  /** Fails operations and changes errors and keys. */
  readonly change: Change;
}

/** What a service needs to imitate an instance. */
export interface ImitationLayers {
  readonly change: Change;
  /** Around everything else that sets headers. */
  readonly changeHeaders: <R extends HttpRequest>(inner: Handler<R>, applies: (request: R) => boolean) => Handler<R>;
  readonly perPage: NonNullable<Imitation['per_page']>;
}

export const imitationLayers = (imitation: Imitation): ImitationLayers => ({
  change: compiledImitation(imitation).change, perPage: imitation.per_page ?? {},
  changeHeaders: (inner, applies) => async (request) => {
    const response = await inner(request);
    return applies(request) ? withChangedHeaders(response, imitation.headers ?? []) : response;
  },
});

interface Targeted<T> { readonly deviation: T; readonly matches: Matches }

export const compiledImitation = (imitation: Imitation): CompiledImitation => {
  const problems: Problem[] = headerProblems(imitation.headers ?? []);
  const targeted = <T extends { readonly on?: string }>(list: 'errors' | 'operations', deviations: readonly T[] = []) =>
    deviations.map((deviation, at): Targeted<T> => {
      const target = targetFrom(deviation.on ?? '*');
      if (typeof target !== 'string') return { deviation, matches: target };
      problems.push({ path: [list, at, 'on'], reason: `${list}[${at}].on: ${target}` });
      return { deviation, matches: () => false };
    });
  const operations = targeted('operations', imitation.operations);
  const errors = targeted('errors', imitation.errors);
  const keys = imitation.missing_keys ?? [];
  const change: Change = (inner) => async (request) => {
    const failing = await firstMatch(operations, request);
    if (failing) return failure(failing.status, failing.body);
    const response = await inner(request);
    return response.status >= 400 ? changedError(response, request, errors) : withoutKeys(response, keys);
  };
  return { problems, change };
};

const headerProblems = (headers: readonly HeaderDeviation[]): Problem[] => headers.flatMap(({ header }, at) =>
  isResponseHeader(header) ? [] : [{
    path: ['headers', at, 'header'], reason: `headers[${at}].header: ${JSON.stringify(header)} cannot be changed`,
  }]);

const firstMatch = async <T>(targeted: readonly Targeted<T>[], request: ApiRequest): Promise<T | undefined> => {
  for (const { deviation, matches } of targeted) if (await matches(request)) return deviation;
  return undefined;
};

const failure = (status: number, body: object = { message: String(status) }): HttpResponse =>
  jsonResponse(status, json(body));

const changedError = async (
  response: HttpResponse, request: ApiRequest, errors: readonly Targeted<ErrorDeviation>[],
): Promise<HttpResponse> => {
  const body = jsonOrNull(textOf(response.body));
  const fitting = errors.filter(({ deviation: { when: { status, error, message } } }) =>
    status === response.status && hasText(body, 'error', error) && hasText(body, 'message', message));
  const deviation = await firstMatch(fitting, request);
  if (!deviation) return response;
  return deviation.body === undefined ? { ...response, status: deviation.status }
    : withHeaders(failure(deviation.status, deviation.body), response.headers);
};

const hasText = (body: unknown, key: string, text: string | undefined): boolean =>
  text === undefined || isObject(body) && body[key] === text;

const withoutKeys = (response: HttpResponse, deviations: readonly KeysDeviation[]): HttpResponse => {
  if (deviations.length === 0 || response.headers['content-type'] !== jsonType) return response;
  const value: unknown = JSON.parse(textOf(response.body), (_, part: unknown) => isObject(part)
    ? deviations.reduce(withoutKeysOf, part) : part);
  return { ...response, body: json(value) };
};

const withoutKeysOf = (
  value: Readonly<Record<string, unknown>>, { without, among }: KeysDeviation,
): Readonly<Record<string, unknown>> => {
  if (!among.every((key) => Object.hasOwn(value, key))) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !without.includes(key)));
};

const withChangedHeaders = (response: HttpResponse, deviations: readonly HeaderDeviation[]): HttpResponse => {
  const changed = deviations.filter(({ header, when, status }) =>
    (status === undefined || status === response.status)
    && (when === undefined || response.headers[header.toLowerCase()] === when));
  return { ...response, headers: changed.reduce(withHeader, response.headers) };
};

const withHeader = (
  headers: Readonly<Record<string, string>>, { header, value }: HeaderDeviation,
): Readonly<Record<string, string>> => {
  const { [header.toLowerCase()]: _, ...others } = headers;
  return value === undefined ? others : { ...others, [header.toLowerCase()]: value };
};
