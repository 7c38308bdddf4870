import type { Static } from '@sinclair/typebox';
import type * as Derived from '../../../src/server/world-file/derived.js';
import type { World } from '../../../src/server/world-file/schema.js';
import type { Same } from '../../support/same-type.js';

type Holds<T extends true> = T;

/** The compiler rejects this file if the derived type of world files differs from the inferred one. */
export type WorldIsDerived = Holds<Same<Static<typeof World>, Derived.World>>;
