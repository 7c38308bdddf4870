import { describe, expect, it } from 'vitest';
import { isSecretHeader, isSecretKey, isSecretName, isSecretParameter, isSecretVariable } from '../../../src/wire/secrets/names.js';

describe('a name', () => {
  it.each(['token', 'private_token', 'PRIVATE-TOKEN', 'tokens[]', 'job_token[a][b]', '--with-token', 'client_secret', 'password', 'passwd',
    'passphrase', 'api_key', 'apikey', 'X-Api-Key', 'private_key', 'authorization', 'cookie', 'credentials'])('%s is that of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['body', 'token_id', 'key', 'title', 'secretary', 'tokenizer', 'author', 'authored', '--message'])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  it.each([
    'accessToken', 'runners_token', 'TOKEN_2', 'apiKey', 'aws_access_key_id', 'AWSAccessKeyId', 'sessionId', 'phpsessid', 'jwt', 'pat', 'db-pass',
      'SSH_KEY', 'password_confirmation',
    '_authToken', 'variables[DB_PASSWORD]', '.dockerconfigjson', 'code_verifier', 'SAMLResponse', 'recovery_codes', 'app_key', 'encryptedPassword', 'auths',
  ])('%s is that of a secret in any notation', (name) => {
    expect(isSecretKey(name)).toBe(true);
  });

  it.each([
    'token_type', 'tokenUrl', 'tokenizer', 'secretary', 'passed', 'compass', 'author', 'authored_date', 'path', 'key', 'keywords', 'design_key',
      'project_key', 'ssh_key', 'session_expire_delay',
    'ci_job_token_scope_enabled', 'password_expires_at', 'cookies_policy', 'pattern', 'side', '',
  ])('%s is none in any notation', (name) => {
    expect(isSecretKey(name)).toBe(false);
  });

  it('of a variable tells more than a key', () => {
    expect(['ssh-key', 'DEPLOY_KEY', 'DB_PASS', 'PWD', 'MONKEYS', 'HOME'].filter(isSecretVariable)).toEqual(['ssh-key', 'DEPLOY_KEY', 'DB_PASS', 'MONKEYS']);
  });

  it('of a query can be a signature', () => {
    expect(['sig', 'X-Amz-Signature', 'x-oss-signature', 'hmac', 'page_token', 'page', 'sign', 'signature_type'].filter(isSecretParameter))
      .toEqual(['sig', 'X-Amz-Signature', 'x-oss-signature', 'hmac', 'page_token']);
  });

  it('of a header can be that of a key or a session, unless the key is public', () => {
    expect(['x-jwt', 'x-pat', 'x-access-key', 'x-session-id', 'x-appkey', 'x-sso', 'idempotency-key', 'sec-websocket-key',
      'x-request-id'].filter(isSecretHeader))
      .toEqual(['x-jwt', 'x-pat', 'x-access-key', 'x-session-id', 'x-appkey', 'x-sso']);
  });

  it('of a header can contain it anywhere', () => {
    expect(['x-auth', 'www-authenticate', 'x-token-id', 'set-cookie', 'accept', 'content-type'].filter(isSecretHeader))
      .toEqual(['x-auth', 'www-authenticate', 'x-token-id', 'set-cookie']);
  });
});
