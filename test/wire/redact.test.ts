import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretHeader, isSecretName, redactKnown, redactResponse, redactSecrets, redactValue } from '../../src/wire/redact.js';

describe('a name', () => {
  it.each(['token', 'private_token', 'PRIVATE-TOKEN', 'tokens[]', 'job_token[a][b]', '--with-token', 'client_secret', 'password', 'passwd',
    'passphrase', 'api_key', 'apikey', 'X-Api-Key', 'private_key', 'authorization', 'cookie', 'credentials'])('%s is that of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['body', 'token_id', 'key', 'title', 'secretary', 'tokenizer', 'author', 'authored', '--message'])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it('of a header can contain it anywhere', () => {
    expect(['x-auth', 'www-authenticate', 'x-token-id', 'set-cookie', 'accept', 'content-type'].filter(isSecretHeader))
      .toEqual(['x-auth', 'www-authenticate', 'x-token-id', 'set-cookie']);
  });
});

describe('a text', () => {
  it.each([
    ['https://ada:s3cret@host/x', 'https://[redacted]@host/x'],
    ['postgres://ada:s3@cret@host:5432/x?a=b', 'postgres://[redacted]@host:5432/x?a=b'],
    ['/x?page=1&private_token=s3cret&per_page=2', '/x?page=1&private_token=[redacted]&per_page=2'],
    ['/x?private%5Ftoken=s3cret', '/x?private%5Ftoken=[redacted]'],
    ['/x?job_token[a][]=s3cret&tokens%5B%5D=s3cret', '/x?job_token[a][]=[redacted]&tokens%5B%5D=[redacted]'],
    ['invalid field "password=s3cret"', 'invalid field "password=[redacted]"'],
    ['--token=s3cret and --token=\'s3 cret\'', '--token=[redacted] and --token=[redacted]\''],
    ['{"private_token":"s3 cret","body":"x"}', '{"private_token":"[redacted]","body":"x"}'],
    [String.raw`invalid field "{\"token\": \"s3cret\"}"`, String.raw`invalid field "{\"token\": \"[redacted]"}"`],
    ['PRIVATE-TOKEN: s3cret', 'PRIVATE-TOKEN: [redacted]'],
    ["'Authorization: Basic s3cret=='", "'Authorization: [redacted]'"],
    ['Cookie: a=s3cret; b=s3cret', 'Cookie: [redacted]'],
    ['x-api-key:s3cret', 'x-api-key:[redacted]'],
    ['glpat-AbCd_1234-s3cret and glcbt-64_s3cret', '[redacted] and [redacted]'],
    ['eyJhbGciOiJ.eyJzdWIi.s3cret', '[redacted]'],
    ['a.x-eyJhbGciOiJ.eyJzdWIi.s3cret eyJa', 'a.x-[redacted] eyJa'],
  ])('%s is shown as %s', (text, shown) => {
    expect(redactSecrets(text)).toBe(shown);
  });

  it.each([
    'the service does not know the token: give a valid one', 'postgres://user:password@host:port/database', 'https://host/@ada?x=a@b',
    'git@host:acme/app', 'page=2&body=token', 'the password is wrong', 'set COLLOQUY_TOKEN, or log in', 'GET /api/v4/projects/1', 'globals-and-others',
  ])('without a secret is unchanged: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('is shown without known values, as they are and encoded', () => {
    const known = ['t0ken/with=signs', 'short'];
    expect(redactKnown('a t0ken/with=signs b t0ken%2Fwith%3Dsigns short', known)).toBe('a [redacted] b [redacted] short');
    const basic = Buffer.from('user:t0ken/with=signs').toString('base64');
    expect(redactKnown(`Basic ${basic}, t0ken\\/with=signs`, known)).toBe('Basic dXNlcjp[redacted], [redacted]');
  });

  it('shows no secret after a name, wherever it is', () => {
    const secret = fc.stringMatching(/^S3[A-Za-z0-9]{6,20}$/);
    const name = fc.constantFrom('private_token', 'access_token', 'PASSWORD', 'client_secret', 'api-key', 'tokens[]');
    fc.assert(fc.property(fc.string(), name, secret, fc.string(), (before, key, value, after) => {
      fc.pre(!before.includes(value) && !after.includes(value));
      expect(redactSecrets(`${before}?${key}=${value}&${after}`)).not.toContain(value);
    }));
  });

  const times = 60_000;

  it.each(['a-', '-token', 'a://', '"token"', '%5B', '-eyJaaaaaaaa', ' : '])(`of ${times} times %j is unchanged`, (piece) => {
    expect(redactSecrets(piece.repeat(times)) === piece.repeat(times)).toBe(true);
  });

  it.each([['token=', 'token=[redacted]'], ['glpat-', '[redacted]'], ['eyJaaaaaaaa.', '[redacted].'.repeat(times / 3)]])(
    `of ${times} times %j is redacted`, (piece, shown) => {
      expect(redactSecrets(piece.repeat(times)) === shown).toBe(true);
    });
});

describe('a value of JSON', () => {
  it('is shown without the fields with the name of a secret', () => {
    expect(redactValue({ body: 'token=x', private_token: 's', a: [{ password: { b: 's' } }, { tokens: ['s'] }], n: null, t: 1 })).toEqual(
      { body: 'token=x', private_token: '[redacted]', a: [{ password: '[redacted]' }, { tokens: '[redacted]' }], n: null, t: 1 });
  });
});

describe('a response', () => {
  it('has no secrets in headers and JSON', () => {
    const headers = { 'content-type': 'application/json', 'set-cookie': 'session=abc', link: '<http://x/?private_token=abc&page=2>' };
    expect(redactResponse(headers, '{"token":"abc","items":[{"api_key":"abc","name":"x"}]}')).toEqual({
      headers: { ...headers, 'set-cookie': '[redacted]', link: '<http://x/?private_token=[redacted]&page=2>' },
      body: '{"token":"[redacted]","items":[{"api_key":"[redacted]","name":"x"}]}',
    });
  });

  it('keeps the links to other pages whole', () => {
    const link = '<http://x/?page=2&private_token=abc>; rel="next", <http://x/?page_token=abc&a=1>; rel="last"';
    expect(redactResponse({ link }, '').headers['link'])
      .toBe('<http://x/?page=2&private_token=[redacted]>; rel="next", <http://x/?page_token=[redacted]&a=1>; rel="last"');
  });

  it('has no body if it is not text', () => {
    expect(redactResponse({ 'content-type': 'image/png' }, Buffer.from([1, 2])).body).toBeNull();
    expect(redactResponse({ 'content-type': 'text/html' }, null).body).toBeNull();
    expect(redactResponse({}, '').body).toBe('');
    expect(redactResponse({ 'content-type': 'text/html' }, Buffer.from('<p>')).body).toBe('<p>');
  });
});
