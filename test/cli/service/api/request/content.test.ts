import { describe, expect, it } from 'vitest';
import { requestContent, type ContentFlags } from '../../../../../src/cli/service/api/request.js';
import { readForm } from '../../../../../src/wire/multipart.js';
import { testApp, type WorldOptions } from '../../../../support/app.js';

const contentFor = async (method: string, flags: Partial<ContentFlags>, options: WorldOptions = {}) =>
  requestContent((await testApp(options)).app, method, { fields: [], form: [], ...flags });
const fieldsOf = (...texts: string[]) => texts.map((text) => ({ text, isTyped: false }));

describe('fields', () => {
  const fields = fieldsOf('a=1', 'b[c]=2');

  it.each(['POST', 'PUT', 'PATCH'])('are the JSON body of a %s', async (method) => {
    expect(await contentFor(method, { fields })).toEqual({ query: '', headers: { 'content-type': 'application/json' }, body: '{"a":"1","b":{"c":"2"}}' });
  });

  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])('are the query of a %s', async (method) => {
    const { query, headers, body } = await contentFor(method, { fields });
    expect([decodeURIComponent(query), headers, body]).toEqual(['a=1&b[c]=2', {}, undefined]);
  });

  it('are the query beside a file that is the body', async () => {
    const { query, body } = await contentFor('POST', { fields, inputFile: '-' }, { stdin: 'text' });
    expect([decodeURIComponent(query), Buffer.from(body as Uint8Array).toString()]).toEqual(['a=1&b[c]=2', 'text']);
  });

  it('are no body if there are none', async () => {
    expect(await contentFor('POST', {})).toEqual({ query: '', headers: {} });
  });
});

describe('the media type of a file', () => {
  const typeOf = async (content: string | Uint8Array, contentType?: string) =>
    (await contentFor('POST', { inputFile: 'a', ...contentType !== undefined && { contentType } }, { files: { a: content } })).headers['content-type'];

  it.each(['{', ' [1', '\n"a', 'true', 'null ', '-1.5', '\ufeff{}'])('is JSON if it begins like it: %j', async (text) => {
    expect(await typeOf(text)).toBe('application/json');
  });

  it.each(['', 'hello', 'trueish', '1 2', '-', '<a>'])('is plain text otherwise: %j', async (text) => {
    expect(await typeOf(text)).toBe('text/plain');
  });

  it('is unknown for bytes that are no text, and the one that was given', async () => {
    expect(await typeOf(Uint8Array.of(0xff))).toBe('application/octet-stream');
    expect(await typeOf('{}', 'text/markdown')).toBe('text/markdown');
  });
});

describe('a form', () => {
  it('has texts, and files with their own names', async () => {
    const { headers, body, query } = await contentFor('PUT', { form: ['title=a=b', 'empty=', 'logo=@img/l.png', 'win=@c:\\dir\\w.txt', 'in=@-'] },
      { files: { 'img/l.png': 'PNG', 'c:\\dir\\w.txt': 'W' }, stdin: 'piped' });
    const parts = await readForm(headers['content-type']!, body!);
    expect(query).toBe('');
    expect(parts).toMatchObject([['title', 'a=b'], ['empty', ''], ['logo', { filename: 'l.png' }],
      ['win', { filename: 'w.txt' }], ['in', { filename: 'stdin' }]]);
  });

  it.each<[string, Partial<ContentFlags>, string]>([
    ['POST', { form: ['a=1'], inputFile: 'x' }, '--form cannot be combined with other fields or --input'],
    ['GET', { form: ['a=1'] }, '--form cannot be used with GET'], ['DELETE', { form: ['a=1'] }, '--form cannot be used with DELETE'],
    ['POST', { form: ['=1'] }, 'invalid form part "=1"'], ['POST', { form: ['a'] }, 'invalid form part "a"'],
    ['POST', { form: ['a=@none'] }, 'cannot read none: no such file'],
  ])('of a %s cannot be %j', async (method, flags, message) => {
    await expect(contentFor(method, flags)).rejects.toMatchObject({ code: 'usage', message });
  });
});
