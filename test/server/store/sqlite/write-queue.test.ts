import { expect, test } from 'vitest';
import { createMutex } from '../../../../src/server/store/sqlite/write-queue.js';

test('a function starts at once while the mutex is free', () => {
  const seen: string[] = [];
  const inTurn = createMutex();
  const done = inTurn(() => { seen.push('unit'); });
  seen.push('caller');
  expect(seen).toEqual(['unit', 'caller']);
  return done;
});

test('a unit that fails, at once or later, lets the next one in', async () => {
  const inTurn = createMutex();
  const results = await Promise.allSettled([
    inTurn(() => { throw new Error('at once'); }),
    inTurn(async () => { await Promise.resolve(); throw new Error('later'); }),
    inTurn(() => 'third'),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await inTurn(() => 'fourth')).toBe('fourth');
});

test('a unit that comes while one leaves waits for those that came before it', async () => {
  const inTurn = createMutex();
  const order: string[] = [];
  const unit = (name: string) => inTurn(async () => { await Promise.resolve(); order.push(name); });
  const first = unit('first').then(() => unit('late'));
  await Promise.all([first, unit('second'), unit('third')]);
  expect(order).toEqual(['first', 'second', 'third', 'late']);
});
