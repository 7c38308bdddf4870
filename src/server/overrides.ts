import * as Type from '@sinclair/typebox';
import { tiers, versionPattern } from '../contract/conventions.js';
import type { ErrorDeviation, HeaderDeviation, Imitation, KeysDeviation } from '../contract/imitation.js';
import { type Handler, type HttpRequest, type HttpResponse, bodyText } from '../wire/http.js';
import { isObject, jsonOrNull } from '../wire/json.js';
import type { ApiRequest } from './api/request.js';
import { createRequestIndex, type Indexed, rulesFor, targetFrom } from './faults/targets.js';
import { headerValue, isResponseHeader, json, jsonResponse, jsonType } from './http/response.js';
import { withHeaders } from './http/middleware.js';
import { parseShaped } from './world-file/load.js';
import { type WorldProblem, WorldError } from './world-file/problem.js';
import { every, list, oneOf } from './world-file/schema.js';
import { shapeProblems, withoutNulls } from './world-file/validate.js';

const object = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false, expects: 'an object' });

const Text = Type.String({ maxLength: 2_000, expects: 'a text of at most 2000 characters' });
const Key = Type.String({ minLength: 1, maxLength: 200, expects: 'a key of at most 200 characters' });
const Keys = Type.Array(Key, { minItems: 1, expects: 'a list of keys' });
const Status = Type.Integer({ minimum: 200, maximum: 599, expects: 'a status from 200 to 599' });
const Failure = Type.Integer({ minimum: 400, maximum: 599, expects: 'a status from 400 to 599' });
const Body = Type.Object({}, { expects: 'an object' });
const Target = Type.String({ maxLength: 2_000, expects: 'a method and a path, such as GET /user' });
const PageSize = Type.Integer({ minimum: 1, maximum: 10_000, expects: 'a number from 1 to 10000' });

const HeaderValue = Type.String({
  maxLength: 2_000, pattern: headerValue.source, expects: 'the value of a header',
});

const fact = Key;

/** The shape of `Imitation`, as files have it; `expects` describes a value in messages. */
const OverridesShape = every({
  dialect: oneOf('document', 'live'),
  service_version: Type.String({ pattern: versionPattern.source, expects: 'a version such as 12.7 or 13.12.0-ee' }),
  tier: oneOf(...tiers),
  per_page: every({ default: PageSize, max: PageSize }),
  headers: list(object({
    fact, header: Key, when: Type.Optional(HeaderValue), status: Type.Optional(Status),
    value: Type.Optional(HeaderValue),
  })),
  errors: list(object({
    fact, when: object({ status: Failure, error: Type.Optional(Text), message: Type.Optional(Text) }),
    on: Type.Optional(Target), status: Failure, body: Type.Optional(Body),
  })),
  operations: list(object({ fact, on: Target, status: Failure, body: Type.Optional(Body) })),
  missing_keys: list(object({ fact, without: Keys, among: Keys })),
  not_imitated: list(Key),
});

/** YAML or JSON, as `conformance --save` writes it. @param source names the text in errors @throws WorldError */
export const imitationFrom = (text: string, source: string): Imitation => {
  const { value, lineOf } = parseShaped(text, source, OverridesShape);
  const given = withoutNulls(value ?? {});
  const [problem] = findProblems(given, 'the file');
  if (problem === undefined) return given as Imitation;
  throw new WorldError(problem.reason, problem.hint?.() ?? null, source, lineOf(problem));
};

/** @throws WorldError for an option of the library */
export const checkImitation = (given: Imitation): Imitation => {
  const [problem] = findProblems(given, 'the overrides');
  if (problem === undefined) return given;
  throw new WorldError(`like: ${problem.reason}`, problem.hint?.() ?? null);
};

const findProblems = (given: unknown, whole: string): readonly WorldProblem[] => {
  const shape = shapeProblems(given, OverridesShape, whole);
  return shape.length > 0 ? shape : compileOverrides(given as Imitation).problems;
};

