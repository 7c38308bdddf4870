import { describe, expect, it } from 'vitest';
import { asRoot, png } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';
import { images } from '../../support/images.js';
import { testService } from '../../support/service.js';

type World = Awaited<ReturnType<typeof testApp>>;

const appOf = async (dialect: 'document' | 'live'): Promise<World> => testApp({
  ...asRoot, service: await testService({ dialect }), files: { 'a.png': png, 'icon.ico': images.ico } });

const texts = ['--title', 'Acme', '--description', '# Hi\n\nthere\n', '--header-message', '@all "x": #1', '--message-font-color', '#fff',
  '--new-project-guidelines', ' - one\n - two', '--logo', 'a.png', '--favicon', 'icon.ico'];

const given = {
  document: texts,
  live: [...texts, '--pwa-name', 'Acme: on the go', '--pwa-short-name', '123', '--pwa-description', 'true', '--pwa-icon', 'a.png',
    '--member-guidelines', '- Be kind\n- `yes`\n'],
};

/** Exports to a file, or to standard output, and gives it to another program. */
const exported = async (from: World, to: World, ways: readonly string[]): Promise<void> => {
  const { code, out, err } = await from.run('appearance', 'export', ...ways);
  expect(code, err).toBe(0);
  for (const [path, content] of from.files) to.files.set(path, content);
  if (ways.length === 0) to.files.set('all.yaml', out);
};

describe.each(['document', 'live'] as const)('an export of a service in the %s dialect', (dialect) => {
  it.each([[[]], [['all.yaml']]])('is applied completely to another one: %j', async (ways) => {
    const [from, to] = [await appOf(dialect), await appOf(dialect)];
    expect(await from.run('appearance', 'set', ...given[dialect])).toMatchObject({ code: 0 });
    await exported(from, to, ways);
    expect((await to.run('appearance', 'diff', 'all.yaml')).code).toBe(8);
    const applied = await to.run('appearance', 'apply', 'all.yaml', '--yes');
    expect(applied.code, applied.err).toBe(0);
    for (const world of [from, to]) {
      if (world === from) await exported(to, from, ways);
      expect(await world.run('appearance', 'diff', 'all.yaml')).toMatchObject({ code: 0, err: 'nothing differs\n', out: '' });
    }
    const again = await to.run('appearance', 'export', ...ways);
    expect(ways.length === 0 ? again.out : to.files.get('all.yaml')).toEqual(from.files.get('all.yaml'));
  });

  it('without images is applied, and diff says which images of the other one stay', async () => {
    const [from, to] = [await appOf(dialect), await appOf(dialect)];
    await exported(from, from, []);
    expect(await from.run('appearance', 'apply', 'all.yaml', '--yes')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    await exported(from, to, []);
    await to.run('appearance', 'set', '--logo', 'a.png', '--title', 'T');
    const { code, err } = await to.run('appearance', 'diff', 'all.yaml');
    expect([code, err]).toEqual([8, expect.stringMatching(/^warning: all\.yaml:\d+:\d+: `apply` cannot clear logo: the API cannot remove an image; /)]);
  });
});

it('an export of a service in the live dialect warns where another one lacks its fields, if they have a value', async () => {
  const [from, to] = [await appOf('live'), await appOf('document')];
  await exported(from, to, []);
  expect(await to.run('appearance', 'diff', 'all.yaml')).toMatchObject({ code: 0, err: 'nothing differs\n' });
  await from.run('appearance', 'set', ...given.live);
  await exported(from, to, []);
  const { code, err } = await to.run('appearance', 'apply', 'all.yaml', '--yes');
  expect(code, err).toBe(0);
  for (const field of ['pwa_name', 'pwa_short_name', 'pwa_description', 'pwa_icon', 'member_guidelines']) {
    expect(err).toContain(`${field} differs, and cannot be changed through the API`);
  }
});
