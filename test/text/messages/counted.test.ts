import { expect, it } from 'vitest';
import { counted } from '../../../src/text/messages.js';

it('names one thing, none and several', () => {
  expect([1, 0, 2].map((count) => counted(count, 'note'))).toEqual(['1 note', '0 notes', '2 notes']);
  expect(counted(2, 'child', 'children')).toBe('2 children');
  expect(counted(1, 'field differs', 'fields differ')).toBe('1 field differs');
});
