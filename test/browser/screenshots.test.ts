import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the pictures in the documentation show the pages as they are now', { timeout: 60_000 }, () => {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'screenshots.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});
