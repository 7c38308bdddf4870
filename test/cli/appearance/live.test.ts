import { describe, expect, it } from 'vitest';
import { openAppearance, readLiveAppearance } from '../../../src/cli/appearance/live.js';
import type { GlobalFlags } from '../../../src/cli/command-line/flags.js';
import type { HttpResponse } from '../../../src/wire/http.js';
import { json } from '../../support/answers.js';
import { testApp, type WorldOptions } from '../../support/app.js';
import { png, sha256 } from '../../support/appearance.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' }, files: { 'a b.png': png } };

const liveIn = async (options: WorldOptions, flags: GlobalFlags = {}) => {
  const world = await testApp({ ...root, ...options });
  return { live: await readLiveAppearance(await openAppearance(world.app, flags)), world };
};

/** A service whose logo is at an address, and what is served there. */
const withLogo = (address: string, served: HttpResponse) => {
  const requests: { url: string; headers: Readonly<Record<string, string>> }[] = [];
  const options: WorldOptions = { ...root, answer: ({ target, headers }) => {
    if (target.endsWith('/application/appearance')) return json(200, { title: 'T', description: '', logo: address, header_logo: null, favicon: null });
    requests.push({ url: target, headers });
    return served;
  } };
  return { options, requests };
};
const image = (body: Uint8Array, type = 'image/png'): HttpResponse => ({ status: 200, headers: { 'content-type': type }, body });

describe('the live appearance', () => {
  it('has all fields of the service, and null for images that are not set', async () => {
    const { live } = await liveIn({});
    expect(live.fields).toMatchObject({ title: '', message_font_color: '#FFFFFF', email_header_and_footer_enabled: false });
    expect(live.images).toEqual({ logo: null, header_logo: null, favicon: null, pwa_icon: null });
  });

  it('has the bytes, name, type and hash of each image', async () => {
    const world = await testApp(root);
    await world.run('appearance', 'set', '--logo', 'a b.png', '--title', 'T');
    const { fields, images } = await readLiveAppearance(await openAppearance(world.app, {}));
    expect(fields.title).toBe('T');
    expect(images.logo).toMatchObject({ filename: 'a_b.png', content_type: 'image/png', sha256: sha256(png), address: fields.logo, problem: null });
    expect(Buffer.from(images.logo!.bytes!).equals(png)).toBe(true);
  });

  it('is complete in the sandbox too', async () => {
    const { live } = await liveIn({}, { sandbox: true });
    expect(live.fields.title).not.toBe('');
    for (const one of Object.values(live.images)) expect(one?.problem ?? null).toBeNull();
  });

  it('has an image from another host, which gets no token', async () => {
    const { options, requests } = withLogo('https://cdn.test/uploads/logo.png?v=2', image(png));
    const { live, world } = await liveIn(options);
    expect(live.images.logo).toMatchObject({ sha256: sha256(png), isOwn: false, filename: 'logo.png' });
    expect(requests.map(({ url }) => url)).toEqual(['/uploads/logo.png?v=2']);
    expect(JSON.stringify(requests)).not.toContain('root-token');
    expect(world.connections.at(-1)).toMatchObject({ url: { origin: 'https://cdn.test' }, token: null, tls: {} });
  });

  it.each<[string, string, HttpResponse, string]>([
    ['on another host without HTTPS', 'http://169.254.169.254/meta', image(png), 'it is on another host, http://169.254.169.254'],
    ['that is no image on another host', 'https://cdn.test/secret', image(Buffer.from('secret'), 'text/plain'), 'not an image'],
    ['that does not exist', '/uploads/logo.png', json(404, {}), 'HTTP 404'],
    ['that is an HTML page', '/uploads/logo.png', image(Buffer.from('<html>'), 'text/html'), 'HTML page'],
    ['that is too large', '/uploads/logo.png', image(Buffer.alloc(10_485_761)), 'larger than'],
    ['without a valid address', 'http://[', image(png), 'not a URL'],
  ])('has no bytes of an image %s', async (_, address, served, problem) => {
    const { live } = await liveIn(withLogo(address, served).options);
    expect(live.images.logo).toMatchObject({ address, bytes: null, sha256: null, problem: expect.stringContaining(problem) as string });
  });
});
