import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../../../../src/wire/http.js';
import { noProfiles, withProfile } from '../../../../../src/cli/service/settings/profiles.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import type { WorldOptions } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';
import { answering, examined } from '../../../../support/doctor.js';

describe('doctor', () => {
  it('names the source of each setting', async () => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', token: 'developer-token', group: 'acme' });
    const env = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
    const remotes = [{ name: 'origin', url: 'git@service.test:acme/app.git' }];
    const { of } = await examined({ profiles, env, remotes });
    expect(of('url')!.message).toBe('http://service.test from profile default');
    expect(of('token')!.message).toBe('from profile default, stored in /config/config.json, which only you can read');
    expect(of('project')!.message).toBe('acme/app from git remote origin');
    expect(of('group')!.message).toBe('acme from profile default');
    const work = { ...withProfile(profiles, 'work', { timeout: '9' }), current: 'work' };
    expect((await examined({ profiles: work, env: { ...env, COLLOQUY_URL: 'http://service.test' }, remotes })).of('token')!.message)
      .toBe('from profile default, stored in /config/config.json, which only you can read');
    expect((await examined({ env: { ...env, CI_API_V4_URL: 'http://service.test/api/v4', CI_PROJECT_ID: '20',
      GITLAB_TOKEN: 'developer-token' } })).of('project')!.message).toBe('20 from CI_PROJECT_ID');
  });

  it('detects a proxy that decodes slashes, by the route or by the number', async () => {
    expect((await examined(answering('/projects/acme%2Fapp', unknownRoute))).of('%2F in paths')).toMatchObject({
      state: 'fail', hint: expect.stringContaining('numeric ids') as string });
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

  it('believes no response that is something else than the project, the group or its epics', async () => {
    await everyRow([{}, [], { message: 'maintenance' }, { id: null }], JSON.stringify, async (body) => {
      const { of, code } = await examined({ answer: ({ target }) =>
        /^\/api\/v4\/(projects\/acme%2Fapp|groups\/acme)$/.test(target) ? json(200, body) : undefined });
      expect([of('project there'), of('group there'), code]).toMatchObject([
        { state: 'fail', message: 'this is not the API: GET /api/v4/projects/acme%2Fapp: the response is not a project' },
        { state: 'fail', message: 'this is not the API: GET /api/v4/groups/acme: the response is not a group' }, 1]);
    });
    expect((await examined(answering('/groups/acme/epics', json(200, { message: 'maintenance' })))).of('epics')!.message).not.toContain('available in');
  });

  it('does not miss the group that a git remote only suggests', async () => {
    const env = { COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
    const personal = { env, remotes: [{ name: 'origin', url: 'git@service.test:ada/app.git' }] };
    expect((await examined(personal)).of('group there')).toMatchObject({
      state: 'skip', message: 'no group ada, which git remote origin suggests; only epics need a group', hint: null });
    const of = { env, remotes: [{ name: 'origin', url: 'git@service.test:acme/app.git' }] };
    expect((await examined(of)).of('group there')).toMatchObject({ state: 'ok', message: 'acme' });
    expect((await examined({ env: { COLLOQUY_GROUP: 'ada' } })).of('group there')).toMatchObject({ state: 'fail' });
  });

  it('checks the merge request of a job, and whether the job has its head', async () => {
    const found = async (env: Record<string, string>, body: object = { iid: 12, sha: 'a'.repeat(40), state: 'opened' }) => (await examined({
      ...answering('/projects/acme%2Fapp/merge_requests/12', json(200, body)), env: { CI_MERGE_REQUEST_IID: '12', ...env },
    })).of('merge request');
    expect((await examined()).of('merge request')).toBe(undefined);
    expect(await found({})).toMatchObject({ state: 'ok', message: 'mr/12 from CI_MERGE_REQUEST_IID' });
    expect(await found({ CI_COMMIT_SHA: 'a'.repeat(40) })).toMatchObject({ state: 'ok', message: 'mr/12 from CI_MERGE_REQUEST_IID' });
    const late = { CI_COMMIT_SHA: 'a'.repeat(40), CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'b'.repeat(40) };
    expect(await found(late)).toMatchObject({
      state: 'warn', message: 'the head of mr/12 is now aaaaaaaa, and this job is for bbbbbbbb',
      hint: 'run a new pipeline: the results of this job are out of date' });
    expect((await examined({ env: { CI_MERGE_REQUEST_IID: '99' } })).of('merge request')).toMatchObject({
      state: 'fail', message: 'mr/99 from CI_MERGE_REQUEST_IID: 404 Not found',
      hint: 'check CI_MERGE_REQUEST_IID and that acme/app is its project' });
    expect((await examined({ env: { CI_MERGE_REQUEST_IID: 'x' } })).of('merge request')).toMatchObject({
      state: 'fail', message: 'CI_MERGE_REQUEST_IID is "x", not a number' });
    expect((await examined({ env: { CI_MERGE_REQUEST_IID: '12', COLLOQUY_PROJECT: undefined } })).of('merge request')).toBe(undefined);
    expect(await found({ CI_SERVER_URL: 'https://ci.test' })).toMatchObject({
      state: 'skip', message: 'CI_MERGE_REQUEST_IID is for another service than http://service.test' });
    const elsewhere = { CI_SERVER_URL: 'https://ci.test', CI_PROJECT_PATH: 'acme/app', CI_MERGE_REQUEST_ID: '51' };
    expect(await found(elsewhere, { id: 51, iid: 12 })).toMatchObject({ state: 'ok' });
    expect(await found(elsewhere, { id: 50, iid: 12 })).toMatchObject({ state: 'fail',
      message: 'mr/12 of acme/app at http://service.test is not the merge request of the job: its id is 50, CI_MERGE_REQUEST_ID is 51' });
  });

  it('says why the project of a job is not used', async () => {
    const env = { COLLOQUY_PROJECT: undefined, CI_SERVER_URL: 'https://ci.test', CI_PROJECT_ID: '20' };
    expect((await examined({ env })).of('project')).toMatchObject({ state: 'skip',
      message: 'not set; use --project or COLLOQUY_PROJECT; CI_PROJECT_ID is for another service than http://service.test' });
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
});
