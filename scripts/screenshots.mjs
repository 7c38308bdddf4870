/**
 * Writes the pictures of `appearance preview`, in light and in dark, of the inspector, and of what the jobs of a
 * pipeline write in docs/images, from the built program and its test server, and their words to screenshots.json.
 * `--check` fails if the pages have other words by now: versions of Chromium draw differently, so pictures cannot be
 * compared.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const isChecking = process.argv.includes('--check');
const wordsFile = join(root, 'docs/images/screenshots.json');
const words = {};
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

/** Reads the words of a page or a part of it, without ports and durations, takes its picture, and closes it. */
const take = async (page, name, colorScheme, part = null) => {
  const text = await (part ?? page.locator('body')).innerText();
  words[name] = text.replace(/(?<=127\.0\.0\.1:)\d+/g, '…').replace(/[\d.]+(?= ms\b)/g, '…').split('\n');
  if (!isChecking) await write(part ?? page, `${name}-${colorScheme}`);
  await page.close();
};

const write = async (shown, name) => {
  const path = join(root, `docs/images/${name}.png`);
  await shown.screenshot({ path });
  const { size } = statSync(path);
  if (size > largest) throw new Error(`${path} has ${size} bytes, more than ${largest}`);
  console.error(`wrote ${path} (${size} bytes)`);
};

/** Compares the words of all pages with those of the pictures, or stores them. */
const finish = () => {
  const text = `${JSON.stringify(words, null, 2)}\n`;
  if (!isChecking) return writeFileSync(wordsFile, text);
  const former = readFileSync(wordsFile, 'utf8').split('\n');
  const line = text.split('\n').findIndex((one, index) => one !== former[index]);
  if (text === former.join('\n')) return undefined;
  process.exitCode = 1;
  return console.error(`the pictures of web pages are stale; run: node scripts/screenshots.mjs\n` +
    `- ${former[line]}\n+ ${text.split('\n')[line]}`);
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

const world = `users:
  - { username: ada, name: Ada, token: ada-token }
  - { username: quality-bot, name: Quality bot, token: bot-token }
projects:
  - path: acme/app
    members: { ada: developer, quality-bot: developer }
    merge_requests:
      - iid: 12
        title: Retry deliveries
        author: ada
        base_sha: c61a130270a5bb597c11256ef085086ee26b9fdf
        start_sha: c61a130270a5bb597c11256ef085086ee26b9fdf
        head_sha: 0d1e26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c
        diff: |
          --- a/src/send.ts
          +++ b/src/send.ts
          @@ -1,4 +1,6 @@
           import { attempt } from './attempt.js';

           /** Delivers one message. */
          -export const send = (message: Message) => attempt(message);
          +export const send = async (message: Message, attempts: string) => {
          +  return retried(attempts, () => attempt(message));
          +};
`;
const report = `### Tests

| Suite | Passed | Failed |
|---|---:|---:|
| unit | 412 | 0 |
| delivery | 37 | 1 |

Coverage: **84.1 %**, 0.6 points more than main.
`;
const problem = `Argument of type 'string' is not assignable to parameter of type 'number'.`;
const finding = `src/send.ts(5,18): error TS2345: ${problem}\n`;

/** What the jobs of a pipeline write on a merge request. */
const exampleJobs = (url) => {
  const run = (...words) => {
    const job = { CI: 'true', COLLOQUY_URL: url, COLLOQUY_TOKEN: 'bot-token', COLLOQUY_PROJECT: 'acme/app' };
    const options = { cwd: folder, env: { ...process.env, ...job } };
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/colloquy.cjs'), ...words], options);
    if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  };
  run('notes', 'upsert', 'mr/12', '--key', 'tests', '--body-file', 'report.md', '--neutral');
  run('notes', 'post', 'mr/12', '--from', 'tsc', 'tsc.txt');
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
      await take(page, 'preview', colorScheme);
    }
  });
  const serve = ['serve', '--json', '--seed', '1', '--now', '2024-05-06T14:00:00Z'];
  await withProgram(folder, serve, async ({ url, tokens }, said) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
    await page.goto(/http\S+/.exec(said())[0]);
    await page.getByText('Live.').waitFor();
    await exampleRequests(url, tokens);
    await page.locator('.request').nth(2).waitFor();
    const row = page.locator('.request', { hasText: 'nothing reads' });
    await row.locator('summary').first().click();
    await row.getByLabel('Body of the request').waitFor();
    await take(page, 'inspector', 'light');
  });
  for (const [name, text] of Object.entries({ 'world.yaml': world, 'report.md': report, 'tsc.txt': finding })) {
    writeFileSync(join(folder, name), text);
  }
  await withProgram(folder, [...serve, '--world', 'world.yaml'], async ({ url }, said) => {
    exampleJobs(url);
    const page = await browser.newPage({ viewport: { width: 900, height: 900 }, colorScheme: 'light' });
    await page.goto(/http\S+/.exec(said())[0]);
    await page.getByRole('button', { name: 'Threads' }).click();
    await page.getByRole('button', { name: 'Retry deliveries' }).click();
    await page.getByText('Coverage').waitFor();
    await take(page, 'merge-request', 'light', page.locator('section[aria-labelledby="threads"]'));
  });
  finish();
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