type ChangeResponse = (inner: Handler<ApiRequest>) => Handler<ApiRequest>;

export type Overrides = ReturnType<typeof createOverrides>;

export const createOverrides = (imitation: Imitation) => ({
  change: compileOverrides(imitation).change, perPage: imitation.per_page ?? {},
  /** Runs around everything else that sets headers. */
  changeHeaders: <R extends HttpRequest>(
    inner: Handler<R>, applies: (request: R) => boolean,
  ): Handler<R> => async (request) => {
    const response = await inner(request);
    return applies(request) ? withChangedHeaders(response, imitation.headers ?? []) : response;
  },
});

interface Targeted<T> extends Indexed { readonly override: T }

const compileOverrides = (imitation: Imitation) => {
  const problems: WorldProblem[] = headerProblems(imitation.headers ?? []);
  const targeted = <T extends { readonly on?: string }>(list: 'errors' | 'operations', overrides: readonly T[] = []) =>
    createRequestIndex(overrides.flatMap((override, number): Targeted<T>[] => {
      const target = targetFrom(override.on ?? '*');
      if (typeof target !== 'string') return [{ number, target, override }];
      problems.push({ path: [list, number, 'on'], reason: `${list}[${number}].on: ${target}` });
      return [];
    }));
  const operations = targeted('operations', imitation.operations);
  const errors = targeted('errors', imitation.errors);
  const keys = imitation.missing_keys ?? [];
  const change: ChangeResponse = (inner) => async (request) => {
    const [failing] = await overridesFor(operations, request);
    if (failing) return failure(failing.status, failing.body);
    const response = await inner(request);
    return response.status >= 400 ? changedError(response, request, errors) : withoutKeys(response, keys);
  };
  return { problems, change };
};

const headerProblems = (headers: readonly HeaderDeviation[]): WorldProblem[] => headers.flatMap(({ header }, at) =>
  isResponseHeader(header) ? [] : [{
    path: ['headers', at, 'header'], reason: `headers[${at}].header: ${JSON.stringify(header)} cannot be changed`,
  }]);

type OverrideIndex<T> = ReturnType<typeof createRequestIndex<Targeted<T>>>;

const overridesFor = async <T>({ find }: OverrideIndex<T>, request: ApiRequest): Promise<readonly T[]> =>
  [...rulesFor(await find(request), null)].map(({ override }) => override);

const failure = (status: number, body: object = { message: String(status) }): HttpResponse =>
  jsonResponse(status, json(body));

const changedError = async (
  response: HttpResponse, request: ApiRequest, errors: OverrideIndex<ErrorDeviation>,
): Promise<HttpResponse> => {
  const body = jsonOrNull(bodyText(response.body));
  const override = (await overridesFor(errors, request)).find(({ when: { status, error, message } }) =>
    status === response.status && hasText(body, 'error', error) && hasText(body, 'message', message));
  if (!override) return response;
  return override.body === undefined ? { ...response, status: override.status }
    : withHeaders(failure(override.status, override.body), response.headers);
};

const hasText = (body: unknown, key: string, text: string | undefined): boolean =>
  text === undefined || isObject(body) && body[key] === text;

const withoutKeys = (response: HttpResponse, overrides: readonly KeysDeviation[]): HttpResponse => {
  if (overrides.length === 0 || response.headers['content-type'] !== jsonType) return response;
  const value: unknown = JSON.parse(bodyText(response.body), (_, part: unknown) => isObject(part)
    ? overrides.reduce(withoutKeysOf, part) : part);
  return { ...response, body: json(value) };
};

const withoutKeysOf = (
  value: Readonly<Record<string, unknown>>, { without, among }: KeysDeviation,
): Readonly<Record<string, unknown>> => {
  if (!among.every((key) => Object.hasOwn(value, key))) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !without.includes(key)));
};

const withChangedHeaders = (response: HttpResponse, overrides: readonly HeaderDeviation[]): HttpResponse => {
  const changed = overrides.filter(({ header, when, status }) =>
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
