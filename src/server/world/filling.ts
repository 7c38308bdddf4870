import type { Queries } from '../store/database.js';
import { worldClock, type Clock } from './clock.js';
import { contentsOf, type Contents } from './contents.js';
import { numbering, numberingOf, type Numbering } from './numbering.js';
import type { World, WorldUser } from './shape.js';

/** What the world is given from outside. */
export interface Given {
  /** Things without a time of their own are spread before it. */
  readonly now: Date;
  /** So many hexadecimal characters, by chance or in a row. */
  readonly hex: (length: number) => string;
}

/** All that the parts of a fill share. */
export interface Filling {
  readonly queries: Queries;
  readonly hex: Given['hex'];
  readonly clock: Clock;
  /** The id of a user; without a name, of the first one. */
  readonly userId: (username?: string) => number;
  readonly ids: { readonly [K in keyof Contents]: Numbering };
  /** A row in `noteables`: its own key, apart from the ids that the service shows. */
  readonly nextNoteable: Numbering;
  readonly nextPosition: () => number;
}

/** Siblings stand so far apart that others fit between them. */
const gap = 2 ** 20;

/** Begins a fill; `users` are the world's, with id and username. */
export const filling = (
  queries: Queries, world: World, users: readonly Required<Pick<WorldUser, 'id' | 'username'>>[], { now, hex }: Given,
): Filling => {
  const contents = contentsOf(world);
  const { notes, issue, snippet, epic, merge_request, commit } = contents;
  const count = [notes, issue, snippet, epic, merge_request, commit].reduce((sum, { length }) => sum + length, 0);
  const userIds = new Map(users.map(({ id, username }) => [username, id]));
  let position = 0;
  return {
    queries,
    hex,
    clock: worldClock(now, count),
    userId: (username) => userIds.get(username ?? users[0]!.username)!,
    ids: {
      issue: numberingOf(issue), snippet: numberingOf(snippet), epic: numberingOf(epic),
      merge_request: numberingOf(merge_request), commit: numberingOf(commit), notes: numberingOf(notes),
    },
    nextNoteable: numbering([]),
    nextPosition: () => position += gap,
  };
};
