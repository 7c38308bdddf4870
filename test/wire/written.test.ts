import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { written, writtenIn, type Written } from '../../src/wire/raw-list.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const linesOf = (items: Written) => text(items.lines()).split('\n').slice(0, -1);

const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 8 });

describe('items as they were written', () => {
  test('are the same on lines and in a list, whether the body is text or bytes', () => {
    fc.assert(fc.property(values, fc.boolean(), (all, isText) => {
      const body = JSON.stringify(all);
      const items = writtenIn(isText ? body : Buffer.from(body))!;
      expect(items).toHaveLength(all.length);
      expect(linesOf(items)).toEqual(all.map((value) => JSON.stringify(value)));
      expect(`[${text(items.list())}]`).toBe(body);
    }));
  });

  test('are put on lines in one place after another', () => {
    fc.assert(fc.property(fc.array(values), (pages) => {
      let room: Uint8Array = new Uint8Array();
      for (const all of pages) {
        const lines = writtenIn(JSON.stringify(all))!.lines(room);
        expect(text(lines)).toBe(all.map((value) => `${JSON.stringify(value)}\n`).join(''));
        if (lines.length <= room.length) expect(lines.buffer).toBe(room.buffer);
        room = new Uint8Array(lines.buffer);
      }
    }));
  });

  test('can be had in part', () => {
    fc.assert(fc.property(values, fc.nat(9), fc.nat(9), (all, from, to) => {
      const part = writtenIn(JSON.stringify(all))!.slice(from, to);
      expect(part).toHaveLength(all.slice(from, to).length);
      expect(linesOf(part)).toEqual(all.slice(from, to).map((value) => JSON.stringify(value)));
      expect(`[${text(part.list())}]`).toBe(JSON.stringify(all.slice(from, to)));
    }));
  });

  test('show the first of them', () => {
    expect(writtenIn('[{"a":"ä"},{"b":2}]')!.first()).toEqual({ a: 'ä' });
    expect(writtenIn('[{"a":1},{"b":2}]')!.slice(1, 2).first()).toEqual({ b: 2 });
    expect(written([null, 1]).first()).toBeNull();
    expect(writtenIn('[]')!.first()).toBeUndefined();
    expect(writtenIn('[{"a":1}]')!.slice(1, 2).first()).toBeUndefined();
  });

  test('leave the body as it is', () => {
    const body = Buffer.from('[{"a":1},{"b":2}]');
    writtenIn(body)!.lines();
    expect(body.toString()).toBe('[{"a":1},{"b":2}]');
  });

  test('can be made of values of any kind', () => {
    const items = written([{ a: 'ä' }, 1, null, 'x', []]);
    expect(linesOf(items)).toEqual(['{"a":"ä"}', '1', 'null', '"x"', '[]']);
    expect(text(items.slice(1, 3).list())).toBe('1,null');
    expect(linesOf(written([]))).toEqual([]);
    expect(text(written([]).list())).toBe('');
  });

  test('are not to be had of bytes that are no UTF-8', () => {
    expect(writtenIn(Buffer.from('[{"a":"\xe4"}]', 'latin1'))).toBeNull();
    expect(writtenIn(Buffer.from('[{"a":"\xe4"}]'))).toHaveLength(1);
  });
});
