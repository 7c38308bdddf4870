import type { Contract } from '../../contract/contract.js';
import type { BehavioursOf } from '../call.js';
import { readAppearance } from '../records/appearance.js';
import { appearanceJson } from '../render/appearance.js';
import { setAppearance } from './set.js';

/** What the server does for interface.md's appearance; that only administrators get here is seen to before. */
export const appearanceBehaviours: BehavioursOf<Contract['appearance']> = {
  get: async (_, { queries, dialect }) => appearanceJson(await readAppearance(queries), dialect),
  set: setAppearance,
};
