import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { describe, expect, it } from 'vitest';
import { deprecated, File, liveOnly, markLive, nullable, User } from '../../../src/contract/shapes/scalars.js';
import { isUpload } from '../../../src/wire/http.js';
import { coerce } from '../../../src/wire/decode.js';

describe('a shape', () => {
  it('that is nullable has the value or null, and nothing else', () => {
    const shape = nullable(Type.Integer());
    expect([1, null, undefined, '1'].map((value) => Value.Check(shape, value))).toEqual([true, true, false, false]);
  });

  it('of the live service alone may be absent, and is checked where it is there', () => {
    const shape = Type.Object({ iid: liveOnly(Type.Integer()) });
    expect([{}, { iid: 1 }, { iid: 'x' }].map((value) => Value.Check(shape, value))).toEqual([true, true, false]);
    expect(shape.properties.iid).toMatchObject({ 'x-dialect': 'live' });
    expect(shape.required).toBeUndefined();
  });

  it('is marked without a change of the one that others use', () => {
    const shape = Type.String({ description: 'text' });
    expect(markLive(shape)).toEqual({ ...shape, 'x-dialect': 'live' });
    expect(deprecated(shape, 'title')).toMatchObject({ deprecated: true, description: 'deprecated, use title', type: 'string' });
    expect(shape).not.toHaveProperty('x-dialect');
    expect(shape).toMatchObject({ description: 'text' });
  });
});

it('a file is what a form brings, and no JSON', () => {
  const upload = { filename: 'a.png', bytes: new Uint8Array(1) };
  expect(isUpload(upload)).toBe(true);
  const read = (value: unknown) => coerce({ logo: { shape: File, required: true, text: 'x' } }, { logo: value });
  expect(read(upload).problems).toEqual([]);
  for (const value of ['a.png', { filename: 'a.png', bytes: 'AAEC' }]) expect(read(value).problems).toEqual(['logo is invalid']);
});

it('a user has the fields of the document, and those of newer live services', () => {
  const ada = { id: 1, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'http://h/ada' };
  const isUser = (value: unknown) => [...Value.Errors(User, value)].filter(({ message }) => !message.includes('format')).length === 0;
  expect([ada, { ...ada, locked: false, public_email: null }, { ...ada, locked: 'no' }, { ...ada, id: '1' }].map(isUser)).toEqual([true, true, false, false]);
});
