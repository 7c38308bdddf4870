/** A script, a frame or a request to another host is never allowed, because texts of the page are untrusted. */
export const pagePolicy = [
  "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

export const securityHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Browsers take seconds to start. */
const lifetime = 60_000;

/** Gives access once, within a minute. */
export const oneTimeCode = (now: () => Date, random: () => string) => {
  let valid: { readonly code: string; readonly end: number } | null = null;
  return {
    issue: (): string => {
      valid = { code: random(), end: now().getTime() + lifetime };
      return valid.code;
    },
    redeem: (code: string): boolean => {
      if (valid?.code !== code) return false;
      const { end } = valid;
      valid = null;
      return now().getTime() < end;
    },
  };
};
