import { expect, it } from 'vitest';
import { lineFile } from '../../../../src/cli/service/recording/lines.js';

it('lines are counted as they are written', () => {
  const written: string[] = [];
  const { add, counts } = lineFile((text) => { written.push(text); }, () => undefined);
  for (const line of ['a', 'b', 'c']) add(line);
  expect([written, counts]).toEqual([['a', 'b', 'c'], { written: 3, failed: 0 }]);
});

it('the first write that fails is reported once, and later lines are still tried', () => {
  const reported: string[] = [];
  let isFull = true;
  const append = () => { if (isFull) throw new Error('full'); };
  const { add, counts } = lineFile(append, ({ message }) => { reported.push(message); });
  add('a');
  add('b');
  isFull = false;
  add('c');
  expect([reported, counts]).toEqual([['full'], { written: 1, failed: 2 }]);
});
