import type { Dialect } from './dialect.js';
import { beginEpoch } from './records/settings.js';
import type { Queries } from './store/database.js';
import { withoutWaiting } from './store/unwaited.js';
import { writeWorld } from './world/fill.js';
import type { World } from './world/shape.js';

/** What a world needs to become a store's. */
export interface Beginning {
  readonly dialect: Dialect;
  readonly now: () => Date;
  readonly hex: (length: number) => string;
}

/** Writes a world into empty tables, ready to be answered from. */
export const beginWith = async (queries: Queries, world: World, { dialect, now, hex }: Beginning): Promise<void> => {
  await withoutWaiting(queries, async (unwaited) => {
    await writeWorld(unwaited, world, { now: now(), hex, dialect });
  });
  await beginEpoch(queries, hex(32));
};
