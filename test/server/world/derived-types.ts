import type { Static } from '@sinclair/typebox';
import type * as Derived from '../../../src/server/world/derived.js';
import type { World } from '../../../src/server/world/schema.js';

/** The compiler rejects this file if the derived type of world files differs from the inferred one. */
type SchemaOf = Static<typeof World>;

type Extends<A extends B, B> = A;

export type InferredIsDerived = Extends<SchemaOf, Derived.World>;
export type DerivedIsInferred = Extends<Derived.World, SchemaOf>;
