import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../src/cli/service/settings/profiles.js';
import { ConnectionError } from '../../../src/client/errors.js';
import type { HttpRequest, HttpResponse } from '../../../src/wire/http.js';
import { json, unknownRoute } from '../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../support/app.js';
import { start } from '../../support/service.js';

interface Found { readonly check: string; readonly state: string; readonly message: string; readonly remedy: string | null }

const examined = async (options: WorldOptions = {}, ...flags: string[]) => {
  const { code, out, err, sent } = await ranIn(options, 'doctor', '--json', ...flags);
  const found = JSON.parse(out) as Found[];
  const secret = 'developer-token';
  expect([out, err].some((text) => text.includes(secret))).toBe(false);
  return { code, err, sent, of: (check: string) => found.find((one) => one.check === check) };
};

const answering = (path: string, response: HttpResponse): WorldOptions => ({
  answer: ({ target }: HttpRequest) => target.startsWith(`/api/v4${path}`) ? response : undefined,
});

describe('doctor', () => {
  it('reports no problems if there are none', async () => {
    const { code, of, sent } = await examined();
    expect(code).toBe(0);
    expect(of('url')).toEqual({ check: 'url', state: 'ok', message: 'http://service.test from COLLOQUY_URL', remedy: null });
    expect(of('token')).toMatchObject({ state: 'ok', message: 'from COLLOQUY_TOKEN' });
    expect(of('account')).toMatchObject({ state: 'ok', message: 'developer' });
    expect(of('%2F in paths')).toMatchObject({ state: 'ok' });
    expect(of('project there')).toMatchObject({ state: 'ok', message: 'acme/app' });
    expect(of('scopes')).toMatchObject({ state: 'skip' });
    expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('wraps advice between words without cutting it', async () => {
    const { out, code, err } = await ranIn({ terminal: true, columns: 40, env: { COLLOQUY_TOKEN: 'expired-token' } }, 'doctor');
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, ' ')).toContain('ok url http://service.test from COLLOQUY_URL ok token');
    expect(out).toMatch(/^fail {2}account +the service rejected\n {18}the token: Token is\n/m);
    expect(err).toContain('1 check failed: account');
  });

  it('names missing settings and sends no request', async () => {
    const env = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: '', COLLOQUY_GROUP: '' };
    const { code, of, sent } = await examined({ env });
    expect({ code, sent }).toEqual({ code: 1, sent: [] });
    expect(of('url')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('COLLOQUY_URL') as string });
  });

  it('names the source of each setting', async () => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', token: 'developer-token', group: 'acme' });
    const env = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
    const remotes = [{ name: 'origin', url: 'git@service.test:acme/app.git' }];
    const { of } = await examined({ profiles, env, remotes });
    expect(of('url')!.message).toBe('http://service.test from profile default');
    expect(of('token')!.message).toBe('from profile default, stored in /config/config.json, which only you can read');
    expect(of('project')!.message).toBe('acme/app from git remote origin');
    expect(of('group')!.message).toBe('acme from profile default');
    const work = { ...withProfile(profiles, 'work', { url: 'http://service.test' }), current: 'work' };
    expect((await examined({ profiles: work, env, remotes })).of('token')!.message)
      .toBe('from profile default, stored in /config/config.json, which only you can read');
    expect((await examined({ env: { ...env, CI_API_V4_URL: 'http://service.test/api/v4', CI_PROJECT_ID: '20',
      GITLAB_TOKEN: 'developer-token' } })).of('project')!.message).toBe('20 from CI_PROJECT_ID');
  });

  it('explains why nothing responds', async () => {
    const answer = () => { throw new ConnectionError('nothing is listening at http://service.test (ECONNREFUSED)', 'GET /api/v4/version', 'ECONNREFUSED', false); };
    const { code, of, err } = await examined({ answer });
    expect(code).toBe(1);
    expect(of('service')).toMatchObject({ state: 'fail', message: expect.stringContaining('ECONNREFUSED') as string, remedy: 'check --url and the network' });
    expect(err).toContain('"code":"failure"');
  });

  it('distinguishes a web page from the API, and detects a redirect to another host', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
    expect((await examined(answering('/version', page))).of('service')).toMatchObject({ state: 'fail', remedy: expect.stringContaining('--url') as string });
    const moved = { status: 302, headers: { location: 'https://new.example/api/v4/version' }, body: '' };
    expect((await examined(answering('/version', moved))).of('service')).toMatchObject({ state: 'fail',
      message: expect.stringContaining('https://new.example') as string });
    expect((await examined(answering('/version', json(502, {})), '--retries', '0')).of('service')).toMatchObject({ state: 'fail' });
  });

  it('compares clocks', async () => {
    const at = (seconds: number) =>
      ({ status: 200, headers: { date: new Date(Date.parse(start) + seconds * 1000).toUTCString() }, body: '{"version":"17.1.0"}' });
    const clock = async (seconds: number) => (await examined(answering('/version', at(seconds)))).of('clock');
    expect(await clock(5)).toMatchObject({ state: 'ok' });
    expect(await clock(-120)).toMatchObject({ state: 'warn', message: expect.stringMatching(/ahead of/) as string });
    expect(await clock(4000)).toMatchObject({ state: 'fail', message: expect.stringMatching(/40\d\d seconds behind/) as string });
    expect((await examined()).of('clock')).toMatchObject({ state: 'skip' });
  });

  it('detects versions that lack features', async () => {
    const version = async (text: string) => (await examined(answering('/version', json(200, { version: text })))).of('version');
    expect(await version('12.6.9')).toMatchObject({ state: 'warn' });
    expect(await version('17.2.0-ee')).toMatchObject({ state: 'ok', message: '17.2.0-ee' });
    expect((await examined(answering('/version', unknownRoute))).of('version')).toMatchObject({ state: 'skip' });
  });

  it.each([['gldt-x', 'fail'], ['eyJhbGci.eyJz.c2', 'fail'], ['a'.repeat(64), 'warn'], ['glpat-x', 'ok'], ['own-prefix', 'ok']])(
    'detects the kind of a token: %s, %s', async (token, state) => {
      const { of, err } = await examined({ env: { COLLOQUY_TOKEN: token } });
      expect(of('token kind')).toMatchObject({ state });
      expect(err).not.toContain(token);
    });

  it('explains why the token of a CI job is not enough', async () => {
    const { of } = await examined({ env: { COLLOQUY_TOKEN: '', CI_JOB_TOKEN: 'job-secret' } });
    expect(of('token')).toMatchObject({ state: 'fail', message: expect.stringContaining('CI_JOB_TOKEN') as string,
      remedy: expect.stringContaining('COLLOQUY_TOKEN') as string });
    expect((await examined({ env: { COLLOQUY_TOKEN: 'job-secret', CI_JOB_TOKEN: 'job-secret' } })).of('token')).toMatchObject({ state: 'fail' });
    expect((await examined({ env: { COLLOQUY_TOKEN: 'glcbt-x' } })).of('token')).toMatchObject({
      state: 'fail', message: 'the token is a CI job token, which the service does not accept here' });
  });

  it('reads scopes and expiry if the service reports them', async () => {
    const facts = async (scopes: string[], expires_at: string | null) =>
      examined(answering('/personal_access_tokens/self', json(200, { scopes, expires_at })));
    const good = await facts(['api'], '2999-01-01');
    expect([good.of('scopes')!.state, good.of('expiry')!.state, good.code]).toEqual(['ok', 'ok', 0]);
    const weak = await facts(['read_api'], '2024-05-08');
    expect([weak.of('scopes')!.state, weak.of('expiry')!.state, weak.code]).toEqual(['warn', 'warn', 0]);
    expect((await facts(['read_user'], null)).of('scopes')).toMatchObject({ state: 'fail' });
    expect((await facts(['api'], '2001-01-01')).of('expiry')).toMatchObject({ state: 'fail' });
  });

  it('detects a proxy that decodes slashes, by the route or by the number', async () => {
    expect((await examined(answering('/projects/acme%2Fapp', unknownRoute))).of('%2F in paths')).toMatchObject({
      state: 'fail', remedy: expect.stringContaining('numeric ids') as string });
    const refusing = { status: 400, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Request</h1>' };
    expect((await examined({ ...answering('/projects/colloquy%2Fdoctor', refusing),
      env: { COLLOQUY_PROJECT: undefined } })).of('%2F in paths')).toMatchObject({ state: 'fail' });
    expect((await examined({ ...answering('/projects/acme%2Fapp', json(404, { message: '404 Project Not Found' })),
      env: { COLLOQUY_PROJECT: '20' } })).of('%2F in paths')).toMatchObject({ state: 'fail' });
    expect((await examined({ env: { COLLOQUY_PROJECT: '20' } })).of('%2F in paths')).toMatchObject({ state: 'ok' });
  });

  it('reports a missing project', async () => {
    const { of, code } = await examined({ env: { COLLOQUY_PROJECT: 'acme/none' } });
    expect([of('project there')!.state, of('%2F in paths')!.state, code]).toEqual(['fail', 'ok', 1]);
    expect(of('project there')!.message).toBe('acme/none: 404 Project Not Found');
  });

  it('reports whether epics are available', async () => {
    const epics = async (response: HttpResponse) => (await examined(answering('/groups/acme/epics', response))).of('epics');
    expect(await epics(json(200, []))).toMatchObject({ state: 'ok' });
    expect(await epics(json(403, { message: '403 Forbidden' }))).toMatchObject({ state: 'warn' });
    const edition = (enterprise: boolean): WorldOptions => ({
      answer: ({ target }) => target.startsWith('/api/v4/metadata') ? json(200, { enterprise })
        : target.includes('/epics') ? json(404, { error: '404 Not Found' }) : undefined,
    });
    expect((await examined(edition(false))).of('epics')).toMatchObject({ state: 'warn' });
    expect((await examined(edition(true))).of('epics')).toMatchObject({ state: 'ok' });
  });

  it('checks proxy and encryption without showing secrets', async () => {
    const proxied = await examined({ env: { HTTP_PROXY: 'http://me:secret@proxy.example:3128' } });
    expect(proxied.of('proxy')).toMatchObject({ state: 'ok', message: 'through http://proxy.example:3128' });
    expect((await examined({ env: { HTTP_PROXY: 'http://proxy.example', NO_PROXY: 'service.test' } })).of('proxy')!.message).toBe('none, because of NO_PROXY');
    expect((await examined({ env: { http_proxy: 'socks5://x' } })).of('proxy')).toMatchObject({ state: 'fail' });
    expect(proxied.of('encryption')).toMatchObject({ state: 'warn' });
    expect((await examined({ env: { COLLOQUY_URL: 'https://service.test',
      NODE_TLS_REJECT_UNAUTHORIZED: '0' } })).of('encryption')).toMatchObject({ state: 'warn' });
    expect((await examined({ env: { COLLOQUY_URL: 'http://localhost:8080' } })).of('encryption')).toMatchObject({ state: 'ok' });
    expect((await examined({}, '--ca-cert', 'none.pem')).of('certificates')).toMatchObject({ state: 'fail' });
  });

  it('works with the sandbox and in every other format', async () => {
    const env = { COLLOQUY_URL: '', COLLOQUY_TOKEN: '', COLLOQUY_PROJECT: '', COLLOQUY_GROUP: '' };
    expect(await ranIn({ env }, 'doctor', '--sandbox')).toMatchObject({ code: 0, out: expect.stringMatching(/^service\tok\t/m) as string });
  });

  it('stops at once when it is interrupted', async () => {
    const world = await testApp();
    world.stop.abort();
    expect(await world.run('doctor')).toMatchObject({ code: 130 });
  });

  it('prints its help', async () => {
    expect((await ranIn({}, 'doctor', '--help')).out).toContain('Usage: colloquy doctor [options]');
  });
});
