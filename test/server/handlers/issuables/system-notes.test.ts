import { describe, expect, test } from 'vitest';
import { draftNote, peopleNote, titleNote } from '../../../../src/server/handlers/issuables/system-notes.js';
import type { UserRow } from '../../../../src/server/repositories/world.js';

const users = (...names: string[]): UserRow[] =>
  names.map((username, i) => ({ id: i + 1, username, name: username, state: 'active', admin: 0 }));

describe('the note about a title', () => {
  test.each([
    ['Fix', 'Fix it', 'changed title from **Fix** to **Fix{+ it+}**'],
    ['Fix it', 'it', 'changed title from **{-Fix -}it** to **it**'],
    ['Old', 'New', 'changed title from **{-Old-}** to **{+New+}**'],
    ['aa', 'aaa', 'changed title from **aa** to **aa{+a+}**'],
    ['a 😀 b', 'a 😁 b', 'changed title from **a {-😀-} b** to **a {+😁+} b**'],
  ])('from %j to %j marks the difference', (before, after, text) => expect(titleNote(before, after)).toEqual([text]));

  test.each([['Draft: Fix', 'Fix'], ['Fix', '[Draft] Fix'], ['Fix', 'Fix']])('is left out from %j to %j', (before, after) =>
    expect(titleNote(before, after)).toEqual([]));
});

test('a title says whether the merge request is a draft', () => {
  expect(draftNote('Fix', 'Draft: Fix')).toEqual(['marked this merge request as **draft**']);
  expect(draftNote('(draft) Fix', 'Fix')).toEqual(['marked this merge request as **ready**']);
  expect(draftNote('Draft: Fix', '[Draft] Fix')).toEqual([]);
});

test.each([
  ['assignee', ['ada'], [], 'assigned to @ada'],
  ['assignee', ['ada', 'bob'], ['cy'], 'assigned to @ada and @bob and unassigned @cy'],
  ['reviewer', ['ada', 'bob', 'cy'], [], 'requested review from @ada, @bob, and @cy'],
  ['reviewer', [], ['ada'], 'removed review request for @ada'],
] as const)('the note about an %s who is added or removed (%#)', (role, added, removed, text) =>
  expect(peopleNote(role, users(...added), users(...removed))).toBe(text));
