import { expect, test } from 'vitest';
import { pagingParams } from '../../src/contract/builders.js';
import { mergeRequestFilters } from '../../src/contract/lookups/lookups.js';

test('a list of merge requests says whose they are by default', () => {
  expect(mergeRequestFilters('all').scope.text).toContain('default all');
  expect(mergeRequestFilters('created_by_me').scope.text).toContain('default created_by_me');
});

test('a page size of zero is not allowed', () => {
  expect(pagingParams.per_page.except).toEqual([0]);
});
