/**
 * Writes the pictures of `appearance preview` and of the inspector in docs/images, in light and in dark, from the built
 * program and its demo service. They need Chromium. Its versions draw differently, so nothing compares the pictures
 * with new ones.
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

/** Runs a command that prints its address while `use` works with it; it also gets what the command said. */
const withProgram = async (folder, words, use) => {
  const child = spawn(process.execPath, [join(root, 'bin/colloquy.cjs'), ...words],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => { said += text; });
  const ended = once(child, 'exit');
  try {
    const [line] = await Promise.race([once(child.stdout, 'data'), ended.then(() => { throw new Error('it ended'); })]);
    await use(JSON.parse(line), () => said);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
};

/** Closes the page. */
const write = async (page, name) => {
  const path = join(root, `docs/images/${name}.png`);
  await page.screenshot({ path });
  await page.close();
  const { size } = statSync(path);
  if (size > largest) throw new Error(`${path} has ${size} bytes, more than ${largest}`);
  console.error(`wrote ${path} (${size} bytes)`);
};

/** Of a bot that misspells a parameter, and then asks for what the server does not have. */
const exampleRequests = async (url, { ada }) => {
  const thread = `${url}/api/v4/projects/acme%2Fapp/merge_requests/12/discussions`;
  const headers = { 'private-token': ada, 'content-type': 'application/json', 'user-agent': 'review-bot/1.0' };
  await fetch(`${thread}?per_page=100`, { headers });
  const body = JSON.stringify({ body: 'Coverage: **84.1 %**', confidental: true });
  await fetch(thread, { method: 'POST', headers, body });
  await fetch(`${url}/api/v4/projects/acme%2Fapp/pipelines`, { headers });
};

const folder = mkdtempSync(join(tmpdir(), 'colloquy-screenshots-'));
const browser = await chromium.launch({ executablePath: executable(), args: ['--no-sandbox', '--disable-gpu'] });
try {
  const drawing = await browser.newPage({ viewport: { width: 32, height: 32 } });
  await drawing.setContent(`<body style="margin: 0">${icon}</body>`);
  writeFileSync(join(folder, 'favicon.png'), await drawing.screenshot({ omitBackground: true }));
  writeFileSync(join(folder, 'logo.svg'), logo);
  writeFileSync(join(folder, 'appearance.yaml'), document);
  const preview = ['appearance', 'preview', 'appearance.yaml', '--sandbox', '--no-open', '--json'];
  await withProgram(folder, preview, async ({ url }) => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport, colorScheme });
      await page.goto(url);
      await write(page, `preview-${colorScheme}`);
    }
  });
  await withProgram(folder, ['serve', '--json', '--now', '2024-05-06T14:00:00Z'], async ({ url, tokens }, said) => {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
      await page.goto(/http\S+/.exec(said())[0]);
      await page.getByText('Live.').waitFor();
      await exampleRequests(url, tokens);
      const row = page.locator('.request', { hasText: 'nothing reads' }).first();
      await row.locator('summary').first().click();
      await row.getByLabel('Body of the request').waitFor();
      await write(page, `inspector-${colorScheme}`);
    }
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
