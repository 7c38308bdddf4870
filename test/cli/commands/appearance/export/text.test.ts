import { describe, expect, it } from 'vitest';
import { exportedFrom } from '../../../../../src/cli/commands/appearance/export.js';
import type { LiveAppearance, LiveImage } from '../../../../../src/cli/appearance/live.js';
import { png, sha256 } from '../../../../support/appearance.js';
import { images } from '../../../../support/images.js';

const image = (bytes: Uint8Array | null, filename = 'logo.png'): LiveImage => ({
  address: `/uploads/${filename}`, filename, bytes, sha256: bytes && sha256(bytes), content_type: null, problem: bytes ? null : 'HTTP 404', isOwn: true,
});
const live = (fields: Partial<LiveAppearance['fields']>, given: Partial<LiveAppearance['images']> = {}): LiveAppearance => {
  const all = { logo: null, header_logo: null, favicon: null, ...given };
  const addresses = Object.fromEntries(Object.entries(all).map(([field, one]) => [field, one?.address ?? null]));
  return { fields: { title: 'T', description: '', ...addresses, ...fields } as LiveAppearance['fields'], images: all };
};
const valuesIn = (text: string) => text.split('\n').filter((line) => !line.startsWith('#')).join('\n');

describe('an exported appearance', () => {
  it('has the fields that the service has, in the order of the contract', async () => {
    const { text, files } = await exportedFrom(live({ footer_message: 'F', description: 'a\nb\n' }), 'files');
    expect(text).toMatch(/^# The appearance of an instance/);
    expect(valuesIn(text)).toBe('title: T\ndescription: |\n  a\n  b\nlogo: ""\nheader_logo: ""\nfavicon: ""\nfooter_message: F\n');
    expect(files.size).toBe(0);
  });

  it('refers to files that are named after the field, the content and its type', async () => {
    const { text, files } = await exportedFrom(live({}, { logo: image(png, '../../etc/passwd'), favicon: image(images.ico, 'f.png') }), 'files');
    const names = [`logo.${sha256(png).slice(0, 8)}.png`, `favicon.${sha256(images.ico).slice(0, 8)}.ico`];
    expect([...files.keys()]).toEqual(names);
    expect(valuesIn(text)).toContain(`logo: ${names[0]}\nheader_logo: ""\nfavicon: ${names[1]}\n`);
    expect(files.get(names[0]!)).toBe(png);
  });

  it('can have the images as data URIs, even of unknown types', async () => {
    const bytes = Buffer.from('unknown');
    const { text, files } = await exportedFrom(live({}, { logo: image(images.svg), favicon: image(bytes) }), 'data');
    expect(text.replace(/\s+/g, '')).toContain(`data:image/svg+xml;base64,${images.svg.toString('base64')}`);
    expect(text.replace(/\s+/g, '')).toContain(`data:application/octet-stream;base64,${bytes.toString('base64')}`);
    expect(files.size).toBe(0);
  });

  it('is the same for the same appearance', async () => {
    const given = live({ description: 'x: y # z' }, { logo: image(png) });
    expect((await exportedFrom(given, 'files')).text).toBe((await exportedFrom(given, 'files')).text);
  });

  it('is an error if an image cannot be read', async () => {
    await expect(exportedFrom(live({}, { logo: image(null, 'a\u001b.png') }), 'files')).rejects.toMatchObject({
      code: 'failure', message: 'cannot read logo at /uploads/a\\u001b.png: HTTP 404' });
  });
});
