import { describe, expect, it } from 'vitest';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { callSettings, settingsOf } from '../../../../src/cli/service/settings/settings.js';
import { testApp } from '../../../support/app.js';

const empty = Object.fromEntries(['COLLOQUY_URL', 'COLLOQUY_TOKEN', 'COLLOQUY_PROJECT', 'COLLOQUY_GROUP'].map((name) => [name, undefined]));
const profiles = { ...withProfile(withProfile(noProfiles, 'default', {
  url: 'https://profile.example/git', token: 'profile-token', project: 'p/profile', group: 'profile', timeout: '7',
}), 'work', { url: 'https://work.example', token: 'work-token' }) };

const settings = async (env: Record<string, string>, flags: GlobalFlags = {}, stored = profiles) => {
  const { app } = await testApp({ env: { ...empty, ...env }, profiles: stored });
  return { app, ...await settingsOf(app, flags) };
};

const calls = async (...given: Parameters<typeof settings>) => {
  const { app, ...found } = await settings(...given);
  return callSettings(app, given[1] ?? {}, found, found.url!);
};

describe('settings', () => {
  it('come from the flag, then the environment, then the profile', async () => {
    const env = { COLLOQUY_URL: 'https://env.example', COLLOQUY_PROJECT: 'p/env', COLLOQUY_GROUP: 'env', COLLOQUY_TOKEN: 'env-token' };
    const flags = { url: 'https://flag.example', project: 'p/flag', group: 'flag', token: 'flag-token', timeout: '3' };
    const seen = async (...from: [Record<string, string>, GlobalFlags?]) => {
      const { url, project, group, credential } = await settings(...from);
      return [url?.href, project, group, await credential?.read(), (await calls(...from)).timeout?.value];
    };
    expect(await seen(env, flags)).toEqual(['https://flag.example', 'p/flag', 'flag', 'flag-token', '3']);
    expect(await seen(env)).toEqual(['https://env.example', 'p/env', 'env', 'env-token', '7']);
    expect(await seen({})).toEqual(['https://profile.example/git', 'p/profile', 'profile', 'profile-token', '7']);
  });

  it.each([
    [{ COLLOQUY_URL: 'https://a.example', GITLAB_HOST: 'https://b.example' }, 'https://a.example'],
    [{ GITLAB_HOST: 'b.example', CI_API_V4_URL: 'https://c.example/api/v4' }, 'https://b.example'],
    [{ GITLAB_URI: 'https://b.example/git' }, 'https://b.example/git'],
    [{ CI_API_V4_URL: 'https://c.example/git/api/v4', CI_SERVER_URL: 'https://d.example' }, 'https://c.example/git'],
    [{ CI_SERVER_URL: 'https://d.example' }, 'https://d.example'],
    [{ COLLOQUY_URL: '', GITLAB_HOST: '' }, 'https://profile.example/git'],
  ])('%j gives the service %s', async (env, href) => {
    expect((await settings(env)).url?.href).toBe(href);
  });

  it('prefer the project of the merge request in a fork\'s pipeline', async () => {
    expect((await settings({ CI_PROJECT_ID: '1', CI_MERGE_REQUEST_PROJECT_ID: '2' })).project).toBe('2');
    expect((await settings({ CI_PROJECT_ID: '1' })).project).toBe('1');
  });

  it('take the project of a job from it only for its service', async () => {
    const job = { CI_API_V4_URL: 'https://ci.example/git/api/v4', CI_PROJECT_ID: '1' };
    const used = async (url: string | undefined, env: Record<string, string> = {}) => {
      const { project, unused } = await settings({ ...job, ...env }, { ...url !== undefined && { url } }, noProfiles);
      return [project, unused.project];
    };
    for (const url of [undefined, 'https://CI.example/git/', 'ci.example/git']) expect(await used(url)).toEqual(['1', null]);
    expect(await used('https://d.example', { CI_SERVER_URL: 'https://d.example' })).toEqual(['1', null]);
    for (const url of ['https://ci.example', 'http://ci.example/git', 'https://ci.example:8443/git']) {
      expect(await used(url)).toEqual([null, `CI_PROJECT_ID is for another service than ${url}`]);
      expect((await used(url, { COLLOQUY_PROJECT: '7' }))[0]).toBe('7');
    }
    expect((await used('https://b.example', { CI_API_V4_URL: 'nonsense:' }))[0]).toBeNull();
    expect((await used('https://b.example', { CI_API_V4_URL: '' }))[0]).toBe('1');
  });

  it('take the project and group of a profile only for its service', async () => {
    const used = async (url: string, stored = profiles) => {
      const { project, group, unused } = await settings({ COLLOQUY_URL: url }, {}, stored);
      return { project, group, unused };
    };
    expect(await used('https://profile.example/git')).toMatchObject({ project: 'p/profile', group: 'profile' });
    expect(await used('https://b.example')).toEqual({ project: null, group: null, unused: {
      project: 'the project of profile default is for another service than https://b.example',
      group: 'the group of profile default is for another service than https://b.example' } });
    const bare = withProfile(noProfiles, 'default', { project: 'p/profile' });
    expect(await used('https://b.example', bare)).toMatchObject({ project: 'p/profile' });
  });

  it('prefer COLLOQUY_TOKEN to GITLAB_TOKEN', async () => {
    expect((await settings({ GITLAB_TOKEN: 'g' })).credential).toMatchObject({ from: 'GITLAB_TOKEN' });
    expect((await settings({ GITLAB_TOKEN: 'g', COLLOQUY_TOKEN: 'c' })).credential).toMatchObject({ from: 'COLLOQUY_TOKEN' });
  });

  it('come from the selected profile', async () => {
    expect((await settings({}, { profile: 'work' })).url?.href).toBe('https://work.example');
    expect((await settings({ COLLOQUY_PROFILE: 'work' })).url?.href).toBe('https://work.example');
    await expect(settings({}, { profile: 'none' })).rejects.toMatchObject({ code: 'usage', message: 'no profile named none' });
  });

  it('take the authority of the CI server from the job, for that server only', async () => {
    const job = { CI_SERVER_URL: 'https://ci.example', CI_API_V4_URL: 'https://ci.example/api/v4', CI_SERVER_TLS_CA_FILE: '/builds/ca.pem' };
    const stored = withProfile(noProfiles, 'default', { 'ca-cert': '/profile.pem' });
    expect((await calls(job, {}, stored)).tls.ca).toEqual({ value: '/builds/ca.pem', from: 'CI_SERVER_TLS_CA_FILE' });
    expect((await calls(job, { caCert: 'flag.pem' }, stored)).tls.ca).toEqual({ value: 'flag.pem', from: '--ca-cert' });
    expect((await calls(job, { url: 'https://other.example' }, stored)).tls.ca?.value).toBe('/profile.pem');
    expect((await calls({ ...job, CI_SERVER_URL: 'nonsense:' }, {}, noProfiles)).tls.ca?.value).toBe('/builds/ca.pem');
  });

  it('reject an invalid URL', async () => {
    await expect(settings({ COLLOQUY_URL: 'ftp://a' })).rejects.toMatchObject({ code: 'usage' });
  });
});
