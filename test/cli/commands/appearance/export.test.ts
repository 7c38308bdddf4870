import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLimitedFile, writeWhole } from '../../../../src/cli/terminal/io/files.js';
import { json } from '../../../support/answers.js';
import { appWithAppearance, asRoot, png, sha256 } from '../../../support/appearance.js';
import { ranIn, testApp } from '../../../support/app.js';
import { images } from '../../../support/images.js';

const exported = (logo: string, favicon: string) => `# The appearance of an instance, for \`colloquy appearance diff\` and \`apply\`.
# A field that is missing here stays as it is, and "" clears a field.
# Images are paths relative to this file, or data URIs.
title: "yes"
description: |
  # Hi

  there
logo: ${logo}
header_logo: ""
favicon: ${favicon}
new_project_guidelines: ""
profile_image_guidelines: ""
header_message: ""
footer_message: ""
message_background_color: "#E75E40"
message_font_color: "#FFFFFF"
email_header_and_footer_enabled: false
`;
const [logoName, iconName] = [`logo.${sha256(png).slice(0, 8)}.png`, `favicon.${sha256(images.ico).slice(0, 8)}.ico`];

describe('appearance export', () => {
  it('writes a document with the images beside it, named after their content', async () => {
    const world = await appWithAppearance();
    const { code, out, err } = await world.run('appearance', 'export', 'conf/a.yaml');
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'exported the appearance to conf/a.yaml and 2 images\n' });
    expect(world.fileWrites.map(([path]) => path)).toEqual([`conf/${logoName}`, `conf/${iconName}`, 'conf/a.yaml']);
    expect(world.files.get('conf/a.yaml')).toBe(exported(logoName, iconName));
    expect(Buffer.from(world.files.get(`conf/${logoName}`)!)).toEqual(png);
  });

  it.each([[['-']], [[]], [['-o', 'yaml']]])('prints a document with data URIs: %j', async (words) => {
    const { code, out } = await (await appWithAppearance()).run('appearance', 'export', ...words);
    const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
    expect({ code, out }).toEqual({ code: 0, out: exported(uri('image/png', png), uri('image/vnd.microsoft.icon', images.ico)) });
  });

  it('writes data URIs to a pipe or a device, which has no folder for images', async () => {
    const { app, run, fileWrites } = await appWithAppearance();
    Object.assign(app.files, { kindOf: async () => 'stream' });
    expect(await run('appearance', 'export', '/dev/null')).toMatchObject({ code: 0, err: 'exported the appearance to /dev/null\n' });
    expect(fileWrites).toEqual([['/dev/null', (await run('appearance', 'export')).out]]);
  });

  it('writes the same bytes twice, which changes nothing', async () => {
    const world = await appWithAppearance();
    await world.run('appearance', 'export', 'a.yaml');
    const count = world.fileWrites.length;
    expect(await world.run('appearance', 'export', 'a.yaml')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    expect(world.fileWrites.length).toBe(count);
  });

  it('does not replace another file without consent', async () => {
    const world = await appWithAppearance({ files: { 'a.yaml': 'title: Mine\n', 'logo.png': png, 'icon.ico': images.ico } });
    const { code, err } = await world.run('appearance', 'export', 'a.yaml');
    expect({ code, err }).toEqual({ code: 2, err: 'colloquy: refusing to replace a.yaml without confirmation\npass --yes to confirm\n' });
    expect(world.fileWrites).toEqual([]);
    const { err: plan } = await world.run('appearance', 'export', 'a.yaml', '-n');
    expect(plan).toMatch(/^would replace a\.yaml\nwould write logo/);
    expect(world.fileWrites).toEqual([]);
    expect(await world.run('appearance', 'export', 'a.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(world.files.get('a.yaml')).toBe(exported(logoName, iconName));
  });

  it('fails before it writes if an image cannot be read', async () => {
    const world = await appWithAppearance({ answer: ({ target }) => target.startsWith('/uploads/') ? json(404, {}) : undefined });
    const { code, err } = await world.run('appearance', 'export', 'a.yaml');
    expect({ code, written: world.fileWrites }).toEqual({ code: 1, written: [] });
    expect(err).toMatch(/^colloquy: cannot read logo at \/uploads\/\S+logo\.png: HTTP 404\n/);
  });

  it.each([['-o', 'csv'], ['--json'], ['-q', '.title'], ['-o', 'yaml', '--json=title']])('has no other format: %s', async (...words) => {
    expect(await ranIn(asRoot, 'appearance', 'export', ...words)).toMatchObject({ code: 2, sent: [] });
  });

  it.each([['a%2Fb.TXT', 'txt'], ['..%2f..%2fx', 'bin'], ['x.%00a', 'bin']])(
    'keeps the extension of content that is not an image, if it is harmless: %s', async (name, extension) => {
      const fields = { title: 'A', description: '', logo: `/uploads/${name}`, header_logo: null, favicon: null };
      const world = await testApp({ ...asRoot, answer: ({ target }) => target.startsWith('/uploads/')
        ? { status: 200, headers: { 'content-type': 'text/plain' }, body: 'text' } : json(200, fields) });
      expect(await world.run('appearance', 'export', 'a.yaml')).toMatchObject({ code: 0 });
      expect(world.fileWrites[0]![0]).toBe(`logo.${sha256(Buffer.from('text')).slice(0, 8)}.${extension}`);
    });

  it('leaves out fields that the service does not have, as before version 13', async () => {
    const fields = { title: 'A', description: null, logo: null, header_logo: null, favicon: null };
    const { out } = await ranIn({ ...asRoot, answer: () => json(200, fields) }, 'appearance', 'export');
    expect(out.replace(/^#.*\n/gm, '')).toBe('title: A\ndescription: ""\nlogo: ""\nheader_logo: ""\nfavicon: ""\n');
  });
});

it('links in place of images are replaced, and their targets stay as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'conf'));
  for (const [name, content] of [[logoName, png], [iconName, 'mine']] as const) {
    writeFileSync(join(folder, name), content);
    symlinkSync(`../${name}`, join(folder, 'conf', name));
  }
  const world = await appWithAppearance();
  Object.assign(world.app.files, { readLimited: readLimitedFile, write: writeWhole });
  expect(await world.run('appearance', 'export', join(folder, 'conf', 'a.yaml'), '--yes')).toMatchObject({ code: 0 });
  expect([logoName, iconName].map((name) => lstatSync(join(folder, 'conf', name)).isFile())).toEqual([true, true]);
  expect(readFileSync(join(folder, iconName), 'utf8')).toBe('mine');
  const apply = await world.run('appearance', 'apply', join(folder, 'conf', 'a.yaml'));
  expect(apply).toMatchObject({ code: 0, err: 'nothing changed\n' });
});
