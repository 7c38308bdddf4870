import { describe, expect, it } from 'vitest';
import { oneTimeCode } from '../../src/page/security.js';

/** Codes `code1`, `code2` and so on, with a clock that `pass` moves. */
const codes = () => {
  let now = 0;
  let count = 0;
  return { ...oneTimeCode(() => new Date(now), () => `code${++count}`), pass: (seconds: number) => { now += 1_000 * seconds; } };
};

describe('a one-time code', () => {
  it('is redeemed once', () => {
    const { issue, redeem } = codes();
    const code = issue();
    expect([redeem(code), redeem(code)]).toEqual([true, false]);
  });

  it('expires after a minute', () => {
    const { issue, redeem, pass } = codes();
    const code = issue();
    pass(60);
    expect(redeem(code)).toBe(false);
  });

  it('survives a wrong one, and is replaced by the next', () => {
    const { issue, redeem } = codes();
    const [first, second] = [issue(), issue()];
    expect([redeem(''), redeem(first), redeem(second)]).toEqual([false, false, true]);
  });

  it('does not exist before it is issued', () => {
    expect(['', 'code1', 'undefined', 'null'].map(codes().redeem)).toEqual([false, false, false, false]);
  });
});
