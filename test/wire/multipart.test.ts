import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectParams } from '../../src/wire/decode.js';
import { InvalidMultipart, readForm } from '../../src/wire/multipart.js';

const request = (type: string, body: string | Uint8Array) =>
  ({ method: 'POST', target: '/', headers: { 'content-type': type }, body });

describe('a multipart form', () => {
  const type = 'multipart/form-data; boundary=XX';
  const part = (head: string, content: string) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const read = (...parts: string[]) => collectParams(request(type, Buffer.from([...parts, '--XX--\r\n'].join(''), 'latin1')), {}, '');

  it('contains text, nested parameters and files', async () => {
    const hash = await read(
      part('name="title"', Buffer.from('Grüße').toString('latin1')), part('name="p[x]"', '1'),
      part('name="logo"; filename="a.png"\r\nContent-Type: image/png', '\x89P\r\n\0\xff'));
    expect(hash['title']).toBe('Grüße');
    expect(hash['p']).toEqual(Object.assign(Object.create(null), { x: '1' }));
    expect(hash['logo']).toEqual({
      filename: 'a.png', content_type: 'image/png', bytes: Buffer.from('\x89P\r\n\0\xff', 'latin1'),
    });
  });

  it('can contain an empty file', async () => {
    const hash = await read(part('name="logo"; filename="a.png"\r\nContent-Type: image/png', ''));
    expect(hash['logo']).toMatchObject({ filename: 'a.png', bytes: Buffer.alloc(0) });
  });

  it('gives a file its base name, whatever path the sender names', async () => {
    const hash = await read(part('name="logo"; filename="../../etc/a.png"\r\nContent-Type: image/png', 'x'));
    expect(hash['logo']).toMatchObject({ filename: 'a.png' });
  });

  it.each([
    ['UTF-8', 'filename="lögo.png"', 'lögo.png'], ['RFC 2231', "filename*=UTF-8''l%C3%B6go.png", 'lögo.png'],
    ['RFC 2231 with a language', "filename*=utf-8'de'l%c3%b6go.png", 'lögo.png'], ['RFC 2231 in Latin-1', "filename*=ISO-8859-1''l%F6go.png", 'lögo.png'],
    ['the escapes of browsers', 'filename="a%22b%0D%0A.png"', 'a"b\r\n.png'], ['backslashes', 'filename="a\\"b.png"', 'a"b.png'],
    ['percent signs', 'filename="l%C3%B6go%2B1.png"', 'lögo+1.png'], ['percent signs that escape nothing', 'filename="50%, 100%25.png"', '50%, 100%25.png'],
    ['percent signs that are no UTF-8', 'filename="%ff.png"', '%ff.png'],
  ])('decodes the file name of %s', async (_, name, filename) => {
    const head = Buffer.from(`name="logo"; ${name}`).toString('latin1');
    expect((await read(part(head, 'x')))['logo']).toMatchObject({ filename });
  });

  it.each([
    ['breaks off', `${part('name="a"', '1')}--XX\r\nContent-Disposition: form-data; name="b"\r\n\r\nha`],
    ['breaks off in a file', '--XX\r\nContent-Disposition: form-data; name="b"; filename="c"\r\n\r\nha'],
    ['has another boundary', '--YY\r\nContent-Disposition: form-data; name="b"\r\n\r\nha\r\n--YY--\r\n'],
  ])('that %s is rejected', async (_, body) => {
    await expect(collectParams(request(type, body), {}, '')).rejects.toThrow(InvalidMultipart);
  });

  it('without a boundary is rejected', async () => {
    await expect(collectParams(request('multipart/form-data', 'x'), {}, '')).rejects.toThrow(InvalidMultipart);
  });

  it('is never cut: excess is rejected', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => part(`name="a${i}"`, 'x'));
    const files = (count: number) => Array.from({ length: count }, (_, i) => part(`name="a${i}"; filename="f"`, 'x'));
    await expect(read(...many(200))).resolves.toHaveProperty('a199');
    await expect(read(...many(201))).rejects.toThrow(InvalidMultipart);
    await expect(read(...files(11))).rejects.toThrow(InvalidMultipart);
    await expect(read(part('name="a"', 'x'.repeat(4_194_305)))).rejects.toThrow(InvalidMultipart);
  });

  it('of any bytes comes to an end', async () => {
    const pieces = fc.array(fc.constantFrom('--b', '--b--', '\r\n', '\r\n\r\n', '\n', '\r', '--', 'Content-Disposition: form-data; name="body"',
      'content-type: application/octet-stream', '; filename="x"', 'x', '\0', 'é', 'X: y', ':'), { maxLength: 25 }).map((parts) => parts.join(''));
    await fc.assert(fc.asyncProperty(pieces, async (body) => {
      const outcome = await readForm('multipart/form-data; boundary=b', body).then(() => 'read', (error: Error) => error.constructor.name);
      expect(['read', 'InvalidMultipart']).toContain(outcome);
    }), { numRuns: 1_000 });
  });
});
