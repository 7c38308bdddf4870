import { describe, expect, it } from 'vitest';
import { redactText } from '../../../src/wire/secrets/texts.js';

const shown = (text: string, isStrict = false): string => redactText(text, { onSecret: () => undefined, isStrict });
const found = (text: string): string[] => {
  const secrets: string[] = [];
  redactText(text, { onSecret: (secret) => { secrets.push(secret); } });
  return secrets;
};

describe('a text', () => {
  it.each([
    ['Authorization: Bearer S3cret-1, then', 'Authorization: Bearer [redacted], then'], ['curl -H "PRIVATE-TOKEN: word" x',
      'curl -H "PRIVATE-TOKEN: [redacted]" x'],
    ['password=S3cret-1; next', 'password=[redacted]; next'], ['(https://x.dev/?token=word)', '(https://x.dev/?token=[redacted])'],
      ['Cookie: a=1; b=S3cret-1', 'Cookie: [redacted]'],
    [String.raw`{\"token\": \"word\"}`, String.raw`{\"token\": \"[redacted]\"}`], ['key: DB_PASS, value: S3cret-1', 'key: DB_PASS, value: [redacted]'],
      ['value=S3cret-1 name=DB_PASS', 'value=[redacted] name=DB_PASS'],
    [`KEY_VALUE name: A_TOKEN value: S3${'x'.repeat(400)} z\nb`, 'KEY_VALUE name: A_TOKEN value: [redacted]\nb'], ['&quot;token&quot;: &quot;word&quot;',
      '&quot;token&quot;: &quot;[redacted]&quot;'],
  ])('%j is shown as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    'the token of the parser', 'token = lexer.next()', 'password: string', 'Bearer tokens and Basic authentication', 'PRIVATE-TOKEN: <your-token>',
      `name: A_TOKEN${' '.repeat(600)}value: S3cret-1`,
    'name: HOME, value: S3cret-1', 'cookie: chocolate', '`key`: `abc12345`', '',
  ])('of words stays as it is: %j', (text) => {
    expect(shown(text)).toBe(text);
  });

  it.each([
    ['token: two words # why', 'token: [redacted] # why'], ['tokens:\n  - one\n  - two\nx: 1', 'tokens:\n  [redacted]\nx: 1'],
      ['secret: |\n  one\n  two\nx: 1', 'secret: |\n  [redacted]\nx: 1'],
    ['{token: one, x: two}', '{token: [redacted], x: two}'], ['<password>word</password>', '<password>[redacted]</password>'], ['<a password="word"/>',
      '<a password="[redacted]"/>'],
    ['<property name="token">word</property>', '<property name="token">[redacted]</property>'], ['<token value="word"/>', '<token value="[redacted]"/>'],
    ['token: $TOKEN\npassword: true\nsecret: null', 'token: $TOKEN\npassword: true\nsecret: null'],
  ])('that has a syntax has secrets by name alone: %j', (text, expected) => {
    expect(shown(text, true)).toBe(expected);
  });

  it.each([
    'see https://ci.acme.dev/hook?key=S3cret-1.', 'https://ci.acme.dev/hook?a=1&key=S3cret-1&b', '{"url":"https:\\/\\/ci.acme.dev\\/hook?key=S3cret-1"}',
    'next=https%3A%2F%2Fci.acme.dev%2Fhook%3Fkey%3DS3cret-1',
  ])('has the key of an address: %s', (text) => {
    expect(shown(text)).toBe(text.replace('S3cret-1', '[redacted]'));
  });

  it.each([
    '/api/v4/projects/1/variables?key=HOME-1', '<https://git.acme.dev/api/v4/projects/1/variables?key=HOME-1&page=2>; rel="next"', '?key=HOME-1',
    'https://a.dev/ then ?key=HOME-1', 'https://a.dev/?keyboard=HOME-1',
  ])('has no secret in a key of the API: %s', (text) => {
    expect(shown(text)).toBe(text);
  });

  it('reports secrets without what is around them, decoded', () => {
    const basic = Buffer.from('ada:S3cret-1').toString('base64');
    expect(found(`Authorization: Basic ${basic}`)).toEqual(expect.arrayContaining([basic, 'S3cret-1']));
    expect(found('https://ada:S3%40cret@host')).toEqual(['S3%40cret', 'S3@cret']);
    expect(found('?token=S3%2Bcret&x=1')).toEqual(['S3%2Bcret', 'S3+cret']);
    expect(found('Set-Cookie: s=S3cret-1; Path=/; Expires=x1')).toEqual(['S3cret-1']);
  });
});
