import { expect, test } from 'vitest';
import { checkImage, type Mount } from '../../../../src/server/handlers/appearance/image.js';
import { images } from '../../../support/images.js';

const check = async (mount: Mount, filename: string, bytes: Uint8Array): Promise<string> => {
  const checked = await checkImage(mount, { filename, bytes });
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

test('a logo has 1 MB at most, a favicon no bound of its own', async () => {
  const sized = (size: number) => Buffer.concat([images.png, Buffer.alloc(size - images.png.length)]);
  expect(await check('logo', 'a.png', sized(1_048_576))).toBe('image/png');
  expect(await check('logo', 'a.png', sized(1_048_577))).toBe('is too big (should be at most 1 MB)');
  expect(await check('header_logo', 'a.png', sized(1_048_577))).toBe('is too big (should be at most 1 MB)');
  expect(await check('favicon', 'a.png', sized(1_048_577))).toBe('image/png');
});
