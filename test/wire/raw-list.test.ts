import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRawList, rawList, type RawList } from '../../src/wire/raw-list.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const linesOf = (items: RawList) => text(items.lines()).split('\n').slice(0, -1);

const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 8 });

describe('raw items', () => {
  test('are the same as lines and as a list, for text and bytes', () => {
    fc.assert(fc.property(values, fc.boolean(), (all, isText) => {
      const body = JSON.stringify(all);
      const items = parseRawList(isText ? body : Buffer.from(body))!;
      expect(items).toHaveLength(all.length);
      expect(linesOf(items)).toEqual(all.map((value) => JSON.stringify(value)));
      expect(`[${text(items.list())}]`).toBe(body);
    }));
  });

  test('reuse the buffer for lines', () => {
    fc.assert(fc.property(fc.array(values), (pages) => {
      let room: Uint8Array = new Uint8Array();
      for (const all of pages) {
        const lines = parseRawList(JSON.stringify(all))!.lines(room);
        expect(text(lines)).toBe(all.map((value) => `${JSON.stringify(value)}\n`).join(''));
        if (lines.length <= room.length) expect(lines.buffer).toBe(room.buffer);
        room = new Uint8Array(lines.buffer);
      }
    }));
  });

  test('can be sliced', () => {
    fc.assert(fc.property(values, fc.nat(9), fc.nat(9), (all, from, to) => {
      const part = parseRawList(JSON.stringify(all))!.slice(from, to);
      expect(part).toHaveLength(all.slice(from, to).length);
      expect(linesOf(part)).toEqual(all.slice(from, to).map((value) => JSON.stringify(value)));
      expect(`[${text(part.list())}]`).toBe(JSON.stringify(all.slice(from, to)));
    }));
  });

  test('have a first item', () => {
    expect(parseRawList('[{"a":"ä"},{"b":2}]')!.first()).toEqual({ a: 'ä' });
    expect(parseRawList('[{"a":1},{"b":2}]')!.slice(1, 2).first()).toEqual({ b: 2 });
    expect(rawList([null, 1]).first()).toBeNull();
    expect(parseRawList('[]')!.first()).toBeUndefined();
    expect(parseRawList('[{"a":1}]')!.slice(1, 2).first()).toBeUndefined();
  });

  test('do not change the body', () => {
    const body = Buffer.from('[{"a":1},{"b":2}]');
    parseRawList(body)!.lines();
    expect(body.toString()).toBe('[{"a":1},{"b":2}]');
  });

  test('can be created from any values', () => {
    const items = rawList([{ a: 'ä' }, 1, null, 'x', []]);
    expect(linesOf(items)).toEqual(['{"a":"ä"}', '1', 'null', '"x"', '[]']);
    expect(text(items.slice(1, 3).list())).toBe('1,null');
    expect(linesOf(rawList([]))).toEqual([]);
    expect(text(rawList([]).list())).toBe('');
  });

  test('cannot be created from invalid UTF-8', () => {
    expect(parseRawList(Buffer.from('[{"a":"\xe4"}]', 'latin1'))).toBeNull();
    expect(parseRawList(Buffer.from('[{"a":"\xe4"}]'))).toHaveLength(1);
  });
});
