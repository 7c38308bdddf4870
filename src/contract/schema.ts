/** The types of shapes; the package declares them without TypeBox, which it contains. */
export type { Static, TSchema } from '@sinclair/typebox';
