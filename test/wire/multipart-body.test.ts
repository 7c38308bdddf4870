import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multipartBody, type FormFile, type FormPart } from '../../src/wire/multipart-body.js';

const read = async (parts: readonly FormPart[]) => {
  const { headers, body } = multipartBody(parts);
  const form = await new Response(body, { headers }).formData();
  return Promise.all([...form.entries()].map(async ([name, value]) => typeof value === 'string' ? [name, value]
    : [name, { filename: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()).toString('latin1') }]));
};

const file = (more: Partial<FormFile> = {}): FormFile => ({ filename: 'a.png', bytes: Buffer.from('\u0089PNG\r\n', 'latin1'), ...more });

describe('the body of a form', () => {
  it('is read as what was written, even with binary files and without any', async () => {
    expect(await read([['title', 'ä\r\nb'], ['logo', file()], ['title', '']])).toEqual([
      ['title', 'ä\r\nb'], ['logo', { filename: 'a.png', type: 'image/png', bytes: '\u0089PNG\r\n' }], ['title', '']]);
    const texts = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 5 });
    await fc.assert(fc.asyncProperty(texts, async (parts) => {
      const plain = parts.map(([name, value]): FormPart => [name.replace(/[^ -~]/g, ''), value]);
      expect(await read(plain)).toEqual(plain);
    }), { numRuns: 100 });
  });

  it.each([['a.SVG', 'image/svg+xml'], ['a.ico', 'image/vnd.microsoft.icon'], ['a.b.txt', 'text/plain'], ['constructor', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'], ['a', 'application/octet-stream']])('has the type of %s', async (filename, type) => {
    expect(await read([['f', file({ filename })]])).toMatchObject([['f', { filename, type }]]);
  });

  it('escapes what would end a name, and takes the type that is given', () => {
    const { body } = multipartBody([['a"\r\nb', file({ filename: '"x".png', contentType: 'image/x\r\nevil: yes' })]]);
    expect(body.toString('latin1')).toContain(
      'Content-Disposition: form-data; name="a%22%0D%0Ab"; filename="%22x%22.png"\r\nContent-Type: image/x evil: yes\r\n\r\n');
  });

  it('has a boundary that does not occur in the content, and the same one for the same content', () => {
    const first = multipartBody([['a', 'b']]);
    expect(multipartBody([['a', 'b']])).toEqual(first);
    const [, boundary] = /boundary=(.*)/.exec(first.headers['content-type'])!;
    expect(multipartBody([['a', `b\r\n--${boundary}--`]]).headers).not.toEqual(first.headers);
  });
});
