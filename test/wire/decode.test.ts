import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/contract.js';
import { collectParams, decode, parseQuery, UnknownMediaType, UnreadableBody } from '../../src/wire/decode.js';
import { UnreadableParams } from '../../src/wire/forms.js';
import { InvalidMultipart } from '../../src/wire/multipart.js';

const request = (type: string | undefined, body: string | Uint8Array, method = 'POST') =>
  ({ method, target: '/', headers: type === undefined ? {} : { 'content-type': type }, body });
const json = (body: string, method?: string) => request('application/json', body, method);

describe('with repeated parameters', () => {
  const path = { a: 'path' };

  it('the path overrides the body, and the body overrides the query', async () => {
    expect({ ...await collectParams(json('{"a":"body","b":"body"}'), path, 'a=query&b=query&c=query') })
      .toEqual({ a: 'path', b: 'body', c: 'query' });
  });

  it('the last one in a query wins', async () => {
    expect({ ...await collectParams(json(''), {}, 'b=1&b=2') }).toEqual({ b: '2' });
  });

  it.each(['GET', 'HEAD'])('the body of %s is ignored, valid or not', async (method) => {
    expect({ ...await collectParams(json('{', method), path, 'b=1') }).toEqual({ a: 'path', b: '1' });
  });
});

describe('a body', () => {
  it.each([
    ['application/json', '{"b":"1","p":{"x":2}}', { b: '1', p: { x: 2 } }],
    ['application/json; charset=utf-8', '{"b":1}', { b: 1 }],
    ['Application/JSON', '{"b":null}', { b: null }],
    ['application/json', '', {}], ['application/json', ' \n', {}],
    ['application/json', '[1,2]', {}], ['application/json', '"text"', {}], ['application/json', 'null', {}],
    ['application/x-www-form-urlencoded', 'b=a+b%2B%C3%BC&p[x]=2&p%5By%5D=3', { b: 'a b+ü', p: { x: '2', y: '3' } }],
  ])('of type %s reads %j', async (type, body, expected) => {
    expect(JSON.parse(JSON.stringify(await collectParams(request(type, body), {}, '')))).toEqual(expected);
    expect(JSON.parse(JSON.stringify(await collectParams(request(type, Buffer.from(body)), {}, '')))).toEqual(expected);
  });

  it.each([
    ['text/plain'], ['application/vnd.api+json'], ['application/xml'], ['application/octet-stream'], [undefined],
  ])('of type %s is rejected by name', async (type) => {
    const refusal = await collectParams(request(type, 'x'), {}, '').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnknownMediaType);
    expect((refusal as Error).message).toBe(`The provided content-type '${type ?? ''}' is not supported.`);
  });

  it('can be absent without a type', async () => {
    expect({ ...await collectParams({ method: 'DELETE', target: '/', headers: {} }, {}, '') }).toEqual({});
    expect({ ...await collectParams(request('text/plain', ''), {}, '') }).toEqual({});
  });

  it.each(['{', '{"a":}', 'body=x', '{"a":1}x'])('of type JSON with the text %j is rejected', async (body) => {
    await expect(collectParams(json(body), {}, '')).rejects.toThrow(UnreadableBody);
  });

  it('can be nested 32 levels deep, without brackets in text', async () => {
    const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    await expect(collectParams(json(nested(32)), {}, '')).resolves.toHaveProperty('a');
    await expect(collectParams(json(nested(33)), {}, '')).rejects.toThrow(UnreadableBody);
    const text = `${'[{'.repeat(50)}\\"`;
    expect((await collectParams(json(JSON.stringify({ b: text })), {}, ''))['b']).toBe(text);
  });

  it('cannot change a prototype', async () => {
    const hash = await collectParams(json('{"__proto__":{"admin":true},"b":1}'), {}, '');
    expect(hash['admin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('is not a file if it is JSON that looks like one', async () => {
    const body = '{"logo":{"filename":"a.png","bytes":"abc"}}';
    expect(decode(contract.appearance.set, await collectParams(json(body), {}, '')).problems).toEqual(['logo is invalid']);
  });
});

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
});

describe('a query', () => {
  it('reads a plus sign as a space', () => expect({ ...parseQuery('a=1+2&b=1%2B2') }).toEqual({ a: '1 2', b: '1+2' }));
  it('accepts invalid escapes', () => expect({ ...parseQuery('a=%zz&b=%') }).toEqual({ a: '%zz', b: '%' }));
  it('may be empty', () => expect({ ...parseQuery('') }).toEqual({}));
  it('skips empty pairs, and keeps a question mark in a name', () =>
    expect({ ...parseQuery('&&?a=1&&b&=c&') }).toEqual({ '?a': '1', b: '', '': 'c' }));

  it('with too many parameters is rejected', async () => {
    await expect(collectParams(json(''), {}, 'a=1&'.repeat(201))).rejects.toThrow(UnreadableParams);
  });
});
