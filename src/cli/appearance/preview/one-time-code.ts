/** Browsers take seconds to start. In milliseconds. */
const lifetime = 60_000;

/** A code that gives access once, for a short time. */
export interface OneTimeCode {
  /** Returns a new code in place of the former one. */
  readonly issue: () => string;
  /** Whether a code is valid; it is not any longer after that. */
  readonly redeem: (code: string) => boolean;
}

/** @param random returns a new random text */
export const oneTimeCode = (now: () => Date, random: () => string): OneTimeCode => {
  let valid: { readonly code: string; readonly end: number } | null = null;
  return {
    issue: () => {
      valid = { code: random(), end: now().getTime() + lifetime };
      return valid.code;
    },
    redeem: (code) => {
      if (valid?.code !== code) return false;
      const { end } = valid;
      valid = null;
      return now().getTime() < end;
    },
  };
};
