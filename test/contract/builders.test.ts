import { expect, test } from 'vitest';
import { pagingParams } from '../../src/contract/builders.js';

test('a page size of zero is not allowed', () => {
  expect(pagingParams.per_page.except).toEqual([0]);
});
