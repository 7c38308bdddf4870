import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { everyEndpoint } from '../../../../src/contract/contract.js';
import { apiPrefix } from '../../../../src/contract/conventions.js';
import { pathNames, type Endpoint } from '../../../../src/contract/endpoint.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { images, multipart } from '../../../support/images.js';
import { demanded, placed } from '../../../support/routes.js';
import { testService } from '../../../support/service.js';
import { acme, threads } from '../../../support/worlds.js';

const strange = fc.oneof(
  fc.constantFrom('\0', 'a\0b', '\ud800', '\udc00x', '😀', 'İı', '\ufeff', '\r\n ', '%', '%00', '\\', `'`, '"', '$1', '?', '', ' '),
  fc.constantFrom('9007199254740991', '9007199254740992', '9007199254740993', '99999999999999999999999999', '-1', '0', '1e3', '0x10', '1.5'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const value = fc.oneof(strange, fc.constantFrom<unknown>(2 ** 53, 2 ** 63, 1e300, -0, 1.5, true, null, [], {}, { a: '\0' }));

/** Ids of things in `acme`, those of notes that calls have made among them. */
const id = fc.constantFrom(1, 2, 3, 10, 20, 21, 22, 30, 40, 50, 100, 101, 103, 110, 120, 121, 123, 130, 141, 142, 143, 144, 500, 501, 502);
const thread = fc.constantFrom(...Object.values(threads), ...[1, 2, 3, 4].map((n) => n.toString(16).padStart(40, '0')));
const sensible: Record<string, fc.Arbitrary<unknown>> = {
  body: fc.string({ unit: 'grapheme', maxLength: 20 }), title: fc.constantFrom('Child', 'Kind 😀', 'ß'), resolved: fc.boolean(),
  created_at: fc.constantFrom('2016-03-11T03:45:40Z', '2031-01-01', '1969-01-01', 'yesterday'),
  page: fc.constantFrom(1, 2, 99), per_page: fc.constantFrom(1, 2, 100), confidential: fc.boolean(),
};
/** `acme` with an administrator who may act for others. */
const world: World = {
  ...acme, users: [...acme.users!, { id: 9, username: 'super', admin: true, tokens: [{ token: 'super-token', scopes: ['api', 'sudo'] }] }],
};
const idFor = (name: string) => name === 'discussion_id' ? thread : id;

const call = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...everyEndpoint()).chain(({ endpoint }) => requestOf(endpoint)) },
  strange.map((name): HttpRequest => {
    const { body, headers } = multipart({ logo: [name.toWellFormed().replace(/["\r\n]/g, ''), images.png] });
    return { method: 'PUT', target: `${apiPrefix}/application/appearance`, headers: { ...headers, 'private-token': 'root-token' }, body };
  }),
  strange.map((name): HttpRequest => ({
    method: 'GET', target: `/uploads/-/system/appearance/logo/1/${name}`, headers: { 'private-token': 'root-token' },
  })),
);

/** A request whose parameters are mostly those that fit. */
const requestOf = (endpoint: Endpoint): fc.Arbitrary<HttpRequest> => fc.record({
  path: fc.constantFrom(...endpoint.paths),
  container: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.oneof(id.map(String), strange) }),
  parts: some(pathNames(endpoint.paths[0]).filter((name) => name !== 'id'), (name) => fc.oneof({ weight: 4, arbitrary: idFor(name) }, strange), 0.4),
  params: some(Object.keys(endpoint.params).filter((name) => !pathNames(endpoint.paths[0]).includes(name)),
    (name) => fc.oneof({ weight: 6, arbitrary: sensible[name] ?? id }, { weight: 1, arbitrary: value }), 0.6),
  as: fc.constantFrom('super', 'super', 'root', 'owner', 'developer', 'guest', 'outsider'),
  headers: some(['sudo', 'if-unmodified-since', 'if-none-match'], () => fc.oneof(strange, fc.constantFrom('2', 'guest', 'Wed, 01 May 2024 12:00:00 GMT')), 0.1),
  query: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, strange.map((text) => `?private_token=${encodeURIComponent(text.toWellFormed())}`),
    strange.map((text) => `?sudo=${encodeURIComponent(text.toWellFormed())}`)),
}).map(({ path, container, parts, params, as, headers, query }) => {
  const segment = (part: unknown) => typeof part === 'string' ? part.toWellFormed().replace(/^\.{0,2}$/, 'dots') : part;
  const others = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, segment(part)]));
  const place = String(segment(container ?? (path.startsWith('/groups/') ? '10' : '20')));
  const sends = endpoint.method === 'POST' || endpoint.method === 'PUT';
  return {
    method: endpoint.method, target: apiPrefix + placed(path, place, others) + query,
    headers: { 'private-token': `${as}-token`, ...headers, ...(sends && { 'content-type': 'application/json' }) },
    ...(sends && { body: JSON.stringify({ ...demanded(endpoint), ...params }) }),
  };
});

