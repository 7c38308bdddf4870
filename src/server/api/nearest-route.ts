import type { Edition } from '../../contract/behavior/fact.js';
import { apiPrefix, groupInfix, hasSince } from '../../contract/conventions.js';
import { everyEndpoint } from '../../contract/contract.js';
import { nearestName } from '../../text/messages.js';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly string[];
  readonly since: string | undefined;
  readonly isDocumentedOnly: boolean;
}

interface Routes { readonly all: readonly Route[]; readonly literals: ReadonlySet<string> }

let shared: Routes | undefined;

const createRoutes = (): Routes => {
  const all = everyEndpoint().flatMap(({ endpoint: { method, paths, documentedOnly = [], since } }) =>
    paths.map((path): Route =>
      ({ method, path, segments: path.slice(1).split('/'), since, isDocumentedOnly: documentedOnly.includes(path) })));
  return { all, literals: new Set(all.flatMap(({ segments }) => segments).filter((segment) => !isParameter(segment))) };
};

const isParameter = (segment: string): boolean => segment.startsWith(':');

/** Bounds the work for hostile paths. The longest route has nine segments. */
const limits = { segments: 12, characters: 40 };

/** As `METHOD /api/v4/path/:parameter`. @param path below the prefix of the API @param edition null for all routes */
export const nearestRoute = (method: string, path: string, edition: Edition | null = null): string => {
  const { all, literals } = shared ??= createRoutes();
  const segments = path.replace(`${groupInfix}/`, '/').split('/', limits.segments).filter((segment) => segment !== '')
    .map((segment) => segment.slice(0, limits.characters));
  const meant = new Map(segments.map((segment) => [segment, nearestName(segment, literals)]));
  const change = (given: string, wanted: string): number => {
    if (given === wanted) return 0;
    if (isParameter(wanted)) return costs.parameter;
    return meant.get(given) === wanted ? costs.typo : costs.otherSegment;
  };
  let nearest = { route: all[0]!, cost: Infinity };
  for (const route of all) {
    if (edition !== null && !isRouteIn(edition, route)) continue;
    const cost = distance(segments, route.segments, change) + (route.method === method ? 0 : costs.otherMethod);
    if (cost < nearest.cost) nearest = { route, cost };
  }
  return `${nearest.route.method} ${apiPrefix}${nearest.route.path}`;
};

const isRouteIn = ({ dialect, version }: Edition, { since, isDocumentedOnly }: Route): boolean =>
  hasSince(version, since) && (dialect === 'document' || !isDocumentedOnly);

/** Relative to one segment too many or too few. Equal words count more than values of parameters. */
const costs = { parameter: 0.2, typo: 0.5, otherMethod: 0.5, otherSegment: 1.2 };

/** The edit distance. @param change the cost of one segment in place of another */
const distance = (
  given: readonly string[], wanted: readonly string[], change: (given: string, wanted: string) => number,
): number => {
  let row = Array.from({ length: wanted.length + 1 }, (_, i) => i);
  for (const segment of given) {
    const next = [row[0]! + 1];
    for (const [i, other] of wanted.entries()) {
      next.push(Math.min(row[i]! + change(segment, other), row[i + 1]! + 1, next[i]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
};
