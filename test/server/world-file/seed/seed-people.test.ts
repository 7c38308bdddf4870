import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { rowsOf } from '../../../support/seeded-rows.js';

test('a world without users gets an administrator with a token', async () => {
  const digest = createHash('sha256').update('root-token').digest('hex');
  expect(await rowsOf({}, 'SELECT username, admin, state, digest, scopes FROM users JOIN tokens ON user_id = id')).toEqual([
    { username: 'root', admin: 1, state: 'active', digest, scopes: 'api' },
  ]);
});

test('tokens are stored as digests with scopes, expiry and revocation', async () => {
  const tokens = [
    { token: 'b', scopes: ['read_api' as const, 'sudo' as const], expires_at: '2024-07-01', revoked: true },
    { digest: 'f'.repeat(64) },
  ];
  const rows = await rowsOf({ users: [{ username: 'ada', token: 'a', tokens }] }, 'SELECT * FROM tokens ORDER BY rowid');
  const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');
  expect(rows).toEqual([
    { digest: digestOf('a'), user_id: 1, scopes: 'api', permissions: null, expires_at: null, revoked: 0 },
    { digest: digestOf('b'), user_id: 1, scopes: 'read_api sudo', permissions: null, expires_at: '2024-07-01T00:00:00.000Z', revoked: 1 },
    { digest: 'f'.repeat(64), user_id: 1, scopes: 'api', permissions: null, expires_at: null, revoked: 0 },
  ]);
});

test('members are stored by path with the level of their role', async () => {
  const users = [{ username: 'ada' }, { username: 'bob' }];
  const rows = await rowsOf({
    users, groups: [{ path: 'a', members: { ada: 'owner', bob: 'guest' } }],
    projects: [{ path: 'a/b', members: { bob: 'maintainer' } }],
  }, 'SELECT * FROM members ORDER BY path, user_id');
  expect(rows).toEqual([
    { path: 'a', user_id: 1, level: 50 }, { path: 'a', user_id: 2, level: 10 }, { path: 'a/b', user_id: 2, level: 40 },
  ]);
});

test('images are stored as bytes under a safe name, and the appearance has their paths', async () => {
  const appearance = {
    title: 'T', email_header_and_footer_enabled: true, logo: { file_name: 'my logo(1).PNG', content: 'AAEC' },
  };
  expect(await rowsOf({ appearance }, 'SELECT * FROM appearance ORDER BY name')).toEqual([
    { name: 'email_header_and_footer_enabled', value: '1' },
    { name: 'logo', value: '/uploads/-/system/appearance/logo/1/my_logo_1_.PNG' },
    { name: 'title', value: 'T' },
  ]);
  expect(await rowsOf({ appearance }, 'SELECT * FROM uploads')).toEqual([
    { mount: 'logo', file_name: 'my_logo_1_.PNG', media_type: 'image/png', content: Uint8Array.of(0, 1, 2) },
  ]);
});
