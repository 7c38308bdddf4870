import { Type, type TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { contract } from '../../src/contract/contract.js';
import { optional, required } from '../../src/contract/endpoint.js';
import { File } from '../../src/contract/shapes/scalars.js';
import { coerce, collectParams, decode, MalformedText, parseQuery, UnknownMediaType, UnreadableBody } from '../../src/wire/decode.js';
import { UnreadableParams } from '../../src/wire/http.js';

const request = (type: string | undefined, body: string | Uint8Array, method = 'POST') =>
  ({ method, target: '/', headers: type === undefined ? {} : { 'content-type': type }, body });
const json = (body: string, method?: string) => request('application/json', body, method);

const one = (shape: TSchema, value: unknown) => {
  const { values, problems } = coerce({ x: optional(shape, 'x') }, { x: value });
  return problems.length > 0 ? problems.join(', ') : values['x'];
};
const { issue, merge_request: mergeRequest } = contract.discussions;

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

describe('a query', () => {
  it('reads a plus sign as a space', () => expect({ ...parseQuery('a=1+2&b=1%2B2') }).toEqual({ a: '1 2', b: '1+2' }));
  it('accepts invalid escapes', () => expect({ ...parseQuery('a=%zz&b=%') }).toEqual({ a: '%zz', b: '%' }));
  it('may be empty', () => expect({ ...parseQuery('') }).toEqual({}));
  it('skips empty pairs, and keeps a question mark in a name', () =>
    expect({ ...parseQuery('&&?a=1&&b&=c&') }).toEqual({ '?a': '1', b: null, '': 'c' }));

  it('with too many parameters is rejected', async () => {
    await expect(collectParams(json(''), {}, 'a=1&'.repeat(201))).rejects.toThrow(UnreadableParams);
  });
});

describe('an integer', () => {
  it.each([
    ['12', 12], ['010', 10], ['-3', -3], ['+3', 3], ['0', 0], ['-0', 0], [12, 12], [1.5, 1], [-1.5, -1], ['', null],
    [null, null], ['9007199254740991', 9_007_199_254_740_991],
  ])('is taken from %j', (given, expected) => expect(one(Type.Integer(), given)).toBe(expected));

  it.each(['abc', '1abc', '0x1f', true, false, '1.5', '1e3', '9007199254740992', 1e20, NaN, [1], { a: 1 }])(
    'is not %j', (given) => expect(one(Type.Integer(), given)).toBe('x is invalid'));
});

describe('a list of integers', () => {
  const read = (ids: unknown) => coerce({ ids: optional(Type.Array(Type.Integer()), 'ids') }, { ids });

  it.each([
    [[1, '2'], [1, 2]], ['1, 2', [1, 2]], ['7', [7]], [7, [7]], ['', []], [[''], []], [[], []], [[null, 3], [3]], [null, null],
  ])('is read from %j', (given, ids) => expect(read(given)).toEqual({ values: { ids }, problems: [] }));

  it.each(['x', '1,x', { a: 1 }, [[1]], [1, 'x'], true].map((given) => [given]))('is not %j', (given) =>
    expect(read(given).problems).toEqual(['ids is invalid']));
});

it.each([
  ['a, b c', ['a', 'b c']], [['a', ' b '], ['a', 'b']], ['', []], [' ', []], [[], []], [['', 'a'], ['a']], ['a,,b,', ['a', 'b']], [7, ['7']],
  [null, null],
])('a list of texts is read from %j', (given, labels) =>
  expect(coerce({ labels: optional(Type.Array(Type.String()), 'labels') }, { labels: given })).toEqual({ values: { labels }, problems: [] }));

describe('a boolean', () => {
  it.each(['true', 't', 'yes', 'y', 'on', '1', 'True', 'TRUE', 'T', 'Yes', 'ON', true, 1])(
    'is true for %j', (given) => expect(one(Type.Boolean(), given)).toBe(true));

  it.each(['false', 'f', 'no', 'n', 'off', '0', 'False', 'FALSE', 'F', 'No', 'OFF', false, 0])(
    'is false for %j', (given) => expect(one(Type.Boolean(), given)).toBe(false));

  it.each(['', null])('is nothing for %j', (given) => expect(one(Type.Boolean(), given)).toBeNull());

  it.each(['2', 'maybe', 2, 'tRUE', 'yEs', [], {}])(
    'is not %j', (given) => expect(one(Type.Boolean(), given)).toBe('x is invalid'));
});

describe('a text', () => {
  it.each([['a', 'a'], ['', ''], [12, '12'], [1.5, '1.5'], [true, 'true'], [false, 'false'], [null, null]])(
    'is taken from %j', (given, expected) => expect(one(Type.String(), given)).toBe(expected));

  it.each([[['a']], [{ a: 'b' }]])('is not %j', (given) => expect(one(Type.String(), given)).toBe('x is invalid'));

  it.each(['a\0b', 'a\ud800', '\udc00'])('is not %j, at any depth of the body', async (text) => {
    for (const body of [{ a: text }, { a: [{ b: text }] }]) {
      await expect(collectParams(json(JSON.stringify(body)), {}, '')).rejects.toThrow(MalformedText);
    }
  });

  it('can contain every character that can be stored', () => {
    expect(one(Type.String(), '😀 <&> \u2028 "\\')).toBe('😀 <&> \u2028 "\\');
  });
});

describe('a text that must not be blank', () => {
  const params = { x: required(Type.String(), 'x', { notBlank: true }) };
  it.each(['', ' ', '\t\r\n', '\u00a0', null])('is empty when it is %j', (given) => {
    expect(coerce(params, { x: given }).problems).toEqual(['x is empty']);
  });

  it('has one problem at most', () => {
    expect(coerce(params, {}).problems).toEqual(['x is missing']);
    expect(coerce(params, { x: [] }).problems).toEqual(['x is invalid']);
    expect(coerce(params, { x: false })).toEqual({ values: { x: 'false' }, problems: [] });
  });
});

describe('a number or text', () => {
  const Id = Type.Union([Type.Integer(), Type.String()]);
  it.each([['12', 12], [12, 12], ['g/p', 'g/p'], ['0x1f', '0x1f'], ['99999999999999999999', '99999999999999999999']])(
    'reads %j as %j', (given, expected) => expect(one(Id, given)).toBe(expected));
});

describe('an enum', () => {
  const Word = Type.Union([Type.Literal('text'), Type.Literal('image')]);
  it('accepts a listed value', () => expect(one(Word, 'text')).toBe('text'));
  it.each(['Text', 'file', '', 1])('rejects %j', (given) =>
    expect(one(Word, given)).toBe('x does not have a valid value'));
});

describe('a file', () => {
  const upload = { filename: 'a.png', bytes: new Uint8Array(1) };
  it('is the content of a form part', () => expect(one(File, upload)).toBe(upload));
  it('can be null', () => expect(one(File, null)).toBeNull());
  it.each(['text', '', 1, { filename: 'a.png', bytes: 'abc' }, { filename: 'a.png', bytes: [1, 2] }])(
    'is not %j', (given) => expect(one(File, given)).toBe('x is invalid'));
});

describe('an object', () => {
  const position = (value: unknown) => coerce(mergeRequest.create.params, { id: 1, noteable_id: 2, body: 'x', position: value });
  const shas = { base_sha: 'b', start_sha: 's', head_sha: 'h' };

  it('is converted key by key', () => {
    expect(position({ ...shas, position_type: 'text', new_path: 'a', new_line: '7' })).toMatchObject({
      problems: [], values: { position: { ...shas, position_type: 'text', new_path: 'a', new_line: 7 } },
    });
  });

  it('names a missing key in brackets, in the order of declaration', () => {
    expect(position({ base_sha: 'b', position_type: 'text' }).problems)
      .toEqual(['position[start_sha] is missing', 'position[head_sha] is missing']);
  });

  it('reports problems at any depth', () => {
    const line_range = { start: { line_code: ['x'], type: 'new' }, end: 'x' };
    expect(position({ ...shas, position_type: 'dance', new_line: 'x', line_range }).problems).toEqual([
      'position[position_type] does not have a valid value', 'position[new_line] is invalid',
      'position[line_range][start][line_code] is invalid', 'position[line_range][end] is invalid',
    ]);
  });

  it('reports every field if it is text', () => {
    expect(position('x').problems).toEqual([
      'position is invalid',
      'position[base_sha] is missing', 'position[base_sha] is invalid',
      'position[start_sha] is missing', 'position[start_sha] is invalid',
      'position[head_sha] is missing', 'position[head_sha] is invalid',
      'position[position_type] is missing', 'position[position_type] is invalid',
    ]);
  });

  it('reports only itself if it is blank', () => {
    expect(position('').problems).toEqual(['position is invalid']);
  });

  it('is null for null, and valid if empty', () => {
    expect(position(null)).toMatchObject({ problems: [], values: { position: null } });
    expect(position({})).toMatchObject({ problems: [], values: { position: {} } });
  });

  it('drops undeclared keys', () => {
    const given = JSON.parse('{"base_sha":"b","start_sha":"s","head_sha":"h","position_type":"text","__proto__":{"a":1}}');
    expect(position(given).values['position']).toEqual({ ...shas, position_type: 'text' });
    expect(position(given).values['position']).not.toHaveProperty('a');
  });
});

describe('the parameters of an endpoint', () => {
  it('have problems in the order of declaration, with the names of the service', () => {
    const params = { noteable_id: required(Type.Integer(), 'x'), body: required(Type.String(), 'x') };
    expect(coerce(params, { noteable_id: 'abc' }).problems).toEqual(['noteable_id is invalid', 'body is missing']);
  });

  it('are dropped if undeclared', () => {
    expect(coerce(issue.create.params, { id: 1, noteable_id: 2, body: 'x', admin: true })).toEqual({
      problems: [], values: { id: 1, noteable_id: 2, body: 'x' },
    });
  });

  it('are present if blank or null', () => {
    for (const [given, taken] of [['', ''], [null, null]]) {
      expect(coerce(issue.create.params, { id: 1, noteable_id: 2, body: given }))
        .toMatchObject({ problems: [], values: { body: taken } });
    }
  });

  it('can exclude a single value', () => {
    const list = (per_page: unknown, page: unknown = 1) =>
      coerce(issue.list.params, { id: 1, noteable_id: 2, page, per_page }).problems;
    expect(list('0')).toEqual(['per_page has a value not allowed']);
    expect(list('abc', 'abc')).toEqual(['page is invalid', 'per_page is invalid']);
    expect(list('', '')).toEqual([]);
    expect(list('-1')).toEqual([]);
  });
});

describe('a choice between body and resolved', () => {
  const modify = (given: object) => coerce(mergeRequest.modifyNote.params,
    { id: 1, noteable_id: 2, discussion_id: 'd', note_id: 3, ...given }, mergeRequest.modifyNote.exactlyOneOf).problems;

  it('accepts one of them', () => {
    expect(modify({ body: 'x' })).toEqual([]);
    expect(modify({ resolved: 'true' })).toEqual([]);
    expect(modify({ resolved: null })).toEqual([]);
  });

  it('rejects none and both, even if one is null', () => {
    expect(modify({})).toEqual(['body, resolved are missing, exactly one parameter must be provided']);
    expect(modify({ body: 'x', resolved: true })).toEqual(['body, resolved are mutually exclusive']);
    expect(modify({ body: null, resolved: true })).toEqual(['body, resolved are mutually exclusive']);
  });

  it('is reported after the problems of the parameters', () => {
    expect(modify({ body: 'x', resolved: 'maybe' }))
      .toEqual(['resolved is invalid', 'body, resolved are mutually exclusive']);
  });
});
