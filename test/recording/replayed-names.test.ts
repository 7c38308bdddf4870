import { expect, it } from 'vitest';
import type { RecordedExchange } from '../../src/recording/exchange.js';
import { createNames } from '../../src/recording/replayed-names.js';

const exchanges = [{ replaced: { user: ['qzx', 'abc1'] } }] as unknown as RecordedExchange[];
const response = (body: string) => ({ status: 200, headers: {}, body });

it('a name takes the place of its pseudonym once a request had it there', () => {
  const names = createNames(exchanges);
  expect([names.occurIn('a qzx b'), names.occurIn('qzxy')]).toEqual([true, false]);
  expect(names.match('GET /qzx/abc1', 'GET /ada/bob2')).toBe(true);
  expect(names.real(response('QZX qzx qzxy abc1')).body).toBe('ADA ada qzxy bob2');
  expect(names.recorded('to ada and bob2')).toBe('to qzx and abc1');
  names.forget();
  expect(names.real(response('qzx')).body).toBe('qzx');
});

it.each([['another shape', 'GET /adam'], ['another text', 'GET /ada/x'], ['the name of another pseudonym', 'GET /bob']])('%s does not match', (_, given) => {
  const names = createNames(exchanges);
  names.match('GET /qzx', given === 'GET /bob' ? 'GET /ada' : 'GET /qzx');
  expect(names.match('GET /qzx', given)).toBe(false);
});
