import { expect, it } from 'vitest';
import { credentialsIn, headerSecrets } from '../../../../src/wire/secrets/shapes.js';

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
