import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editionOf } from '../../../../../src/contract/behavior/fact.js';
import { checkImage, extensionOf, storedFileName, type Mount } from '../../../../../src/server/handlers/appearance/images.js';
import { images } from '../../../../support/images.js';

const check = async (mount: Mount, filename: string, bytes: Uint8Array, version: string | null = null): Promise<string> => {
  const checked = await checkImage(mount, { filename, bytes }, editionOf('document', version));
  return 'problem' in checked ? checked.problem : checked.image.media_type;
};

test('a logo may be any kind of image that a browser shows', async () => {
  expect(await check('logo', 'a.png', images.png)).toBe('image/png');
  expect(await check('logo', 'a.jpg', images.jpg)).toBe('image/jpeg');
  expect(await check('logo', 'a.gif', images.gif)).toBe('image/gif');
  expect(await check('header_logo', 'a.webp', images.webp)).toBe('image/webp');
  expect(await check('header_logo', 'a.ico', images.ico)).toBe('image/vnd.microsoft.icon');
  expect(await check('header_logo', 'a.svg', images.svg)).toBe('image/svg+xml');
});

test('the bytes decide, not the name', async () => {
  expect(await check('logo', 'a.txt', images.png)).toBe('image/png');
  expect(await check('logo', 'a.png', images.svg)).toBe('image/svg+xml');
  expect(await check('logo', 'a.png', images.exe))
    .toBe('You are not allowed to upload "exe" files, allowed types: png, jpg, gif, webp, ico, svg');
});

test('a file that is not an image is rejected by its extension, or by its media type if its name has an image extension', async () => {
  expect(await check('logo', 'notes.txt', Buffer.from('hello')))
    .toBe('You are not allowed to upload "txt" files, allowed types: png, jpg, gif, webp, ico, svg');
  expect(await check('logo', 'a.png', Buffer.from('hello'))).toBe('You are not allowed to upload application/octet-stream files, '
    + 'allowed types: image/png, image/jpeg, image/gif, image/webp, image/vnd.microsoft.icon, image/svg+xml');
  expect(await check('logo', 'empty', Buffer.alloc(0))).toMatch(/^You are not allowed to upload application\/octet-stream files/);
});

test('a PNG that is cut short is a PNG still', async () => {
  expect(await check('logo', 'a.png', images.png.subarray(0, 8))).toBe('image/png');
  expect(await check('logo', 'a.png', images.png.subarray(0, 7))).toMatch(/^You are not allowed/);
});

test('a favicon is png or ico by its name and by its bytes', async () => {
  expect(await check('favicon', 'a.PNG', images.png)).toBe('image/png');
  expect(await check('favicon', 'a.ico', images.ico)).toBe('image/vnd.microsoft.icon');
  expect(await check('favicon', 'a.svg', images.png)).toBe('You are not allowed to upload "svg" files, allowed types: png, ico');
  expect(await check('favicon', 'icon', images.png)).toBe('You are not allowed to upload "" files, allowed types: png, ico');
  expect(await check('favicon', 'a.png', images.gif)).toBe('You are not allowed to upload "gif" files, allowed types: png, ico');
  expect(await check('favicon', 'a.ico', Buffer.from('hello'))).toBe(
    'You are not allowed to upload application/octet-stream files, allowed types: image/png, image/vnd.microsoft.icon');
});

test('a logo has 1 MiB at most, a favicon no bound of its own', async () => {
  const sized = (size: number) => Buffer.concat([images.png, Buffer.alloc(size - images.png.length)]);
  expect(await check('logo', 'a.png', sized(1_048_576))).toBe('image/png');
  expect(await check('logo', 'a.png', sized(1_048_577))).toBe('is too big (should be at most 1 MiB)');
  expect(await check('header_logo', 'a.png', sized(1_048_577), '13.12')).toBe('is too big (should be at most 1 MB)');
  expect(await check('favicon', 'a.png', sized(1_048_577))).toBe('image/png');
});

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
