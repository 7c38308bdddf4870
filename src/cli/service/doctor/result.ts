import * as Type from '@sinclair/typebox';
import type { App } from '../../app.js';
import { plainLine } from '../../../text/plain.js';
import { painter, type Tone } from '../../terminal/io/style.js';
import type { View } from '../../terminal/output/view.js';

/** `skip`: nothing to check, or not possible. */
export const CheckResult = Type.Object({
  check: Type.String(),
  state: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail'), Type.Literal('skip')]),
  message: Type.String(),
  hint: Type.Union([Type.String(), Type.Null()]),
});
export type CheckResult = Type.Static<typeof CheckResult>;

export const ok = (check: string, message: string): CheckResult => ({ check, state: 'ok', message, hint: null });
export const skip = (check: string, message: string): CheckResult => ({ check, state: 'skip', message, hint: null });
export const warn = (check: string, message: string, hint: string): CheckResult =>
  ({ check, state: 'warn', message, hint });
export const fail = (check: string, message: string, hint: string | null): CheckResult =>
  ({ check, state: 'fail', message, hint });

export const resultView: View<CheckResult> = {
  columns: [
    { name: 'check', cell: ({ check }) => check },
    { name: 'state', cell: ({ state }) => state },
    { name: 'message', cell: ({ message }) => message },
    { name: 'hint', cell: ({ hint }) => hint ?? '' },
  ],
  id: ({ check }) => check,
  shape: CheckResult,
  emptyText: 'nothing to check',
};

const tones: Readonly<Record<CheckResult['state'], Tone>> = {
  ok: 'done', warn: 'open', fail: 'removed', skip: 'faint',
};

/** Never truncated. */
export const resultsText = async ({ out }: App, results: readonly CheckResult[]): Promise<string> => {
  const paint = await painter(out.colors);
  const { wrapLines } = await import('../../terminal/io/wrap.js');
  const width = Math.max(...results.map(({ check }) => check.length)) + 2;
  const room = out.isTerminal ? out.columns - width - 6 : Infinity;
  return results.map(({ check, state, message, hint }) => {
    const text = (words: string) => wrapLines(plainLine(words), room).replaceAll('\n', `\n${' '.repeat(width + 6)}`);
    const line = `${paint(tones[state], state.padEnd(6))}${check.padEnd(width)}${text(message)}\n`;
    return hint === null ? line : `${line}${' '.repeat(width + 6)}${text(hint)}\n`;
  }).join('');
};
