import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ended, newHome, program } from '../support/program.js';

it('the arguments of the browser, which other users can see, give access to the preview once', async () => {
  const { home, env } = newHome();
  const [opener, given] = [join(home, 'bin', 'xdg-open'), join(home, 'given')];
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > "${given}.part" && mv "${given}.part" "${given}"\n`);
  chmodSync(opener, 0o755);
  const child = spawn(process.execPath, [program, 'appearance', 'preview', '--sandbox', '--json'], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const left = ended(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await left;
  });
  await expect.poll(() => existsSync(given)).toBe(true);
  const address = readFileSync(given, 'utf8').trim();
  const first = await fetch(address);
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('Appearance preview')]);
  expect((await fetch(first.url)).status).toBe(200);
  expect((await fetch(address)).status).toBe(410);
  child.kill('SIGINT');
  const { out } = await left;
  expect(JSON.parse(out)).toEqual({ url: first.url });
  expect(address).not.toContain(new URL(first.url).pathname.replaceAll('/', ''));
}, 60_000);
