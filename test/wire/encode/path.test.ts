import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPath, UnusablePathValue } from '../../../src/wire/encode.js';

describe('a path', () => {
  it('has the values of its parameters, each as one segment', () => {
    expect(fillPath('/projects/:id/issues/:noteable_id', { id: 'grüße/a b', noteable_id: 7 })).toBe('/projects/gr%C3%BC%C3%9Fe%2Fa%20b/issues/7');
    expect(fillPath('/:a/:b', { a: '%', b: '?#;@' })).toBe('/%25/%3F%23%3B%40');
    expect(fillPath('/version', { id: 'unused' })).toBe('/version');
  });

  it('is left by no value, and each value is read back from it', () => {
    fc.assert(fc.property(fc.string({ minLength: 1 }).filter((value) => !/^\.{1,2}$|%2f/i.test(value)), (value) => {
      const [, first, second, ...others] = fillPath('/:id/end', { id: value }).split('/');
      expect([decodeURIComponent(first!), second, others]).toEqual([value, 'end', []]);
    }));
  });

  it('takes a value with a percent sign that is no encoded slash', () => {
    expect(fillPath('/:id', { id: '50%2' })).toBe('/50%252');
  });

  it.each(['', '.', '..'])('rejects %j, which would change the path', (value) => {
    expect(() => fillPath('/a/:discussion_id/notes', { discussion_id: value })).toThrow(UnusablePathValue);
  });

  it.each([['a%2Fb', 'a/b'], ['a%2fb%2Fc', 'a/b/c']])('rejects %j, which is encoded already', (id, plain) => {
    expect(() => fillPath('/projects/:id', { id })).toThrow(UnusablePathValue);
    expect(() => fillPath('/projects/:id', { id })).toThrow(`id "${id}" is percent-encoded already; pass "${plain}"`);
  });

  it('says apart what is wrong and what to do', () => {
    const rejected = (id: string) => expect(() => fillPath('/projects/:id', { id }));
    rejected('a; b%2Fc').toThrow(expect.objectContaining({
      reason: 'id "a; b%2Fc" is percent-encoded already', hint: 'pass "a; b/c"',
      message: 'id "a; b%2Fc" is percent-encoded already; pass "a; b/c"',
    }));
    expect(new UnusablePathValue('no')).toMatchObject({ reason: 'no', hint: null, message: 'no' });
  });

  it.each([{}, { discussion_id: null }, { discussion_id: undefined }])('rejects a missing value: %j', (params) => {
    expect(() => fillPath('/a/:discussion_id', params)).toThrow('discussion_id is missing; pass a value');
  });
});
