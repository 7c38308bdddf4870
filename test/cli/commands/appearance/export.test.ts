import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLimitedFile, writeWhole } from '../../../../src/cli/terminal/io/files.js';
import { json } from '../../../support/answers.js';
import { otherPng, png, sha256 } from '../../../support/appearance.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { images } from '../../../support/images.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };

/** An app whose service has two images and a description of several lines. */
const filled = async (options: WorldOptions = {}) => {
  const world = await testApp({ ...root, files: { 'logo.png': png, 'icon.ico': images.ico, ...options.files }, ...options });
  await world.run('appearance', 'set', '--logo', 'logo.png', '--favicon', 'icon.ico', '--description', '# Hi\n\nthere\n', '--title', 'yes');
  return world;
};

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
    const world = await filled();
    const { code, out, err } = await world.run('appearance', 'export', 'conf/a.yaml');
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: 'exported the appearance to conf/a.yaml and 2 images\n' });
    expect(world.fileWrites.map(([path]) => path)).toEqual([`conf/${logoName}`, `conf/${iconName}`, 'conf/a.yaml']);
    expect(world.files.get('conf/a.yaml')).toBe(exported(logoName, iconName));
    expect(Buffer.from(world.files.get(`conf/${logoName}`)!)).toEqual(png);
  });

  it.each([[['-']], [[]], [['-o', 'yaml']]])('prints a document with data URIs: %j', async (words) => {
    const { code, out } = await (await filled()).run('appearance', 'export', ...words);
    const uri = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString('base64')}`;
    expect({ code, out }).toEqual({ code: 0, out: exported(uri('image/png', png), uri('image/vnd.microsoft.icon', images.ico)) });
  });

  it('writes the same bytes twice, which changes nothing', async () => {
    const world = await filled();
    await world.run('appearance', 'export', 'a.yaml');
    const count = world.fileWrites.length;
    expect(await world.run('appearance', 'export', 'a.yaml')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    expect(world.fileWrites.length).toBe(count);
  });

  it('does not replace another file without consent', async () => {
    const world = await filled({ files: { 'a.yaml': 'title: Mine\n', 'logo.png': png, 'icon.ico': images.ico } });
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
    const world = await filled({ answer: ({ target }) => target.startsWith('/uploads/') ? json(404, {}) : undefined });
    const { code, err } = await world.run('appearance', 'export', 'a.yaml');
    expect({ code, written: world.fileWrites }).toEqual({ code: 1, written: [] });
    expect(err).toMatch(/^colloquy: cannot read logo at \/uploads\/\S+logo\.png: HTTP 404\n/);
  });

  it.each([['-o', 'csv'], ['--json'], ['-q', '.title'], ['-o', 'yaml', '--json=title']])('has no other format: %s', async (...words) => {
    expect(await ranIn(root, 'appearance', 'export', ...words)).toMatchObject({ code: 2, sent: [] });
  });

  it.each([['a%2Fb.TXT', 'txt'], ['..%2f..%2fx', 'bin'], ['x.%00a', 'bin']])(
    'keeps the extension of content that is not an image, if it is harmless: %s', async (name, extension) => {
      const fields = { title: 'A', description: '', logo: `/uploads/${name}`, header_logo: null, favicon: null };
      const world = await testApp({ ...root, answer: ({ target }) => target.startsWith('/uploads/')
        ? { status: 200, headers: { 'content-type': 'text/plain' }, body: 'text' } : json(200, fields) });
      expect(await world.run('appearance', 'export', 'a.yaml')).toMatchObject({ code: 0 });
      expect(world.fileWrites[0]![0]).toBe(`logo.${sha256(Buffer.from('text')).slice(0, 8)}.${extension}`);
    });

  it('leaves out fields that the service does not have, as before version 13', async () => {
    const fields = { title: 'A', description: null, logo: null, header_logo: null, favicon: null };
    const { out } = await ranIn({ ...root, answer: () => json(200, fields) }, 'appearance', 'export');
    expect(out.replace(/^#.*\n/gm, '')).toBe('title: A\ndescription: ""\nlogo: ""\nheader_logo: ""\nfavicon: ""\n');
  });
});

describe('appearance diff', () => {
  const changed = `title: "no"\ndescription: |\n  # Hi\n\n  you\n  there\nlogo: new.png\nheader_logo: ""\nfavicon: icon.ico\n`;
  const differing = async (options: WorldOptions = {}) => {
    const world = await filled(options);
    world.files.set('a.yaml', changed);
    world.files.set('new.png', otherPng('x'));
    return world;
  };
  const size = otherPng('x').length;
  const hash = sha256(otherPng('x'));

  it('prints the fields that differ, long texts line by line, and exits with 8', async () => {
    const { code, out, err } = await (await differing()).run('appearance', 'diff', 'a.yaml');
    expect(code).toBe(8);
    expect(out).toBe(`title: "yes" → "no"\ndescription:\n    # Hi\n    \n  + you\n    there\n`
      + `logo: /uploads/-/system/appearance/logo/1/logo.png (70 bytes, sha256 ${sha256(png).slice(0, 8)}) → `
      + `new.png (${size} bytes, sha256 ${hash.slice(0, 8)})\n`);
    expect(err).toBe('colloquy: 3 fields differ\nchange it with `colloquy appearance apply`\n');
  });

  it('prints both values of each field as JSON, images by their hash', async () => {
    const { code, out } = await (await differing()).run('appearance', 'diff', 'a.yaml', '--json');
    expect(code).toBe(8);
    expect(JSON.parse(out)).toEqual([
      { field: 'title', live: 'yes', wanted: 'no' },
      { field: 'description', live: '# Hi\n\nthere\n', wanted: '# Hi\n\nyou\nthere\n' },
      { field: 'logo', live: { name: '/uploads/-/system/appearance/logo/1/logo.png', size: 70, sha256: sha256(png) },
        wanted: { name: 'new.png', size, sha256: hash } },
    ]);
  });

  it.each([['tsv', 'title\t"yes"\t"no"\n'], ['csv', 'field,live,wanted\ntitle,'], ['id', 'title\ndescription\nlogo\n'],
    ['yaml', '- field: title\n  live: "yes"\n  wanted: "no"\n'], ['ndjson', '{"field":"title",'], ['markdown', '| field | live | wanted |'],
    ['table', 'FIELD']])('prints %s', async (format, start) => {
    const { code, out } = await (await differing()).run('appearance', 'diff', 'a.yaml', '-o', format);
    expect({ code, out: out.slice(0, start.length) }).toEqual({ code: 8, out: start });
  });

  it('exits with 0 if nothing differs', async () => {
    const world = await filled();
    await world.run('appearance', 'export', 'a.yaml');
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({ code: 0, out: '', err: 'nothing differs\n' });
    expect(await world.run('appearance', 'diff', 'a.yaml', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('reports an image that should not be set', async () => {
    const world = await filled();
    world.files.set('a.yaml', 'logo: ""\n');
    const { code, out } = await world.run('appearance', 'diff', 'a.yaml', '--json');
    expect({ code, out: JSON.parse(out) as unknown }).toMatchObject({ code: 8, out: [{ field: 'logo', wanted: null }] });
  });

  it('colors lines on a terminal, and escapes characters that act on it', async () => {
    const world = await differing({ terminal: true, colors: 1 });
    world.files.set('a.yaml', 'title: "\\e[2J"\ndescription: "a\\u202e\\nb"\n');
    const { out } = await world.run('appearance', 'diff', 'a.yaml');
    expect(out).toContain('\x1b[32m+ \\u001b[2J\x1b[39m\n');
    expect(out).toContain('\x1b[32m+ a\\u202e\x1b[39m\n');
    expect(out).toContain('\x1b[31m- # Hi\x1b[39m\n');
  });

  it('warns about doubtful values, which --strict makes errors', async () => {
    const world = await filled();
    world.files.set('a.yaml', 'description: "<!-- x -->"\n');
    expect(await world.run('appearance', 'diff', 'a.yaml')).toMatchObject({
      code: 8, err: expect.stringMatching(/^warning: the Markdown of description shows nothing; /) as string });
    expect(await world.run('appearance', 'diff', 'a.yaml', '--strict')).toMatchObject({ code: 2, out: '' });
  });

  it('shows a text whose only change is the line break at its end', async () => {
    const world = await filled();
    world.files.set('a.yaml', 'description: "# Hi\\n\\nthere"\n');
    expect((await world.run('appearance', 'diff', 'a.yaml')).out)
      .toBe('description:\n    # Hi\n    \n  - there\n  + there (no line break at the end)\n');
    world.files.set('a.yaml', 'description: "# Hi\\n\\nyou"\n');
    expect((await world.run('appearance', 'diff', 'a.yaml')).out).toBe('description:\n    # Hi\n    \n  - there\n  + you\n');
  });

  it('shortens long texts in rows', async () => {
    const world = await filled();
    world.files.set('a.yaml', `title: ${'word '.repeat(50)}\n`);
    expect((await world.run('appearance', 'diff', 'a.yaml', '-o', 'tsv')).out).toMatch(/^title\t"yes"\t"(word ){12}…"\n$/);
  });

  it('leaves out unchanged lines between changes', async () => {
    const world = await filled();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    await world.run('appearance', 'set', '--description', lines.join('\n'));
    world.files.set('a.json', JSON.stringify({ description: lines.with(0, 'first').with(19, 'last').join('\n') }));
    expect((await world.run('appearance', 'diff', 'a.json')).out).toBe('description:\n  - line 0\n  + first\n    line 1\n    line 2\n    …\n'
      + '    line 17\n    line 18\n  - line 19\n  + last\n');
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
  const world = await filled();
  Object.assign(world.app.files, { readLimited: readLimitedFile, write: writeWhole });
  expect(await world.run('appearance', 'export', join(folder, 'conf', 'a.yaml'), '--yes')).toMatchObject({ code: 0 });
  expect([logoName, iconName].map((name) => lstatSync(join(folder, 'conf', name)).isFile())).toEqual([true, true]);
  expect(readFileSync(join(folder, iconName), 'utf8')).toBe('mine');
  const apply = await world.run('appearance', 'apply', join(folder, 'conf', 'a.yaml'));
  expect(apply).toMatchObject({ code: 0, err: 'nothing changed\n' });
});
