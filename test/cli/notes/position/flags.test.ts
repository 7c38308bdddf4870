import { expect, it } from 'vitest';
import { create } from '../../../support/positions.js';

it.each([
  [['--line', '2'], 'no file of the diff given'],
  [['--file', 'app.js'], 'no line of app.js given'],
  [['--file', 'app.js', '--line', 'x'], '--line takes'],
  [['--file', 'app.js', '--line', '0'], '--line takes'],
  [['--file', 'app.js', '--line', '3:2'], 'ends before it starts'],
  [['--file', 'app.js', '--line', '3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js:3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js', '--line', '1-2-3'], '--line takes [old:|new:]N, N-M or N:M'],
  [['--file', 'app.js:'], 'no line of app.js: given'],
  [['--file', 'app.js:0'], 'no line of app.js:0 given'],
  [['--file', 'a.png', '--image-at', '1,2'], 'must be used together'],
  [['--file', 'a.png', '--image-at', '1', '--image-size', '2x2'], '--image-at takes x,y'],
  [['--file', 'a.png', '--image-at', '1,1', '--image-size', '2'], '--image-size takes'],
  [['--file', 'a.png', '--line', '1', '--image-at', '1,1'], 'cannot be combined'],
  [['--position', 'p.json', '--old-path', 'a'], '--position and --old-path'],
])('%j is a usage error', async (flags, message) => {
  const { exit, err, position } = await create(flags);
  expect({ exit, position }).toEqual({ exit: 2, position: undefined });
  expect(err).toContain(message);
});
