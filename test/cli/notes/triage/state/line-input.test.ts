import { describe, expect, it } from 'vitest';
import type { Key } from '../../../../../src/cli/app.js';
import { typedInto, inputOf } from '../../../../../src/cli/notes/triage/state.js';

const after = (text: string, ...keys: readonly (Key['name'] | `:${string}`)[]) => {
  const { text: typed, at } = keys.reduce((input, key) => typedInto(input, key.startsWith(':')
    ? { name: 'text', text: key.slice(1) } : { name: key } as Key), inputOf(text));
  return `${typed.slice(0, at)}|${typed.slice(at)}`;
};

describe('a line that is typed', () => {
  it.each([
    [['backspace'], 'one tw|'], [['left', 'left', 'delete'], 'one t|o'], [['home', ':x'], 'x|one two'],
    [['home', 'end'], 'one two|'], [['ctrl-w'], 'one |'], [['left', 'ctrl-u'], '|o'], [['right'], 'one two|'],
    [['home', 'left', 'backspace', 'right'], 'o|ne two'], [['enter', 'up', 'resize'], 'one two|'],
  ] as const)('%j gives %s', (keys, expected) => {
    expect(after('one two', ...keys)).toBe(expected);
  });

  it('is typedInto by characters as a person sees them', () => {
    expect(after('a👩‍👩‍👧e\u0301', 'backspace')).toBe('a👩‍👩‍👧|');
    expect(after('a👩‍👩‍👧', 'backspace')).toBe('a|');
    expect(after('👩‍👩‍👧b', 'home', 'delete')).toBe('|b');
  });

  it('takes pasted lines as they are', () => {
    expect(typedInto(inputOf('a'), { name: 'paste', text: 'x\ny' })).toEqual({ text: 'ax\ny', at: 4 });
  });
});
