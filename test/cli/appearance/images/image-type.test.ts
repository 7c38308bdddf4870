import { describe, expect, it } from 'vitest';
import { extensionOf, imageTypeOf, typeOfFile, uploadOf } from '../../../../src/cli/appearance/images.js';
import { images } from '../../../support/images.js';

describe('the type of a file', () => {
  it.each([
    ['png', 'png', 'image/png'], ['jpg', 'jpg', 'image/jpeg'], ['gif', 'gif', 'image/gif'], ['webp', 'webp', 'image/webp'],
    ['ico', 'ico', 'image/vnd.microsoft.icon'], ['svg', 'svg', 'image/svg+xml'], ['exe', 'exe', 'application/x-msdownload'],
  ] as const)('is recognized by its bytes: %s', async (name, extension, media_type) => {
    expect(await typeOfFile(images[name])).toEqual({ extension, media_type });
  });

  it('is PNG also for a truncated one', async () => {
    expect(await typeOfFile(images.png.subarray(0, 20))).toEqual({ extension: 'png', media_type: 'image/png' });
  });

  it('is unknown for a text and for nothing', async () => {
    expect([await typeOfFile(Buffer.from('text')), await typeOfFile(new Uint8Array())]).toEqual([null, null]);
  });
});

describe('the type of an image', () => {
  it('does not depend on its name', async () => {
    expect(await imageTypeOf(images.png, 'logo.svg')).toBe('image/png');
    expect(await imageTypeOf(images.exe, 'logo.png')).toBeNull();
    expect(await imageTypeOf(Buffer.from('<html>'), 'logo.png')).toBeNull();
  });

  it('is SVG for a text or XML with that suffix, whose form is odd', async () => {
    const odd = Buffer.from('<?xml version="1.0"?><!-- no image --><x/>');
    expect([await imageTypeOf(odd, 'logo.SVG'), await imageTypeOf(odd, 'logo.xml'), await imageTypeOf(images.exe, 'logo.svg')])
      .toEqual(['image/svg+xml', null, null]);
  });
});

it('an upload has the type of its content, and none if that is unknown', async () => {
  expect(await uploadOf('a.png', images.jpg)).toEqual({ filename: 'a.png', bytes: images.jpg, content_type: 'image/jpeg' });
  expect(await uploadOf('a.png', images.exe)).toMatchObject({ content_type: 'application/x-msdownload' });
  expect(await uploadOf('a.bin', Buffer.from('text'))).toEqual({ filename: 'a.bin', bytes: Buffer.from('text') });
});

it.each([
  ['logo.PNG', 'png'], ['a/b.c/logo', ''], ['a.tar.gz', 'gz'], ['.png', ''], ['a/.png', ''], ['logo.', ''], ['', ''], ['C:\\x.y\\logo.ico', 'ico'],
])('the extension of %j is %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
