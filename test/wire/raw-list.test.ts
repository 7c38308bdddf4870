import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemEnds, itemId, parseRawList, rawList, type RawList } from '../../src/wire/raw-list.js';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const linesOf = (items: RawList) => text(items.lines()).split('\n').slice(0, -1);

const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { maxLength: 8 });

const endsIn = (text: string) => itemEnds(Buffer.from(text));

/** The items of a list, split at the ends. */
const itemsOf = (bytes: Buffer): string[] | null => {
  let start = 1;
  return itemEnds(bytes)?.map((end) => {
    const item = bytes.subarray(start, end).toString();
    start = end + 1;
    return item;
  }) ?? null;
};

const objects = fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 }), { maxLength: 5 });

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
    fc.assert(fc.property(fc.array(values, { minLength: 1 }), (pages) => {
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

  test('are without the white space around them, and otherwise as received', () => {
    fc.assert(fc.property(objects, fc.constantFrom(1, 2, '\t'), (all, indent) => {
      expect(text(parseRawList(JSON.stringify(all, null, indent))!.list())).toBe(JSON.stringify(all).slice(1, -1));
    }));
    const number = ' [ {"a b": 12345678901234567890,\r\n"c":1.50 , "d":"\\u00e9 \\" :  \\\\" } ,\t{ } ]\n';
    expect(linesOf(parseRawList(number)!)).toEqual(['{"a b":12345678901234567890,"c":1.50,"d":"\\u00e9 \\" :  \\\\"}', '{}']);
    expect(parseRawList(`[{"a": "${'x \\" '.repeat(1_000_000)}"}]`)).toHaveLength(1);
    for (const invalid of ['[{"a":1 2}]', '[{"a" "b":1}]', '[{"a": tr ue}]', '[ 1 ]', '{ "a": [{}] }', '[{}] [{}]', ' ', '[{} {}]']) {
      expect(parseRawList(invalid)).toBeNull();
    }
  });

  test('cannot be created from invalid UTF-8', () => {
    expect(parseRawList(Buffer.from('[{"a":"\xe4"}]', 'latin1'))).toBeNull();
    expect(parseRawList(Buffer.from('[{"a":"\xe4"}]'))).toHaveLength(1);
  });
});

describe('the items of a list', () => {
  test('are found at their ends', () => {
    fc.assert(fc.property(objects, (values) => {
      expect(itemsOf(Buffer.from(JSON.stringify(values)))).toEqual(values.map((value) => JSON.stringify(value)));
    }), { numRuns: 500 });
  });

  test('are not found in invalid JSON, whichever byte is changed, added or removed', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 127 }), cut: fc.integer({ min: 0, max: 1 }), put: fc.boolean() });
    fc.assert(fc.property(objects, change, (values, { at, byte, cut, put }) => {
      const bytes = Buffer.from(JSON.stringify(values));
      const place = at % bytes.length;
      const changed = Buffer.concat([bytes.subarray(0, place), Buffer.from(put ? [byte] : []), bytes.subarray(place + cut)]);
      const items = itemsOf(changed);
      expect(items === null || isDeepStrictEqual(items.map((item) => JSON.parse(item) as unknown), JSON.parse(changed.toString()))).toBe(true);
    }), { numRuns: 3_000 });
  });

  test.each([
    '0', '-0', '12', '1.5', '-1.05', '1e5', '1E+5', '10.25e-07', '12345678901234567890', 'true', 'false', 'null', '""',
    String.raw`"\"\\\/\b\f\n\r\t\u00e9\uD83D"`, '"ä 😀 \u007f"', '[]', '{}', '[[],[[]],{}]', '[1,"a",null]', '{"":{"":[]}}',
  ])('can contain %s', (value) => {
    expect(endsIn(`[{"a":${value}}]`)).toEqual([Buffer.byteLength(value) + 7]);
    expect(endsIn(`[{"a":[${value},${value}],"b":${value}},{}]`)).toHaveLength(2);
  });

  test.each([
    '', '01', '-', '+1', '.5', '1.', '1.e1', '1e', '1e+', '0x1', 'NaN', 'Infinity', 'tru', 'truE', 'nul', 'falsey', "'a'", '"', '"a', '"\\x"',
    String.raw`"\u12g4"`, String.raw`"\u12"`, '"\t"', '"\n"',
    '[', ']', '{', '}', '[1,]', '[,1]', '[1 2]', '[1}', '{"a":1]', '{"a"}', '{"a":}', '{a:1}',
    '{"a":1,}', '{,}', '1,', '1}', '1]', '{"a":1,2}', '[1:2]', '"a""b"',
  ])('cannot contain %s', (value) => { expect(endsIn(`[{"a":${value}}]`)).toBeNull(); });

  test.each([
    '', '[', ']', '[]]', '[[]', '{}', '[{}', '{}]', '[{},]', '[,{}]', '[{}{}]', '[{}],', '[1]', '["a"]', '[[]]', '[{},1]', 'null', '[{}]x', '[{}]\n',
    ' [{}]', '[ ]',
  ])('are not found in %j', (text) => { expect(endsIn(text)).toBeNull(); });

  test.each([' ', '\n', '\t', '\r'])('are left to a parser if %j separates tokens', (blank) => {
    for (const place of ['[_{}]', '[{}_]', '[{"a"_:1}]', '[{"a":_1}]', '[{"a":1_}]', '[{"a":1,_"b":2}]', '[{"a":[1,_2]}]']) {
      const text = place.replace('_', blank);
      expect(JSON.parse(text)).toHaveLength(1);
      expect(endsIn(text)).toBeNull();
    }
  });

  test('are absent in an empty list', () => { expect(endsIn('[]')).toEqual([]); });

  test('can be nested to any depth', () => {
    const deep = 100_000;
    expect(endsIn(`[{"a":${'['.repeat(deep)}${']'.repeat(deep)}}]`)).toEqual([2 * deep + 7]);
    expect(endsIn(`[{"a":${'['.repeat(deep)}${']'.repeat(deep - 1)}}]`)).toBeNull();
  });
});

test('knows the ids of its items, wherever they are', () => {
  const plain = [{ id: 5, x: 1 }, { id: 'ab' }, { id: 'a,}{\u007f' }, { id: 'x'.repeat(78), x: 1 }, { id: 0 }];
  const odd = [{ id: 'a"b', x: 1 }, { x: { id: 1 }, id: 7 }, { x: 1 }, { id: null }, { id: 'é' }, { id: 'x'.repeat(200) }, { id: -1 }, { id: 1.5 },
    { id: 'a\\' }, { id: { a: 1 } }, {}, { idea: 1, id: 2 }];
  for (const rows of [plain, odd, [...plain, ...odd], ...odd.map((one) => [plain[0]!, one, plain[1]!])]) {
    const ids = rows.map((row) => itemId(row));
    const list = parseRawList(JSON.stringify(rows))!;
    expect(rawList(rows).ids()).toEqual(ids);
    expect(list.ids()).toEqual(ids);
    expect(list.slice(1, 3).ids()).toEqual(ids.slice(1, 3));
    expect(JSON.parse(list.idList())).toEqual(ids);
  }
  expect(odd.slice(0, 3).map(itemId)).toEqual(['a"b', 7, '{"x":1}']);
  expect(parseRawList('[]')!.ids()).toEqual([]);
});
