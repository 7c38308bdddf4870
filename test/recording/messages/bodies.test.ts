import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { bodyWithoutSecrets, decompressed, plainBody } from '../../../src/recording/messages.js';

const encoded = (encoding: string, body: Uint8Array): string | null => {
  const plain = decompressed({ 'content-encoding': encoding }, body);
  return plain === null ? null : Buffer.from(plain).toString();
};

it('a body is decompressed by its content encodings', () => {
  expect([
    encoded('gzip', gzipSync('a')), encoded('X-GZIP', gzipSync('a')), encoded('br', brotliCompressSync('a')), encoded('deflate', deflateSync('a')),
      encoded('deflate', deflateRawSync('a')),
    encoded('gzip, identity, br', brotliCompressSync(gzipSync('a'))), encoded('', Buffer.from('a')),
  ]).toEqual(Array.from({ length: 7 }, () => 'a'));
});

it('a body that cannot be decompressed, or is too large for it, stays as it is', () => {
  const bomb = gzipSync(Buffer.alloc(70_000_000));
  expect([encoded('zstd', Buffer.from('a')), encoded('gzip', Buffer.from('a')), encoded('gzip', bomb)]).toEqual([null, null, null]);
  expect(plainBody({ headers: { 'content-encoding': 'zstd' }, body: Buffer.from([0xff]) })).toEqual({ base64: '/w==' });
});

it('bytes that are no text stay as they are, and text in another charset does not', () => {
  const found: string[] = [];
  const bytes = (text: string) => ({ base64: Buffer.from(text, 'latin1').toString('base64') });
  const body = bytes('\u00e9 token=S3cret-1');
  const shown = (type: string) => bodyWithoutSecrets(body, { headers: { 'content-type': type } }, (secret) => { found.push(secret); });
  expect([shown('image/png'), shown('text/plain; charset=latin1'), found]).toEqual([body, bytes('\u00e9 token=[redacted]'), ['S3cret-1']]);
});
