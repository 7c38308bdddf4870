import { expect, test } from 'vitest';
import { nearest } from '../../../src/server/world/problem.js';

const keys = ['title', 'description', 'discussions', 'id', 'iid', 'author'];

test.each([
  ['titel', 'title'], ['tite', 'title'], ['Discussion', 'discussions'], ['descripton', 'description'], ['authr', 'author'],
  ['idd', 'id'],
])('%s is near %s', (word, meant) => {
  expect(nearest(word, keys)).toBe(meant);
});

test.each(['colour', 'x', '', 'labels'])('%j is near nothing', (word) => {
  expect(nearest(word, keys)).toBeUndefined();
});
