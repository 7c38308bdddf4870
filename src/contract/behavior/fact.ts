import type { Dialect } from '../endpoint.js';
import type { Tier } from '../versions.js';

/** Where a fact comes from: the documentation, the service itself, or a choice where both say nothing. */
type FactSource = 'documented' | 'observed' | 'chosen';

type FactArea = 'requests' | 'authentication' | 'errors' | 'parameters' | 'pagination' | 'limits' | 'access'
  | 'discussions' | 'notes' | 'replies' | 'resolving' | 'positions' | 'pushes' | 'suggestions' | 'drafts' | 'lookups'
  | 'changes' | 'appearance' | 'epics' | 'hooks' | 'shapes';

/** One thing that the service does. */
export interface Fact {
  readonly id: string;
  /** One plain sentence. */
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

type Statement = Pick<Fact, 'text' | 'source'> & Scope;

const stated = (source: FactSource) => (text: string, scope: Scope = {}): Statement => ({ text, source, ...scope });

/** The documentation says so. */
export const documented = stated('documented');

/** The service does so. */
export const observed = stated('observed');

/** Nobody knows, or what the service does is of no use: this server does so. */
export const chosen = stated('chosen');

const both: readonly Dialect[] = ['document', 'live'];

/** The facts of one area by their ids. */
export const factsOf = <const Id extends string>(
  area: FactArea, statements: Readonly<Record<Id, Statement>>,
): Readonly<Record<Id, Fact>> => Object.fromEntries(Object.entries<Statement>(statements).map(([id, statement]) =>
  [id, { id, area, dialects: both, from: null, to: null, tier: null, ...statement }])) as unknown as Record<Id, Fact>;
