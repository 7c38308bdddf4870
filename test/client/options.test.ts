import { describe, expect, it } from 'vitest';
import { checkClientOptions } from '../../src/client/options.js';

const url = 'https://gitlab.example.com';
const work = () => undefined;

/** Values of each option: some that fit, some that do not. */
const values: Readonly<Record<string, { readonly fit: readonly unknown[]; readonly wrong: readonly unknown[] }>> = {
  url: { fit: [url, ''], wrong: [undefined, null, 5, new URL(url)] },
  token: { fit: ['secret'], wrong: [null, 5, ['secret'], Buffer.from('secret')] },
  tokenScheme: { fit: ['private-token', 'bearer'], wrong: ['Bearer', '', null, true] },
  transport: { fit: [work], wrong: [{}, null, 'undici'] },
  retry: { fit: [{}], wrong: [null, 5, 'never'] },
  userAgent: { fit: ['bot/1', ''], wrong: [null, 5] },
  onEvent: { fit: [work], wrong: [{}, null] },
  time: { fit: [{}], wrong: [null, 5] },
  encoding: { fit: ['json', 'form', 'query'], wrong: ['JSON', 'multipart', null] },
  signal: { fit: [new AbortController().signal], wrong: [new AbortController(), {}, null] },
  routes: { fit: [new Map()], wrong: [null, 'x'] },
  perPage: { fit: [1, 100, 5000], wrong: [0, -1, 1.5, '20', NaN, 2 ** 53, null] },
  pagesAtOnce: { fit: [1, 25], wrong: [0, Infinity, null] },
  strict: { fit: [true, false], wrong: ['true', 1, null] },
  once: { fit: ['marker', 'text'], wrong: [true, false, 'key', null] },
  resend: { fit: [true, false], wrong: [0, null] },
  check: { fit: [work], wrong: [{}, null] },
  http: { fit: ['undici', 'node'], wrong: ['curl', null] },
  dispatcher: { fit: [{}], wrong: ['secret', null] },
  proxy: { fit: ['http://proxy', { https: 'http://proxy' }], wrong: [null, 5, true] },
  noProxy: { fit: ['localhost'], wrong: [null, 5, ['localhost']] },
  ca: { fit: ['PEM', Buffer.from('PEM'), ['PEM']], wrong: [null, true] },
  cert: { fit: ['PEM', Buffer.from('PEM')], wrong: [null, 5] },
  key: { fit: ['PEM', Buffer.from('PEM')], wrong: [null, 5] },
  timeout: { fit: [0, 1.5, 60_000, Infinity], wrong: [-1, NaN, '5s', null] },
  responseTimeout: { fit: [0, 1.5, 60_000, Infinity], wrong: [-1, NaN, '5s', null] },
};

const given = (name: string, value: unknown) => ({ url, [name]: value });
const cases = (kind: 'fit' | 'wrong') => Object.entries(values).flatMap(([name, of]) => of[kind].map((value) => [name, value] as const));

describe('an option of a client', () => {
  it.each(cases('fit'))('%s may be %j', (name, value) => {
    expect(() => { checkClientOptions(given(name, value)); }).not.toThrow();
  });

  it.each(cases('wrong'))('%s must not be %j', (name, value) => {
    expect(() => { checkClientOptions(given(name, value)); }).toThrow(new RegExp(`^the option ${name} is .*; pass `));
    expect(() => { checkClientOptions(given(name, value)); }).not.toThrow('secret');
  });

  it('is known by name, and all names are listed for another', () => {
    expect(() => { checkClientOptions(given('tokn', 'secret')); })
      .toThrow(new TypeError(`unknown option "tokn"; use one of ${Object.keys(values).join(', ')}`));
  });

  it.each(['toString', '__proto__x', 'constructor'])('is not a name that every object has: %s', (name) => {
    expect(() => { checkClientOptions(given(name, 'x')); }).toThrow(`unknown option "${name}"`);
  });

  it.each(Object.keys(values).filter((name) => name !== 'url'))('counts as not given when it is undefined: %s', (name) => {
    expect(() => { checkClientOptions(given(name, undefined)); }).not.toThrow();
  });
});

it.each([undefined, null, 'https://gitlab.example.com', 5])('the options of a client are an object, not %j', (options) => {
  expect(() => { checkClientOptions(options); }).toThrow(/^the options are .*; pass an object$/);
});

it('a client needs no option but its URL', () => {
  expect(() => { checkClientOptions({}); }).toThrow('the option url is missing; pass the base URL of the service as a text');
});
