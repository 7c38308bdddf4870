/** A type of data whose optional keys are required: else a type that lacks one could be assigned to it. */
type Whole<T> = T extends Uint8Array ? T : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;

type Mutual<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

/** Whether two types of data have the same keys, optional ones included, and the same values. */
export type Same<A, B> = Mutual<A, B> extends true ? Mutual<Whole<A>, Whole<B>> : false;
