import { apiPrefix } from '../../contract/conventions.js';
import { everyEndpoint } from '../../contract/contract.js';
import { fitsPieces } from '../../text/quoting.js';
import { didYouMean } from '../world-file/problem.js';
import type { ApiRequest } from '../api/request.js';
import { contractRouter, firstThatFits, plainPath } from '../api/router.js';
import { shownValue } from './file.js';

export type RequestTest = (request: ApiRequest) => boolean | Promise<boolean>;

/** What one rule asks of a request is stored for all others, since there can be thousands. */
export const once = <R extends object, T>(ask: (request: R) => T): ((request: R) => T) => {
  const known = new WeakMap<R, { readonly value: T }>();
  return (request) => {
    const found = known.get(request) ?? { value: ask(request) };
    known.set(request, found);
    return found.value;
  };
};

export const targetForms =
  'an operation such as discussions.issue.create or discussions.*.create, a method and path such as '
  + '"POST /projects/*/issues/*/discussions", or *';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '*'];

/** `*` stands for one name or segment, at the end of a path for the rest. @returns the reason if it is invalid */
export const targetFrom = (text: string): RequestTest | string => {
  if (text === '*') return () => true;
  if (text.length > longestTarget) return `${shownValue(text)} is longer than ${longestTarget} characters`;
  const [method, path, ...others] = text.trim().split(/\s+/);
  return path !== undefined && others.length === 0 ? routeTarget(method!.toUpperCase(), path) : operationTarget(text);
};

/** No path of the API is longer; a rule is compared with each request. */
const longestTarget = 2_000;

const routeTarget = (method: string, path: string): RequestTest | string => {
  if (!methods.includes(method)) return withHint(`unknown method ${shownValue(method)}`, method, methods);
  if (path !== '*' && !path.startsWith('/')) return `the path ${shownValue(path)} does not start with /`;
  const fits = path === '*' ? () => true : pathTest(plainPath(withoutPrefix(path)));
  return (request) => isMethod(method, request.method) && fits(segmentsOf(request));
};

const segmentsOf = once(({ path }: ApiRequest) => plainPath(withoutPrefix(path)).toLowerCase().split('/'));

const isMethod = (wanted: string, method: string): boolean =>
  wanted === '*' || wanted === method || wanted === 'GET' && method === 'HEAD';

const withoutPrefix = (path: string): string => path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path;

const pathTest = (pattern: string): ((segments: readonly string[]) => boolean) => {
  const isOpen = pattern.endsWith('/*');
  const pieces = piecesOf((isOpen ? pattern.slice(0, -2) : pattern).toLowerCase(), '/');
  return (parts) => {
    const [start, rest] = isOpen ? [parts.slice(0, pieces.length), parts.slice(pieces.length)] : [parts, ['all']];
    return rest.join('') !== '' && fitsParts(start, pieces);
  };
};

type Pieces = readonly (readonly string[])[];

const piecesOf = (pattern: string, separator: string): Pieces =>
  pattern.split(separator).map((part) => part.split(/\*+/));

const fitsParts = (parts: readonly string[], pieces: Pieces): boolean =>
  parts.length === pieces.length && parts.every((part, i) => fitsPieces(part, pieces[i]!));

const operationTarget = (text: string): RequestTest | string => {
  const names = (operations ??= everyEndpoint().map(({ name }) => name.split('.')));
  const pieces = piecesOf(text, '.');
  if (!names.some((parts) => fitsParts(parts, pieces))) {
    return withHint(`unknown operation ${shownValue(text)}`, text, names.map((parts) => parts.join('.')));
  }
  return async (request) => fitsParts(await operationParts(request), pieces);
};

let operations: readonly (readonly string[])[] | undefined;

/** The parameters decide if several operations share a route. */
const operationParts = once(async ({ method, path, parameters }: ApiRequest): Promise<readonly string[]> => {
  const match = contractRouter().match(method === 'HEAD' ? 'GET' : method, withoutPrefix(path));
  if (!match) return [];
  const given = match.candidates.length === 1 ? {} : await parameters.all().catch(() => ({}));
  return firstThatFits(match.candidates, { ...given, ...match.path }).name.split('.');
});

const withHint = (reason: string, word: string, known: readonly string[]): string => {
  const hint = didYouMean(word, known);
  return hint === undefined ? reason : `${reason}; ${hint}`;
};