/** Some of these names with values, each with a probability. */
function some<T>(names: readonly string[], arbitrary: (name: string) => fc.Arbitrary<T>, probability: number): fc.Arbitrary<Record<string, T>> {
  const parts = names.map((name) => fc.tuple(fc.integer({ min: 0, max: 99 }), arbitrary(name)));
  return fc.tuple(...parts).map((drawn) => Object.fromEntries(names.flatMap((name, i) =>
    drawn[i]![0] < probability * 100 ? [[name, drawn[i]![1]]] : [])));
}

test('every response is identical to that on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
  let files = 0;
  await fc.assert(fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40, size: 'max' }), async (requests) => {
    const services = [await testService({ world }), await testService({ world, data: join(folder, `${++files}.db`) })] as const;
    const dump: HttpRequest = { method: 'GET', target: '/-/world', headers: {} };
    for (const request of [...requests, dump]) {
      const [onPostgres, onSqlite] = await Promise.all(services.map((service) => service.handle(request)));
      expect(onPostgres, `${request.method} ${request.target} ${String(request.body)}`).toEqual(onSqlite);
      expect(onPostgres!.status).not.toBe(500);
    }
    await Promise.all(services.map((service) => service.close()));
  }), { numRuns: 25 });
  rmSync(folder, { recursive: true });
}, 120_000);

/** The places of all texts in a JSON value. */
const textsIn = (value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] =>
  typeof value === 'string' ? [path] : Object.entries(value ?? {}).flatMap(([key, part]) => textsIn(part, [...path, key]));

const withText = (value: unknown, [key, ...path]: readonly (string | number)[], text: string): unknown => {
  if (key === undefined) return text;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  return Object.assign(copy, { [key]: withText(copy[key], path, text) });
};

test('a world is accepted or rejected as on SQLite, whatever its texts are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
  const services = [await testService({ world }), await testService({ world, data: join(folder, 'store.db') })] as const;
  const dump: HttpRequest = { method: 'GET', target: '/-/world', headers: {} };
  const [dumped] = await Promise.all(services.map(async (service) => JSON.parse(String((await service.handle(dump)).body)) as unknown));
  const long = fc.constant(randomBytes(3_000).toString('hex'));
  await fc.assert(fc.asyncProperty(fc.constantFrom(...textsIn(dumped)), fc.oneof(strange, long), async (path, text) => {
    const put: HttpRequest = { method: 'PUT', target: '/-/world', headers: {}, body: JSON.stringify(withText(dumped, path, text)) };
    for (const request of [put, dump]) {
      const [onPostgres, onSqlite] = await Promise.all(services.map((service) => service.handle(request)));
      expect(onPostgres, path.join('.')).toEqual(onSqlite);
    }
  }), { numRuns: 60 });
  rmSync(folder, { recursive: true });
}, 120_000);
