import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('npm start shows a view, an upsert and a fault, then the next two commands', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/tour.mjs'], { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8' });
  expect(status).toBe(0);
  const commands = [...stdout.matchAll(/^\$ colloquy (\w+ \w+)/gm)].map(([, words]) => words);
  expect(commands).toEqual(['discussions list', 'discussions view', 'notes upsert', 'notes add', 'discussions resolve', 'appearance set',
    'epics list']);
  expect(stdout).toContain('fault: POST * => reset after times=1');
  expect(stdout).toMatch(/\n\$ bin\/colloquy\.cjs discussions view mr\/12 --sandbox\n\$ bin\/colloquy\.cjs serve\n$/);
  expect(stdout.split('\n').length).toBeLessThan(75);
});
