import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { unpacked } from '../../../src/client/transport/response-body.js';

const plain = Buffer.from('{"title":"ä"}');
const failure = (bytes: Buffer, encodings: string) =>
  unpacked(bytes, encodings).then(() => { throw new Error('unpacked'); }, (error: unknown) => error as NodeJS.ErrnoException);

describe('a packed body', () => {
  test.each([
    ['gzip', zlib.gzipSync(plain)], ['x-gzip', zlib.gzipSync(plain)], ['GZIP', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)], ['deflate', zlib.deflateRawSync(plain)], ['br', zlib.brotliCompressSync(plain)],
    ['identity', plain], ['', plain], ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
    ['br , identity', zlib.brotliCompressSync(plain)],
  ])('is unpacked: %j', async (encodings, bytes) => {
    expect(Buffer.from(await unpacked(bytes, encodings))).toEqual(plain);
  });

  test.each(['gzip', 'br', 'zstd'])('may be empty, as to HEAD: %s', async (encodings) => {
    expect(await unpacked(Buffer.alloc(0), encodings)).toEqual(Buffer.alloc(0));
  });

  test('is refused when it is no such thing, or cut short', async () => {
    expect((await failure(plain, 'gzip')).code).toBe('Z_DATA_ERROR');
    expect((await failure(zlib.gzipSync(plain).subarray(0, 20), 'gzip')).code).toBe('Z_BUF_ERROR');
    expect((await failure(plain, 'br')).code).toMatch(/^ERR__ERROR_/);
  });

  test.each(['zstd', 'compress', 'constructor'])('is refused when nobody knows the way: %s', async (encodings) => {
    expect((await failure(plain, encodings)).code).toBe('UNKNOWN_ENCODING');
  });

  test('is refused when it unpacks to more than fits into memory', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 1 });
    expect(bomb.length).toBeLessThan(4 * 1024 * 1024);
    expect((await failure(bomb, 'gzip')).code).toBe('ERR_BUFFER_TOO_LARGE');
  });
});
