import { hasSince, newestVersion, type Tier, versions } from '../conventions.js';
import type { Dialect } from '../endpoint.js';

type FactSource = 'documented' | 'observed' | 'chosen';

type FactArea = 'requests' | 'authentication' | 'errors' | 'parameters' | 'pagination' | 'limits' | 'access'
  | 'discussions' | 'notes' | 'replies' | 'resolving' | 'positions' | 'pushes' | 'suggestions' | 'drafts' | 'lookups'
  | 'changes' | 'appearance' | 'epics' | 'hooks' | 'shapes';

/** One thing that the service does. */
export interface Fact {
  readonly id: string;
  readonly text: string;
  readonly area: FactArea;
  readonly source: FactSource;
  readonly dialects: readonly Dialect[];
  /** The first version of the service that does it, such as `13.7`; null if all do. */
  readonly from: string | null;
  /** The first version that no longer does it; null if the newest does. */
  readonly to: string | null;
  /** The lowest tier that has it; null if all have. */
  readonly tier: Tier | null;
}

type Scope = Partial<Pick<Fact, 'dialects' | 'from' | 'to' | 'tier'>>;

/** A fact before `factsAbout` gives it its id and area. */
type Statement = { -readonly [Key in keyof Fact]: Fact[Key] };

export const inDocument = { dialects: ['document'] } as const;

export const onLive = { dialects: ['live'] } as const;

/** Version 13 and the newest differ in it; nobody knows since which one. */
export const newer = { from: versions.unknown } as const;

export const newerLive = { ...onLive, ...newer };

const both: readonly Dialect[] = ['document', 'live'];

const stated = (source: FactSource) =>
  (text: string, { dialects = both, from = null, to = null, tier = null }: Scope = {}): Statement =>
    ({ id: '', area: 'requests', dialects, from, to, tier, text, source });

export const documented = stated('documented');

export const observed = stated('observed');

/** Nobody knows, or what the service does is of no use; this server does so. */
export const chosen = stated('chosen');

/** Completes the statements in place: every server does it at its start, and new objects take longer. */
export const factsAbout = <const Id extends string>(
  area: FactArea, statements: Readonly<Record<Id, Statement>>,
): Readonly<Record<Id, Fact>> => {
  for (const id in statements) {
    const statement = statements[id];
    statement.id = id;
    statement.area = area;
  }
  return statements;
};

/** The service that a server imitates. */
export interface Edition {
  readonly dialect: Dialect;
  readonly version: string;
}

const editions = new Map<string, Edition>();

/** The same object for the same service, so that it can be a key. Every request asks for one. */
export const editionOf = (dialect: Dialect, given: string | null): Edition => {
  const question = `${dialect} ${given}`;
  const known = editions.get(question);
  if (known) return known;
  const version = twoNumbers(reportedVersion(given));
  const edition = editions.get(`${dialect} ${version}`) ?? { dialect, version };
  editions.set(question, edition).set(`${dialect} ${version}`, edition);
  return edition;
};

/** behavior: requests.versions */
export const reportedVersion = (given: string | null): string => given ?? newestVersion;

const twoNumbers = (version: string): string => version.split(/[.-]/).slice(0, 2).join('.');

const known = new WeakMap<Edition, Map<Fact, boolean>>();

export const holdsIn = (fact: Fact, edition: Edition): boolean => {
  const facts = known.get(edition) ?? new Map<Fact, boolean>();
  known.set(edition, facts);
  const found = facts.get(fact) ?? isTrue(fact, edition);
  facts.set(fact, found);
  return found;
};

const isTrue = ({ dialects, from, to }: Fact, { dialect, version }: Edition): boolean =>
  dialects.includes(dialect) && (from === null || hasSince(version, from)) && !(to !== null && hasSince(version, to));
