import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extensionOf, storedFileName } from '../../../../src/server/handlers/appearance/image.js';

test('folders go, odd characters become _, one each', () => {
  expect(storedFileName('logo.png')).toBe('logo.png');
  expect(storedFileName('/etc/passwd')).toBe('passwd');
  expect(storedFileName('C:\\pictures\\my logo.png')).toBe('my_logo.png');
  expect(storedFileName('..%2f..%2fx.png')).toBe('..%2f..%2fx.png'.replaceAll('%', '_'));
  expect(storedFileName('a"b😀+-_.png')).toBe('a_b_+-_.png');
});

test.each(['lögo.png', 'lo\u0308go.png', 'логотип.png', 'ロゴ２.png', 'लोगो.png', 'شعار٣.png', '𠮷.png', 'größe+x_1-2.PNG'])(
  'letters and digits of any script stay: %s', (name) => {
    expect(storedFileName(name)).toBe(name);
  });

test.each(['\u202egnp.exe', 'a\u200bb', 'x‿y', '½', 'Ⅻ', '€', '\ud800'])('what is neither letter nor digit becomes _: %j', (name) => {
  expect(storedFileName(name)).toBe(name.replace(/[^a-z.]/gu, '_'));
});

test('a name is never empty and never only dots', () => {
  expect(storedFileName('')).toBe('unnamed');
  expect(storedFileName('///')).toBe('unnamed');
  expect(storedFileName('..')).toBe('_..');
  expect(storedFileName('a/.')).toBe('_.');
});

test('a long name keeps its extension', () => {
  expect(storedFileName(`${'a'.repeat(400)}.png`)).toBe(`${'a'.repeat(251)}.png`);
  expect(storedFileName('a'.repeat(400))).toBe('a'.repeat(255));
  expect(storedFileName(`${'𠮷'.repeat(400)}.png`)).toBe(`${'𠮷'.repeat(251)}.png`);
});

test('an extension follows the last dot that is not the first character', () => {
  expect(['a.png', 'a.tar.GZ', '.png', 'png', 'a.', ''].map(extensionOf)).toEqual(['png', 'GZ', '', '', '', '']);
});

test('no name leads out of its folder', () => {
  const names = fc.array(fc.constantFrom(...'aZ9..//\\-_+ %"\0\n', 'é', '😀', '\u202e', '\ud800')).map((parts) => parts.join(''));
  fc.assert(fc.property(names, (name) => {
    const kept = storedFileName(name);
    expect(kept).toMatch(/^[A-Za-z0-9é.\-_+]{1,255}$/);
    expect(kept).not.toMatch(/^\.+$/);
    expect(storedFileName(kept)).toBe(kept);
  }));
});
