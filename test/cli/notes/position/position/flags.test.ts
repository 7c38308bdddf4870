import { expect, it } from 'vitest';
import { testService } from '../../../../support/service.js';
import { create, shas } from '../../../../support/positions.js';

it.each([
  [['--line', '2'], 'no file of the diff given'],
  [['--file', 'app.js', '--suggest', 'x'], 'a suggestion requires a line of the new version'],
  [['--file', 'app.js', '--line', 'x'], '--line takes'],
  [['--file', 'app.js', '--line', '0'], '--line takes'],
  [['--file', 'app.js', '--line', '3:2'], 'ends before it starts'],
  [['--file', 'app.js', '--line', '3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js:3-2'], 'the range 3-2 ends before it starts'],
  [['--file', 'app.js', '--line', '1-2-3'], '--line takes [old:|new:]N, N-M or N:M'],
  [['--file', 'app.js:'], 'app.js: is not in the diff of mr/1'],
  [['--file', 'app.js:0'], 'app.js:0 is not in the diff of mr/1'],
  [['--file', 'a.png', '--image-size', '1x2'], 'requires --image-at'],
  [['--file', 'a.png', '--image-at', '1', '--image-size', '2x2'], '--image-at takes x,y'],
  [['--file', 'a.png', '--image-at', '1,1', '--image-size', '2'], '--image-size takes'],
  [['--file', 'a.png', '--line', '1', '--image-at', '1,1'], 'cannot be combined'],
  [['--position', 'p.json', '--old-path', 'a'], '--position and --old-path'],
])('%j is a usage error', async (flags, message) => {
  const { exit, err, position } = await create(flags);
  expect({ exit, position }).toEqual({ exit: 2, position: undefined });
  expect(err).toContain(message);
});

it.each([['app.js', 'app.js', 'app.js'], ['new.txt', 'old.txt', 'new.txt'], ['old.txt', 'old.txt', 'new.txt'], ['pixel.png', 'pixel.png', 'pixel.png']])(
  '--file %s alone comments on the whole file', async (path, old_path, new_path) => {
    const { exit, position } = await create(['--file', path], { service: await testService({ dialect: 'live' }) });
    expect({ exit, position }).toEqual({ exit: 0, position: { ...shas, position_type: 'file', old_path, new_path } });
  });
