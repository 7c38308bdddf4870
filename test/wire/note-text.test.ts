import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteableKinds } from '../../src/contract/conventions.js';
import { extractQuickActions } from '../../src/server/handlers/discussions/quick-actions.js';
import { countCharacters, firstCharacters, isQuickActionsOnly, isStoredAs, lastCharacters } from '../../src/wire/note-text.js';

const lines = fc.constantFrom('Hello.', '', ' ', '/close', '/label ~bug', '/shrug', '/etc/passwd', '```', 'a `b', '> c', 'd \r');
const texts = fc.array(lines).map((all) => all.join('\n'));

it('characters are counted and cut as code points', () => {
  const units = fc.constantFrom('a', 'é', '\u{1f600}', '\u{10ffff}', '\ud800', '\udc00', '\n');
  fc.assert(fc.property(fc.array(units), fc.nat(12), (parts, count) => {
    const text = parts.join('');
    const all = [...text];
    expect([countCharacters(text), firstCharacters(text, count), lastCharacters(text, count)])
      .toEqual([all.length, all.slice(0, count).join(''), count === 0 ? '' : all.slice(-count).join('')]);
  }));
});

describe('a text', () => {
  it('is stored without its quick actions, carriage returns and trailing white space', () => {
    expect(isStoredAs('Done.\r\n\r\n/close\r\n', 'Done.')).toBe(true);
    expect(isStoredAs('/label ~bug\nDone.\n/close\nBye.', 'Done.\nBye.')).toBe(true);
    expect(isStoredAs('/unknown\nDone.\n/close', '/unknown\nDone.')).toBe(true);
  });

  it.each([
    ['Done.', 'done.'], ['Done.', 'Done.\nMore.'], ['Done.\nMore.', 'Done.'], ['a\n\nb', 'a\nb'],
    ['/etc/passwd\na', 'a'], ['a\n/close', 'b'],
  ])('%j is not stored as %j', (text, body) => {
    expect(isStoredAs(text, body)).toBe(false);
  });

  it.each(noteableKinds)('equals what the service stores of it on each kind: %s', (kind) => {
    fc.assert(fc.property(texts, (text) => {
      const stored = kind === 'snippet' ? text : text.replaceAll('\r', '').trimEnd();
      expect(isStoredAs(text, extractQuickActions(kind, stored).body)).toBe(true);
    }));
  });

  it.each(noteableKinds)('that stores nothing consists of quick actions only: %s', (kind) => {
    fc.assert(fc.property(texts.filter((text) => text.trim() !== ''), (text) => {
      const storesText = extractQuickActions(kind, text).body.trim() !== '';
      expect(storesText || isQuickActionsOnly(text)).toBe(true);
    }));
  });

  it.each(['Done.\n/close', '/etc/passwd', '', '> /close'])('is more than quick actions: %j', (text) => {
    expect(isQuickActionsOnly(text)).toBe(false);
  });
});
