import { apiPrefix } from '../../contract/conventions.js';
import { routes } from '../../contract/routes.js';
import { fitsPieces } from '../../text/quoting.js';
import { didYouMean } from '../world-file/problem.js';
import type { ApiRequest } from '../api/request.js';
import { contractRouter, firstThatFits, plainPath } from '../api/router.js';
import { shownValue } from './file.js';

/** The requests that a rule is about: their method, and the parts of their path or of the name of their operation. */
export interface Target {
  /** `*` for all methods, `operation` for names of operations, `hook` for events of webhooks. */
  readonly method: string;
  /** In each, `*` stands for any characters. */
  readonly parts: readonly string[];
  /** What follows these parts: nothing, something, or anything. */
  readonly rest: Rest;
}

type Rest = 'nothing' | 'something' | 'anything';

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
  if (/[?#]/.test(path)) return `the path ${shownValue(path)} has a query, which no rule looks at`;
  if (path === '*') return { method, parts: [], rest: 'anything' };
  const isAnywhere = path.startsWith('*/');
  if (!isAnywhere && !path.startsWith('/')) return `the path ${shownValue(path)} does not start with /`;
  const pattern = plainPath(isAnywhere ? path.slice(1) : withoutPrefix(path)).toLowerCase();
  const isOpen = pattern.endsWith('/*');
  const parts = (isOpen ? pattern.slice(0, -2) : pattern).split('/');
  const rest = isOpen ? 'something' : 'nothing';
  return isAnywhere ? { method: `${anywhere}${method}`, parts: parts.slice(1), rest } : { method, parts, rest };
};

const anywhere = 'anywhere ';

export const createRequestIndex = <T extends Indexed>(rules: readonly T[]) => {
  const { find, remove } = createRuleIndex(rules);
  const hasOperations = rules.some(({ target }) => target.method === operationMethod);
  const isAnywhere = rules.some(({ target }) => target.method.startsWith(anywhere));
  return {
    /** The caller is not looked up, because it takes a query. */
    find: (request: ApiRequest): readonly RuleGroup<T>[] | Promise<readonly RuleGroup<T>[]> => {
      const methodNames = request.method === 'HEAD' ? ['*', 'HEAD', 'GET'] : ['*', request.method];
      const segments = plainPath(withoutPrefix(request.path)).toLowerCase().split('/');
      const later = isAnywhere ? [...segments.keys()].slice(1) : [];
      const byEnd = later.flatMap((start) => find(methodNames.map((name) => anywhere + name), segments.slice(start)));
      const byPath = [...find(methodNames, segments), ...new Set(byEnd)];
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

/** The parameters decide if several operations share a route. Empty for an unknown route. */
export const operationParts = async ({ method, path, parameters }: ApiRequest): Promise<readonly string[]> => {
  const match = contractRouter().match(method === 'HEAD' ? 'GET' : method, withoutPrefix(path));
  if (!match) return [];
  const given = match.candidates.length === 1 ? {} : await parameters.all().catch(() => ({}));
  return firstThatFits(match.candidates, { ...given, ...match.path }).name.split('.');
};

export const withHint = (reason: string, word: string, known: readonly string[]): string => {
  const hint = didYouMean(word, known);
  return hint === undefined ? reason : `${reason}; ${hint}`;
};

export interface Indexed {
  readonly number: number;
  readonly target: Target;
  readonly user?: string | undefined;
}

/** Rules with the same target by the user that they are about, null for all users. */
type RuleGroup<T> = Map<string | null, Set<T>>;

export type RuleIndex<T extends Indexed> = ReturnType<typeof createRuleIndex<T>>;

/** A tree by the parts of the targets. */
interface Node<T> {
  readonly groups: Map<Rest, RuleGroup<T>>;
  readonly literals: Map<string, Node<T>>;
  readonly lengths: [first: number, last: number][];
  /** Parts with stars by their first and last characters, then by their text. */
  readonly byEnds: Map<string, Map<string, { readonly pieces: readonly string[]; readonly node: Node<T> }>>;
}

export const createRuleIndex = <T extends Indexed>(rules: readonly T[]) => {
  const roots = new Map<string, Node<T>>();
  const groups = new Map<T, RuleGroup<T>>();
  for (const rule of rules) {
    const { method, parts, rest } = rule.target;
    const node = parts.reduce(childOf, valueOf(roots, method, createNode<T>));
    const group = valueOf(node.groups, rest, () => new Map<string | null, Set<T>>());
    valueOf(group, userOf(rule), () => new Set<T>()).add(rule);
    groups.set(rule, group);
  }
  return {
    /** The rules whose target fits. Others cost nothing, however many there are. */
    find: (methods: readonly string[], parts: readonly string[]) => methods.flatMap((method): RuleGroup<T>[] => {
      const root = roots.get(method);
      return root ? groupsBelow(root, parts) : [];
    }),
    remove: (rule: T): void => {
      const group = groups.get(rule);
      const others = group?.get(userOf(rule));
      others?.delete(rule);
      if (others?.size === 0) group!.delete(userOf(rule));
    },
  };
};

export const hasUsers = (group: RuleGroup<unknown>): boolean => group.size > (group.has(null) ? 1 : 0);

/** In the order of the rules. */
export const rulesFor = <T extends Indexed>(groups: readonly RuleGroup<T>[], user: string | null): Iterable<T> => {
  const keys = user === null ? [null] : [null, user];
  const sets = groups.flatMap((group) => keys.flatMap((key) => group.get(key) ?? []));
  return sets.length === 1 ? sets[0]! : sets.flatMap((set) => [...set]).sort((a, b) => a.number - b.number);
};

const userOf = ({ user }: Indexed): string | null => user ?? null;

const valueOf = <K, V>(map: Map<K, V>, key: K, create: () => V): V => {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
};

const createNode = <T>(): Node<T> =>
  ({ groups: new Map(), literals: new Map(), lengths: [], byEnds: new Map() });

/** Bounds the number of pairs of lengths. */
const longestEnd = 12;

const childOf = <T>({ literals, lengths, byEnds }: Node<T>, part: string): Node<T> => {
  const pieces = part.split(/\*+/);
  if (pieces.length === 1) return valueOf(literals, part, createNode<T>);
  const [first, last] = [pieces[0]!.slice(0, longestEnd), pieces.at(-1)!.slice(-longestEnd)];
  if (!lengths.some(([a, b]) => a === first.length && b === last.length)) lengths.push([first.length, last.length]);
  const alike = valueOf(byEnds, `${first}*${last}`, () => new Map());
  return valueOf(alike, pieces.join('*'), () => ({ pieces, node: createNode<T>() })).node;
};

const groupsBelow = <T>(root: Node<T>, parts: readonly string[]): RuleGroup<T>[] => {
  const found: RuleGroup<T>[] = [];
  const lastFilled = parts.findLastIndex((part) => part !== '');
  const add = ({ groups }: Node<T>, rest: Rest) => {
    const group = groups.get(rest);
    if (group) found.push(group);
  };
  let nodes: readonly Node<T>[] = [root];
  for (let i = 0; ; i++) {
    for (const node of nodes) {
      add(node, 'anything');
      if (i <= lastFilled) add(node, 'something');
      if (i === parts.length) add(node, 'nothing');
    }
    if (i === parts.length || nodes.length === 0) return found;
    nodes = nodes.flatMap((node) => childrenFor(node, parts[i]!));
  }
};

const childrenFor = <T>({ literals, lengths, byEnds }: Node<T>, part: string): Node<T>[] => {
  const literal = literals.get(part);
  const nodes = literal ? [literal] : [];
  for (const [first, last] of lengths) {
    if (first + last > part.length) continue;
    const alike = byEnds.get(`${part.slice(0, first)}*${part.slice(part.length - last)}`);
    for (const { pieces, node } of alike?.values() ?? []) if (fitsPieces(part, pieces)) nodes.push(node);
  }
  return nodes;
};
