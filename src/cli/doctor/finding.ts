import { Type, type Static } from '@sinclair/typebox';
import type { View } from '../output/view.js';

/** What one check found. `skip` says that there was nothing to check or no way to. */
export const Finding = Type.Object({
  check: Type.String(),
  state: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail'), Type.Literal('skip')]),
  message: Type.String(),
  remedy: Type.Union([Type.String(), Type.Null()]),
});
export type Finding = Static<typeof Finding>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, remedy: null });
export const skip = (check: string, message: string): Finding => ({ check, state: 'skip', message, remedy: null });
export const warn = (check: string, message: string, remedy: string): Finding =>
  ({ check, state: 'warn', message, remedy });
export const fail = (check: string, message: string, remedy: string | null): Finding =>
  ({ check, state: 'fail', message, remedy });

/** How findings are shown where they are not told as text. */
export const findingView: View<Finding> = {
  columns: [
    { name: 'check', cell: ({ check }) => check },
    { name: 'state', cell: ({ state }) => state },
    { name: 'finding', cell: ({ message }) => message },
    { name: 'remedy', cell: ({ remedy }) => remedy ?? '' },
  ],
  id: ({ check }) => check,
  shape: Finding,
  none: 'nothing to check',
};
