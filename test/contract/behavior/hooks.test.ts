import { expect, test } from 'vitest';
import { hookFacts } from '../../../src/contract/behavior/hooks.js';

test('edited notes are delivered in each dialect by a fact of its own', () => {
  const both = [hookFacts['hooks.edited-notes'], hookFacts['hooks.edited-notes-document']];
  expect(both.map(({ dialects, from }) => [dialects, from])).toEqual([[['live'], '16.11'], [['document'], null]]);
});
