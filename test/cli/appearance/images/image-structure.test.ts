import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isComplete } from '../../../../src/cli/appearance/images.js';
import { otherPng } from '../../../support/appearance.js';
import { images } from '../../../support/images.js';

const box = (type: string, content: Uint8Array) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + content.length);
  return Buffer.concat([size, Buffer.from(type), content]);
};
const segment = (marker: number, content: string) =>
  Buffer.concat([Buffer.from([0xff, marker, 0, 2 + content.length]), Buffer.from(content, 'latin1')]);

/** A photo of two scans, with restart markers, stuffed bytes, and a preview that has an end of its own. */
const photo = Buffer.concat([
  Buffer.from('ffd8', 'hex'), segment(0xe1, 'Exif\xff\xd8\xff\xd9'), segment(0xc2, '123456789'),
  segment(0xda, 'scan'), Buffer.from('01ff00ffd00102', 'hex'), segment(0xc4, 'table'), segment(0xda, 'scan'), Buffer.from('05ffffd9', 'hex'),
]);
const animation = Buffer.concat([
  Buffer.from('GIF89a'), Buffer.from('0100010080ff00', 'hex'), Buffer.alloc(6), Buffer.from('21f90400000000002c0000000001000100000203aabbcc003b', 'hex'),
]);
const bitmap = Buffer.concat([Buffer.from('BM'), Buffer.from([60, 0, 0, 0]), Buffer.alloc(54)]);
const still = Buffer.concat([box('ftyp', Buffer.from('avif0000')), box('mdat', Buffer.alloc(20))]);

const complete: [string, Buffer][] = [
  ['png', images.png], ['jpg', photo], ['gif', animation], ['ico', images.ico], ['webp', images.webp], ['bmp', bitmap], ['avif', still],
];

describe('the structure of an image', () => {
  it.each(complete)('of the type %s is complete at its end and at no earlier place, except between boxes', (type, bytes) => {
    expect(isComplete(type, bytes)).toBe(true);
    const ends = [...bytes.keys()].filter((length) => isComplete(type, bytes.subarray(0, length)));
    expect(ends).toEqual(type === 'avif' ? [16] : []);
  });

  it.each(complete.filter(([type]) => type !== 'avif'))('of the type %s may have data after its end', (type, bytes) => {
    expect(isComplete(type, Buffer.concat([bytes, Buffer.from('a comment')]))).toBe(true);
  });

  it('of a PNG image needs a header and pixels', () => {
    expect(isComplete('png', otherPng('x'))).toBe(true);
    expect(isComplete('png', Buffer.concat([images.png.subarray(0, 8), images.png.subarray(33)]))).toBe(false);
    expect(isComplete('png', Buffer.concat([images.png.subarray(0, 33), images.png.subarray(-12)]))).toBe(false);
  });

  it('is read to an end, whatever the bytes are', () => {
    fc.assert(fc.property(fc.constantFrom(...complete), fc.array(fc.tuple(fc.nat(80), fc.nat(255))), ([type, bytes], changes) => {
      const damaged = Buffer.from(bytes);
      for (const [at, value] of changes) damaged[at % damaged.length] = value;
      expect(typeof isComplete(type, damaged)).toBe('boolean');
    }), { numRuns: 2_000 });
  });
});
