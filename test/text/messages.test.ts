import { expect, it } from 'vitest';
import { counted, nearestName } from '../../src/text/messages.js';

it('a count names one thing, none and several', () => {
  expect([1, 0, 2].map((count) => counted(count, 'note'))).toEqual(['1 note', '0 notes', '2 notes']);
  expect(counted(2, 'child', 'children')).toBe('2 children');
  expect(counted(1, 'field differs', 'fields differ')).toBe('1 field differs');
});

const names = ['discussions', 'notes', 'body', 'created_at', 'title', 'description', 'id', 'iid', 'author'];

it.each([
  ['discusions', 'discussions'], ['ntoes', 'notes'], ['Body', 'body'], ['creatd_at', 'created_at'], ['titel', 'title'],
  ['tite', 'title'], ['Discussion', 'discussions'], ['descripton', 'description'], ['authr', 'author'], ['idd', 'id'],
])('suggests for %j the name %s', (word, meant) => {
  expect(nearestName(word, names)).toBe(meant);
});

it.each(['xyz', 'q', 'x', '', 'colour', 'labels'])('suggests no name for %j', (word) => {
  expect(nearestName(word, names)).toBeNull();
});
