import { crc32, deflateSync } from 'node:zlib';

/** The smallest image of each kind that is recognized by its bytes. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

export const images = {
  png,
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
  gif: Buffer.from('4749463839610100010000ff002c00000000010001000002003b', 'hex'),
  webp: Buffer.concat([Buffer.from('RIFF'), Buffer.from('1a000000', 'hex'), Buffer.from('WEBPVP8 '), Buffer.alloc(18)]),
  ico: Buffer.concat([Buffer.from('00000100010010100000010020006804000016000000', 'hex'), Buffer.alloc(0x468)]),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  /** Not an image: the first bytes of a Windows program. */
  exe: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)]),
};

const chunk = (type: string, data: Uint8Array): Buffer => {
  const content = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, sum]);
};

/** A whole PNG image with a comment of so many characters. */
export const pngOf = (characters: number): Buffer => Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', Buffer.from('00000001000000010804000000', 'hex')),
  chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(characters, 'a')])),
  chunk('IDAT', deflateSync(Buffer.alloc(3))), chunk('IEND', Buffer.alloc(0)),
]);

/** A multipart form as `call` sends it: text, or a file with its name and bytes. */
export const multipart = (parts: Record<string, string | readonly [string, Uint8Array]>) => {
  const boundary = 'test-boundary';
  const chunks = Object.entries(parts).flatMap(([name, part]) => {
    const isText = typeof part === 'string';
    const file = isText ? '' : `; filename="${part[0]}"\r\nContent-Type: text/x-claimed`;
    return [Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      isText ? Buffer.from(part) : Buffer.from(part[1]), Buffer.from('\r\n')];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  };
};
