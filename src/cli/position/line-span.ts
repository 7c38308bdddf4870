import { usage } from '../failures.js';

/** The side of a diff that a line number counts on. */
export type Side = 'old' | 'new';

/** One line, or several, on one side of a diff. */
export interface LineSpan { readonly side: Side; readonly from: number; readonly to: number }

/** Reads `[old:|new:]N[:M]`. @throws Problem */
export const lineSpan = (text: string): LineSpan => {
  const [, side = 'new', from, to = from] = /^(?:(old|new):)?([1-9]\d{0,8})(?::([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (from === undefined) throw usage(`--line takes [old:|new:]N or N:M, not ${JSON.stringify(text)}`);
  const span = { side: side as Side, from: Number(from), to: Number(to) };
  if (span.to < span.from) throw usage(`--line ${text} ends before it begins`);
  return span;
};
