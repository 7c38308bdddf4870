import fc from 'fast-check';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { pathNames, type Endpoint } from '../../../src/contract/endpoint.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import { encodings, payload, plain } from './payload.js';
import { oddText, oddValue, valueOf } from './values.js';
import { tokens } from './world.js';

interface Asked { readonly endpoint: Endpoint; readonly path: string; readonly given: Record<string, unknown> }

const routes = everyEndpoint().flatMap(({ endpoint }) => endpoint.paths.map((path) => ({ endpoint, path })));

/** An operation with its parameters: those of the path always, required ones mostly, others now and then. */
const asked: fc.Arbitrary<Asked> = fc.constantFrom(...routes).chain(({ endpoint, path }) => {
  const inPath = pathNames(path);
  const given = fc.record(Object.fromEntries(Object.entries(endpoint.params).map(([name, parameter]) => {
    const value = valueOf(path, name, parameter);
    return [name, inPath.includes(name) ? value : fc.option(value, { freq: parameter.required ? 40 : 2, nil: undefined })];
  })));
  return given.map((values) => ({ endpoint, path, given: values }));
});

const anyMethod = fc.constantFrom('HEAD', 'OPTIONS', 'PATCH', 'GET', 'POST', 'PUT', 'DELETE');
const methods = fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: anyMethod });

const oddTail = fc.constantFrom('/', '.json', '//', '/x', '.5', '%2f', '/.', '/..');
const tails = fc.oneof({ weight: 30, arbitrary: fc.constant('') }, { weight: 1, arbitrary: oddTail });

const headers = fc.record({
  'private-token': fc.constantFrom(...tokens), authorization: fc.constantFrom(...tokens.map((token) => `Bearer ${token}`), 'Basic x', ''),
  sudo: fc.constantFrom('1', 'guest', 'none', '', '\0'), 'if-none-match': fc.constantFrom('*', 'W/"x"', '"'),
  'if-unmodified-since': fc.constantFrom('Mon, 01 Jan 2001 00:00:00 GMT', 'x'), origin: fc.constant('http://evil.example'),
  host: fc.constantFrom('localhost', '127.0.0.1', '[::1]:80', 'evil.example'), 'x-odd': oddText,
}, { requiredKeys: [] });

/** Mostly an honest token alone; else any mixture of what may come with a request. */
const honest = fc.constantFrom(...tokens.slice(0, 4), ...tokens.slice(0, 8)).map((token) => ({ 'private-token': token }));
const credentials: fc.Arbitrary<Record<string, string>> =
  fc.oneof({ weight: 8, arbitrary: honest }, { weight: 1, arbitrary: headers });

const segment = (value: unknown, raw: boolean): string =>
  raw ? plain(value).replace(/[\s?#]/g, '') : encodeURIComponent(plain(value).toWellFormed());

/** A request for some operation: mostly one that could be meant, with some part of it turned odd. `chance` is below 20. */
const forEndpoint: fc.Arbitrary<HttpRequest> = fc.record({
  asked, encoding: encodings, method: methods, tail: tails, own: credentials, extra: fc.dictionary(oddText, oddValue, { maxKeys: 1 }), chance: fc.nat(19),
}).map(({ asked: { endpoint, path, given }, encoding, method, tail, own, extra, chance }) => {
  const inPath = new Set(pathNames(path));
  const filled = path.replace(/:(\w+)/g, (_, name: string) => segment(given[name], chance === 0));
  const place = chance === 1 ? filled.replace(/^\/groups\/[^/]+/, (start) => `${start}/-`) : filled;
  const all = Object.entries({ ...given, ...(chance < 3 && extra) });
  const rest = Object.fromEntries(all.filter(([name, value]) => !inPath.has(name) && value !== undefined));
  const reads = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  const { query, headers: more, body } = payload(reads && chance > 3 ? 'query' : encoding, rest);
  const target = `/api/v4${place}${tail}${query && `?${query}`}`;
  return { method: method ?? endpoint.method, target, headers: { ...own, ...more }, ...(body !== undefined && { body }) };
});

const otherPaths = fc.constantFrom('/', '/api/v4', '/api/v4/', '/-/health', '/-/requests', '/-/world', '/-/openapi.json', '/-/nothing', '//', '*', '',
  '/uploads/-/system/appearance/logo/1/a.png', '/api/v4/__proto__', '/api/v4/projects//issues', '/api/v4/groups/10/-/-/epics/1/epics');
const elsewhere: fc.Arbitrary<HttpRequest> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE'),
  target: fc.oneof(otherPaths, oddText.map((text) => `/${text}`), oddText.map((text) => `/api/v4/projects/${text}?${text}`)),
  headers, body: fc.option(oddText, { nil: '' }),
});

/** One request of a stranger. */
export const anyRequest: fc.Arbitrary<HttpRequest> = fc.oneof({ weight: 15, arbitrary: forEndpoint }, { weight: 1, arbitrary: elsewhere });
