import type { Dialect } from '../dialect.js';
import type { Queries } from '../store/database.js';
import { worldClock, type Clock } from './clock.js';
import { contentsOf, type Contents } from './contents.js';
import { numbering, numberingOf, type Numbering } from './numbering.js';
import type { NamedUser } from './fill-people.js';
import type { World } from './shape.js';

/** What the world is given from outside. */
export interface Given {
  /** Things without a time of their own are spread before it. */
  readonly now: Date;
  /** So many hexadecimal characters, by chance or in a row. */
  readonly hex: (length: number) => string;
  /** In whose words the notes are stored. */
  readonly dialect: Dialect;
}

/** All that the parts of a fill share. */
export interface Filling {
  readonly queries: Queries;
  readonly hex: Given['hex'];
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** A user; without a name, the first one. */
  readonly user: (username?: string) => NamedUser;
  readonly ids: { readonly [K in keyof Contents]: Numbering };
  /** A row in `noteables`: its own key, apart from the ids that the service shows. */
  readonly nextNoteable: Numbering;
  readonly nextPosition: () => number;
}

/** Siblings stand so far apart that others fit between them. */
const gap = 2 ** 20;

/** Begins a fill; `users` are the world's. */
export const filling = (
  queries: Queries, world: World, users: readonly NamedUser[], { now, hex, dialect }: Given,
): Filling => {
  const contents = contentsOf(world);
  const { notes, issue, snippet, epic, merge_request, commit } = contents;
  const count = [notes, issue, snippet, epic, merge_request, commit].reduce((sum, { length }) => sum + length, 0);
  const byName = new Map(users.map((user) => [user.username, user]));
  let position = 0;
  return {
    queries,
    hex,
    dialect,
    clock: worldClock(now, count),
    user: (username) => byName.get(username ?? users[0]!.username)!,
    ids: {
      issue: numberingOf(issue), snippet: numberingOf(snippet), epic: numberingOf(epic),
      merge_request: numberingOf(merge_request), commit: numberingOf(commit), notes: numberingOf(notes),
    },
    nextNoteable: numbering([]),
    nextPosition: () => position += gap,
  };
};
