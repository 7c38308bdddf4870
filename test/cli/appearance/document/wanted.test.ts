import { describe, expect, it } from 'vitest';
import { checkedDocument, imageName, type ImagePlaces, readAppearanceDocument, wantedFrom, withImageFiles } from '../../../../src/cli/appearance/document.js';
import { largestImage } from '../../../../src/cli/appearance/images.js';
import { openAppearance, readLiveAppearance } from '../../../../src/cli/appearance/live.js';
import { otherPng, png, sha256 } from '../../../support/appearance.js';
import { testApp } from '../../../support/app.js';
import { images, multipart } from '../../../support/images.js';

const files = { 'logo.png': png, 'img/a.svg': images.svg, '/elsewhere/b.png': otherPng('b') };

const documentOf = async (text: string, places: ImagePlaces = {}, path = 'a.yaml') => {
  const { app } = await testApp({ files: { ...files, [path]: text } });
  return withImageFiles(app, await readAppearanceDocument(app, path), places);
};

/** What a document asks of a service with the title `Old` and a logo. */
const wanted = async (text: string, places: ImagePlaces = {}) => {
  const world = await testApp({ env: { COLLOQUY_TOKEN: 'root-token' } });
  await world.service.put('/application/appearance', { as: 'root', json: { title: 'Old' } });
  await world.service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['live.png', png] }) });
  return wantedFrom(await documentOf(text, places), await readLiveAppearance(await openAppearance(world.app, {})));
};

describe('a document asks for', () => {
  it('the texts and switches that it names', async () => {
    expect(await wanted('title: New\ndescription: ""\nemail_header_and_footer_enabled: true\n')).toEqual({
      values: { title: 'New', description: '', email_header_and_footer_enabled: true }, removals: [], warnings: [] });
  });

  it('images that are files, by their content', async () => {
    const { values } = await wanted('logo: logo.png\nfavicon: img/a.svg\n');
    expect(values).toMatchObject({ logo: { filename: 'logo.png', content_type: 'image/png' }, favicon: { filename: 'a.svg', content_type: 'image/svg+xml' } });
  });

  it('no change of an image whose address it has', async () => {
    expect(await wanted('logo: /uploads/-/system/appearance/logo/1/live.png\n')).toEqual({ values: {}, removals: [], warnings: [] });
  });

  it('the removal of an image, where there is one', async () => {
    expect(await wanted('logo: ""\nheader_logo: ""\nfavicon: ""\n')).toEqual({ values: {}, removals: [{ field: 'logo', at: 'a.yaml:1:1' }], warnings: [] });
  });

  it('no names that the service returns but cannot change, with a warning if they differ', async () => {
    expect((await wanted('pwa_name: Acme\npwa_description: ""\n')).warnings).toEqual([
      { level: 'warning', message: 'a.yaml:1:1: pwa_name differs, and cannot be changed through the API', hint: 'remove the line' }]);
  });

  it('no unknown names', async () => {
    await expect(wanted('titel: x\n')).rejects.toMatchObject({ code: 'usage', message: 'a.yaml:1:1: unknown field "titel"', hint: 'did you mean title?' });
    const names = /^ {2}a\.yaml:1:1: unknown field "zzzzzzzz"; choose from: title, .*\n {2}a\.yaml:2:1: unknown field "yyyyyyyy"$/;
    await expect(wanted('zzzzzzzz: x\nyyyyyyyy: x\n')).rejects.toMatchObject({ hint: expect.stringMatching(names) as string });
    await expect(wanted('zzzzzzzz: x\n')).rejects.toMatchObject({ hint: expect.stringMatching(/^choose from: title, description, /) as string });
  });
});

