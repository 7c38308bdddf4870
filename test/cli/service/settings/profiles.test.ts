import { expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { testApp } from '../../../support/app.js';

const profiles = withProfile(
  withProfile(noProfiles, 'default', { url: 'https://a.example', token: 'secret', project: 'acme/app' }), 'work', { group: 'acme' });

it.each([
  [['config', 'set', 'project', 'acme/other'], 'would set project in profile default'],
  [['config', 'set', 'url', 'https://b.example'], 'would set url in profile default'],
  [['config', 'unset', 'project'], 'would remove project from profile default'],
  [['auth', 'logout'], 'would remove the token from profile default'],
  [['auth', 'switch', 'work'], 'would switch to profile work'],
])('%j with --dry-run prints what it would do and stores nothing', async (words, told) => {
  const world = await testApp({ profiles });
  expect(await world.run(...words, '--dry-run'))
    .toMatchObject({ code: 0, out: '', err: `${told}; nothing is stored with --dry-run\n`, sent: [] });
  expect(world.profiles()).toEqual(profiles);
});
