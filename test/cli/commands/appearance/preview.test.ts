import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { run } from '../../../../src/cli/run.js';
import { json } from '../../../support/answers.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { images } from '../../../support/images.js';

const root: WorldOptions = { env: { COLLOQUY_TOKEN: 'root-token' } };

type Files = Map<string, string | Uint8Array>;

/** Runs the preview until `visit` is done with the address of the page. */
const previewing = async <T>(flags: readonly string[], visit: (url: string, files: Files) => Promise<T>, options: WorldOptions = {}) => {
  const world = await testApp({ ...root, ...options });
  let ready: (text: string) => void;
  const address = new Promise<string>((resolve) => { ready = resolve; });
  const printed: string[] = [];
  const out = { ...world.app.out, write: async (text: string) => { printed.push(text); ready(text); } };
  const said: string[] = [];
  const err = { ...world.app.err, write: async (text: string) => { said.push(text); } };
  const end = run(['appearance', 'preview', ...flags], { ...world.app, out, err });
  const urlIn = (text: string) => text.startsWith('{') ? (JSON.parse(text) as { url: string }).url : text.trim();
  const seen = await Promise.race([
    address.then((text) => visit(urlIn(text), world.files)), end.then((code) => { throw new Error(`ended with ${code}: ${said.join('')}`); }),
  ]);
  world.stop.abort();
  return { code: await end, seen, out: printed.join(''), err: said.join('') };
};

const page = (url: string) => fetch(url).then((response) => response.text());
const version = (url: string) => fetch(`${url}version`).then((response) => response.text());

