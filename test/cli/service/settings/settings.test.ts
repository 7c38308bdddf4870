import { describe, expect, it } from 'vitest';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags/global.js';
import { tokenFor } from '../../../../src/cli/service/settings/credential.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { settingsOf } from '../../../../src/cli/service/settings/settings.js';
import { readBaseUrl } from '../../../../src/client/base-url.js';
import { testApp } from '../../../support/app.js';

const empty = Object.fromEntries(['COLLOQUY_URL', 'COLLOQUY_TOKEN', 'COLLOQUY_PROJECT', 'COLLOQUY_GROUP'].map((name) => [name, undefined]));
const profiles = { ...withProfile(withProfile(noProfiles, 'default', {
  url: 'https://profile.example/git', token: 'profile-token', project: 'p/profile', group: 'profile', timeout: '7',
}), 'work', { url: 'https://work.example', token: 'work-token' }) };

const settings = async (env: Record<string, string>, flags: GlobalFlags = {}, stored = profiles) => {
  const { app } = await testApp({ env: { ...empty, ...env }, profiles: stored });
  return { app, ...await settingsOf(app, flags) };
};

describe('settings', () => {
  it('come from the flag, then the environment, then the profile', async () => {
    const env = { COLLOQUY_URL: 'https://env.example', COLLOQUY_PROJECT: 'p/env', COLLOQUY_GROUP: 'env', COLLOQUY_TOKEN: 'env-token' };
    const flags = { url: 'https://flag.example', project: 'p/flag', group: 'flag', token: 'flag-token', timeout: '3' };
    const seen = async (...from: [Record<string, string>, GlobalFlags?]) => {
      const { url, project, group, credential, timeout } = await settings(...from);
      return [url?.href, project, group, await credential?.read(), timeout?.value];
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

  it('prefer COLLOQUY_TOKEN to GITLAB_TOKEN', async () => {
    expect((await settings({ GITLAB_TOKEN: 'g' })).credential).toMatchObject({ from: 'GITLAB_TOKEN' });
    expect((await settings({ GITLAB_TOKEN: 'g', COLLOQUY_TOKEN: 'c' })).credential).toMatchObject({ from: 'COLLOQUY_TOKEN' });
  });

  it('come from the selected profile', async () => {
    expect((await settings({}, { profile: 'work' })).url?.href).toBe('https://work.example');
    expect((await settings({ COLLOQUY_PROFILE: 'work' })).url?.href).toBe('https://work.example');
    await expect(settings({}, { profile: 'none' })).rejects.toMatchObject({ code: 'usage', message: 'no profile named none' });
  });

  it('reject an invalid URL', async () => {
    await expect(settings({ COLLOQUY_URL: 'ftp://a' })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('the token for a service', () => {
  const tokenAt = async (href: string, env: Record<string, string>, flags: GlobalFlags = {}, stored = profiles) => {
    const all = await settings(env, flags, stored);
    return tokenFor(all.app, all, readBaseUrl(href));
  };

  it('is the profile\'s only for the profile\'s origin', async () => {
    expect(await tokenAt('https://profile.example/other/path', {})).toBe('profile-token');
    await expect(tokenAt('https://elsewhere.example', {})).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(tokenAt('http://profile.example', {})).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(tokenAt('https://profile.example:8443', {})).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is not the profile\'s if --url names another service', async () => {
    await expect(tokenAt('https://flag.example', {}, { url: 'https://flag.example' })).rejects.toMatchObject({
      message: 'the token from profile default is for https://profile.example and is not sent to https://flag.example' });
  });

  it('is not taken from a profile without a URL', async () => {
    await expect(tokenAt('https://flag.example', {}, { url: 'https://flag.example' }, withProfile(noProfiles, 'default', { token: 't' })))
      .rejects.toMatchObject({ code: 'unauthenticated', message: 'cannot tell whether profile default is for https://flag.example, which --url names' });
  });

  it('may come from another profile for the same origin', async () => {
    expect(await tokenAt('https://work.example', {})).toBe('work-token');
  });

  it('is sent wherever the command goes if it is a flag of the command', async () => {
    expect(await tokenAt('https://pasted.example', {}, { token: 'flag' })).toBe('flag');
    await expect(tokenAt('https://pasted.example', {}, { token: 'flag', url: 'https://flag.example' })).rejects.toThrow();
  });

  it('cannot be the token of a CI job; the hint suggests another one', async () => {
    await expect(tokenAt('https://a.example', { CI_JOB_TOKEN: 'job' }, {}, noProfiles)).rejects.toMatchObject({
      code: 'unauthenticated', message: expect.stringContaining('CI_JOB_TOKEN') as string,
      hint: expect.stringContaining('COLLOQUY_TOKEN') as string });
    await expect(tokenAt('https://a.example', {}, {}, noProfiles)).rejects.toMatchObject({
      message: 'no token for https://a.example' });
  });

  it('is recognized as a CI job\'s by its prefix if the job\'s own variables are missing', async () => {
    await expect(tokenAt('https://a.example', { COLLOQUY_URL: 'https://a.example', COLLOQUY_TOKEN: 'glcbt-64_x' }, {}, noProfiles)).rejects.toMatchObject({
      code: 'unauthenticated', message: 'the token is a CI job token, which the service does not accept here',
      hint: expect.stringContaining('COLLOQUY_TOKEN') as string });
  });
});
