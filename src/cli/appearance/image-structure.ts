/** Data after the end is allowed, as in browsers. @param extension types without a check count as complete */
export const isComplete = (extension: string, bytes: Uint8Array): boolean => {
  try {
    return checks[extension]?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Reading beyond the end throws a RangeError. */
type Check = (bytes: Buffer) => boolean;

/** Chunks from `IHDR` to `IEND`, with pixels between them. */
const png: Check = (bytes) => {
  let hasPixels = false;
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (end > bytes.length || (at === 8 && type !== 'IHDR')) return false;
    hasPixels ||= type === 'IDAT';
    if (type === 'IEND') return hasPixels;
  }
};

const isMarkerWithoutLength = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

const jpg: Check = (bytes) => {
  for (let at = 2; ;) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return false;
    if (marker === 0xd9) return true;
    if (marker === 0xff) at += 1;
    else at += isMarkerWithoutLength(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) at = endOfScan(bytes, at);
  }
};

/** Zero bytes and restart markers belong to the data. */
const endOfScan = (bytes: Buffer, start: number): number => {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1);
    if (next !== 0x00 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
};

const gif: Check = (bytes) => {
  for (let at = 13 + colorTableSize(bytes.readUInt8(10)); ;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return true;
    if (block === 0x21) at = endOfSubBlocks(bytes, at + 2);
    else if (block === 0x2c) at = endOfSubBlocks(bytes, at + 11 + colorTableSize(bytes.readUInt8(at + 9)));
    else return false;
  }
};

const colorTableSize = (flags: number): number => (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);

const endOfSubBlocks = (bytes: Buffer, start: number): number => {
  let at = start;
  for (let size = bytes.readUInt8(at); size > 0; size = bytes.readUInt8(at)) at += 1 + size;
  return at + 1;
};

const ico: Check = (bytes) => {
  const count = bytes.readUInt16LE(4);
  for (let entry = 6; entry < 6 + 16 * count; entry += 16) {
    if (bytes.readUInt32LE(entry + 12) + bytes.readUInt32LE(entry + 8) > bytes.length) return false;
  }
  return count > 0;
};

/** Boxes that fill the file. A size of 1 stands for a longer number after the type, 0 for the rest of the file. */
const avif: Check = (bytes) => {
  let at = 0;
  while (at < bytes.length) {
    const size = bytes.readUInt32BE(at);
    if (size === 0) return true;
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at > 0 && at === bytes.length;
};

const checks: Readonly<Record<string, Check>> = {
  png, jpg, gif, ico, avif,
  webp: (bytes) => bytes.length >= 20 && bytes.readUInt32LE(4) + 8 <= bytes.length,
  bmp: (bytes) => bytes.length >= 54 && bytes.readUInt32LE(2) <= bytes.length,
};