describe('appearance preview', () => {
  it('shows the live appearance until it is interrupted', async () => {
    const { code, seen, out, err } = await previewing(['--no-open'], page);
    expect(code).toBe(0);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/\n$/);
    expect(err).toBe('');
    expect(seen).toContain('http://service.test');
    expect(seen).not.toContain('class="after"');
  });

  it.each([[['--json']], [['-o', 'json']], [['--jq', '.']]])('prints the address as JSON with %j', async (flags) => {
    const { out, seen } = await previewing(['--no-open', ...flags], async (url) => url);
    expect(JSON.parse(out)).toEqual({ url: seen });
  });

  it('shows the state after the document, its changes and its checks', async () => {
    const files = {
      'acme/appearance.yaml': 'title: Acme\nlogo: logo.png\nmessage_background_color: "#ffffff"\n', 'acme/logo.png': images.png,
    };
    const { seen } = await previewing(['acme/appearance.yaml', '--no-open'], page, { files });
    expect(seen).toContain('3 fields change: title, logo, message_background_color.');
    expect(seen).toContain('<p class="brand-title" dir="auto">Acme</p>');
    expect(seen).toMatch(/<img class="logo" src="images\/after\/logo-[0-9a-f]{8}"/);
    expect(seen).toMatch(/<strong>Warning:<\/strong> [^<]*contrast/);
  });

  it('says that an image cannot be removed', async () => {
    const appearance = { title: '', description: '', logo: '/uploads/logo.png', header_logo: null, favicon: null };
    const answer: WorldOptions['answer'] = ({ target }) => target.endsWith('.png') ? undefined : json(200, appearance);
    const { seen } = await previewing(['a.yaml', '--no-open'], page, { answer, files: { 'a.yaml': 'logo: ""\n' } });
    expect(seen).toContain('a.yaml:1:1: logo stays as it is: the API cannot remove images');
    expect(seen).toContain('The document changes nothing.');
  });

  it('follows changes of the document and of its images', async () => {
    const given = { 'a.yaml': 'title: One\nlogo: logo.png\n', 'logo.png': images.png };
    await previewing(['a.yaml', '--no-open'], async (url, files) => {
      const first = await version(url);
      expect(await version(url)).toBe(first);
      files.set('a.yaml', 'title: Two\nlogo: logo.png\n');
      const second = await version(url);
      expect(await page(url)).toContain('<p class="brand-title" dir="auto">Two</p>');
      files.set('logo.png', images.gif);
      expect(new Set([first, second, await version(url)]).size).toBe(3);
    }, { files: given });
  });

  it('shows where a document is broken, with the last good state, until it is fixed', async () => {
    const given = { 'a.yaml': 'title: One\n' };
    await previewing(['a.yaml', '--no-open'], async (url, files) => {
      for (const [broken, message] of [['title: One\ntitel: x\n', 'a.yaml:2:1: unknown field'], ['title: "One\n', 'a.yaml:']] as const) {
        files.set('a.yaml', broken);
        const text = await page(url);
        expect(text).toContain('role="alert"');
        expect(text).toContain(message);
        expect(text).toContain('<p class="brand-title" dir="auto">One</p>');
      }
      files.delete('a.yaml');
      expect(await page(url)).toContain('role="alert"');
      files.set('a.yaml', 'title: Three\n');
      expect(await page(url)).not.toContain('role="alert"');
    }, { files: given });
  });

  it('reads the live appearance again when the page is loaded again', async () => {
    let title = 'Old';
    let isDown = false;
    const answer = () => isDown ? json(403, { message: '403 Forbidden' })
      : json(200, { title, description: '', logo: null, header_logo: null, favicon: null });
    await previewing(['--no-open'], async (url) => {
      expect(await page(url)).toContain('>Old</p>');
      title = 'New';
      expect(await page(url)).toContain('>New</p>');
      isDown = true;
      const text = await page(url);
      expect(text).toContain('role="alert"');
      expect(text).toContain('the service denied access (HTTP 403)');
      expect(text).toContain('>New</p>');
    }, { answer });
  });

  it('opens the page in the browser, unless --no-open is given', async () => {
    const opened: string[] = [];
    const tools = { openUrl: async (url: string) => { opened.push(url); return true; } };
    const { seen, err } = await previewing([], async () => page(await vi.waitUntil(() => opened[0], { timeout: 40_000 })), { tools });
    expect(seen).toContain('Appearance preview');
    expect(err).toBe('');
    await previewing(['--no-open'], async () => undefined, { tools });
    expect(opened).toHaveLength(1);
  });

  it('opens it at an address that works once, and never at the one that stays valid', async () => {
    const opened: string[] = [];
    const tools = { openUrl: async (url: string) => { opened.push(url); return true; } };
    await previewing([], async (url) => {
      const given = await vi.waitUntil(() => opened[0], { timeout: 40_000 });
      expect(given).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\/[0-9a-f]{32}$/);
      const [secret, code] = [new URL(url).pathname.slice(1, -1), given.slice(-32)];
      expect(given).not.toContain(secret);
      expect((await fetch(`${new URL(url).origin}/${code}/`)).status).toBe(404);
      const first = await fetch(given, { redirect: 'manual' });
      expect([first.status, first.headers.get('location')]).toEqual([303, `/${secret}/`]);
      const second = await fetch(given, { redirect: 'manual' });
      expect([second.status, second.headers.get('location')]).toEqual([410, null]);
      expect(await second.text()).toContain('Open the address that the command printed');
      expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([200, 200]);
    }, { tools });
  });

  it('goes on if no browser can be opened, and says so', async () => {
    const { code, err } = await previewing([], page);
    expect({ code, err }).toEqual({ code: 0, err: 'cannot open a browser: open the address above yourself\n' });
  });

  it.each([
    [['a.yaml'], 2, 'a.yaml'], [['--port', '70000'], 2, 'invalid port 70000'], [['--port', 'x'], 2, 'invalid value "x" for --port'],
    [['broken.yaml'], 2, 'broken.yaml:1:1: unknown field "titel"'],
  ])('fails at once with %j', async (flags, code, message) => {
    const ran = await ranIn({ ...root, files: { 'broken.yaml': 'titel: x\n' } }, 'appearance', 'preview', '--no-open', ...flags);
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.err).toContain(message);
  });

  it('needs an administrator', async () => {
    expect(await ranIn({}, 'appearance', 'preview', '--no-open')).toMatchObject({ code: 5, out: '' });
  });

  it('reports a port that is in use', async () => {
    const other = createServer();
    onTestFinished(() => { other.close(); });
    await new Promise<void>((resolve) => { other.listen(0, '127.0.0.1', resolve); });
    const { port } = other.address() as AddressInfo;
    const { code, err } = await ranIn(root, 'appearance', 'preview', '--no-open', '--port', String(port));
    expect(code).toBe(1);
    expect(err).toBe(`colloquy: 127.0.0.1:${port} is already in use (EADDRINUSE)\nchoose another --port; port 0 picks a free one\n`);
  });

  it('shows the demo service with --sandbox', async () => {
    const { seen } = await previewing(['--no-open', '--sandbox'], page, { env: {} });
    expect(seen).toContain('demo service');
  });
});
