import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testApp } from '../support/app.js';
import { isAll } from '../support/extent.js';
import { everyRow } from '../support/rows.js';
import { hostileYaml } from '../yaml/hostile.js';

const folder = mkdtempSync(join(tmpdir(), 'yaml-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

/** A text that only the limit of one command allows is rejected for its size. */
const reasonFor = (reason: string) => new RegExp(`${reason.replace(/[*]/g, '\\*')}|is too large|is larger than`);

/** In `npm test`, without the longest. */
const texts = hostileYaml.filter(([, text]) => isAll || text.length < 500_000);

/** In `npm test`, each text goes to one of the commands. */
const textsFor = (index: number) => texts.filter((_, i) => isAll || i % 6 === index);

it.each([
  ['appearance apply', ['appearance', 'apply', 'a.yaml']],
  ['appearance diff', ['appearance', 'diff', 'a.yaml']],
  ['appearance preview', ['appearance', 'preview', 'a.yaml', '--no-open', '--sandbox']],
  ['epics apply', ['epics', 'apply', '&1', 'a.yaml', '-g', 'acme', '--sandbox']],
  ['serve --fault', ['serve', '--fault', '@a.yaml', '--port', '0']],
].map(([name, argv], index) => [name, argv, index] as [string, string[], number]))('%s rejects a file that a limit of YAML rejects', async (_, argv, index) => {
  await everyRow(textsFor(index), ([name]) => name, async ([, text, reason]) => {
    const { run } = await testApp({ files: { 'a.yaml': text } });
    const { code, err } = await run(...argv);
    expect([code, err]).toEqual([2, expect.stringMatching(reasonFor(reason))]);
  });
});

it('serve --world rejects a file that a limit of YAML rejects', async () => {
  await everyRow(textsFor(5), ([name]) => name, async ([, text, reason, line]) => {
    const file = join(folder, 'world.yaml');
    writeFileSync(file, text);
    const { run } = await testApp();
    const { code, err } = await run('serve', '--world', file, '--port', '0');
    expect([code, err]).toEqual([2, expect.stringContaining(`${file}:${line}: ${reason}`)]);
  });
});
