import type { World } from '../../src/server/world-file/schema.js';
import { testApp, type WorldOptions } from './app.js';
import { testService } from './service.js';
import { acme } from './worlds.js';

/** An epic of the world. */
export type SeededEpic = NonNullable<NonNullable<World['groups']>[number]['epics']>[number];

/**
 * A program whose group `acme` has epic 1 (id 500) with the children 4, 5 and 6 (ids 504, 505, 506) and one of the
 * subgroup with the internal id 4 (id 604), and epic 3 (id 503) with the child 7 (id 507). Epic 8 (id 508) has no parent.
 */
export const epicApp = async (options: WorldOptions = {}) => otherEpics((epics) => epics, options);

/** The same with other epics in the group `acme`. @param now the time of the service */
export const otherEpics = async (
  change: (epics: readonly SeededEpic[]) => readonly SeededEpic[], options: WorldOptions = {}, now?: Date,
) => {
  const epic = (iid: number, parent?: number) => ({ id: 500 + iid, iid, title: `Epic ${iid}`, author: 'reporter', ...(parent && { parent }) });
  const [group] = acme.groups!;
  const epics = [...group!.epics!, epic(3), epic(4, 500), epic(5, 500), epic(6, 500), epic(7, 503), epic(8)];
  const service = await testService({ ...(now && { now: () => now }), world: { ...acme, groups: [
    { ...group, epics: [...change(epics)] },
    { id: 11, path: 'acme/sub', visibility: 'private', epics: [{ id: 604, iid: 4, title: 'Sub 4', author: 'reporter', parent: 500 }] },
  ] } });
  return testApp({ service, ...options, env: { COLLOQUY_TOKEN: 'reporter-token', ...options.env } });
};
