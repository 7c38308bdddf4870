import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { images } from '../support/images.js';
import { injections } from '../support/injections.js';
import { ended, newHome, program } from '../support/program.js';

const open = useBrowser();

const texts = [
  'title', 'description', 'new_project_guidelines', 'profile_image_guidelines', 'header_message', 'footer_message',
  'message_background_color', 'message_font_color',
];
const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="top.canary = 1"><script>top.canary = 1</script>
<image href="https://evil.invalid/a.png" width="9" height="9"/></svg>`;

/** A service with these texts in every field, and an SVG with a script. @returns its URL */
const hostileService = async (): Promise<string> => {
  const appearance = {
    ...Object.fromEntries(texts.map((field) => [field, injections.join('\n\n')])), email_header_and_footer_enabled: true,
    logo: '/uploads/%22onerror=alert(1).svg', header_logo: '/uploads/<script>.svg', favicon: 'javascript:alert(1)',
  };
  const server = createServer(({ url = '' }, response) => {
    const isImage = url.startsWith('/uploads/');
    response.setHeader('content-type', isImage ? 'image/svg+xml' : 'application/json').end(isImage ? hostileSvg : JSON.stringify(appearance));
  });
  onTestFinished(() => { server.close(); server.closeAllConnections(); });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The program shows a hostile service and a file, next to other files. */
const previewOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const { home, env } = newHome();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  const service = await hostileService();
  const child = spawn(process.execPath, [program, 'appearance', 'preview', 'appearance.yaml', '--no-open', '--json'],
    { cwd: home, env: { ...env, COLLOQUY_URL: service, COLLOQUY_TOKEN: 'root-token' }, stdio: ['ignore', 'pipe', 'pipe'] });
  const left = ended(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await left;
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), left.then(({ err }) => { throw new Error(err); })]) as [string];
  return { home, url: (JSON.parse(line) as { url: string }).url, stop: () => { child.kill('SIGINT'); return left; } };
};

describe('the preview of the program', () => {
  it('shows a hostile service harmlessly', async () => {
    const { url } = await previewOf({ 'appearance.yaml': 'title: Acme\n' });
    const { page, watched } = await open(url);
    await page.waitForResponse(/\/version$/);
    expect(await page.evaluate('window.canary')).toBeUndefined();
    expect(watched.requests.filter((one) => !one.startsWith(url))).toEqual([]);
    expect(watched).toMatchObject({ errors: [], dialogs: [], popups: [] });
    expect(await page.locator('.before .logo').getAttribute('src')).toMatch(/^images\/before\/logo-/);
    expect(await page.locator('.after .brand-title').textContent()).toBe('Acme');
  });

  it('follows files that an editor replaces, and reports their errors with the line', async () => {
    const { home, url } = await previewOf({ 'appearance.yaml': 'title: One\n' });
    const { page } = await open(url);
    const replace = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(home, `${name}~`), content);
      renameSync(join(home, `${name}~`), join(home, name));
    };
    const title = page.locator('.after .brand-title');
    replace('appearance.yaml', 'title: One\ntitel: Two\n');
    await page.locator('[role=alert]').getByText('appearance.yaml:2:1').waitFor();
    expect(await title.textContent()).toBe('One');
    replace('logo.png', images.png);
    replace('appearance.yaml', 'title: Two\nlogo: logo.png\n');
    await title.getByText('Two').waitFor();
    const image = page.locator('.after img.logo');
    const address = await image.getAttribute('src');
    replace('logo.png', images.gif);
    await page.locator(`.after img.logo:not([src="${address}"])`).waitFor();
  });

  it('ends with Ctrl-C while the page is open', async () => {
    const { url, stop } = await previewOf({ 'appearance.yaml': 'title: One\n' });
    await open(url);
    expect(await stop()).toMatchObject({ code: 0, err: '' });
  });
});
