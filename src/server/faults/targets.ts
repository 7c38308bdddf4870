import { apiPrefix } from '../../contract/conventions.js';
import { everyEndpoint } from '../../contract/contract.js';
import { didYouMean } from '../world/problem.js';
import type { ApiRequest } from '../api/parameters.js';
import { contractRouter, firstThatFits, plainPath } from '../api/router.js';

/** Whether a fault concerns a request. */
export type Matches = (request: ApiRequest) => boolean | Promise<boolean>;

/** The forms of `on`, for messages. */
export const targetForms =
  'an operation such as discussions.issue.create or discussions.*.create, a method and path such as '
  + '"POST /projects/*/issues/*/discussions", or *';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '*'];

/**
 * Parses `on`: an operation, a method and a path, or `*`. In operations `*` stands for one name, in paths for one
 * segment, and at the end of a path for the rest. Text if it is invalid: the reason.
 */
export const targetFrom = (text: string): Matches | string => {
  if (text === '*') return () => true;
  const [, method, path] = /^(\S+)\s+(\S+)$/.exec(text) ?? [];
  return method !== undefined && path !== undefined ? routeTarget(method.toUpperCase(), path) : operationTarget(text);
};

const routeTarget = (method: string, path: string): Matches | string => {
  if (!methods.includes(method)) return withHint(`unknown method ${JSON.stringify(method)}`, method, methods);
  if (path !== '*' && !path.startsWith('/')) return `the path ${JSON.stringify(path)} does not start with /`;
  const pattern = path === '*' ? /^/ : pathPattern(plainPath(withoutPrefix(path)));
  return (request) => isMethod(method, request.method) && pattern.test(plainPath(withoutPrefix(request.path)));
};

/** HEAD is a GET without a body. */
const isMethod = (wanted: string, method: string): boolean =>
  wanted === '*' || wanted === method || wanted === 'GET' && method === 'HEAD';

const withoutPrefix = (path: string): string => path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path;

const pathPattern = (path: string): RegExp => {
  const source = path.split(/\*+/).map(escaped).join('[^/]*');
  return new RegExp(`^${path.endsWith('/*') ? source.replace(/\[\^\/\]\*$/, '.+') : source}$`, 'i');
};

const operationTarget = (text: string): Matches | string => {
  const names = everyEndpoint().map(({ name }) => name);
  const pattern = new RegExp(`^${text.split(/\*+/).map(escaped).join('[^.]*')}$`);
  const isKnown = names.some((name) => pattern.test(name));
  if (!isKnown) return withHint(`unknown operation ${JSON.stringify(text)}`, text, names);
  return async (request) => pattern.test(await operationOf(request) ?? '');
};

/** The name of the operation; the parameters decide if several share a route. */
const operationOf = async ({ method, path, parameters }: ApiRequest): Promise<string | null> => {
  const match = contractRouter().match(method === 'HEAD' ? 'GET' : method, withoutPrefix(path));
  if (!match) return null;
  const given = match.candidates.length === 1 ? {} : await parameters.all().catch(() => ({}));
  return firstThatFits(match.candidates, { ...given, ...match.path }).name;
};

const escaped = (text: string): string => text.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');

const withHint = (reason: string, word: string, known: readonly string[]): string => {
  const hint = didYouMean(word, known);
  return hint === undefined ? reason : `${reason}; ${hint}`;
};
