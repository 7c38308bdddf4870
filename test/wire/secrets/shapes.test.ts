import { describe, expect, it } from 'vitest';
import {
  credentialsIn, headerSecrets, isOrdinary, passwordsIn, replaceRanges, shapesIn,
} from '../../../src/wire/secrets/shapes.js';

const shown = (text: string): string => replaceRanges(text, shapesIn(text), () => undefined);

describe('what has the form of a secret', () => {
  it.each([
    ['use glpat-AbCd_1234-s3cret.', 'use [redacted]'], ['%22ghp_abcdefghijklmnop1234%22', '%22[redacted]%22'], ['xglpat-AbCd_1234', 'xglpat-AbCd_1234'],
    ['ssh://git@host/x and https://ada:s3@host', 'ssh://git@host/x and https://[redacted]@host'],
    ['https://hooks.slack.com/services/T012/B345/abcdef12', 'https://hooks.slack.com/services/[redacted]'],
    ['https://git.example/-/sent_notifications/0123456789abcdef/unsubscribe', 'https://git.example/-/sent_notifications/[redacted]'],
    ['a\n-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----\nb', 'a\n[redacted]-----END EC PRIVATE KEY-----\nb'],
    ['-----BEGIN PUBLIC KEY-----\nabc', '-----BEGIN PUBLIC KEY-----\nabc'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('is one secret where two overlap, and is reported once for each', () => {
    const found: string[] = [];
    const range = { isCertain: true };
    const done = replaceRanges('abcdefgh', [{ ...range, start: 3, end: 6 }, { ...range, start: 1, end: 4 }], (secret) => { found.push(secret); });
    expect([done, found]).toEqual(['a[redacted]gh', ['bcd', 'def']]);
  });
});

it('of user and password, the password is the secret, or the user of a token', () => {
  expect([passwordsIn('ada:p%40ss:1'), passwordsIn('s3cret:x-oauth-basic'), passwordsIn('s3cret')]).toEqual([['p%40ss:1', 'p@ss:1'], ['s3cret'], ['s3cret']]);
});

it('words, versions, dates and placeholders are ordinary', () => {
  const ordinary = ['parser', 'nextToken()', 'v1.2.3-rc1', '2024-05-01T12:00:00Z', '1234567', 'ada@acme.dev', '$CI_JOB_TOKEN', '${TOKEN}', '<your-token>',
    '[redacted]', '{{ token }}', 'xxxxxx', 'a1'];
  const secrets = ['S3cret-one', 'abcdef12', '12345678', 'aBcDeFgHiJkL', 'qwertyuiopasdfghjklzx', 'hunter2', 'p@ssw0rd'];
  expect([...ordinary, ...secrets].filter(isOrdinary)).toEqual(ordinary);
});

const basic = (text: string): string => Buffer.from(text).toString('base64');

it.each([
  ['S3cret-1', ['S3cret-1']], ['Bearer S3cret-1', ['S3cret-1']], [`Basic ${basic('ada:S3cret-1')}`, [basic('ada:S3cret-1'), 'S3cret-1']],
  ['Token token="S3cret-1", email="ada@acme.dev"', ['S3cret-1']], ['Digest username="ada", realm="x", response="S3cret-1"', ['S3cret-1']],
  ['AWS4-HMAC-SHA256 Credential=AKIA/x, SignedHeaders=host, Signature=S3cret-1', ['AKIA/x', 'S3cret-1']], ['Bearer S3cret==', ['S3cret==']],
])('the secrets of %s are %j', (value, secrets) => {
  expect(credentialsIn(value)).toEqual(secrets);
});

it('a cookie has one secret for each value, and a challenge has none', () => {
  expect(headerSecrets('cookie', 'a=S3cret-1; b=S3%2B2')).toEqual(['S3cret-1', 'S3%2B2', 'S3+2']);
  expect(headerSecrets('set-cookie', 's=S3cret-1; Path=/; Max-Age=3, t=S3cret-2')).toEqual(['S3cret-1', 'S3cret-2']);
  expect(headerSecrets('www-authenticate', 'Bearer realm="x"')).toEqual([]);
});

it('a megabyte of the start of a part or of a cookie is read in one pass', () => {
  const [letters, lines] = ['a'.repeat(1_000_000), '\n'.repeat(1_000_000)];
  expect(credentialsIn(letters)).toEqual([letters]);
  expect(headerSecrets('cookie', `${lines}a=S3cret-1`)).toEqual(['S3cret-1']);
});
