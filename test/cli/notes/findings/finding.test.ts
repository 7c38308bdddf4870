import { describe, expect, it } from 'vitest';
import { findingOf, knownLevel, lastLine, levels, reaches, suggestionFor } from '../../../../src/cli/notes/findings/finding.js';

describe('levels', () => {
  it('reach themselves and less severe ones', () => {
    expect(levels.map((level) => levels.filter((least) => reaches(level, least)))).toEqual([
      ['error', 'warning', 'note'], ['warning', 'note'], ['note'],
    ]);
  });

  it.each([
    ['ERROR', 'error'], ['fatal error', 'error'], [' Critical ', 'error'], ['high', 'error'], ['info', 'note'], ['Style', 'note'], ['none', 'note'],
    ['warning', 'warning'], ['medium', 'warning'], ['', null], ['catastrophe', null],
  ])('have the word %j for %s', (word, level) => {
    expect(knownLevel(word)).toBe(level);
  });
});

it('a finding is a warning about a whole file if only its file and message are known', () => {
  expect(findingOf({ file: 'a', message: 'no' }))
    .toEqual({ file: 'a', message: 'no', line: null, column: null, endLine: null, level: 'warning', rule: null, tool: null });
});

it('the last line is known only for a finding that spans several', () => {
  expect([lastLine(2, 4), lastLine(2, 2), lastLine(4, 2), lastLine(null, 4), lastLine(2, null)]).toEqual([4, null, null, null, null]);
});

describe('the suggestion for a region', () => {
  const region = (from: number | null, to: number | null, startColumn: number | null, endColumn: number | null) => ({ from, to, startColumn, endColumn });

  it.each([
    ['without columns', region(3, 4, null, null), 'x\ny\n', { from: 3, to: 4, text: 'x\ny\n' }],
    ['without a last line', region(3, null, null, null), 'x', { from: 3, to: 3, text: 'x\n' }],
    ['that ends at the start of the next line', region(3, 5, 1, 1), 'x\r\n', { from: 3, to: 4, text: 'x\r\n' }],
    ['that is deleted', region(3, 5, 1, 1), '', { from: 3, to: 4, text: '' }],
    ['whose text has an empty last line', region(3, 3, 1, null), 'x\n\n', { from: 3, to: 3, text: 'x\n\n' }],
    ['that becomes an empty line', region(3, null, null, null), '\n', { from: 3, to: 3, text: '\n' }],
  ])('%s replaces whole lines', (_, given, text, suggestion) => {
    expect(suggestionFor(given, text)).toEqual(suggestion);
  });

  it.each([
    ['a word', region(3, 3, 5, 8), [5, 8]], ['up to a column', region(3, 3, null, 8), [1, 8]], ['nothing, before a character', region(3, null, 5, 5), [5, 5]],
    ['nothing, before the line', region(3, 3, 1, 1), [1, 1]],
  ])('replaces a part of one line: %s', (_, given, columns) => {
    expect(suggestionFor(given, 'x\n')).toEqual({ from: 3, to: 3, text: 'x\n', columns });
  });

  it.each([
    ['the end of the last line, or inside it', region(3, 4, 1, 29), [1, 29]], ['inside the last line, from the start', region(3, 4, null, 2), [1, 2]],
    ['the start of a line that stays', region(3, 4, 1, 1), [1, 1]],
  ])('replaces lines up to %s', (_, given, columns) => {
    expect(suggestionFor(given, 'x')).toEqual({ from: 3, to: 4, text: 'x', columns });
  });

  it.each([
    ['that starts inside a line', region(3, 5, 2, 1), 'x\n'],
    ['that starts inside a line and has no end', region(3, 3, 2, null), 'x'], ['with no columns of a last line before the first', region(3, 2, 1, 4), 'x'],
    ['without a line', region(null, 4, null, null), 'x'],
  ])('%s does not exist', (_, given, text) => {
    expect(suggestionFor(given, text)).toBeUndefined();
  });
});
