import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, ranIn } from '../../../support/app.js';

const status = ['auth', 'status'];

describe('auth status', () => {
  it('shows service, token source and user, never the token', async () => {
    const { code, out } = await ran(...status);
    expect(code).toBe(0);
    expect(out).toBe('url\thttp://service.test\nprofile\tdefault\ntoken_from\tCOLLOQUY_TOKEN\ntoken_type\tprivate\nstored_in\t\nuser\tdeveloper\n'
      + 'scopes\t\nexpires_at\t\nprofiles\t\n');
    expect((await ran(...status, '--json=url,profile,token_from,user')).out).toBe(
      '{"url":"http://service.test","profile":"default","token_from":"COLLOQUY_TOKEN","user":"developer"}\n');
    expect((await ranIn({ terminal: true }, ...status)).out).toMatch(/^user +developer$/m);
  });

  it('reports scopes and expiry if the service does, and problems with them', async () => {
    const told = (scopes: string[], expires_at: string | null) => ranIn({
      answer: ({ target }) => target.endsWith('/self') ? json(200, { scopes, expires_at }) : undefined }, ...status, '--json=scopes,expires_at');
    const { out } = await ranIn({ answer: ({ target }) => target.endsWith('/self') ? json(200, { scopes: ['api', 'read_user'] }) : undefined },
      ...status);
    expect(out).toContain('scopes\tapi, read_user\n');
    expect(await told(['api'], '2999-01-01')).toMatchObject({ out: '{"scopes":["api"],"expires_at":"2999-01-01"}\n', err: '' });
    expect((await told(['read_api'], null)).err).toContain('lacks the api scope');
    expect((await told(['granular'], null)).err).toBe('');
    expect((await told(['granular'], '2024-05-05')).err).toContain('create a new fine-grained token with the same permissions');
    expect((await told(['api'], '2024-05-05')).err).toContain('expires on 2024-05-05');
  });

  it('shows where a profile\'s token is stored, and lists the profiles', async () => {
    const profiles = withProfile(withProfile(noProfiles, 'default', { url: 'http://service.test', token: 'developer-token' }), 'work', {});
    const { out } = await ranIn({ profiles, env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined } }, ...status, '--json=stored_in,profiles');
    expect(JSON.parse(out)).toEqual({ stored_in: '/config/config.json, which only you can read', profiles: ['default', 'work'] });
  });

  it('names the profile whose token is used, even if it is not the current one', async () => {
    const other = withProfile(noProfiles, 'other', { url: 'http://service.test', token: 'developer-token' });
    const bare = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
    const elsewhere = withProfile(other, 'work', { url: 'http://else.test', token: 'else' });
    const { out } = await ranIn({ profiles: { ...elsewhere, current: 'work' }, env: bare },
      ...status, '--url', 'http://service.test', '--json=token_from,stored_in');
    expect(JSON.parse(out)).toEqual({ token_from: 'profile other', stored_in: '/config/config.json, which only you can read' });
  });

  it('continues if the service cannot report the user', async () => {
    const answer = ({ target }: HttpRequest) => target.endsWith('/user') ? unknownRoute : undefined;
    expect((await ranIn({ answer }, ...status, '--json=user')).out).toBe('{"user":null}\n');
  });

  it('exits with 4 when the token is missing or rejected', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: undefined } }, ...status)).toMatchObject({ code: 4, sent: [] });
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'expired-token' } }, ...status)).toMatchObject({
      code: 4, err: expect.stringContaining('Token is expired') as string });
  });

  it('prints its help', async () => {
    expect((await ran(...status, '--help')).out).toContain('Usage: colloquy auth status');
  });
});
