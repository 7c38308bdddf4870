/** A signal that aborts as soon as one of two signals does, with the same reason. */
export const anySignal = <S extends AbortSignal | undefined>(one: AbortSignal | undefined, other: S): AbortSignal | S =>
  one && other ? AbortSignal.any([one, other]) : one ?? other;
