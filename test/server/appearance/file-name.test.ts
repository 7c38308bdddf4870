import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extensionOf, keptFileName } from '../../../src/server/appearance/file-name.js';

test('folders go, odd characters become _, one each', () => {
  expect(keptFileName('logo.png')).toBe('logo.png');
  expect(keptFileName('/etc/passwd')).toBe('passwd');
  expect(keptFileName('C:\\pictures\\my logo.png')).toBe('my_logo.png');
  expect(keptFileName('..%2f..%2fx.png')).toBe('..%2f..%2fx.png'.replaceAll('%', '_'));
  expect(keptFileName('é😀+-_.png')).toBe('__+-_.png');
});

test('a name is never empty and never only dots', () => {
  expect(keptFileName('')).toBe('unnamed');
  expect(keptFileName('///')).toBe('unnamed');
  expect(keptFileName('..')).toBe('_..');
  expect(keptFileName('a/.')).toBe('_.');
});

test('a long name keeps its extension', () => {
  expect(keptFileName(`${'a'.repeat(400)}.png`)).toBe(`${'a'.repeat(251)}.png`);
  expect(keptFileName('a'.repeat(400))).toBe('a'.repeat(255));
});

test('an extension is what stands behind the last dot that does not begin the name', () => {
  expect(['a.png', 'a.tar.GZ', '.png', 'png', 'a.', ''].map(extensionOf)).toEqual(['png', 'GZ', '', '', '', '']);
});

test('no name leads out of its folder', () => {
  const names = fc.array(fc.constantFrom(...'aZ9..//\\-_+ %"\0\n', 'é', '😀', '\u202e', '\ud800')).map((parts) => parts.join(''));
  fc.assert(fc.property(names, (name) => {
    const kept = keptFileName(name);
    expect(kept).toMatch(/^[A-Za-z0-9.\-_+]{1,255}$/);
    expect(kept).not.toMatch(/^\.+$/);
    expect(keptFileName(kept)).toBe(kept);
  }));
});
