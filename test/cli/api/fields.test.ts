import { describe, expect, it } from 'vitest';
import { valueOfFields } from '../../../src/cli/api/fields.js';
import { queryOf } from '../../../src/cli/api/target.js';

const read = async (path: string) => `content of ${path}`;
const raw = async (...texts: string[]) => plain(await valueOfFields(texts.map((text) => ({ text, isTyped: false })), read));
const typed = async (...texts: string[]) => plain(await valueOfFields(texts.map((text) => ({ text, isTyped: true })), read));
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('fields', () => {
  it('nest with brackets', async () => {
    expect(await raw('a=1', 'b[c][d]=2', 'b[c][e]=x=y', 'b[f]=')).toEqual({ a: '1', b: { c: { d: '2', e: 'x=y' }, f: '' } });
  });

  it('make lists, also empty ones, and lists of hashes', async () => {
    expect(await raw('a[]=1', 'a[]=2', 'b[]', 'c[d][]=3')).toEqual({ a: ['1', '2'], b: [], c: { d: ['3'] } });
    expect(await raw('a[][x]=1', 'a[][y]=2', 'a[][x]=3')).toEqual({ a: [{ x: '1', y: '2' }, { x: '3' }] });
    expect(await raw('a[][x][p]=1', 'a[][x][q]=2', 'a[][z][]=3')).toEqual({ a: [{ x: { p: '1', q: '2' }, z: ['3'] }] });
    expect(await raw('a[]=1', 'a[]')).toEqual({ a: ['1'] });
  });

  it('that are typed know true, false, null, whole numbers and files', async () => {
    expect(await typed('a=true', 'b=false', 'c=null', 'd=-12', 'e=0', 'f=@x.md', 'g[]=3')).toEqual(
      { a: true, b: false, c: null, d: -12, e: 0, f: 'content of x.md', g: [3] });
    expect(await typed('a=True', 'b=1.5', 'c=007', 'd=12345678901234567890', 'e=')).toEqual(
      { a: 'True', b: '1.5', c: '007', d: '12345678901234567890', e: '' });
    expect(await raw('a=true', 'b=@x.md')).toEqual({ a: 'true', b: '@x.md' });
  });

  it('of one name: the last stands', async () => expect(await raw('a=1', 'a=2')).toEqual({ a: '2' }));

  it('named like parts of every object are fields like any other', async () => {
    const value = await valueOfFields([{ text: '__proto__[x]=1', isTyped: false }], read);
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it.each([['a'], ['=1'], ['a[b=1'], ['a=1', 'a[b]=2'], ['a[]=1', 'a[b]=2'], ['a[b]=1', 'a[]=2'], ['a[b]=1', 'a=2']])(
    '%j %j are refused', async (...texts) => {
      await expect(raw(...texts.filter((text) => typeof text === 'string'))).rejects.toMatchObject({ code: 'usage' });
    });
});

it('a query has brackets for hashes and lists', () => {
  expect(queryOf({ a: 'x y', b: { c: [1, 'a&b'], d: null }, e: true, f: [] })).toBe(
    'a=x%20y&b%5Bc%5D%5B%5D=1&b%5Bc%5D%5B%5D=a%26b&b%5Bd%5D=&e=true');
});
