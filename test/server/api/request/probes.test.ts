import { KindGuard, type TSchema } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { editionOf } from '../../../../src/contract/behavior/fact.js';
import { everyEndpoint } from '../../../../src/contract/contract.js';
import { type Endpoint, type Parameter, pathNames } from '../../../../src/contract/endpoint.js';
import { inEdition } from '../../../../src/server/api/router.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { type Sent, testService } from '../../../support/service.js';

/** What is sent for a parameter, and the problem that the service names; null if it accepts the value. */
interface Probe { readonly kind: string; readonly value: unknown; readonly problem: string | null }

const long = 'x'.repeat(5_000);
const [invalid, notListed] = ['is invalid', 'does not have a valid value'];

const of = (problem: string | null, values: Readonly<Record<string, unknown>>): Probe[] =>
  Object.entries(values).map(([kind, value]) => ({ kind, value, problem }));

/** The facts of parameters and errors, for each kind of parameter. */
const probesOf = (shape: TSchema): Probe[] => {
  const structures = of(invalid, { 'an object': { a: '1' }, 'a list': ['a'] });
  const words = of(invalid, { 'a word': 'bogus', 'a long one': long });
  if (KindGuard.IsInteger(shape)) return [...words, ...structures, ...of(invalid, { 'too large': '9'.repeat(30) }), ...of(null, { blank: '' })];
  if (KindGuard.IsBoolean(shape)) return [...words, ...structures, ...of(invalid, { 'a number': '2' }), ...of(null, { blank: '' })];
  if (KindGuard.IsArray(shape)) {
    const object = of(invalid, { 'an object': { a: '1' } });
    return KindGuard.IsString(shape.items) ? object : [...words, ...object];
  }
  if (KindGuard.IsString(shape)) {
    return shape.format === 'date-time' ? [...words, ...structures, ...of(invalid, { 'a number': '17' }), ...of(null, { blank: '' })]
      : structures;
  }
  if (!KindGuard.IsUnion(shape)) return [...words, ...of(invalid, { blank: '', 'an object': { a: '1' } })];
  return unionProbes(shape.anyOf.filter((part) => !KindGuard.IsNull(part)));
};

const unionProbes = (parts: readonly TSchema[]): Probe[] => {
  const isListed = parts.every((part) => KindGuard.IsLiteral(part));
  if (isListed) {
    const values = { 'a word': 'bogus', 'a long one': long, blank: '', 'a number': '1', 'a list': [parts[0]!['const']], 'an object': { a: '1' },
      'in capitals': String(parts[0]!['const']).toUpperCase() };
    return of(notListed, values);
  }
  if (parts.every((part) => KindGuard.IsObject(part))) return of(invalid, { 'a word': 'bogus', blank: '', 'a list': ['a'] });
  if (parts.length === 1) return probesOf(parts[0]!);
  const structures = of(invalid, { 'an object': { a: '1' }, 'a list': ['a'] });
  if (parts.some((part) => KindGuard.IsString(part))) return structures;
  const words = parts.flatMap((part) => KindGuard.IsLiteral(part) ? [String(part.const).toLowerCase()] : []);
  const rule = `should be an integer, ${words.slice(0, -1).join(', ')}, or ${words.at(-1)}, however got`;
  return [
    ...structures, ...of(`${rule} bogus`, { 'a word': 'bogus' }), ...of(`${rule} ${long}`, { 'a long one': long }), ...of(`${rule} `, { blank: '' }),
    ...of(null, { 'a word in capitals': words[0]!.toUpperCase() }),
  ];
};

const validValue = (shape: TSchema): unknown => {
  if (KindGuard.IsUnion(shape)) return validValue(shape.anyOf[0]!);
  if (KindGuard.IsLiteral(shape)) return shape.const;
  return KindGuard.IsBoolean(shape) ? 'true' : '1';
};

interface Row extends Probe { readonly operation: string; readonly endpoint: Endpoint; readonly name: string; readonly parameter: Parameter }

const edition = editionOf('document', null);

