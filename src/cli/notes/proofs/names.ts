/** What became of the commit that fixed a thread; `none` if no reply names one that changes its lines. */
export const proofs = ['verified', 'renewed', 'gone', 'reverted', 'none'] as const;
export type Proof = (typeof proofs)[number];
