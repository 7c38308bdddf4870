import { describe, expect, test } from 'vitest';
import { describeMismatch, type Shape } from '../../src/client/response.js';
import { Appearance } from '../../src/contract/appearance.js';
import { contract, everyEndpoint } from '../../src/contract/contract.js';
import { exampleOf } from '../../src/contract/example.js';

const threads = contract.discussions.merge_request.list.returns as Shape;
const note = exampleOf(contract.discussions.merge_request.addNote.returns) as Record<string, unknown>;
const thread = (change: object) => [{ id: 'a', individual_note: false, notes: [{ ...note, ...change }] }];

describe('a response', () => {
  test.each(everyEndpoint().filter(({ endpoint }) => endpoint.returns !== null))('matches with the example of the contract: $name', ({ endpoint }) => {
    expect(describeMismatch(endpoint.returns as Shape, exampleOf(endpoint.returns!), true)).toBeNull();
  });

  test.each([
    ['no id on what it holds', { id: undefined }],
    ['words nobody knows yet', { type: 'LaterNote', noteable_type: 'Wiki', later: { a: [null] } }],
    ['dates in other forms', { created_at: '2024-02-20T07:57:43.874-08:00', updated_at: 5 }],
    ['text or another kind in place of a scalar', { id: 'x', body: {}, resolved: 'yes' }],
    ['an object nobody has to read', { position: [], commands_changes: null }],
    ['null in place of a scalar', { body: null, system: null }],
    ['null in place of what may be left out', { position: null, resolved_by: null }],
  ])('matches with %s', (_, change) => {
    expect(describeMismatch(threads, thread(change), true)).toBeNull();
  });

  test.each([
    [null, 'has null where a list is expected'],
    [{ message: 'x' }, 'has an object where a list is expected'],
    ['[]', 'has text where a list is expected'],
    [[null], 'has null where an object is expected, at [0]'],
    [[1], 'has a number where an object is expected, at [0]'],
    [[[]], 'has a list where an object is expected, at [0]'],
    [[{ id: 'a', notes: null }], 'has null where a list is expected, at [0].notes'],
    [[{ id: 'a', notes: [null] }], 'has null where an object is expected, at [0].notes[0]'],
    [thread({ author: null }), 'has null where an object is expected, at [0].notes[0].author'],
    [thread({ author: true }), 'has true where an object is expected, at [0].notes[0].author'],
    [thread({ resolved_by: 'ada' }), 'has text where an object is expected, at [0].notes[0].resolved_by'],
    [thread({ id: 2 ** 53 }), 'has a number that is too large to be exact, at [0].notes[0].id'],
    [thread({ author: { id: -(2 ** 53) } }), 'has a number that is too large to be exact, at [0].notes[0].author.id'],
  ])('does not match: case %#', (answer, words) => {
    expect(describeMismatch(threads, answer, false)).toBe(words);
  });

  test.each([
    [[{ notes: [] }], 'an id is expected, at [0].id'], [[{ id: null, notes: [] }], 'an id is expected, at [0].id'],
    [[{ id: 'a' }], 'a list is expected, at [0].notes'],
    [thread({ author: undefined }), 'an object is expected, at [0].notes[0].author'],
  ])('that lacks something matches unless strict: case %#', (answer, words) => {
    expect(describeMismatch(threads, answer, false)).toBeNull();
    expect(describeMismatch(threads, answer, true)).toBe(`has nothing where ${words}`);
  });

  test.each([{}, { message: 'Something went wrong' }])('that is another object matches unless strict: %j', (answer) => {
    expect(describeMismatch(Appearance as Shape, answer, false)).toBeNull();
    expect(describeMismatch(Appearance as Shape, answer, true)).toBe('has none of the expected fields');
    expect(describeMismatch(Appearance as Shape, { title: 'T' }, true)).toBeNull();
  });
});
