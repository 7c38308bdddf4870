import { usage } from '../../command-line/failure.js';

export type Side = 'old' | 'new';

/** On one side of a diff: the new one, unless it is given or the file is deleted. */
export interface LineSpan { readonly side: Side | null; readonly from: number; readonly to: number }

/** `[old:|new:]N`, `N-M` and `N:M`. @throws Problem */
export const lineSpan = (text: string): LineSpan => {
  const [, side = null, from, to = from] = /^(?:(old|new):)?([1-9]\d{0,8})(?:[-:]([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (from === undefined) throw usage(`--line takes [old:|new:]N, N-M or N:M, not ${JSON.stringify(text)}`);
  const span = { side: side as Side | null, from: Number(from), to: Number(to) };
  if (span.to < span.from) throw usage(`the range ${text} ends before it starts`);
  return span;
};

/** `src/a.ts:13`, the form of compilers and editors; the line is undefined if there is none. */
export const fileAndLine = (text: string): { readonly file: string; readonly line: string | undefined } => {
  const [, file = text, line] = /^(.+?):((?:(?:old|new):)?[1-9]\d{0,8}(?:-[1-9]\d{0,8})?)$/.exec(text) ?? [];
  return { file, line };
};
