import { expect, it } from 'vitest';
import { colorsOf } from '../../../../src/cli/terminal/io/style.js';

it('an empty NO_COLOR keeps colors, and any other value disables them', () => {
  expect(colorsOf({ NO_COLOR: '' }, true, 8)).toBe(2);
  for (const value of ['1', '0', 'false']) expect(colorsOf({ NO_COLOR: value }, true, 8)).toBe(0);
});

it.each([
  [{}, true, 24, 3], [{}, true, 8, 2], [{}, true, 4, 1], [{}, true, 1, 0], [{}, false, 24, 0],
  [{ NO_COLOR: '1' }, true, 24, 0], [{ NO_COLOR: '' }, true, 24, 3], [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, 24, 0],
  [{ TERM: 'dumb' }, true, 24, 0], [{ CLICOLOR: '0' }, true, 24, 0], [{ CLICOLOR: '1' }, true, 24, 3],
  [{ CLICOLOR_FORCE: '1' }, false, 1, 1], [{ CLICOLOR_FORCE: '0' }, false, 24, 0], [{ CLICOLOR_FORCE: '1', NO_COLOR: '1' }, false, 24, 0],
  [{ FORCE_COLOR: '' }, false, 1, 1], [{ FORCE_COLOR: '0' }, true, 24, 0], [{ FORCE_COLOR: '3' }, false, 1, 3], [{ FORCE_COLOR: 'true' }, false, 1, 1],
] as const)('%j on a terminal (%s) of %i bits gives level %i', (env, isTerminal, depth, level) => {
  expect(colorsOf(env, isTerminal, depth)).toBe(level);
});
