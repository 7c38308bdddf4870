import { apiPrefix } from '../../contract/conventions.js';
import { routes } from '../../contract/routes.js';
import { fitsPieces } from '../../text/quoting.js';
import { didYouMean } from '../world-file/problem.js';
import type { ApiRequest } from '../api/request.js';
import { contractRouter, firstThatFits, plainPath } from '../api/router.js';
import { shownValue } from './file.js';
import { createRuleIndex, type Indexed, type RuleGroup, type Target } from './rule-index.js';

export const targetForms =
  'an operation such as discussions.issue.create or discussions.*.create, a method and path such as '
  + '"POST /projects/*/issues/*/discussions", or *';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', '*'];

/**
 * `*` stands for one name or segment, at the end of a path for the rest, and at the beginning for any segments.
 * @returns the reason if it is invalid
 */
export const targetFrom = (text: string): Target | string => {
  if (text === '*') return { method: '*', parts: [], rest: 'anything' };
  if (text.length > longestTarget) return `${shownValue(text)} is longer than ${longestTarget} characters`;
  const [method, path, ...others] = text.trim().split(/\s+/);
  return path !== undefined && others.length === 0 ? routeTarget(method!.toUpperCase(), path) : operationTarget(text);
};

/** No path of the API is longer; a rule is compared with each request that its method and first parts fit. */
const longestTarget = 2_000;

const routeTarget = (method: string, path: string): Target | string => {
  if (!methods.includes(method)) return withHint(`unknown method ${shownValue(method)}`, method, methods);
  if (path === '*') return { method, parts: [], rest: 'anything' };
  if (path.startsWith('*/')) return endTarget(method, path.slice(2));
  if (!path.startsWith('/')) return `the path ${shownValue(path)} does not start with /`;
  const pattern = plainPath(withoutPrefix(path)).toLowerCase();
  const isOpen = pattern.endsWith('/*');
  const parts = (isOpen ? pattern.slice(0, -2) : pattern).split('/');
  return { method, parts, rest: isOpen ? 'something' : 'nothing' };
};

/** The index has the parts of such a path from its end. */
const endTarget = (method: string, path: string): Target => {
  const parts = plainPath(`/${path}`).toLowerCase().split('/').slice(1).toReversed();
  return { method: `${fromEnd}${method}`, parts, rest: 'anything' };
};

const fromEnd = 'end ';

export const createRequestIndex = <T extends Indexed>(rules: readonly T[]) => {
  const { find, remove } = createRuleIndex(rules);
  const hasOperations = rules.some(({ target }) => target.method === operationMethod);
  const hasEnds = rules.some(({ target }) => target.method.startsWith(fromEnd));
  return {
    /** The caller is not looked up, because it takes a query. */
    find: (request: ApiRequest): readonly RuleGroup<T>[] | Promise<readonly RuleGroup<T>[]> => {
      const methodNames = request.method === 'HEAD' ? ['*', 'HEAD', 'GET'] : ['*', request.method];
      const segments = plainPath(withoutPrefix(request.path)).toLowerCase().split('/');
      const byEnd = hasEnds ? find(methodNames.map((name) => fromEnd + name), segments.toReversed()) : [];
      const byPath = [...find(methodNames, segments), ...byEnd];
      return !hasOperations ? byPath
        : operationParts(request).then((parts) => [...byPath, ...find([operationMethod], parts)]);
    },
    remove,
  };
};

const withoutPrefix = (path: string): string => path.startsWith(`${apiPrefix}/`) ? path.slice(apiPrefix.length) : path;

const operationMethod = 'operation';

const operationTarget = (text: string): Target | string => {
  const names = (operations ??= [...new Set(routes.map(({ name }) => name))].map((name) => name.split('.')));
  const parts = text.split('.');
  const pieces = parts.map((part) => part.split(/\*+/));
  const fits = (name: readonly string[]): boolean =>
    name.length === pieces.length && name.every((part, i) => fitsPieces(part, pieces[i]!));
  if (names.some(fits)) return { method: operationMethod, parts, rest: 'nothing' };
  const [noun, verb] = parts;
  if (parts.length === 2 && names.some(([first, , last]) => first === noun && last === verb)) {
    return `unknown operation ${shownValue(text)}; did you mean ${noun}.*.${verb}?`;
  }
  return withHint(`unknown operation ${shownValue(text)}`, text, names.map((name) => name.join('.')));
};

let operations: readonly (readonly string[])[] | undefined;

/** The parameters decide if several operations share a route. */
const operationParts = async ({ method, path, parameters }: ApiRequest): Promise<readonly string[]> => {
  const match = contractRouter().match(method === 'HEAD' ? 'GET' : method, withoutPrefix(path));
  if (!match) return [];
  const given = match.candidates.length === 1 ? {} : await parameters.all().catch(() => ({}));
  return firstThatFits(match.candidates, { ...given, ...match.path }).name.split('.');
};

export const withHint = (reason: string, word: string, known: readonly string[]): string => {
  const hint = didYouMean(word, known);
  return hint === undefined ? reason : `${reason}; ${hint}`;
};
