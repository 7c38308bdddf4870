import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBodyBuffer, decompress } from '../../../src/client/transport/response-body.js';

const plain = Buffer.from('{"title":"ä"}');
const failure = (bytes: Buffer, encodings: string) =>
  decompress(bytes, encodings).then(() => { throw new Error('unpacked'); }, (error: unknown) => error as NodeJS.ErrnoException);

describe('a compressed body', () => {
  test.each([
    ['gzip', zlib.gzipSync(plain)], ['x-gzip', zlib.gzipSync(plain)], ['GZIP', zlib.gzipSync(plain)],
    ['deflate', zlib.deflateSync(plain)], ['deflate', zlib.deflateRawSync(plain)], ['br', zlib.brotliCompressSync(plain)],
    ['identity', plain], ['', plain], ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(plain))],
    ['br , identity', zlib.brotliCompressSync(plain)],
  ])('is decompressed: %j', async (encodings, bytes) => {
    expect(Buffer.from(await decompress(bytes, encodings))).toEqual(plain);
  });

  test.each(['gzip', 'br', 'zstd'])('can be empty, as for HEAD: %s', async (encodings) => {
    expect(await decompress(Buffer.alloc(0), encodings)).toEqual(Buffer.alloc(0));
  });

  test('is rejected if it is invalid or truncated', async () => {
    expect((await failure(plain, 'gzip')).code).toBe('Z_DATA_ERROR');
    expect((await failure(zlib.gzipSync(plain).subarray(0, 20), 'gzip')).code).toBe('Z_BUF_ERROR');
    expect((await failure(plain, 'br')).code).toMatch(/^ERR__ERROR_/);
  });

  test.each(['zstd', 'compress', 'constructor'])('is rejected if the encoding is unknown: %s', async (encodings) => {
    expect((await failure(plain, encodings)).code).toBe('UNKNOWN_ENCODING');
  });

  test('is rejected if it is too large after decompression', async () => {
    // A stream of gzip may have several members, one after another.
    const member = zlib.gzipSync(Buffer.alloc(10 * 1024 * 1024), { level: 1 });
    const bomb = Buffer.concat(Array<Buffer>(30).fill(member));
    expect(bomb.length).toBeLessThan(4 * 1024 * 1024);
    expect((await failure(bomb, 'gzip')).code).toBe('ERR_BUFFER_TOO_LARGE');
  });
});

test('a body is the concatenation of its chunks, whatever content-length says', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 8 });
  const told = fc.oneof(fc.constant(undefined), fc.nat(120).map(String), fc.constantFrom('', '-1', 'many', '9'.repeat(20), '5, 5'));
  fc.assert(fc.property(pieces, told, (all, header) => {
    const body = createBodyBuffer(header);
    for (const piece of all) body.add(piece);
    const whole = Buffer.concat(all);
    expect(Buffer.compare(body.bytes(), whole)).toBe(0);
    expect(body.length()).toBe(whole.length);
  }), { numRuns: 1_000 });
});

test('very many small chunks are joined, because each takes more memory than its bytes', () => {
  for (const size of [1, 100]) {
    const received = Buffer.alloc(10_000 * size, 'x');
    const body = createBodyBuffer(undefined);
    for (let at = 0; at < received.length; at += size) body.add(received.subarray(at, at + size));
    expect(Buffer.compare(body.bytes(), received)).toBe(0);
    received.fill('-');
    expect(String(body.bytes()).indexOf('-')).toBeGreaterThan(9 * received.length / 10 - 1);
    expect(body.length()).toBe(received.length);
  }
});
