import fc from 'fast-check';
import FormData from 'form-data';
import { createRequire } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { type FormFile, type FormPart, multipartBody, readForm } from '../../../src/wire/multipart.js';

const read = async (parts: readonly FormPart[]) => {
  const { headers, body } = await multipartBody(parts);
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
      // Browsers write line breaks and quotes in names as %0D, %0A and %22, so a reader cannot tell these letters from them.
      const plain = parts.map(([name, value]): FormPart => [name.replace(/[^ -~]|%/g, ''), value]);
      expect(await read(plain)).toEqual(plain);
    }), { numRuns: 100 });
  });

  it.each([['a.SVG', 'image/svg+xml'], ['a.ico', 'image/vnd.microsoft.icon'], ['a.b.txt', 'text/plain'], ['constructor', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'], ['a', 'application/octet-stream']])('has the type of %s', async (filename, type) => {
    expect(await read([['f', file({ filename })]])).toMatchObject([['f', { filename, type }]]);
  });

  it('has the type that mime-types knows for the extensions of uploaded files, and no wrong one for others, as the part of the build has', async () => {
    const typeIn = (Form: typeof FormData, filepath: string) => {
      const form = new Form();
      form.append('f', Buffer.of(1), { filepath });
      return /Content-Type: (.*)\r/.exec(form.getBuffer().toString())![1]!;
    };
    const require = createRequire(import.meta.url);
    const built = require('../../../dist/parts/form-data.cjs') as typeof FormData;
    const { types } = createRequire(require.resolve('form-data'))('mime-types') as { readonly types: Readonly<Record<string, string>> };
    const names = Object.keys(types).map((extension) => `a.${extension}`);
    expect(names.length).toBeGreaterThan(1_000);
    const unlike = names.filter((name) => typeIn(built, name) !== typeIn(FormData, name));
    expect(unlike.filter((name) => typeIn(built, name) !== 'application/octet-stream')).toEqual([]);
    const usual = ['avif', 'bmp', 'gif', 'ico', 'jpg', 'png', 'svg', 'webp', 'csv', 'html', 'json', 'log', 'md', 'mp4', 'pdf', 'txt', 'xml', 'yml', 'zip'];
    expect(usual.filter((extension) => unlike.includes(`a.${extension}`))).toEqual([]);
  });

  it.each([['dir/a.png', 'a.png'], ['..\\a.png', 'a.png'], ['100%.png', '100%.png'], ['', ''], ['/', '']])(
    'has a file even if its name is %j', async (filename, last) => {
      const { headers, body } = await multipartBody([['f', file({ filename })]]);
      const [, value] = (await readForm(headers['content-type'], body))[0]!;
      expect(value).toMatchObject({ filename: last === '' ? expect.anything() as string : last, bytes: file().bytes });
    });

  it('copies a long file once, whatever follows it, and leaves the given bytes', async () => {
    const bytes = new Uint8Array(new ArrayBuffer(3_000_002), 1, 3_000_000).fill(65);
    const texts = Array.from({ length: 150 }, (_, i): FormPart => [`k${i}`, 'v']);
    const concat = vi.spyOn(Buffer, 'concat');
    const { body } = await multipartBody([['f', file({ bytes })], ...texts]);
    expect(concat).toHaveBeenCalledTimes(1);
    concat.mockRestore();
    expect([body.length > 3_000_000, bytes.every((byte) => byte === 65)]).toEqual([true, true]);
  });

  it('escapes what would end a name, and takes the type that is given', async () => {
    const { body } = await multipartBody([['a"\r\nb', file({ filename: '"x".png', contentType: 'image/x\r\nevil: yes' })]]);
    expect(body.toString('latin1')).toContain(
      'Content-Disposition: form-data; name="a%22%0D%0Ab"; filename="%22x%22.png"\r\nContent-Type: image/x evil: yes\r\n\r\n');
  });

  it('has a boundary that does not occur in the content, and the same one for the same content', async () => {
    const first = await multipartBody([['a', 'b']]);
    expect(await multipartBody([['a', 'b']])).toEqual(first);
    const [, boundary] = /boundary=(.*)/.exec(first.headers['content-type'])!;
    expect((await multipartBody([['a', `b\r\n--${boundary}--`]])).headers).not.toEqual(first.headers);
  });
});
