import { describe, expect, it } from 'vitest';
import { checkedTitle, documentLimits, isEpicRef, splitText } from '../../../src/cli/epics/document-nodes.js';

it.each([
  '&2', 'acme&2', 'acme/team&2', 'epic/2', 'epic/id:501', 'id:501', 'https://host/groups/acme/-/epics/3', 'https://host/groups/acme/-/work_items/3',
])('%s is a reference to an epic', (word) => {
  expect(isEpicRef(word)).toBe(true);
});

it.each(['', '2', '&', '&0', 'id:0', 'id:', 'id:12345678901234567', '!2', '#2', 'mr/2', 'https://host/acme/-/issues/3', 'R&D'])(
  '%j is none', (word) => {
    expect(isEpicRef(word)).toBe(false);
  });

it.each([
  ['&2 Login', '&2', 'Login'], ['  &2   ', '&2', null], ['&2\tLogin  page ', '&2', 'Login  page'], ['Login &2', null, 'Login &2'], ['', null, ''],
  ['& more', null, '& more'],
])('the text %j is split into %j and %j', (text, ref, title) => {
  expect(splitText(text)).toEqual({ ref, title });
});

describe('a title', () => {
  const checked = (title: string) => checkedTitle(title, (reason) => { throw new Error(reason); });

  it('is trimmed, and may have 255 characters, not bytes', () => {
    expect(checked('  A  ')).toBe('A');
    expect(checked('😀'.repeat(documentLimits.title))).toHaveLength(2 * documentLimits.title);
    expect(() => checked('😀'.repeat(documentLimits.title + 1))).toThrow('the title has more than 255 characters');
  });

  it('must not be blank', () => {
    expect(() => checked(' \t')).toThrow('the title is empty');
  });
});
