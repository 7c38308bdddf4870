/**
 * Writes the pictures of `appearance preview` in docs/images, in light and in dark, from the built program and its demo
 * service. They need Chromium. Its versions draw differently, so nothing compares the pictures with new ones.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const largest = 150_000;
const viewport = { width: 1280, height: 1020 };

const mark = `<path d="M8 34 24 8l16 26z" fill="#f5b83d"/><path d="M16 34 24 21l8 13z" fill="#0f3d5e"/>`;
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 190 42" width="190" height="42">
<rect width="190" height="42" rx="8" fill="#0f3d5e"/>${mark}
<text x="52" y="28" font-family="sans-serif" font-size="20" font-weight="700" fill="#fff">Acme Forge</text></svg>`;
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="4 4 40 34" width="32" height="32">${mark}</svg>`;

const document = `title: Acme Forge
description: |
  ## Welcome to the forge

  All code of Acme lives here. New? Read the [first steps](https://wiki.example.com/first-steps).

  - Questions: \`#forge\` in the chat
  - Outages: [status page](https://status.example.com)
logo: logo.svg
header_logo: logo.svg
favicon: favicon.png
header_message: Maintenance on **Friday** from 18:00 to 19:00 UTC
message_background_color: '#0f3d5e'
message_font_color: '#ffffff'
email_header_and_footer_enabled: true
`;

const executable = () => {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  throw new Error('Chromium is not installed (Debian: apt-get install chromium)');
};

/** Runs the preview of a document while `use` works on its page. */
const withPreview = async (folder, use) => {
  const words = ['appearance', 'preview', 'appearance.yaml', '--sandbox', '--no-open', '--json'];
  const child = spawn(process.execPath, [join(root, 'bin/colloquy.cjs'), ...words],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => { throw new Error('it ended'); })]);
    await use(JSON.parse(line).url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

const folder = mkdtempSync(join(tmpdir(), 'colloquy-screenshots-'));
const browser = await chromium.launch({ executablePath: executable(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const drawing = await browser.newPage({ viewport: { width: 32, height: 32 } });
  await drawing.setContent(`<body style="margin: 0">${icon}</body>`);
  writeFileSync(join(folder, 'favicon.png'), await drawing.screenshot({ omitBackground: true }));
  writeFileSync(join(folder, 'logo.svg'), logo);
  writeFileSync(join(folder, 'appearance.yaml'), document);
  await withPreview(folder, async (url) => {
    for (const colorScheme of ['light', 'dark']) {
      const path = join(root, `docs/images/preview-${colorScheme}.png`);
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(url);
      await page.screenshot({ path });
      await page.close();
      const { size } = statSync(path);
      if (size > largest) throw new Error(`${path} has ${size} bytes, more than ${largest}`);
      console.error(`wrote ${path} (${size} bytes)`);
    }
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
