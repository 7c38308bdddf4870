import { expect, it } from 'vitest';
import { nearestName } from '../../../src/text/messages.js';

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
