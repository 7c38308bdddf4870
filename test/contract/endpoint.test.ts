import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { optional, pathNames, required } from '../../src/contract/endpoint.js';
import { isUpload } from '../../src/wire/http.js';

describe('the names in a path', () => {
  it.each([
    ['/projects/:id/issues/:noteable_id/discussions', ['id', 'noteable_id']], ['/:b/:a/:b', ['b', 'a', 'b']], ['/version', []], ['', []],
    ['/groups/:id/-/epics/:epic_iid', ['id', 'epic_iid']], ['/a:b', ['b']], ['/a/:', []],
  ])('of %s are %j', (path, names) => expect(pathNames(path)).toEqual(names));
});

describe('a declared parameter', () => {
  it('is required or optional, with its shape, its text and whatever else is said of it', () => {
    const shape = Type.String();
    expect(required(shape, 'a text')).toEqual({ shape, text: 'a text', required: true });
    expect(optional(shape, 'a text', { since: '13.7', needs: 'owner' })).toEqual({ shape, text: 'a text', required: false, since: '13.7', needs: 'owner' });
  });

  it('keeps the very shape, which carries its name', () => {
    const shape = Type.Object({}, { $id: 'Named' });
    expect(required(shape, 'x').shape).toBe(shape);
  });
});

describe('a file of a form', () => {
  it.each([
    { filename: 'a.png', bytes: new Uint8Array(1) }, { filename: 'a.png', content_type: 'image/png', bytes: Buffer.from('x') }, { bytes: new Uint8Array(0) },
  ])('is a value with bytes: %j', (value) => expect(isUpload(value)).toBe(true));

  it.each([
    null, undefined, 'text', 7, [], {}, { filename: 'a.png' }, { filename: 'a.png', bytes: 'abc' }, { bytes: [1, 2] }, { bytes: { 0: 1 } },
    { bytes: new Uint16Array(1) }, { bytes: new ArrayBuffer(1) }, new Uint8Array(1),
  ])('is not %j, which JSON could hold too', (value) => expect(isUpload(value)).toBe(false));
});
