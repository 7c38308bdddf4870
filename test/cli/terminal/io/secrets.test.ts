import { describe, expect, it } from 'vitest';
import { secretsIn } from '../../../../src/cli/terminal/io/secrets.js';
import { testApp } from '../../../support/app.js';

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
});
