import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ran, ranIn } from '../../../support/app.js';

const profiles = withProfile(withProfile(noProfiles, 'default', { url: 'https://a.example', token: 'secret', project: 'acme/app' }),
  'work', { group: 'acme' });
const config = (...words: string[]) => ranIn({ profiles }, 'config', ...words);

describe('config get', () => {
  it('prints one setting', async () => {
    expect(await config('get', 'project')).toMatchObject({ code: 0, out: 'acme/app\n', err: '', sent: [] });
    expect(await config('get', 'group', '--profile', 'work', '--json')).toMatchObject({ out: '"acme"\n' });
    expect(await ranIn({ profiles, terminal: true }, 'config', 'get', 'project')).toMatchObject({ out: 'acme/app\n' });
  });

  it('fails for an unset setting, an unknown setting and the token', async () => {
    expect(await config('get', 'timeout')).toMatchObject({ code: 6, out: '' });
    expect(await config('get', 'token')).toMatchObject({ code: 2, out: '' });
  });
});

describe('config list and path', () => {
  it('print all settings except the token', async () => {
    expect((await config('list')).out).toBe('url\thttps://a.example\nproject\tacme/app\n');
    expect((await config('list', '--json')).out).toBe('{"url":"https://a.example","project":"acme/app"}\n');
    expect((await ranIn({ profiles, terminal: true }, 'config', 'list')).out).toBe('url      https://a.example\nproject  acme/app\n');
    expect(await ran('config', 'list')).toMatchObject({ code: 0, out: '' });
  });

  it('print the path of the settings', async () => {
    expect(await config('path')).toMatchObject({ code: 0, out: '/config/config.json\n' });
  });

  it('reject unknown fields and formats', async () => {
    expect(await config('list', '--json=token')).toMatchObject({ code: 2, out: '' });
  });
});

it.each(['get', 'list', 'path'])('config %s prints its help', async (verb) => {
  expect((await ran('config', verb, '--help')).out).toContain(`Usage: colloquy config ${verb}`);
});
