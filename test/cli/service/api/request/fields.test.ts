import { describe, expect, it } from 'vitest';
import { queryOf, valueOfFields } from '../../../../../src/cli/service/api/request.js';

const read = async (path: string) => `content of ${path}`;
const raw = async (...texts: string[]) => plain(await valueOfFields(texts.map((text) => ({ text, isTyped: false })), read));
const typed = async (...texts: string[]) => plain(await valueOfFields(texts.map((text) => ({ text, isTyped: true })), read));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('request fields', () => {
  it('nests fields with brackets', async () => {
    expect(await raw('a=1', 'b[c][d]=2', 'b[c][e]=x=y', 'b[f]=')).toEqual({ a: '1', b: { c: { d: '2', e: 'x=y' }, f: '' } });
  });

  it('builds lists, empty lists and lists of objects', async () => {
    expect(await raw('a[]=1', 'a[]=2', 'b[]', 'c[d][]=3')).toEqual({ a: ['1', '2'], b: [], c: { d: ['3'] } });
    expect(await raw('a[][x]=1', 'a[][y]=2', 'a[][x]=3')).toEqual({ a: [{ x: '1', y: '2' }, { x: '3' }] });
    expect(await raw('a[][x][p]=1', 'a[][x][q]=2', 'a[][z][]=3')).toEqual({ a: [{ x: { p: '1', q: '2' }, z: ['3'] }] });
    expect(await raw('a[]=1', 'a[]')).toEqual({ a: ['1'] });
  });

  it('converts true, false, null, integers and files in typed fields', async () => {
    expect(await typed('a=true', 'b=false', 'c=null', 'd=-12', 'e=0', 'f=@x.md', 'g[]=3')).toEqual(
      { a: true, b: false, c: null, d: -12, e: 0, f: 'content of x.md', g: [3] });
    expect(await typed('a=True', 'b=1.5', 'c=007', 'd=12345678901234567890', 'e=')).toEqual(
      { a: 'True', b: '1.5', c: '007', d: '12345678901234567890', e: '' });
    expect(await raw('a=true', 'b=@x.md')).toEqual({ a: 'true', b: '@x.md' });
  });

  it('uses the last of several fields with the same name', async () => expect(await raw('a=1', 'a=2')).toEqual({ a: '2' }));

  it('rejects fields that are nested too deeply', async () => {
    await expect(raw(`a${'[b]'.repeat(30_000)}=1`)).rejects.toMatchObject({ code: 'usage', message: 'field a is nested too deeply' });
    await expect(raw(`a${'[b]'.repeat(109)}=1`)).resolves.toHaveProperty('a');
  });

  it('accepts fields named like object prototype properties', async () => {
    const value = await valueOfFields([{ text: '__proto__[x]=1', isTyped: false }], read);
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it.each([['a'], ['=1'], ['a[b=1'], ['a=1', 'a[b]=2'], ['a[]=1', 'a[b]=2'], ['a[b]=1', 'a[]=2'], ['a[b]=1', 'a=2']])(
    'rejects %j %j', async (...texts) => {
      await expect(raw(...texts.filter((text) => typeof text === 'string'))).rejects.toMatchObject({ code: 'usage' });
    });
});

it('encodes objects and lists with brackets in a query', () => {
  expect(queryOf({ a: 'x y', b: { c: [1, 'a&b'], d: null }, e: true, f: [] })).toBe(
    'a=x%20y&b%5Bc%5D%5B%5D=1&b%5Bc%5D%5B%5D=a%26b&b%5Bd%5D=&e=true&f=');
});
