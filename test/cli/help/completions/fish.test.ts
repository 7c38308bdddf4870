import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ran } from '../../../support/app.js';
import { hasShell } from '../../../support/shells.js';

const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

describe('completion in fish', () => {
  it('continues inside quotes', async () => {
    const asked = `${(await ran('completion', 'fish')).out}\ncomplete -C 'colloquy config list --profile "my'`;
    const program = join(folder, 'colloquy');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\t\\n" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH']}` };
    if (hasShell('fish')) expect(spawnSync('fish', ['-c', asked], { encoding: 'utf8', env }).stdout).toBe('my\n');
    expect(asked).toContain('string replace');
  });
});

if (hasShell('fish')) {
  describe('words in fish', () => {
    it.each([
      ['colloquy --profile notes auth to', ['token']],
      ['colloquy notes -p list ed', ['edit']],
      ['colloquy --quiet notes ed', ['edit']],
      ['colloquy --quiet d tri', ['triage']],
      ['colloquy notes list --output=nd', ['--output=ndjson']],
    ] as const)('completes %s by the meaning of its words', async (line, words) => {
      const script = (await ran('completion', 'fish')).out;
      const { stdout } = spawnSync('fish', ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(line)}`], { encoding: 'utf8' });
      expect(stdout.trim().split('\n').map((one) => one.split('\t')[0])).toEqual(words);
    });
  });
}
