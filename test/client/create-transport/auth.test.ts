import { expect, test } from 'vitest';
import { createTransport } from '../../../src/client/create-transport.js';
import { everyRow } from '../../support/rows.js';
import { json, request, scripted } from '../support/scripted.js';

const url = 'http://service.test';

test.each([
  ['private-token', { 'private-token': 'abc' }], [undefined, { 'private-token': 'abc' }], ['bearer', { authorization: 'Bearer abc' }],
] as const)('a token is sent in its own header or as a bearer token: %s', async (tokenScheme, headers) => {
  const { transport, sent } = scripted(json(200, {}));
  await createTransport({ url, token: 'abc', tokenScheme, transport })(request('GET', '/'));
  expect(sent[0]!.headers).toEqual({ 'user-agent': 'colloquy', ...headers });
});

test.each(['', 'abc\n', 'a b', 'ä'])('a token that is invalid in a header is rejected and not repeated: %j', (token) => {
  expect(() => createTransport({ url, token })).toThrow('the token is empty or contains characters that are not valid in a header');
});

test('headers of a request take precedence over added ones', async () => {
  const { transport, sent } = scripted(json(200, {}));
  await createTransport({ url, userAgent: 'u', token: 'abc', transport })({ ...request('GET', '/'), headers: { 'user-agent': 'own' } });
  expect(sent[0]!.headers).toEqual({ 'user-agent': 'own', 'private-token': 'abc' });
});

test('a token that a service repeats in an error is redacted', async () => {
  const told = (status: number, body: string, token: string) =>
    createTransport({ url, token, transport: scripted({ status, headers: {}, body }).transport })(request('GET', '/'));
  expect((await told(401, 'bad glpat-secret, glpat-secret!', 'glpat-secret')).body).toBe('bad [redacted], [redacted]!');
  const encoded = Buffer.from('ada:glpat-a/secret').toString('base64');
  expect((await told(401, `bad glpat-a%2Fsecret, ${encoded}, glpat-a\\/secret`, 'glpat-a/secret')).body).toBe('bad [redacted], YWRhOm[redacted], [redacted]');
  const each = (escaped: (hex: string, code: number) => string) =>
    [...'glpat-secret'].map((letter) => escaped(letter.charCodeAt(0).toString(16), letter.charCodeAt(0))).join('');
  await everyRow([
    each((hex) => `%${hex}`), each((hex) => `%${hex.toUpperCase()}`), each((hex) => `%25${hex}`), each((hex) => `\\u00${hex}`), each((hex) => `\\\\u00${hex}`),
    each((_, code) => `&#${code};`), each((hex) => `&#x${hex};`), `glpat-${each((hex) => `%${hex}`).slice('glpat-'.length * 3)}`, 'glpat%2dsecre%74',
  ], String, async (text) => { expect((await told(401, `bad ${text}!`, 'glpat-secret')).body).toBe('bad [redacted]!'); });
  expect((await told(200, 'glpat-secret', 'glpat-secret')).body).toBe('glpat-secret');
  expect((await told(401, 'a bad token', 'a')).body).toBe('a bad token');
});
