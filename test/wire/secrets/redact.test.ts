import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../../support/extent.js';
import { redactBody, redactRequest, redactResponse, redactSecrets, redactValue } from '../../../src/wire/secrets/redact.js';
import { redactKnown } from '../../../src/wire/secrets/known.js';

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

describe('a body', () => {
  const times = 15_000;
  const pieces = [
    'token=', 'key:', 'key: value: ', 'cookie: ', 'cookie:', 'authorization: digest a=', 'authorization: ', '<token>', '<a><![CDATA[', '{token: ',
      '"token":"', '\\"', '\\\\', 'sk-', 'eyJ', '--token ',
    '-u a:', 'login x password ', 'a://b', '%22token%22%3A%22', '?sig=', '-----BEGIN PRIVATE KEY-----', '{"key":"A_TOKEN","value":', '[{"token":',
      'hooks.slack.com/services/', 'value: |\n ', '- token: |\n  x\n',
    '&key=A_TOKEN&value=1', '--b\r\nname="token"\r\n\r\nx\r\n', "token: '", 'token[a][b]=', 'glpat-', 'bearer ', '&quot;token&quot;:',
  ];

  it.each(['application/json', 'application/yaml', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'of type %s is redacted in linear time, whatever it repeats', (type) => {
      expect(sampleOf(pieces, 4).filter((piece) => redactBody(`x ${piece.repeat(times)}`, { type }) === '')).toEqual([]);
    });
});

describe('a request', () => {
  it('has no secrets in a log, wherever it has them', () => {
    const headers = { 'content-type': 'application/json', 'x-jwt': 'S3cret-1', 'x-note': 'Bearer S3cret-22' };
    const body = JSON.stringify({ url: 'https://x.dev/?token=S3cret-3', variables: [{ key: 'DEPLOY_TOKEN', value: 'S3cret-4' }],
      body: 'PRIVATE-TOKEN: S3cret-5' });
    const shown = JSON.stringify(redactRequest({ method: 'POST', target: '/x?sig=S3cret-6&url=https%3A%2F%2Fa%3AS3cret-7%40x.dev', headers, body }));
    expect(shown.match(/S3cret-\d/g)).toBeNull();
    expect(shown.match(/\[redacted\]/g)).toHaveLength(7);
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
