/** A signal that is aborted with the reason of the first of two to be aborted. */
export const joined = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;