describe('an image of a document', () => {
  it.each<[string, string, string]>([
    ['that is missing', 'none.png', 'a.yaml:1:1: cannot read none.png for logo: no such file'],
    ['outside of the folder', '/elsewhere/b.png', 'a.yaml:1:1: cannot read /elsewhere/b.png for logo: '],
    ['with an invalid data URI', 'data:image/png;base64,!!!', 'a.yaml:1:1: invalid data URI for logo'],
    ['with an unfinished data URI', 'data:image/png', 'a.yaml:1:1: invalid data URI for logo'],
    ['with invalid percent signs', "'data:image/svg+xml,%zz'", 'a.yaml:1:1: invalid data URI for logo'],
  ])('%s is rejected with its place', async (_, value, message) => {
    await expect(documentOf(`logo: ${value}\n`)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) as string });
  });

  it('that is too large is rejected', async () => {
    await expect(documentOf(`logo: data:image/png;base64,${Buffer.alloc(largestImage + 1).toString('base64')}\n`))
      .rejects.toThrow(`the image for logo is larger than ${largestImage} bytes`);
  });

  it('may be outside of the folder with --allow-outside', async () => {
    expect((await documentOf('logo: /elsewhere/b.png\n', { allowOutside: true })).images.get('logo')).toMatchObject({ filename: 'b.png' });
  });

  it('may be a data URI in base64 or percent-encoded, and is named after its content', async () => {
    const base64 = png.toString('base64').replace(/(.{20})/g, '$1 ');
    for (const [uri, name] of [[`"data:image/gif;base64,${base64}"`, `logo.${sha256(png).slice(0, 8)}.png`],
      [`"data:image/svg+xml,${encodeURIComponent(String(images.svg))}"`, `logo.${sha256(images.svg).slice(0, 8)}.svg`]] as const) {
      expect((await documentOf(`logo: ${uri}\n`)).images.get('logo')).toMatchObject({ filename: name });
    }
  });

  it('with an address is an error only if it is not that of the live image', async () => {
    const other = 'logo: https://cdn.test/logo.png\n';
    expect((await documentOf(other)).images.get('logo')).toMatchObject({ code: 'usage' });
    await expect(wanted(other)).rejects.toMatchObject({
      message: 'a.yaml:1:1: the URL of logo is not the address of the live image', hint: 'download the image, and write the path of the file' });
    await expect(wanted('logo: /uploads/-/system/appearance/logo/1/old.png\n')).rejects.toMatchObject({
      hint: 'write the path of a file: the live image has another address now' });
  });
});

it('all problems are named together: those of texts and unreadable images before a request, those of names when the live ones are known', async () => {
  const text = 'title: [a]\nlogo: absent.png\nmessage_font_color: fff\nheader_logo: logo.png\ntitel: x\nemail_header_and_footer_enabled: "yes"\n';
  const { app } = await testApp({ files: { ...files, 'a.yaml': text } });
  await expect(readAppearanceDocument(app, 'a.yaml').then((document) => checkedDocument(app, document, {}))).rejects.toMatchObject({
    code: 'usage', message: '4 problems in a.yaml', hint: [
      '  a.yaml:1:8: expected a text for "title"; write it like title: "text"',
      '  a.yaml:6:34: expected true or false for "email_header_and_footer_enabled"; write it like email_header_and_footer_enabled: true',
      '  a.yaml:2:1: cannot read absent.png for logo: no such file; write the path of an image, relative to the folder of this file',
      '  a.yaml:3:1: invalid color "fff" for message_font_color; write it with #, in quotes: message_font_color: \'#fff\''].join('\n'),
  });
  await expect(wanted('titel: x\ntitle: New\nheader: y\n')).rejects.toMatchObject({ message: '2 problems in a.yaml' });
});

it.each([
  ['a PNG image', images.png, 'x.gif', 'png'], ['unknown content', Buffer.from('x'), 'a.PDF', 'pdf'], ['a program', images.exe, 'logo.png', 'png'],
  ['unknown content without a name', Buffer.from('x'), '', 'bin'], ['an odd extension', Buffer.from('x'), 'a.b!c', 'bin'],
])('the file for %s gets a name of its content', async (_, bytes, given, extension) => {
  expect(await imageName('logo', bytes, given)).toBe(`logo.${sha256(bytes).slice(0, 8)}.${extension}`);
});
