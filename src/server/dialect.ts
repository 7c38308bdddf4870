/**
 * Which shapes the server speaks: those of interface.md, or those of the live service (wire-facts, section 7) with the
 * fields it has beside them.
 */
export type Dialect = 'document' | 'live';
