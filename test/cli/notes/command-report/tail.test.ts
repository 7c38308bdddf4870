import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskOf, secretsIn } from '../../../../src/cli/notes/command-report/secrets.js';
import { collectTail } from '../../../../src/cli/notes/command-report/tail.js';
import { testApp } from '../../../support/app.js';

const tailOf = (text: string, { most = 100, secrets = [] as string[] } = {}) => {
  const { add, end } = collectTail(most, maskOf(secrets));
  add('out', Buffer.from(text));
  return end();
};

describe('the tail of an output', () => {
  it('has the last lines and counts all', () => {
    expect(tailOf('one\ntwo\nthree', { most: 2 })).toEqual({ lines: ['two', 'three'], total: 3 });
    expect(tailOf('one\n', { most: 0 })).toEqual({ lines: [], total: 1 });
    expect(tailOf('')).toEqual({ lines: [], total: 0 });
  });

  it('keeps the lines of both streams whole', () => {
    const { add, end } = collectTail(10, maskOf([]));
    for (const [stream, text] of [['out', 'a'], ['err', 'x'], ['out', 'b\n'], ['err', 'y\nz']] as const) add(stream, Buffer.from(text));
    expect(end().lines).toEqual(['ab', 'xy', 'z']);
  });

  it.each([
    ['colors', '\u001b[1;31mred\u001b[0m text', 'red text'],
    ['a link', '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u0007', 'here'],
    ['control characters and direction marks', 'a\u0007\u0000b\u202ec\td', 'abc\td'],
    ['a carriage return before the line break', 'done\r\n', 'done'],
    ['a progress bar', '10 %\r50 %\r100 %', '100 %'],
    ['a progress bar of escapes', '10 %\u001b[2K\u001b[1G50 %\u001b[2K\u001b[1Gdone', 'done'],
  ])('has %s as plain text', (_, text, line) => {
    expect(tailOf(text).lines).toEqual([line]);
  });

  it('cuts very long lines, and keeps the last state of an endless progress bar', () => {
    expect(tailOf('x'.repeat(200_000)).lines).toEqual([`${'x'.repeat(2_000)}…`]);
    expect(tailOf(`${'5 % done\r'.repeat(20_000)}100 %\n`).lines).toEqual(['100 %']);
  });

  it('masks secrets however the output is cut into chunks, also with colors inside', () => {
    const secret = 'sécret-value-1';
    const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ''));
    fc.assert(fc.property(line, line, fc.nat({ max: 30 }), fc.array(fc.integer({ min: 1, max: 9 })), (before, after, color, sizes) => {
      const at = color % secret.length;
      const colored = `${secret.slice(0, at)}\u001b[31m${secret.slice(at)}`;
      const bytes = Buffer.from(`${before} ${colored} ${secret}${after}\n`);
      const { add, end } = collectTail(10, maskOf([secret]));
      let from = 0;
      for (const size of [...sizes, bytes.length]) add('out', bytes.subarray(from, from += size));
      expect(end().lines.join('\n')).not.toContain(secret);
    }));
  });

  it('shows no part of a secret where a long line is cut', () => {
    const secret = `start${'x'.repeat(70_000)}`;
    expect(tailOf(`a ${secret}${secret}${secret}\nb`, { secrets: [secret] }).lines).toEqual([expect.not.stringContaining('start'), 'b']);
  });
});

describe('secrets', () => {
  it('are the values of at least 8 characters of variables with such names, of --redact and of the token', async () => {
    const { app } = await testApp({ env: {
      NPM_TOKEN: 'npm-12345678', my_password: 'correct horse', SIGNING_KEY: '-----BEGIN\nline-one-\nshort\n', SHORT_SECRET: '1234567',
      DATABASE_URL: 'postgres://u:p@h/d', HOME: '/home/somebody', COLLOQUY_TOKEN: undefined,
    } });
    app.secrets.add('token-of-a-profile');
    const { mask, unusable } = secretsIn(app, ['DATABASE_URL', 'UNSET']);
    for (const secret of ['-----BEGIN', 'correct horse', 'line-one-', 'npm-12345678', 'postgres://u:p@h/d', 'token-of-a-profile']) {
      expect(mask(`a ${secret} b`)).toBe('a [masked] b');
    }
    expect(mask('1234567 short /home/somebody')).toBe('1234567 short /home/somebody');
    expect(unusable).toEqual(['UNSET']);
  });

  it.each([
    'DB_PWD', 'PWD_DB', 'MYSQL_PWD', 'GPG_PASSPHRASE', 'PASSPHRASE', 'AWS_CREDENTIALS', 'CREDENTIALS', 'REDIS_AUTH', 'AUTH', 'DOCKER_AUTH_CONFIG',
    'DB_PASS', 'SMTP_PASSWD', 'GITHUB_PAT', 'CI_JOB_JWT', 'db_creds', 'SESSION_COOKIE',
  ])('are recognized by the name %s', async (name) => {
    const { app } = await testApp({ env: { [name]: 'value-1234' } });
    expect(secretsIn(app, []).mask('value-1234')).toBe('[masked]');
  });

  it.each(['PWD', 'OLDPWD', 'GIT_AUTHOR', 'GIT_AUTHOR_NAME', 'PATH', 'COMPASS', 'AUTHOR', 'PATTERN', 'CWD_PWDX'])(
    'are not recognized by the name %s', async (name) => {
      const { app } = await testApp({ env: { [name]: 'value-1234' } });
      expect(secretsIn(app, []).mask('value-1234')).toBe('value-1234');
    });

  const odd = `it's a "sécret"/+\\p@ss&1~`;
  const lower = (text: string) => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  it.each([
    ['percent-encoded', encodeURIComponent(odd)], ['with lower-case digits', lower(encodeURIComponent(odd))],
    ['as in a form', new URLSearchParams({ odd }).toString().slice('odd='.length)],
    ['as in a form with lower-case digits', lower(new URLSearchParams({ odd }).toString().slice('odd='.length))],
    ['as JSON', JSON.stringify(odd).slice(1, -1)], ['quoted for a shell', odd.replaceAll("'", "'\\''")],
    ['traced by dash', odd.replaceAll("'", `'"'"'`)], ['in base64', Buffer.from(odd).toString('base64')],
    ['in base64 in a URL', encodeURIComponent(Buffer.from(odd).toString('base64'))],
    ['in base64 for URLs', Buffer.from(odd).toString('base64url')],
  ])('are masked %s', (_, text) => {
    expect(maskOf([odd])(`a ${text} b`)).toBe('a [masked] b');
  });

  it.each(['base64', 'base64url'] as const)('are masked inside a longer text in %s, wherever they stand in it', (form) => {
    const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text);
    fc.assert(fc.property(fc.string(), secret, fc.string(), (before, value, after) => {
      expect(maskOf([value])(Buffer.from(before + value + after).toString(form))).toContain('[masked]');
    }));
  });

  it('in base64 are masked however the output is cut into chunks', () => {
    const encoded = Buffer.from('user:secret-value-1').toString('base64');
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (sizes) => {
      const bytes = Buffer.from(`Authorization: Basic ${encoded}\n`);
      const { add, end } = collectTail(10, maskOf(['secret-value-1']));
      let from = 0;
      for (const size of [...sizes, bytes.length]) add('out', bytes.subarray(from, from += size));
      expect(end().lines).toEqual([expect.stringMatching(/^Authorization: Basic dXNlcjp?\[masked\]$/)]);
    }));
  });
});
