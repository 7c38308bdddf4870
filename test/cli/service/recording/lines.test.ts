import { expect, it } from 'vitest';
import { lineFile } from '../../../../src/cli/service/recording/lines.js';

const turn = () => new Promise((resolve) => { setImmediate(resolve); });

it('lines that come during a write are written together, and each waits for its own write', async () => {
  const writes: string[] = [];
  const ends: (() => void)[] = [];
  const { add, counts } = lineFile((text) => new Promise((resolve) => {
    writes.push(text);
    ends.push(resolve);
  }), async () => undefined);
  const done: string[] = [];
  const adding = (line: string) => add(line).then(() => { done.push(line); });
  const first = adding('a');
  await turn();
  const others = [adding('b'), adding('c')];
  await turn();
  expect([writes, done]).toEqual([['a'], []]);
  ends[0]!();
  await first;
  await turn();
  expect([writes, done]).toEqual([['a', 'bc'], ['a']]);
  ends[1]!();
  await Promise.all(others);
  expect([done, counts]).toEqual([['a', 'b', 'c'], { written: 3, failed: 0 }]);
});

it('the first write that fails is reported once, and later lines are still tried', async () => {
  const reported: string[] = [];
  let isFull = true;
  const { add, counts } = lineFile(async () => { if (isFull) throw new Error('full'); }, async ({ message }) => { reported.push(message); });
  await add('a');
  await add('b');
  isFull = false;
  await add('c');
  expect([reported, counts]).toEqual([['full'], { written: 1, failed: 2 }]);
});
