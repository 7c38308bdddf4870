import { KindGuard, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { everyEndpoint } from '../../src/contract/contract.js';
import { apiPrefix } from '../../src/contract/conventions.js';
import { pathNames, type Endpoint } from '../../src/contract/endpoint.js';
import { collectParams, decode } from '../../src/wire/decode.js';
import type { Params } from '../../src/wire/http.js';
import { encode, type Encoding } from '../../src/wire/encode.js';
import { lastInstant } from '../../src/wire/time-text.js';
import { everyRow } from '../support/rows.js';

const text = fc.string({ unit: 'grapheme' }).filter((word) => !word.includes('\0'));

/** Without quotation marks in its name: the HTML standard encodes them as %22, which is ambiguous. */
const upload = fc.record({
  filename: fc.stringMatching(/^[a-z é;=]{0,8}[a-z]\.png$/), content_type: fc.constant('image/png'),
  bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
});

/** An item of a list: commas separate items, and neither spaces around them nor blank ones arrive. */
const item = text.map((word) => word.replaceAll(',', '').trim()).filter((word) => word !== '');

const instant = fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date(lastInstant) })
  .map((date) => date.toISOString());

/** Values of a shape as a caller passes them, without null: a form cannot distinguish it from blank text. */
const valueOf = (shape: TSchema): fc.Arbitrary<unknown> => {
  if (KindGuard.IsUnion(shape)) return fc.oneof(...shape.anyOf.filter((part) => !KindGuard.IsNull(part)).map(valueOf));
  if (KindGuard.IsLiteral(shape)) return fc.constant(shape.const);
  if (KindGuard.IsInteger(shape)) return fc.maxSafeInteger();
  if (KindGuard.IsBoolean(shape)) return fc.boolean();
  if (KindGuard.IsString(shape)) return shape.format === 'date-time' ? instant : text;
  if (KindGuard.IsArray(shape)) return fc.array(KindGuard.IsString(shape.items) ? item : valueOf(shape.items));
  if (KindGuard.IsObject(shape)) return hashOf(shape.properties, shape.required ?? []);
  return upload;
};

/** An object with at least one key: a form cannot represent an empty one. */
const hashOf = (properties: Readonly<Record<string, TSchema>>, required: readonly string[]) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([key, shape]) => [key, valueOf(shape)])),
    { requiredKeys: [...required] }).filter((hash) => Object.keys(hash).length > 0);

/** Values that change their meaning in a path: empty text, dot segments, and text that is a number. */
const fitsPath = (value: unknown) => !['', '.', '..'].includes(String(value));
const isNumeral = (value: unknown) => typeof value === 'string' && /^[+-]?\d+$/.test(value);

const paramsOf = (endpoint: Endpoint): fc.Arbitrary<Params> => {
  const inPath = pathNames(endpoint.paths[0]);
  const entries = Object.entries(endpoint.params).map(([name, parameter]) => {
    const isTaken = (v: unknown) => !(parameter.except ?? []).includes(v) && !(parameter.notBlank && String(v).trim() === '');
    const value = valueOf(parameter.shape).filter((v) => !isNumeral(v) && isTaken(v));
    return [name, inPath.includes(name) ? value.filter(fitsPath) : value] as const;
  });
  const requiredKeys = Object.keys(endpoint.params).filter((name) => endpoint.params[name]!.required);
  const [chosen, ...others] = endpoint.exactlyOneOf ?? [];
  return fc.record(Object.fromEntries(entries), { requiredKeys }).map((params) => {
    if (chosen && chosen in params) for (const other of others) delete params[other];
    for (const [one, other] of endpoint.exclusive ?? []) if (one in params) delete params[other];
    return params;
  }).filter((params) => !chosen || chosen in params || others.some((other) => other in params));
};

/** Extracts the values of a target as a router does. */
const pathOf = (pattern: string, pathname: string): Params => {
  const values = new RegExp(`^${apiPrefix}${pattern.replace(/:\w+/g, '([^/]+)')}$`).exec(pathname);
  expect(values, `${pathname} fits ${pattern}`).not.toBeNull();
  return Object.fromEntries(pathNames(pattern).map((name, i) => [name, decodeURIComponent(values![i + 1]!)]));
};

const arrived = async (endpoint: Endpoint, params: Params, path: string, encoding: Encoding) => {
  const request = await encode(endpoint, params, path, encoding);
  expect(new URL(request.target, 'http://h').pathname).toBe(request.target.split('?')[0]);
  const [pathname, query = ''] = request.target.split('?');
  return decode(endpoint, await collectParams(request, pathOf(path, pathname!), query));
};

const same = (value: unknown): unknown => value === null || typeof value !== 'object' || Buffer.isBuffer(value) ? value
  : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, same(inner)]));

it.each(['json', 'form', 'query'] as const)('a request to every operation is received unchanged as %s', async (encoding) => {
  await everyRow(everyEndpoint(), ({ name }) => name, async ({ endpoint }) => {
    await fc.assert(fc.asyncProperty(paramsOf(endpoint), fc.constantFrom(...endpoint.paths), async (params, path) => {
      const { values, problems } = await arrived(endpoint, params, path, encoding);
      expect(problems).toEqual([]);
      expect(same(values)).toEqual(same(params));
    }), { numRuns: 15 });
  });
});
