import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

const connection = async (flags: readonly string[], options: WorldOptions = {}) => {
  const world = await testApp(options);
  const ran = await world.run('discussions', 'list', '!1', ...flags);
  return { ...ran, connection: world.connections[0] };
};

const pem = (what: string) => `-----BEGIN ${what}-----\r\nMIIB\r\n-----END ${what}-----\r\n`;

describe('the connection', () => {
  it('takes timeout and retries from the flags, otherwise from the profile', async () => {
    expect((await connection(['--timeout', '1.5', '--retries', '0'])).connection).toMatchObject({ timeout: 1500, retries: 0 });
    const profiles = withProfile(noProfiles, 'default', { timeout: '3', retries: '7' });
    expect((await connection([], { profiles })).connection).toMatchObject({ timeout: 3000, retries: 7 });
    expect((await connection([])).connection).not.toHaveProperty('timeout');
  });

  it.each([['--timeout', '0'], ['--timeout', 'soon'], ['--retries', '1.5'], ['--retries', 'many']])('rejects %s %s', async (...flags) => {
    expect(await connection(flags)).toMatchObject({ code: 2, sent: [], connection: undefined });
  });

  it('trusts and presents the given certificates', async () => {
    const files = { 'ca.pem': pem('CERTIFICATE'), 'cert.pem': pem('CERTIFICATE'), 'key.pem': pem('EC PRIVATE KEY') };
    const flags = ['--ca-cert', 'ca.pem', '--client-cert', 'cert.pem', '--client-key', 'key.pem'];
    expect((await connection(flags, { files })).connection?.tls).toEqual({ ca: files['ca.pem'], cert: files['cert.pem'], key: files['key.pem'] });
    expect(await connection(['--client-cert', 'cert.pem'], { files })).toMatchObject({ code: 2, connection: undefined });
    expect(await connection(['--ca-cert', 'missing.pem'])).toMatchObject({ code: 2, connection: undefined });
  });

  it('rejects a token that cannot be sent in a header, without repeating it', async () => {
    const { code, err, sent } = await connection([], { env: { COLLOQUY_TOKEN: 'se cret' } });
    expect({ code, sent }).toEqual({ code: 4, sent: [] });
    expect(err).not.toContain('cret');
  });
});
