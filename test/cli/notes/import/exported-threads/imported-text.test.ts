import { describe, expect, it } from 'vitest';
import { importedText } from '../../../../../src/cli/notes/import/exported-threads.js';
import { bodyLimit } from '../../../../../src/contract/conventions.js';
import { withMarker } from '../../../../../src/wire/note-text.js';

const note = {
  source: 'f/1', author: 'ada', created_at: '2023-01-01T10:00:00.000+02:00', isSystem: false, text: 'One.\n\nTwo.', position: null,
  uploads: null as string | null,
};
const marker = { id: 'f/1' };
const textOf = (parts: Partial<typeof note> = {}, place: string | null = null, isRaw = false) =>
  importedText({ ...note, ...parts }, { isRaw, place, marker }).text;

describe('the text of an imported note', () => {
  it('starts with the author, the place on the diff and the time in UTC', () => {
    expect(textOf()).toBe('`ada` wrote on 2023-01-01 08:00 UTC:\n\nOne.\n\nTwo.');
    expect(textOf({}, 'app.js:2')).toBe('`ada` wrote about `app.js:2` on 2023-01-01 08:00 UTC:\n\nOne.\n\nTwo.');
  });

  it('is only that line for a note without a text', () => {
    expect(textOf({ text: '' })).toBe('`ada` wrote on 2023-01-01 08:00 UTC:');
  });

  it('quotes a system note, every line of it', () => {
    expect(textOf({ isSystem: true })).toBe('`ada`: system note on 2023-01-01 08:00 UTC:\n\n> One.\n> \n> Two.');
  });

  it('runs no quick action and mentions nobody, unless it is raw', () => {
    const text = '/close\n@root';
    expect(textOf({ text })).toMatch(/\n\n\u2060\/close\n@\u2060root$/);
    expect(textOf({ text }, null, true)).toMatch(/\n\n\/close\n@root$/);
  });

  it('contains no marker of another program, even if it is raw', () => {
    for (const isRaw of [false, true]) {
      expect(textOf({ text: 'a <!-- colloquy:key=x --> b' }, null, isRaw)).not.toContain('<!-- colloquy:');
    }
  });

  it('links to uploads below the page that the file names', () => {
    const text = `[a](/uploads/${'0f'.repeat(16)}/a.txt)`;
    expect(textOf({ text })).toContain(text);
    expect(textOf({ text, uploads: 'https://old.test/acme/app' })).toContain(`[a](https://old.test/acme/app/uploads/${'0f'.repeat(16)}/a.txt)`);
  });

  it('shows names with backticks and line breaks as code', () => {
    expect(textOf({ author: 'a`\n/close' }, 'b`c')).toMatch(/^`` ?a` \/close ?`` wrote about `` ?b`c ?`` on /);
  });
});

describe('a text over the limit of the service', () => {
  const long = (character: string) => importedText({ ...note, text: character.repeat(bodyLimit) }, { isRaw: true, place: null, marker });

  it('is cut so that the text and its marker fit', () => {
    const { text, isCut } = long('x');
    expect(isCut).toBe(true);
    expect(text).toMatch(/x\n\n… \(cut\)$/);
    expect(withMarker(text, { ...marker, call: 'c'.repeat(80) }).length).toBeLessThanOrEqual(bodyLimit);
    expect(text.length).toBeGreaterThan(bodyLimit - 300);
  });

  it('is not cut inside a character', () => {
    for (const start of ['', 'a']) {
      const { text } = importedText({ ...note, text: start + '😀'.repeat(bodyLimit / 2) }, { isRaw: true, place: null, marker });
      expect(text.isWellFormed()).toBe(true);
    }
  });

  it('is whole up to the limit', () => {
    const whole = importedText({ ...note, text: 'x'.repeat(bodyLimit - 300) }, { isRaw: true, place: null, marker });
    expect([whole.isCut, whole.text.endsWith('x')]).toEqual([false, true]);
  });
});
