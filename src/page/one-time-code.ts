/** Browsers take seconds to start. In milliseconds. */
const lifetime = 60_000;

interface OneTimeCode {
  readonly issue: () => string;
  readonly redeem: (code: string) => boolean;
}

/** Gives access once, within a minute. */
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