const rows: readonly Row[] = everyEndpoint().flatMap(({ name: operation, endpoint: declared }) => {
  const endpoint = inEdition(declared, edition);
  const inPath = pathNames(endpoint.paths.at(-1)!);
  return Object.entries(endpoint.params).flatMap(([name, parameter]) => probesOf(parameter.shape)
    .filter(({ value }) => !inPath.includes(name) || (typeof value === 'string' && value !== '' && value.length < 100))
    .map((probe) => ({ ...probe, operation, endpoint, name, parameter })));
});

const pairs = (name: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((item) => `${name}[]=${encodeURIComponent(String(item))}`);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => `${name}[${key}]=${encodeURIComponent(String(item))}`);
  }
  return [`${name}=${encodeURIComponent(String(value))}`];
};

/** One of those of which a request needs exactly, or at least, one. */
const oneOf = ({ method, exactlyOneOf, params }: Endpoint): string | undefined =>
  exactlyOneOf?.[0] ?? (method === 'PUT' ? ['title', 'note'].find((name) => Object.hasOwn(params, name)) : undefined);

/** Parameters that are required are valid, but that of the probe. */
const requestOf = ({ endpoint, name, value }: Pick<Row, 'endpoint' | 'name' | 'value'>): [string, string, Sent] => {
  const { exactlyOneOf = [] } = endpoint;
  const another = exactlyOneOf.includes(name) ? undefined : oneOf(endpoint);
  const needed = Object.entries(endpoint.params).filter(([key, { required }]) => key === another || (required && !exactlyOneOf.includes(key)))
    .map(([key, { shape }]) => [key, validValue(shape)] as const);
  const given: Record<string, unknown> = { ...Object.fromEntries(needed), [name]: value };
  const path = endpoint.paths.at(-1)!.replace(/:(\w+)/g, (_, key: string) => {
    const { [key]: own } = given;
    delete given[key];
    return encodeURIComponent(String(own));
  });
  if (endpoint.method !== 'GET' && endpoint.method !== 'DELETE') return [endpoint.method, path, { as: 'root', json: given }];
  return [endpoint.method, `${path}?${Object.entries(given).flatMap(([key, one]) => pairs(key, one)).join('&')}`, { as: 'root' }];
};

const nameOf = ({ operation, name, kind }: Row): string => `${operation} ${name}: ${kind}`;

const problemsOf = (body: unknown): string => (body as { error?: string } | null)?.error ?? '';

it('every parameter of every operation with a value of another type, not listed, blank or too long gets what the facts say', async () => {
  const { call } = await testService();
  await everyRow(sampleOf(rows, 7), nameOf, async (row) => {
    const { status, body } = await call(...requestOf(row));
    expect(status).toBeLessThan(500);
    if (row.problem === null) return expect(problemsOf(body)).not.toContain(`${row.name} `);
    expect([status, `, ${problemsOf(body)}, `]).toEqual([400, expect.stringContaining(`, ${row.name} ${row.problem}, `)]);
  });
});

it('of a parameter that a query has twice, the last value counts', async () => {
  const { get } = await testService();
  const read = rows.filter(({ endpoint, kind, name, value }) =>
    endpoint.method === 'GET' && kind === 'a word' && !endpoint.paths[0].includes(`:${name}`) && typeof value === 'string');
  await everyRow(sampleOf(read, 5), nameOf, async (row) => {
    const { shape } = row.parameter;
    if (KindGuard.IsArray(shape)) return;
    const [, valid] = requestOf({ ...row, value: shape.format === 'date-time' ? '2024-05-01' : validValue(shape) });
    const bad = `${row.name}=bogus`;
    expect(problemsOf((await get(`${valid}&${bad}`, { as: 'root' })).body)).toContain(`${row.name} ${row.problem}`);
    expect(problemsOf((await get(valid.replace('?', `?${bad}&`), { as: 'root' })).body)).not.toContain(row.name);
  });
});

it('every operation on an object that does not exist gets 403 or 404', async () => {
  const { call } = await testService();
  const withIds = everyEndpoint().filter(({ endpoint }) => endpoint.paths[0].includes(':'));
  await everyRow(sampleOf(withIds, 3), ({ name }) => name, async ({ endpoint }) => {
    const [first] = pathNames(endpoint.paths.at(-1)!);
    const { status } = await call(...requestOf({ endpoint: inEdition(endpoint, edition), name: first!, value: 999_999 }));
    expect([403, 404]).toContain(status);
  });
});
